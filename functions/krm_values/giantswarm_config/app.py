"""An App: the layers that it refers to with their precedence, and what the API server and admission refuse of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._krm import shapes
from krm_values._krm.plan import Finding
from krm_values.giantswarm_config.fields import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values._krm.resources import Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig

GROUP = "application.giantswarm.io"
CLUSTER_LABEL, VERSION_LABEL = "giantswarm.io/cluster", "app-operator.giantswarm.io/version"
EXTRA = "extraConfigs"
KINDS = {"configMap": "ConfigMap", "secret": "Secret"}
CATALOG, BEFORE_CONFIG, CONFIG, BEFORE_USER, USER, AFTER_USER = range(6)
"""The bands of a chain, lowest first: the fixed levels, and the extra layers between and after them."""
BANDS = ("catalog", "before config", "config", "before userConfig", "userConfig", "after userConfig")
_FIXED = {"catalog": CATALOG, "config": CONFIG, "userConfig": USER}
_ROLES = {"catalog": "catalog level", "config": "cluster level", "userConfig": "user level", EXTRA: "extra layer"}
_REQUIRED = ("name", "namespace", "version", "kubeConfig")


@record
class Levels:
    """The priorities of Catalog, `config` and `userConfig`, and that of an extra layer without one."""

    catalog: int = 0
    config: int = 50
    user: int = 100
    default: int = 25

    @classmethod
    def of(cls, config: GiantswarmConfig) -> Levels:
        """Return the levels of a functionConfig: those of Giant Swarm's platform, unless `levels` is set."""
        given = config.levels
        if given is None:
            return cls()
        half = given.catalog + (given.config - given.catalog + 1) // 2
        return cls(given.catalog, given.config, given.user_config, half if given.default is None else given.default)

    @property
    def highest(self) -> int:
        """The highest priority of an extra layer; the lowest is one above the Catalog's."""
        return self.user + self.user - self.config

    def takes(self, priority: int) -> bool:
        """Return whether an extra layer may have this priority."""
        return self.catalog < priority <= self.highest

    def band(self, priority: int) -> int:
        """Return the band of an extra layer; one with the priority of a fixed level is merged before it."""
        return BEFORE_CONFIG if priority <= self.config else BEFORE_USER if priority <= self.user else AFTER_USER

    def faults(self) -> Iterator[Finding]:
        """Report levels that are not equally spaced in rising order, and a default out of range."""
        first, second = self.config - self.catalog, self.user - self.config
        if first <= 0:
            text = f"`levels`: `config` must be above `catalog`, found the distance {first}"
            yield Finding("error", "levels", "S23", text, config=("levels",))
        elif first != second:
            text = (
                f"`levels`: `catalog`, `config` and `userConfig` must rise by the same distance, found the distances {first} and"
                f" {second}: set `userConfig` to {self.config + first}"
            )
            yield Finding("error", "levels", "S23", text, config=("levels",))
        elif not self.takes(self.default):
            text = f"`levels`: `default` must be from {self.catalog + 1} to {self.highest}, found {self.default}"
            yield Finding("error", "levels", "S23", text, config=("levels", "default"))


@record
class Reference:
    """A layer of an App: the object that it refers to, and its precedence.

    level: `catalog`, `config`, `userConfig` or `extraConfigs`. position: the place in `extraConfigs` from 1, else 0. owner and path: the
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

    def rank(self) -> tuple[int, int, int]:
        """Return the key by which layers are merged, lowest first."""
        return self.band, self.priority, self.position

    @property
    def role(self) -> str:
        """The layer's role as messages name it."""
        return _ROLES[self.level]

    @property
    def label(self) -> str:
        """The layer's name: `catalog house`, `config`, `extraConfigs[0]`."""
        if self.level == "catalog":
            return f"catalog {self.owner.name}"
        if self.level == EXTRA:
            return f"{EXTRA}[{self.position - 1}]" if self.path else "assumed cluster values"
        return self.level if self.path else "assumed user values"

    @property
    def facts(self) -> dict[str, JSON]:
        """What `explain` shows of its precedence: priority, band and position in the list from 1."""
        found: dict[str, JSON] = {"priority": self.priority, "band": BANDS[self.band]}
        return {**found, "position": self.position} if self.position and self.path else found

    @property
    def listed(self) -> dict[str, JSON]:
        """The layer in a note."""
        return {"kind": self.kind, "namespace": self.namespace, "name": self.name, "layer": self.label, **self.facts}

    def same_object(self, other: Reference) -> bool:
        """Return whether two references mean one object."""
        return (self.kind, self.namespace, self.name) == (other.kind, other.namespace, other.name)


@record
class App:
    """An App as its spec describes it. references: without those of its Catalog."""

    item: Item
    levels: Levels
    catalog: str = ""
    catalog_namespace: str = ""
    in_cluster: bool = False
    references: tuple[Reference, ...] = ()

    def label(self, name: str) -> str:
        """Return the value of a label, or ""."""
        found = get(self.item.data, ("metadata", "labels", name))
        return found if isinstance(found, str) else ""

    @property
    def extra_kinds(self) -> set[str]:
        """The kinds of the entries of `extraConfigs`."""
        return {reference.kind for reference in self.references if reference.level == EXTRA}

    @property
    def cluster(self) -> str:
        """The workload cluster that the App belongs to, "" if unknown: an organization's namespace may own many."""
        return self.label(CLUSTER_LABEL) if self.item.namespace.startswith("org-") else self.item.namespace

    @property
    def target(self) -> str:
        """The cluster where the chart is installed; "" if unknown."""
        named = get(self.item.data, ("spec", "kubeConfig", "context", "name"))
        secret = get(self.item.data, ("spec", "kubeConfig", "secret", "name"))
        return self.label(CLUSTER_LABEL) or self.cluster or str(named or secret or "")


def read_app(item: Item, levels: Levels, report: Report) -> App:
    """Read an App and report what is wrong with it."""
    spec = item.data.get("spec") if isinstance(item.data, dict) else None
    if not isinstance(spec, dict):
        if item.error is None:
            text = "must be a map; found " + ("nothing" if spec is None else "{found}")
            report.error("spec", "1", text, item, ("spec",), found=spec)
        return App(item, levels)
    if not item.name:
        text = "must be given: the written objects are named after the App"
        report.error("name", "75", text, item, ("metadata", "name"))
    references = [
        *of_level(item, "config", spec.get("config"), levels, report),
        *of_level(item, "userConfig", spec.get("userConfig"), levels, report),
        *_of_extras(item, spec.get(EXTRA), levels, report),
    ]
    catalog, namespace = (_string(item, spec, key, report) for key in ("catalog", "catalogNamespace"))
    _check(item, spec, references, report)
    return App(item, levels, catalog, namespace, get(spec, ("kubeConfig", "inCluster")) is True, tuple(references))


def of_level(owner: Item, level: str, config: JSON, levels: Levels, report: Report) -> Iterator[Reference]:
    """Yield the references of a `config` or `userConfig`; one that is absent or has an empty name means no layer."""
    path: Path = ("spec", "config" if level == "catalog" else level)
    if config is None:
        return
    if not isinstance(config, dict):
        text = "must be a map with `configMap` and `secret`; found {found}"
        report.error("reference", "2", text, owner, path, found=config)
        return
    priority = {"catalog": levels.catalog, "config": levels.config, "userConfig": levels.user}[level]
    for key, kind in KINDS.items():
        named = _named(owner, (*path, key), config[key], "2", report) if config.get(key) is not None else None
        if named and named[1]:
            yield Reference(kind, *named, level, _FIXED[level], priority, owner, (*path, key))


def _of_extras(owner: Item, entries: JSON, levels: Levels, report: Report) -> Iterator[Reference]:
    """Yield the references of `extraConfigs` with their defaults filled in."""
    path: Path = ("spec", EXTRA)
    if entries is None:
        return
    if not isinstance(entries, list):
        report.error("reference", "4", "must be a list; found {found}", owner, path, found=entries)
        return
    first: dict[tuple[str, str, str], int] = {}
    for index, entry in enumerate(entries):
        reference = _extra(owner, (*path, index), entry, levels, report)
        if reference is None:
            continue
        other = first.setdefault((reference.kind, reference.namespace, reference.name), index)
        if other != index:
            text = f"repeats `spec.{EXTRA}[{other}]`: kind, name and namespace together must be unique; remove one"
            report.error("reference", "7", text, owner, (*path, index))
        yield reference


def _extra(owner: Item, path: Path, entry: JSON, levels: Levels, report: Report) -> Reference | None:
    named = _named(owner, path, entry, "4", report)
    if not isinstance(entry, dict):
        return None
    if named and not named[1]:
        report.error("reference", "4", "must be the name of an object", owner, (*path, "name"))
    kind = "configMap" if entry.get("kind") is None else entry["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        text = f"must be `configMap` or `secret`; found {{found}}{suggest.hint(str(kind), KINDS)}"
        report.error("reference", "5", text, owner, (*path, "kind"), found=kind)
        return None
    priority = levels.default if entry.get("priority") is None else entry["priority"]
    if isinstance(priority, bool) or not isinstance(priority, int) or not levels.takes(priority):
        text = f"must be a whole number from {levels.catalog + 1} to {levels.highest}; found {{found}}"
        report.error("reference", "6", text, owner, (*path, "priority"), found=priority)
        return None
    if not named or not named[1]:
        return None
    return Reference(KINDS[kind], *named, EXTRA, levels.band(int(priority)), int(priority), owner, path, int(path[-1]) + 1)


def _named(owner: Item, path: Path, entry: JSON, rule: str, report: Report) -> tuple[str, str] | None:
    """Return (namespace, name) of a reference, or None with an error in the report."""
    if not isinstance(entry, dict):
        text = "must be a map with `name` and `namespace`; found {found}"
        report.error("reference", rule, text, owner, path, found=entry)
        return None
    faulty = [key for key in ("name", "namespace") if not isinstance(entry.get(key), str)]
    for key in faulty:
        text = "must be given" if entry.get(key) is None else "must be a string; found {found}"
        report.error("reference", rule, text, owner, (*path, key), found=entry.get(key))
    if faulty:
        return None
    namespace, name = str(entry["namespace"]), str(entry["name"])
    if not namespace and (name or rule == "4"):
        text = f'must be the namespace of "{name}": there is no default namespace'
        report.error("reference", rule, text, owner, (*path, "namespace"))
        return None
    return namespace, name


def _string(item: Item, spec: dict[str, JSON], key: str, report: Report) -> str:
    value = spec.get(key)
    if isinstance(value, str) and (value or key != "catalog"):
        return value
    if value is not None:
        report.error("spec", "10", "must be a name; found {found}", item, ("spec", key), found=value)
    elif key == "catalog":
        report.error("spec", "10", "must name the App's Catalog", item, ("spec", key))
    return ""


def _check(item: Item, spec: dict[str, JSON], references: list[Reference], report: Report) -> None:
    if "configs" in spec:
        text = f"is not a field of App, so its layers never apply; rename it to `spec.{EXTRA}`"
        report.error("configs", "12", text, item, ("spec", "configs"))
    if absent := [key for key in _REQUIRED if spec.get(key) is None]:
        named = ", ".join(f"`spec.{key}`" for key in absent)
        text = f"the API server refuses an App without {named}; add the missing fields"
        report.warning("required", "1", text, item, lacking=tuple(("spec", key) for key in absent))
    for reference in references if spec.get("catalog") == "default" else ():
        _check_user_name(item, reference, report)


def _check_user_name(item: Item, reference: Reference, report: Report) -> None:
    """Check the names of user configuration that admission demands for the catalog `default`."""
    if reference.level != "userConfig":
        return
    suffix = "-user-values" if reference.kind == "ConfigMap" else "-user-secrets"
    allowed = [item.name + suffix]
    if not item.namespace.startswith("org-") and item.name.startswith(item.namespace + "-"):
        allowed.append(item.name[len(item.namespace) + 1 :] + suffix)
    if reference.name not in allowed:
        wanted = " or ".join(f"`{name}`" for name in allowed)
        text = f"must be {wanted} for an App of the catalog `default`, or admission refuses the App; found {{found}}"
        report.warning("user-name", "16", text, item, (*reference.path, "name"), found=reference.name)


def unknown_keys(resources: Resources) -> Iterator[Finding]:
    """Warn of the keys of Apps, Catalogs and AppCatalogs that are no fields of upstream's types; the API server drops them."""
    for item in (item for kind in SHAPES for item in resources.select(kind, group=GROUP)):
        yield from shapes.shape_warnings(item, SHAPES[item.kind], "S5")
        for one in shapes.unknown_keys(item.data, SHAPES[item.kind]):
            if one.path[:2] in (("spec", "config"), ("spec", "userConfig"), ("spec", EXTRA)):
                yield from shapes.warnings(item, [one], "12", kind="unknown-field")
            elif (*one.path, one.key) != ("spec", "configs"):
                yield from shapes.warnings(item, [one], "S5")
