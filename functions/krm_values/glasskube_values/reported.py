"""The defects of manifests that a run has reported, so that lint does not report them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.manifest_fields import Fault

_KINDS = {"template-json": "template"}
"""Kinds of lint that a run reports under another one: it renders a template with a value instead of samples."""


class Reported:
    """Which kinds of lint a run has reported of which value definitions and transformations."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: set[tuple[int, str, Path]] = set()

    def add(self, candidate: Candidate, kind: str, path: Path) -> None:
        """Note a defect. kind: of lint. path: in the manifest, at or below the definition or transformation."""
        self._known.add((id(candidate), kind, path[:2]))

    def has(self, candidate: Candidate, fault: Fault) -> bool:
        """Return whether the run has reported such a defect of the same definition or transformation."""
        return (id(candidate), _KINDS.get(fault.kind, fault.kind), fault.path[:2]) in self._known
