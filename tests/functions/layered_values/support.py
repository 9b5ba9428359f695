"""Runs of layered-values over items and a config that are written as YAML."""

from __future__ import annotations

from typing import Any

import yaml

from krm_values._krm import findings
from krm_values._yaml import decode
from tests.conformance.cases import State, execute
from tests.conformance.systems import SYSTEMS


def data(text: str) -> Any:
    """Plain data, numbers with their spelling."""
    return decode.to_data(decode.parse(text.strip("\n") + "\n"))


def run(config: str, *items: str, name: str = "lv", given: list[Any] | None = None) -> State:
    """One run. given: items as data, in place of those that are written."""
    case = {"id": "x", "name": name, "config": data(config), "input": []}
    return execute(SYSTEMS["layers"], case, given if given is not None else [*map(data, items)], case["config"])


def told(state: State, severity: str = "error") -> list[str]:
    """The findings of a severity, as users read them."""
    return [findings.line(one) for one in state.outcome.findings if one.severity == severity]


def kinds(state: State, severity: str = "error") -> list[str]:
    """The kinds of the findings of a severity."""
    return [one.kind for one in state.outcome.findings if one.severity == severity]


def item(state: State, name: str, kind: str = "") -> dict[str, Any]:
    """The item of a name, as it came out."""
    found = [one for one in state.items if one["metadata"]["name"] == name and kind in ("", one["kind"])]
    assert len(found) == 1, (told(state), [one["metadata"]["name"] for one in state.items])
    return found[0]


def values(state: State, name: str, key: str = "values.yaml") -> Any:
    """The values of a generated ConfigMap."""
    return yaml.safe_load(item(state, name)["data"][key])
