"""Why a rule of envgene-sd has neither a case nor a test that names it."""

from __future__ import annotations

_DECISION = "a decision between sources; the cases that follow it name the rule that it belongs to: "

WITHOUT_CASE: dict[str, str] = {
    "98": "nothing is implemented: these registries are refused like any other unknown form of login",
    "99": "never reached: rule 18 refuses every version that would need maven-metadata.xml",
    "D2": f"{_DECISION}9",
    "D3": f"{_DECISION}7",
    "D5": f"{_DECISION}38",
    "D6": f"{_DECISION}67",
    "D7": f"{_DECISION}35",
    "D8": f"{_DECISION}31",
    "D10": f"{_DECISION}60",
    "D11": f"{_DECISION}24",
    "D12": f"{_DECISION}11",
    "D13": f"{_DECISION}10",
    "D14": f"{_DECISION}85",
    "D15": f"{_DECISION}84",
    "D16": f"{_DECISION}74",
    "D19": f"{_DECISION}94",
    "D21": f"{_DECISION}53 and 57",
    "D22": f"{_DECISION}S34",
    "D23": f"{_DECISION}S35",
    "D32": f"{_DECISION}49",
    "S7": "the kit makes this check for all functions: tests/kit/test_fields.py",
}
