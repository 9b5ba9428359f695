"""References to layers: finds the object that a reference names, or reports why it cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.allowance import Allowance
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.resources import Several

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.allowance import Allowed
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Missing, Resources

    class Reference(Protocol):
        """A reference to an object: its kind, namespace and name; the `owner` and `path` of the field that holds it; and its `role` in messages, which may be empty."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def owner(self) -> Item: ...
        @property
        def path(self) -> Path: ...
        @property
        def role(self) -> str: ...


class Lookup:
    """Finds core objects by reference. allowed: a config's `allowMissing`. missing: the rule that a missing object breaks."""

    __slots__ = ("_encrypted", "_missing", "_resources", "allowed")

    def __init__(self, resources: Resources, allowed: Sequence[Allowed], *, missing: str, encrypted: str) -> None:
        self._resources, self.allowed = resources, Allowance(allowed)
        self._missing, self._encrypted = missing, encrypted

    def find(self, reference: Reference, report: Report, *, optional: bool = False) -> Item | Missing | None:
        """Return the object; Missing if it may be absent; None, with a finding in the report, if it cannot be used."""
        found = self._resources.find(reference.kind, "", reference.namespace, reference.name)
        if isinstance(found, Several):
            report.add(
                self._refused(reference, "ambiguous", f"is {len(found.items)} times in the list, in {found.places}: keep one")
            )
            return None
        if isinstance(found, Item):
            return found
        if found.own:
            text = "is written by this function itself: refer to the layers that it is made of"
            report.add(self._refused(reference, "own-output", text))
            return None
        if optional:
            return found
        if self._allows(reference):
            text = f"{label(reference)} is not in the list and counts as empty, as `allowMissing` says"
            report.info("missing-allowed", self._missing, text, reference.owner, reference.path)
            return found
        role = f" ({reference.role})" if reference.role else ""
        report.add(self._refused(reference, "missing", f"is not in the list{_near(found)}", role))
        return None

    def may_be_encrypted(self, reference: Reference, item: Item, report: Report) -> bool:
        """Return whether an object that SOPS has encrypted counts as empty; if not, report it."""
        if self._allows(reference):
            text = f"{label(reference)} is encrypted with SOPS and counts as empty, as `allowMissing` says"
            report.info("encrypted-allowed", self._encrypted, text, reference.owner, reference.path)
            return True
        text = "is encrypted with SOPS and cannot be merged: decrypt it first, or name it in `allowMissing`"
        report.error("encrypted", self._encrypted, text, item)
        return False

    def _allows(self, reference: Reference) -> bool:
        return self.allowed.allows(reference.kind, reference.namespace, reference.name)

    def _refused(self, reference: Reference, kind: str, text: str, role: str = "") -> Finding:
        whole = f"{label(reference)}{role} {text}"
        return Finding("error", kind, self._missing, whole, reference.owner, reference.path)


def label(reference: Reference) -> str:
    """Return the name in messages: `ConfigMap team-a/base`."""
    return f"{reference.kind} {reference.namespace}/{reference.name}"


def _near(missing: Missing) -> str:
    places = " and ".join(map(_place, missing.near[:2]))
    return f"; one of that name is {places}" if places else missing.hint or "; add it, or name it in `allowMissing`"


def _place(item: Item) -> str:
    space = f"in namespace {item.namespace}" if item.namespace else "without a namespace"
    return f"{space} ({item.position.path})" if item.position.path else space
