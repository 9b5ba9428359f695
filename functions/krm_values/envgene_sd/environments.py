"""The environments of a run, and the items of each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.planner import names
from krm_values._kit.planner.fields import shape_warnings, unknown_keys, warnings
from krm_values._kit.planner.plan import Finding, unreadable
from krm_values._kit.planner.report import Report
from krm_values._kit.planner.served import Served
from krm_values.envgene_sd.entries import is_environment

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence

    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.resources import Resources

SD, ARTIFACT, NAMESPACE = "SolutionDescriptor", "SolutionDescriptorArtifact", "EnvironmentNamespace"
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


@record
class Inventory:
    """The environments of a run sorted by name, the artifacts that serve all of them, and the findings about items."""

    environments: tuple[Environment, ...]
    common: tuple[Item, ...]
    findings: tuple[Finding, ...]
    hints: suggest.Hints


class _Gathered:
    """The items of one environment found so far."""

    __slots__ = ("artifacts", "deltas", "fulls", "namespaces")

    def __init__(self) -> None:
        self.fulls: list[Item] = []
        self.deltas: list[Item] = []
        self.namespaces: list[Item] = []
        self.artifacts: list[Item] = []


def read(resources: Resources, chosen: Sequence[str], known: Container[str] = ()) -> Inventory:
    """Return the chosen environments; if none is chosen, all with an SD or Namespace item, or the unnamed one.

    known: environments that exist even if the list has no item of them.
    """
    report = Report()
    gathered: dict[str, _Gathered] = {}
    for item in resources.select(*_RULES, group=names.GROUP):
        _gather(item, gathered, report)
    report.extend(_unknown([name for name in chosen if name not in known], gathered, resources.hints))
    found = chosen or [name for name, items in gathered.items() if items.fulls or items.deltas or items.namespaces]
    shared = _shared(gathered.values())
    environments = [
        _environment(name, gathered.get(name) or _Gathered(), shared, report) for name in sorted(set(found) or {""})
    ]
    common = gathered[""].artifacts if "" in gathered else []
    return Inventory(tuple(environments), _sorted(common), tuple(report.findings), resources.hints)


def _unknown(chosen: Iterable[str], gathered: Collection[str], hints: suggest.Hints) -> Iterator[Finding]:
    """Yield a warning for each chosen environment of which the list has no item."""
    there = sorted(name for name in gathered if name)
    for name in chosen:
        if name not in gathered and is_environment(name):
            hint = hints.hint(name, there) or f"; it has items of {suggest.listed(there) if there else 'none'}"
            text = f"`ENV_NAMES` names {name}, of which the list has no item{hint}"
            yield Finding("warning", "unknown-environment", "S38", text, tags={"environment": name}, config=("ENV_NAMES",))


def name_of(item: Item) -> str:
    """Return an item's environment: its annotation, else the two path segments after `environments/`, else ""."""
    annotated = item.marks.get("environment", "")
    if annotated:
        return annotated
    segments = item.position.path.split("/")
    at = segments.index(_ROOT) if _ROOT in segments else len(segments)
    return "/".join(segments[at + 1 : at + 3]) if at + 3 < len(segments) else ""


def _gather(item: Item, gathered: dict[str, _Gathered], report: Report) -> None:
    rule = _RULES[item.kind]
    if item.data is None and item.error:
        report.add(unreadable(item, item.error, rule))
        return
    if item.kind in _SPECS:
        unknown = unknown_keys(get(item.data, ("spec",)), _SPECS[item.kind], ("spec",))
        report.extend([*warnings(item, unknown, "S35"), *shape_warnings(item, _SPECS[item.kind], "S35", ("spec",))])
    name = name_of(item)
    if name and not is_environment(name):
        path = ("metadata", "annotations", f"{names.GROUP}/environment")
        report.error(
            "environment",
            rule,
            "must be `CLUSTER/ENV`, two folders whose names do not begin with a dot; found {found}",
            item,
            path,
            found=name,
        )
        return
    items = gathered.setdefault(name, _Gathered())
    if item.kind == SD:
        _gather_sd(item, items, report)
    else:
        (items.artifacts if item.kind == ARTIFACT else items.namespaces).append(item)


def _gather_sd(item: Item, items: _Gathered, report: Report) -> None:
    last = item.name.rpartition(".")[2]
    if last == "sd":
        items.fulls.append(item)
    elif last == "delta-sd":
        items.deltas.append(item)
    else:
        text = "must be `sd` or `*.sd` for a Full SD, `delta-sd` or `*.delta-sd` for a Delta SD; found {found}"
        report.error("name", "70", text, item, ("metadata", "name"), found=item.name)


def _stem(items: _Gathered) -> str | None:
    return next((item.name.rpartition(".")[0] for item in (*items.fulls, *items.deltas)), None)


def _shared(gathered: Iterable[_Gathered]) -> set[str | None]:
    """Return the stems that several environments share."""
    stems = Counter(_stem(items) for items in gathered)
    return {stem for stem, times in stems.items() if times > 1}


def _environment(name: str, items: _Gathered, shared: set[str | None], report: Report) -> Environment:
    for kind, found in (("Full SD", items.fulls), ("Delta SD", items.deltas)):
        for other in found[1:]:
            first = found[0].position.path or f"item {found[0].number}"
            where = f"environment {name}" if name else "the environment without a name"
            text = f"is a second {kind} of {where}, beside the one in {first}: remove one, or set `{names.GROUP}/environment`"
            report.error("second-sd", "70", text, other)
    full, delta = (found[0] if found else None for found in (items.fulls, items.deltas))
    stem = None if _stem(items) in shared else _stem(items)
    return Environment(name, full, delta, _sorted(items.namespaces), _sorted(items.artifacts), stem)


def _sorted(items: list[Item]) -> tuple[Item, ...]:
    """Sort items so that the result does not depend on the order of the list."""
    return tuple(sorted(items, key=lambda item: (item.name, item.namespace, item.position.path, item.index)))
