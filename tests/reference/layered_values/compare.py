"""One stack through the function and through the reference: where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from krm_values._run import invoke
from tests.reference.layered_values.fields import bare
from tests.reference.layered_values.kinds import Text
from tests.reference.layered_values.layers import data_of
from tests.reference.layered_values.made import Stack
from tests.reference.layered_values.run import Result, Run
from tests.reference.layered_values.scalars import Plain, documents, written
from tests.reference.layered_values.tree import same

Json = Any
FUNCTION = "layered-values"
FROM = "krm-values.dev/generated-from"
WARNINGS = {"type-change", "unused-strategy"}
INFOS = {"absent", "no-resource", "empty-map", "unused-layer", "readable-secret"}


@dataclass(frozen=True)
class Answer:
    """What the function answers: the bytes of the whole list, its items and the kinds of its findings."""

    out: bytes
    items: list[Json]
    errors: set[str]
    warnings: set[str]
    infos: set[str]
    findings: list[str]


def listed(items: list[Json], config: Json) -> bytes:
    """The ResourceList of a stack."""
    whole = {
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "functionConfig": {
            "apiVersion": "krm-values.dev/v1alpha1",
            "kind": "LayeredValues",
            "metadata": {"name": "lv"},
            "spec": config,
        },
        "items": items,
    }
    return ("\n".join(written(whole)) + "\n").encode()


def answer(given: bytes) -> Answer:
    """Run the function on the bytes of a list."""
    source, outcome = invoke.answer(given, FUNCTION)
    out = b"".join(
        source.write(outcome.edited, outcome.removed, [added.data for added in outcome.added], invoke.entries(outcome))
    )
    (after,) = documents(out.decode(), go=False)
    kinds = {
        severity: {finding.kind for finding in outcome.findings if finding.severity == severity}
        for severity in ("error", "warning", "info")
    }
    findings = [f"{finding.severity} {finding.kind}: {finding.message}" for finding in outcome.findings]
    return Answer(out, after["items"], kinds["error"], kinds["warning"], kinds["info"], findings)


def expected(items: list[Json], config: Json) -> Result:
    """What the reference says."""
    return Run(_native(config), items).result()


def _native(config: Json) -> Json:
    """Booleans and priorities of the config as Python has them; the values of layers and the schema stay."""
    layers = [{key: _scalar(entry[key]) for key in entry} for entry in config["layers"]]
    targets = [
        {key: _fields(entry[key]) if key == "fields" else _scalar(entry[key]) for key in entry} for entry in config["targets"]
    ]
    return config | {"layers": layers, "targets": targets}


def _fields(fields: Json) -> Json:
    return {
        path: {key: _scalar(entry[key]) for key in entry} if isinstance(entry, dict) else entry
        for path, entry in fields.items()
    }


def _scalar(value: Json) -> Json:
    return value.value if isinstance(value, Plain) else value


def difference(seed: int) -> list[str]:
    """Why one stack's answers differ, or nothing."""
    stack = Stack(seed)
    wanted = expected(stack.items, stack.config)
    found = answer(listed(stack.items, stack.config))
    if wanted.findings.errors or found.errors:
        kinds = (sorted(found.errors), sorted(wanted.findings.errors))
        return (
            []
            if found.errors == wanted.findings.errors
            else [f"errors: function {kinds[0]}, reference {kinds[1]}", *found.findings]
        )
    return [*_kinds(wanted, found), *_items(wanted, found)]


def _kinds(wanted: Result, found: Answer) -> list[str]:
    reasons = []
    for name, one, two, known in (
        ("warnings", found.warnings, wanted.findings.warnings, WARNINGS),
        ("infos", found.infos, wanted.findings.infos, INFOS),
    ):
        if one & known != two & known:
            reasons += [f"{name}: function {sorted(one & known)}, reference {sorted(two & known)}", *found.findings]
    return reasons


def _items(wanted: Result, found: Answer) -> list[str]:
    ours = {_key(item): item for item in found.items if FROM in (item["metadata"].get("annotations") or {})}
    others = [bare(item) for item in found.items if _key(item) not in ours]
    reasons = [
        f"resource {_key(item)}: function {item}, reference {other}"
        for item, other in zip(others, wanted.items, strict=True)
        if not means(item, other)
    ]
    if ours.keys() != wanted.made.keys():
        return [*reasons, f"generated: function {sorted(ours)}, reference {sorted(wanted.made)}"]
    return reasons + [
        f"generated {key}: function {data_of(item)}, reference {wanted.made[key]}"
        for key, item in ours.items()
        if not means(data_of(item), wanted.made[key])
    ]


def means(found: Json, wanted: Json) -> bool:
    """Whether data is as wanted; a `Text` may be written in any way."""
    if isinstance(wanted, Text):
        return isinstance(found, str) and means(
            documents(found, go=True)[0] if documents(found, go=True) else None, wanted.data
        )
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(means(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(means, found, wanted))
    return same(found, wanted)


def _key(item: Json) -> tuple[str, str, str]:
    return item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"]


def accepted(seed: int) -> bool:
    """Whether the reference finds no error in a stack."""
    stack = Stack(seed)
    return not expected(stack.items, stack.config).findings.errors
