"""Layers, read: the object a reference names, its one text, and what is wrong or odd about either."""

from __future__ import annotations

from krm_values._kit import goyaml
from krm_values._kit.allowance import allows
from krm_values._kit.embedded import Embedded
from krm_values._kit.errors import InputError
from krm_values._kit.item import Item, is_secret
from krm_values._kit.objects import held, is_encrypted
from krm_values._kit.plan import Finding
from krm_values._kit.select import Several
from krm_values.giantswarm_config.hints import credentials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.select import Missing, Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig
    from krm_values.giantswarm_config.references import Reference

EMPTY = Embedded(None, (), None)
_LEVELS = {"catalog": "catalog level", "config": "cluster level", "userConfig": "user level", "extraConfigs": "extra layer"}


class Reader:
    """Reads each object once, however many Apps refer to it."""

    __slots__ = ("_config", "_read", "_resources")

    def __init__(self, config: GiantswarmConfig, resources: Resources) -> None:
        self._config, self._resources = config, resources
        self._read: dict[int, tuple[Embedded | None, tuple[Finding, ...]]] = {}

    def layer(self, reference: Reference, findings: list[Finding]) -> Embedded | None:
        """The layer's text; None where it cannot be had, which is then said."""
        found = self._resources.find(reference.kind, "", reference.namespace, reference.name)
        if isinstance(found, Several):
            findings.append(_several(reference, found))
            return None
        if not isinstance(found, Item):
            return self._absent(reference, found, findings)
        if found.number not in self._read:
            self._read[found.number] = self._open(found, reference)
        embedded, told = self._read[found.number]
        findings.extend(told)
        if embedded is not None and embedded.encrypted:
            return self._encrypted(reference, found, findings)
        return embedded

    def holds(self, kind: str, namespace: str, name: str) -> bool:
        """Whether the list has this object."""
        return isinstance(self._resources.find(kind, "", namespace, name), Item)

    def _open(self, item: Item, reference: Reference) -> tuple[Embedded | None, tuple[Finding, ...]]:
        if item.error is not None or not isinstance(item.data, dict):
            return None, ()
        if is_encrypted(item):
            return Embedded(item, (), None, encrypted=True), ()
        texts = held(item)
        faults = [Finding("error", "data", "35", text, item, path) for path, text in texts.faults]
        if faults:
            return None, tuple(faults)
        if len(texts.texts) > 1:
            return None, (_several_keys(item, reference, list(texts.texts)),)
        if not texts.texts:
            return Embedded(item, (), None), ()
        ((key, text),) = texts.texts.items()
        return _parsed(item, text, Embedded(item, texts.paths[key], None))

    def _absent(self, reference: Reference, missing: Missing, findings: list[Finding]) -> Embedded | None:
        if missing.own:
            text = f"{reference.label} is what this function itself writes: refer to the layers it is made of"
            findings.append(_of(reference, "own-output", text))
            return None
        if self._allows(reference):
            text = f"{reference.label} is not in the list and counts as empty, as `allowMissing` says"
            findings.append(Finding("info", "missing-allowed", "43", text, reference.owner, reference.path))
            return EMPTY
        text = f"{reference.label} ({_LEVELS[reference.level]}) is not in the list{_near(missing)}"
        findings.append(_of(reference, "missing", text))
        return None

    def _encrypted(self, reference: Reference, item: Item, findings: list[Finding]) -> Embedded | None:
        if self._allows(reference):
            text = f"{reference.label} is encrypted with SOPS and counts as empty, as `allowMissing` says"
            findings.append(Finding("info", "encrypted-allowed", "35", text, reference.owner, reference.path))
            return EMPTY
        text = "is encrypted with SOPS and cannot be merged: decrypt it first, or name it in `allowMissing`"
        findings.append(Finding("error", "encrypted", "35", text, item))
        return None

    def _allows(self, reference: Reference) -> bool:
        return allows(self._config.allow_missing, reference.kind, reference.namespace, reference.name)


def _parsed(item: Item, text: str, place: Embedded) -> tuple[Embedded | None, tuple[Finding, ...]]:
    try:
        read = goyaml.read(text, secret=is_secret(item))
        read.mapping()
    except InputError as error:
        at = f"line {error.line}, column {error.column}: " if error.line else ""
        return None, (Finding("error", "text", "45", f"{at}{error.message}", item, place.path),)
    embedded = Embedded(item, place.path, read, encrypted=isinstance(read.mapping().get("sops"), dict))
    if embedded.encrypted:
        return embedded, ()
    return embedded, (*embedded.findings(), *credentials(embedded))


def _several_keys(item: Item, reference: Reference, keys: list[str]) -> Finding:
    named = ", ".join(f"`{key}`" for key in keys)
    path = ("data",)
    if reference.level == "extraConfigs":
        text = f"must have one data key, found {len(keys)}: {named}; the operator would take any of them at random"
        return Finding("error", "several-keys", "32", text, item, path)
    text = f"must have exactly one data key ({_LEVELS[reference.level]}), found {len(keys)}: {named}"
    return Finding("error", "several-keys", "30", text, item, path)


def _several(reference: Reference, found: Several) -> Finding:
    files = " and ".join(item.position.path or f"item {item.number}" for item in found.items)
    return _of(reference, "ambiguous", f"{reference.label} stands more than once in the list, in {files}: remove one")


def _near(missing: Missing) -> str:
    places = [_place(item) for item in missing.near]
    return f"; one of that name stands {' and '.join(places)}" if places else "; add it, or name it in `allowMissing`"


def _place(item: Item) -> str:
    space = f"in namespace {item.namespace}" if item.namespace else "without a namespace"
    return f"{space} ({item.position.path})" if item.position.path else space


def _of(reference: Reference, kind: str, text: str) -> Finding:
    return Finding("error", kind, "43", text, reference.owner, reference.path)


def each(findings: list[Finding]) -> Iterator[Finding]:
    """What was found since the last call."""
    yield from findings
    findings.clear()
