"""The environments of a run, and the items of each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._krm import names
from krm_values._krm.filenames import leads_elsewhere
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding, unreadable
from krm_values._krm.resources import previous_names
from krm_values._krm.shapes import Served, shape_warnings, unknown_keys, warnings

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Sequence

    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Resources

    Gathered = dict[str, list[Item]]  # the items of one environment, by what they are

SD, ARTIFACT, NAMESPACE = "SolutionDescriptor", "SolutionDescriptorArtifact", "EnvironmentNamespace"
_FULL, _DELTA = "Full SD", "Delta SD"
_SDS = {"sd": _FULL, "delta-sd": _DELTA}
_RULES = {SD: "70", ARTIFACT: "97", NAMESPACE: "77"}
_SPECS = {ARTIFACT: dict.fromkeys(("version", "source", "descriptor")), NAMESPACE: {"name": "", "folder": ""}}
_ROOT = "environments"
SERVED = (Served(names.GROUP, ("v1alpha1",), tuple(_RULES)),)


@record
class Environment:
    """One environment, `CLUSTER/ENV` or "" for the unnamed one, with its items; `artifacts` are its own, not the common ones.

    stem: the name of its SDs before `sd` and `delta-sd`; None if it has no SD or shares the stem with other environments.
    """

    name: str
    full: Item | None = None
    delta: Item | None = None
    namespaces: tuple[Item, ...] = ()
    artifacts: tuple[Item, ...] = ()
    stem: str | None = None

    def named(self, finding: Finding) -> Finding:
        """Return a finding that names the environment, unless its item does."""
        if not self.name:
            return finding
        own = isinstance(finding.item, Item) and _name_of(finding.item) == self.name
        message = finding.message if own else f"{self.name}: {finding.message}"
        return replace(finding, message=message, tags={**finding.tags, "environment": self.name})


@record
class Inventory:
    """The environments of a run sorted by name, and the artifacts that serve all of them."""

    environments: tuple[Environment, ...]
    common: tuple[Item, ...]


def is_environment(name: str) -> bool:
    """Return whether a name is exactly CLUSTER/ENV: two path segments that stay inside their folder and begin with no dot."""
    segments = name.split("/")
    return len(segments) == 2 and all(map(_is_segment, segments))


def _is_segment(text: str) -> bool:
    is_inside = not text.startswith(".") and ".." not in text and not leads_elsewhere(text)
    return bool(text.strip()) and text.isprintable() and is_inside


def read(resources: Resources, chosen: Sequence[str], known: Container[str], report: Report) -> Inventory:
    """Return the chosen environments; if none is chosen, all with an SD or Namespace item, or the unnamed one.

    known: environments that exist even if the list has no item of them.
    """
    gathered: dict[str, Gathered] = {}
    for item in resources.select(*_RULES, group=names.GROUP):
        _gather(item, gathered, report)
    _check_chosen([name for name in chosen if name not in known], gathered, report)
    found = chosen or [name for name, items in gathered.items() if items[_FULL] or items[_DELTA] or items[NAMESPACE]]
    stems = Counter(map(_stem, gathered.values()))
    shared = {stem for stem, times in stems.items() if times > 1}
    environments = [_environment(name, gathered.get(name) or _nothing(), shared, report) for name in sorted(set(found) or {""})]
    common = gathered[""][ARTIFACT] if "" in gathered else []
    return Inventory(tuple(environments), _sorted(common))


def _gather(item: Item, gathered: dict[str, Gathered], report: Report) -> None:
    rule = _RULES[item.kind]
    if item.error:
        report.add(unreadable(item, item.error, rule))
        return
    if item.kind in _SPECS:
        unknown = unknown_keys(get(item.data, ("spec",)), _SPECS[item.kind], ("spec",))
        report.extend([*warnings(item, unknown, "S35"), *shape_warnings(item, _SPECS[item.kind], "S35", ("spec",))])
    name = _name_of(item)
    if name and not is_environment(name):
        text = "must be `CLUSTER/ENV`, two folders whose names do not begin with a dot; found {found}"
        path = ("metadata", "annotations", f"{names.GROUP}/environment")
        report.error("environment", rule, text, item, path, found=name)
        return
    items = gathered.setdefault(name, _nothing())
    parts = [_SDS[one] for name in previous_names(item) if (one := name.rpartition(".")[2]) in _SDS]
    part = item.kind if item.kind != SD else next(iter(parts), None)
    if part:
        items[part].append(item)
    else:
        text = "must be `sd` or `*.sd` for a Full SD, `delta-sd` or `*.delta-sd` for a Delta SD; found {found}"
        report.error("name", "70", text, item, ("metadata", "name"), found=item.name)


def _name_of(item: Item) -> str:
    """Return an item's environment: its annotation, else the two path segments after `environments/`, else ""."""
    annotated = item.marks.get("environment", "")
    if annotated:
        return annotated
    segments = item.position.path.split("/")
    at = segments.index(_ROOT) if _ROOT in segments else len(segments)
    return "/".join(segments[at + 1 : at + 3]) if at + 3 < len(segments) else ""


def _check_chosen(chosen: Iterable[str], gathered: Collection[str], report: Report) -> None:
    there = sorted(name for name in gathered if name)
    for name in chosen:
        if name not in gathered and is_environment(name):
            hint = suggest.hint(name, there) or f"; it has items of {suggest.listed(there) if there else 'none'}"
            text = f"`ENV_NAMES` names {name}, of which the list has no item{hint}"
            report.warning("unknown-environment", "S38", text, tags={"environment": name}, config=("ENV_NAMES",))


def _environment(name: str, items: Gathered, shared: set[str | None], report: Report) -> Environment:
    for part in (_FULL, _DELTA):
        for other in items[part][1:]:
            first = items[part][0].position.path or f"item {items[part][0].number}"
            where = f"environment {name}" if name else "the environment without a name"
            text = f"is a second {part} of {where}, beside the one in {first}: remove one, or set `{names.GROUP}/environment`"
            report.error("second-sd", "70", text, other)
    full, delta = (next(iter(items[part]), None) for part in (_FULL, _DELTA))
    stem = None if _stem(items) in shared else _stem(items)
    return Environment(name, full, delta, _sorted(items[NAMESPACE]), _sorted(items[ARTIFACT]), stem)


def _nothing() -> Gathered:
    return {_FULL: [], _DELTA: [], NAMESPACE: [], ARTIFACT: []}


def _stem(items: Gathered) -> str | None:
    return next((item.name.rpartition(".")[0] for item in (*items[_FULL], *items[_DELTA])), None)


def _sorted(items: list[Item]) -> tuple[Item, ...]:
    """Sort items so that the result does not depend on the order of the list."""
    return tuple(sorted(items, key=lambda item: (item.name, item.namespace, item.position.path, item.index)))
