"""What Tekton makes of a run before and after `tekton-params`, from its recorded answers: equal, reported, or explained by a row."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from tests.functions.tekton_params.support import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.functions.tekton_params.support import Resolved

OVERRIDDEN = "an element of an overridden list, which Tekton reads from the outer list"
ENUM = "a value outside an enum that Tekton compares with values of the task only"
UNREAD = "a mistake in what the run skips or no step reads"
BRACKETS = "brackets in the steps of `finally`, which Tekton does not check"
DOTS = "a name with dots without brackets, which Tekton refuses in other fields"
GIVEN = "a value that Tekton compares with an enum once it is written out: a warning"
DEFAULTS = "`referenceDefaults` overrides the defaults of a Task"
REFERENCES = "reported with `references`"
RESULT = "a result outside an enum"
ROWS = (OVERRIDDEN, ENUM, UNREAD, BRACKETS, DOTS, GIVEN, DEFAULTS, REFERENCES, RESULT)
_REFUSALS = {
    "outer-element": OVERRIDDEN,
    "past-the-end": OVERRIDDEN,
    "enum-value": ENUM,
    "merged-brackets": BRACKETS,
    "unknown-in-pipeline": UNREAD,
}
_TEXT = re.compile(r"\$\((?:inputs\.)?params[.\[]")
_NAMES = re.compile(
    r"params(?:\.|\[\\?[\"'])([\w-]+(?:\.[\w-]+)*)|[\[: ]([\w.-]+)\]|param \"([^\"]+)\"|`([^`]+)` value|map\[([\w.-]+):|(?: |^)(values) field"
)


def digest(items: list[Any]) -> str:
    return hashlib.sha256(json.dumps(items).encode()).hexdigest()[:16]


def difference(recorded: dict[str, Any]) -> tuple[str, ...]:
    """The rows that explain a run, () if nothing has to be explained; ("unknown", ...) if they do not explain it."""
    given, config, before = recorded["given"], recorded["config"], recorded["answer"]
    found = resolve(given, **config)
    if found.errors:
        return _refused(found, before) if state(before) == "ran" else ()
    after = recorded["after"]
    if digest(found.items) != after["digest"]:
        return ("unknown", "not the result that Tekton's answer is recorded for")
    answer = after.get("answer", before)
    if state(answer) == "refused" and state(before) != "ran":
        return ()  # and says so at once
    if state(before) == state(answer) == "ran":
        if steps(before) == steps(answer):
            return ()
        return (DEFAULTS,) if config.get("referenceDefaults") else ("unknown", "another value")
    rows = {_row(text, recorded, found) for text in faults(answer)}
    if state(before) == "ran":
        rows = {GIVEN if row == "" and found.warnings else row or "unknown" for row in rows} or {"unknown"}
    return tuple(sorted(rows - {""}))


def _refused(found: Resolved, answer: dict[str, Any]) -> tuple[str, ...]:
    """Rows for what the function refuses and Tekton runs."""
    rows, skips = set(), "'skipped'" in str(answer)
    for finding in found.findings:
        if finding.severity == "error":
            dotted = finding.kind == "unknown-param" and "write `$(params[" in finding.message
            rows.add(DOTS if dotted else _REFUSALS.get(finding.kind, UNREAD if skips else "unknown"))
    return tuple(sorted(rows))


def _row(text: str, recorded: dict[str, Any], found: Resolved) -> str:
    """The row for a failure at run time, "" if a finding names it."""
    if _is_named(text, found):
        return ""
    if _is_named(text, resolve(recorded["given"], **(recorded["config"] | {"references": True}))):
        return REFERENCES
    return RESULT if re.search(r"value: .*\bR[rR01]", text) else "unknown"


def _is_named(text: str, found: Resolved) -> bool:
    said = " ".join([*found.errors, *found.warnings])
    if "enum" in text and any(finding.kind == "enum-not-given" for finding in found.findings):
        return True
    names = {name for groups in _NAMES.findall(text) for name in groups if name}
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) for name in names)


def state(answer: dict[str, Any]) -> str:
    """`refused` at admission, `failed` (any run of it), `left` (a reference in a step), or `ran`."""
    if "refused" in answer:
        return "refused"
    texts = list(faults(answer))
    return "ran" if not texts else "left" if all(_TEXT.search(text) for text in texts) else "failed"


def faults(answer: dict[str, Any]) -> Iterator[str]:
    """The errors of runs, except that a task failed, and the texts in which a reference is left."""
    yield from (str(text) for key, text in _flat(steps(answer)) if _is_fault(key, str(text)))


def _is_fault(key: str, text: str) -> bool:
    return not text.startswith("Failed: Tasks") if key in ("failed", "refused") else _TEXT.search(text) is not None


def steps(answer: Any) -> Any:
    """An answer without the params of runs and the specs of custom tasks."""
    if isinstance(answer, dict):
        return {key: steps(value) for key, value in answer.items() if key not in ("params", "custom")}
    return [steps(value) for value in answer] if isinstance(answer, list) else answer


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(member, key if isinstance(value, list) else name)
    else:
        yield key, value
