"""Plans of tekton-params on texts, applied to plain data."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from krm_values._krm.item import Header, Item, Position, Reading, Scalar
from krm_values._krm.plan import Finding, Put
from krm_values._krm.resources import Resources
from krm_values._run.state import Decision, State
from krm_values._yaml import decode
from krm_values.tekton_params.config import TektonParams
from krm_values.tekton_params.plan import plan

if TYPE_CHECKING:
    from krm_values._data.pointer import Path


@dataclass
class Resolved:
    """What a run over some items gives."""

    findings: list[Finding]
    items: list[Any]
    states: list[State]

    @property
    def errors(self) -> list[str]:
        return [f"{found.rule} {found.message}" for found in self.findings if found.severity == "error"]

    @property
    def warnings(self) -> list[str]:
        return [f"{found.rule} {found.message}" for found in self.findings if found.severity == "warning"]

    @property
    def edits(self) -> list[tuple[int, Any]]:
        """(item, edit), in order."""
        return [(number, edit) for number, state in enumerate(self.states) for edit in state.edits]

    @property
    def edited(self) -> bool:
        return any(state.edits for state in self.states)

    @property
    def decisions(self) -> list[Decision]:
        return [decision for state in self.states for decision in state.decisions()]

    @property
    def facts(self) -> set[str]:
        """(item, path, value, origin, beaten) of every decision."""
        return {
            repr(
                (
                    decision.item,
                    decision.path,
                    decision.after,
                    decision.leaf and (decision.leaf.origin, decision.leaf.overridden),
                )
            )
            for decision in self.decisions
        }


def resolve(
    source: str | list[Any], *, files: tuple[str, ...] = (), annotations: tuple[dict[str, str], ...] = (), **config: Any
) -> Resolved:
    """A run over the documents of a YAML text, or over data. `files`: where the documents lie, `package:file`; `annotations`: the hosts'."""
    items = (
        texts(source, files, annotations)
        if isinstance(source, str)
        else [from_data(*numbered) for numbered in enumerate(source)]
    )
    before = [deepcopy(item.data) for item in items]
    decided = list(plan(TektonParams.model_validate(config), Resources(items), None))
    assert [item.data for item in items] == before
    states = [State(item) for item in items]
    for entry in decided:
        if isinstance(entry, Put):
            states[entry.item.number].put(entry)  # type: ignore[union-attr]
    findings = [entry for entry in decided if isinstance(entry, Finding)]
    return Resolved(findings, [state.data for state in states], states)


def data(text: str) -> Any:
    return decode.to_data(decode.parse(text + "\n"))


def document(kind: str, spec: str, version: str = "v1", metadata: str = "{name: n}") -> str:
    """An object of Tekton with this spec."""
    lines = spec.strip("\n").split("\n")
    head = f"apiVersion: tekton.dev/{version}\nkind: {kind}\nmetadata: {metadata}\nspec:\n"
    return head + "\n".join("  " + line for line in lines)


def run(spec: str) -> str:
    return document("PipelineRun", spec)


def pipeline(spec: str) -> str:
    return document("Pipeline", spec)


def task_run(spec: str) -> str:
    return document("TaskRun", spec)


def documents(text: str) -> list[str]:
    found = re.split(r"(?m)^---.*\n?", text)
    return [document for document in found if re.search(r"(?m)^\s*[^#\s]", document)]


def texts(source: str, files: tuple[str, ...], annotations: tuple[dict[str, str], ...]) -> list[Item]:
    found = zip_longest(documents(source), files, annotations)
    return [from_text(number, text, place or "", hidden or {}) for number, (text, place, hidden) in enumerate(found)]


def from_text(number: int, text: str, place: str, annotations: dict[str, str]) -> Item:
    """An item whose questions about its text are answered."""
    root = decode.parse(text + "\n")

    def scalar(path: Path) -> Scalar | None:
        node = decode.find(root, path)
        return Scalar(node.value, not node.style, node.line) if node is not None and node.kind == "scalar" else None

    def flow(path: Path) -> bool:
        node = decode.find(root, path)
        return node is not None and node.kind in ("map", "list") and node.flow

    package, _, file = place.rpartition(":")
    reading = Reading(decode.to_data(root), annotations, scalar, _nowhere, flow)
    return Item(number, header(reading.data), lambda: reading, Position(package, file))


def from_data(number: int, value: Any) -> Item:
    reading = Reading(value, {}, _nowhere, _nowhere)
    return Item(number, header(value), lambda: reading, Position())


def header(value: Any) -> Header:
    metadata = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    fields = (value.get("apiVersion"), value.get("kind"), metadata.get("namespace"), metadata.get("name"))
    return Header(*(field if isinstance(field, str) else "" for field in fields))


def _nowhere(_: Path) -> None:
    """No text, no place."""
