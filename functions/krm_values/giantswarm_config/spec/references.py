"""The references of an App and a Catalog to their layers, and what the schemas of the two refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding
from krm_values.giantswarm_config.spec.levels import CATALOG, CONFIG, USER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values.giantswarm_config.spec.levels import Levels

KINDS = {"configMap": "ConfigMap", "secret": "Secret"}
_BANDS = {"catalog": CATALOG, "config": CONFIG, "userConfig": USER}
EXTRA = "extraConfigs"
_ROLES = {"catalog": "catalog level", "config": "cluster level", "userConfig": "user level", EXTRA: "extra layer"}


@record
class Reference:
    """A layer of an App: the object that it refers to, and its precedence.

    level: `catalog`, `config`, `userConfig` or `extraConfigs`. band: where that is merged, see `levels`. position: the place in `extraConfigs` from 1, else 0. owner and path: the
    field that has the reference; an empty path for a layer that is assumed.
    """

    kind: str
    namespace: str
    name: str
    level: str
    band: int
    priority: int
    owner: Item
    path: Path
    position: int = 0

    @property
    def role(self) -> str:
        """The layer's role as messages name it."""
        return _ROLES[self.level]


def of_level(owner: Item, level: str, config: JSON, levels: Levels, report: Report) -> Iterator[Reference]:
    """Yield the references of a `config` or `userConfig`; one that is absent or has an empty name means no layer."""
    path: Path = ("spec", "config" if level == "catalog" else level)
    if config is None:
        return
    if not isinstance(config, dict):
        report.add(_error("2", owner, path, "must be a map with `configMap` and `secret`; found {found}", config))
        return
    for key, kind in KINDS.items():
        entry = config.get(key)
        if entry is None:
            continue
        named = _named(owner, (*path, key), entry, report)
        if named and named[1]:
            priority = {"catalog": levels.catalog, "config": levels.config, "userConfig": levels.user}[level]
            yield Reference(kind, *named, level, _BANDS[level], priority, owner, (*path, key))


def of_extras(owner: Item, entries: JSON, levels: Levels, report: Report) -> Iterator[Reference]:
    """Yield the references of `extraConfigs` with their defaults filled in."""
    path: Path = ("spec", EXTRA)
    if entries is None:
        return
    if not isinstance(entries, list):
        report.add(_error("4", owner, path, "must be a list; found {found}", entries))
        return
    first: dict[tuple[str, str, str], int] = {}
    for index, entry in enumerate(entries):
        reference = _extra(owner, (*path, index), entry, levels, report)
        if reference is None:
            continue
        other = first.setdefault((reference.kind, reference.namespace, reference.name), index)
        if other != index:
            text = f"repeats `spec.{EXTRA}[{other}]`: kind, name and namespace together must be unique; remove one"
            report.add(_error("7", owner, (*path, index), text))
        yield reference


def _extra(owner: Item, path: Path, entry: JSON, levels: Levels, report: Report) -> Reference | None:
    named = _named(owner, path, entry, report, extra=True)
    if not isinstance(entry, dict):
        return None
    if named and not named[1]:
        report.add(_error("4", owner, (*path, "name"), "must be the name of an object"))
    kind, priority = entry.get("kind"), entry.get("priority")
    if kind is None:
        kind = "configMap"
    if not isinstance(kind, str) or kind not in KINDS:
        text = f"must be `configMap` or `secret`; found {{found}}{suggest.hint(str(kind), KINDS)}"
        report.add(_error("5", owner, (*path, "kind"), text, kind))
        return None
    if priority is None:
        priority = levels.default
    if isinstance(priority, bool) or not isinstance(priority, int) or not levels.takes(priority):
        text = f"must be a whole number from {levels.catalog + 1} to {levels.highest}; found {{found}}"
        report.add(_error("6", owner, (*path, "priority"), text, priority))
        return None
    if not named or not named[1]:
        return None
    return Reference(KINDS[kind], *named, EXTRA, levels.band(int(priority)), int(priority), owner, path, int(path[-1]) + 1)


def _named(owner: Item, path: Path, entry: JSON, report: Report, *, extra: bool = False) -> tuple[str, str] | None:
    """Return (namespace, name) of a reference, or None with an error in the report."""
    rule = "4" if extra else "2"
    if not isinstance(entry, dict):
        report.add(_error(rule, owner, path, "must be a map with `name` and `namespace`; found {found}", entry))
        return None
    faulty = [key for key in ("name", "namespace") if not isinstance(entry.get(key), str)]
    report.extend(_error(rule, owner, (*path, key), _wrong_string(entry.get(key)), entry.get(key)) for key in faulty)
    if faulty:
        return None
    namespace, name = str(entry["namespace"]), str(entry["name"])
    if not namespace and (name or extra):
        text = f'must be the namespace of "{name}": there is no default namespace'
        report.add(_error(rule, owner, (*path, "namespace"), text))
        return None
    return namespace, name


def _wrong_string(found: JSON) -> str:
    return "must be given" if found is None else "must be a string; found {found}"


def _error(rule: str, owner: Item, path: Path, text: str, found: JSON = None) -> Finding:
    return Finding("error", "reference", rule, text, owner, path, found)
