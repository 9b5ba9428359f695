"""Merges the layers of a config and writes their values into generated objects and into fields of any resource.

The precedence of a value, lowest first:

    defaults of the schema  <  layers, by rising `priority`, then in the order of the list

A target has a chain: the layers without a `when`, and those whose `when` it meets. Chains are merged and checked separately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import Budget
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import get, to_field
from krm_values._data.record import replace
from krm_values._krm.findings import Report, title
from krm_values._krm.item import Item
from krm_values._krm.names import Writer
from krm_values._krm.plan import Finding, Note
from krm_values._run.traced import atoms, origin
from krm_values.layered_values import schema, settings
from krm_values.layered_values.fields import Fields
from krm_values.layered_values.generated import Objects
from krm_values.layered_values.layers import Reader
from krm_values.layered_values.merge import Chains
from krm_values.layered_values.permitted import FieldError
from krm_values.layered_values.schema import Schema
from krm_values.layered_values.selectors import Index, Subject, TooMuchError
from krm_values.layered_values.settings import Object, Target
from krm_values.layered_values.tree import SCHEMA, line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._krm.plan import Origin, Plan
    from krm_values._krm.resources import Resources
    from krm_values.layered_values.draft import Draft
    from krm_values.layered_values.merge import MergedLayers
    from krm_values.layered_values.selectors import Source
    from krm_values.layered_values.settings import Settings
    from krm_values.layered_values.tree import Layer

FUNCTION = "layered-values"
MOST = 5_000_000
"""Steps of a run: one for each layer of each target, each value of the layers of each further chain, and ten for each field of each resource."""
_FIELD = 10
_TOO_MUCH = (
    f"take more than {MOST:,} steps (one for each layer that a target has, one for each value of different layers of targets, ten for each "
    "field of each resource): divide them among several configs, or give layers no `when` that separates so many targets"
)
_SHOWN = 9
_ARGO, _ARGO_KINDS = "argoproj.io", ("Application", "ApplicationSet")
_HELM, _OBJECT, _TEXT, _PARAMETERS = "helm", "valuesObject", "values", "parameters"


def plan(config: Any, resources: Resources, _tools: object) -> Plan:
    """Read the layers, merge them for each target, and write the values.

    Yields the findings of all stages, a note per target with its chain of layers, the edits of resources and the generated objects.
    """
    try:
        yield from _planned(config, resources)
    except TooMuchError as error:
        yield Finding("error", "limit", "61", str(error), config=error.at)


def _planned(config: Any, resources: Resources) -> Plan:
    report, index = Report(), Index(resources)
    given = settings.read(config, report)
    reader = Reader(resources, index, report, references=config.references)
    layers = reader.layers(given.layers)
    checked = _schema(config, given.schema, reader, report)
    yield from report.findings
    if report.failed:
        for target in given.targets:
            yield from _unmatched(target, index) if isinstance(target, Target) else ()
        return
    budget = Budget(MOST, lambda: TooMuchError(_TOO_MUCH, ("targets",)))
    subjects = [(target, subject) for target in given.targets for subject in _subjects(target, index)]
    chains = Chains(
        layers,
        [subject for _, subject in subjects],
        config,
        given.merge,
        schema=checked,
        limits=resources.limits,
        budget=budget,
    )
    fields = Fields(resources.limits)
    generated = [target for target in given.targets if isinstance(target, Object)]
    objects = Objects(Writer(FUNCTION, config.config_name, named=True), resources, generated)
    for target in given.targets:
        if isinstance(target, Target):
            yield from _unmatched(target, index)
    for target, subject in subjects:
        document = chains.of(subject)
        if isinstance(target, Object):
            objects.take(target, document)
            yield _note(f"targets[{target.number}] {target.kind} {target.name}", document)
        else:
            budget.take(_FIELD * len(target.fields))
            yield _note(f"targets[{target.number}] {title(subject)}", document)
            fields.write(target, subject, document)
    chains.report_unmet()
    yield from (*chains.report.findings, *fields.report.findings, *objects.report.findings)
    yield from _untaken(given, chains.documents())
    yield from _edits(fields)
    yield from objects.news()


def _subjects(target: Target | Object, index: Index) -> list[Any]:
    """Return the object that a target generates, or the resources that it selects."""
    if isinstance(target, Object):
        return [Subject(target.kind, target.namespace, target.name)]
    return index.selected(target.selector, ("targets", target.number))


def _schema(config: Any, source: Source | None, reader: Reader, report: Report) -> Schema:
    """Return the schema that the config has, or that it names; its faults are reported."""
    found = Schema(config.schema_)
    if source is not None:
        item, taken = reader.taken(source, "")
        if not taken:
            return Schema()
        one = taken[0]
        if len(taken) > 1:
            text = f"`schemaFrom`: only the first of {len(taken)} YAML documents is the schema: remove the others"
            report.warning("text-document", "58", text, item, one.says.field(()), config=("schemaFrom",))
        says = replace(one.says, layer=SCHEMA)
        found = Schema(one.value, says, one.path, item, ("schemaFrom",), is_field=source.kind == "from")
    if source is not None or found.data is not None:
        schema.check(found, report, references=config.references)
    return found


def _unmatched(target: Target, index: Index) -> Iterator[Finding]:
    """Yield the finding that a target selects no resource."""
    at = ("targets", target.number)
    if target.selector.is_empty or index.selected(target.selector, at):
        return
    severity: Any = "info" if target.optional else "error"
    allowed = ", as `optional` allows" if target.optional else index.near(target.selector, at)
    text = f"`targets[{target.number}]`: no resource has {target.selector}{allowed}"
    patterns = dict(target.selector.patterns)
    named = next((name for name in ("name", "kind") if name in patterns), None)
    yield Finding(severity, "no-resource", "62", text, config=(*at, *([named] if named else [])))


def _note(subject: str, document: MergedLayers) -> Note:
    return Note("layers", subject, [layer.name for layer in document.layers])


def _edits(fields: Fields) -> Plan:
    """Yield the edits of all resources."""
    for _, draft in sorted(fields.drafts.items()):
        try:
            decisions = [*draft.finished()]
        except FieldError as error:
            yield Finding("error", error.kind, error.rule, error.message, draft.item, error.path or ())
            continue
        yield from decisions
        yield from _unseen_by_argo(draft)


def _untaken(settings: Settings, documents: list[MergedLayers]) -> Iterator[Finding]:
    """Yield one finding per layer with unused values: a warning for inline values, an info finding for others."""
    taken = _taken(settings)
    if () in taken:
        return
    unused: dict[str, dict[Path, Origin]] = {}
    layers: dict[str, Layer] = {}
    by_target = _by_path(taken)
    for document in documents:
        used = _by_path(document.used)
        layers |= {layer.name: layer for layer in document.layers}
        for path, leaf in atoms(document.tree):
            if not by_target.around(path) and not used.around(path) and (at := origin(leaf)).layer != SCHEMA:
                unused.setdefault(at.layer, {})[path] = at
    for name, found in unused.items():
        yield _untaken_of(layers[name], found)


def _by_path(paths: Iterable[Path]) -> PathTree:
    found = PathTree()
    for path in paths:
        found.add(path, path)
    return found


def _taken(settings: Settings) -> set[Path]:
    """Return the paths of values that targets name."""
    found: set[Path] = set()
    for target in settings.targets:
        named = [target] if isinstance(target, Object) else [entry for field in target.fields for entry in field.entries]
        found |= {one.value for one in named}
    return found


def _untaken_of(layer: Layer, found: dict[Path, Origin]) -> Finding:
    listed = ", ".join(f"`{to_field(path)}`{line_of(at)}" for path, at in [*found.items()][:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    text = f"layer {layer.name}: no target and no reference takes {listed}{more}"
    first, at = next(iter(found.items()))
    if isinstance(layer.item, Item):
        return Finding("info", "unused-value", "133", text, layer.item, at.path, at=at)
    place = ("layers", layer.number, "values", *first)
    return Finding("warning", "unused-value", "133", f"{text}: remove it, or name it in a target", config=place)


def _unseen_by_argo(draft: Draft) -> Iterator[Finding]:
    """Yield warnings about the Helm sources of an Application or ApplicationSet into which values are written."""
    item = draft.item
    if item.group != _ARGO or item.kind not in _ARGO_KINDS:
        return
    written = [(leaf.path, leaf.inner or ()) for leaves in draft.explanations.values() for leaf in leaves]
    for path in dict.fromkeys(found for one, _ in written if (found := _helm_source(one)) is not None):
        yield from _beside_object(draft, path, written)
        yield from _by_parameters(draft, path, written)


def _helm_source(path: Path) -> Path | None:
    """Return the path of the Helm source that a path leads through."""
    return path[: path.index(_HELM) + 1] if _HELM in path else None


def _beside_object(draft: Draft, path: Path, written: list[tuple[Path, Path]]) -> Iterator[Finding]:
    """Yield a warning about `values` beside `valuesObject`, which Argo CD ignores."""
    text, whole = (*path, _TEXT), (*path, _OBJECT)
    if get(draft.data, whole) is None or get(draft.data, text) in (None, ""):
        return
    if any(one[: len(text)] == text for one, _ in written):
        advice = "write into `valuesObject`, or remove that"
    elif any(one[: len(whole)] == whole for one, _ in written):
        advice = "move its values into a layer, and remove it"
    else:
        return
    said = f"is ignored by Argo CD, as `valuesObject` is set beside it: {advice}"
    yield Finding("warning", "argo-ignored", "120", said, draft.item, text)


def _by_parameters(draft: Draft, path: Path, written: list[tuple[Path, Path]]) -> Iterator[Finding]:
    """Yield a warning for each parameter, not written by this function, that overrides a value that is."""
    values = {_helm_name((*one, *inner)[len(path) + 1 :]) for one, inner in written if _is_values(one, path)}
    listed: Any = get(draft.data, (*path, _PARAMETERS))
    for index, parameter in enumerate(listed if isinstance(listed, list) else ()):
        at = (*path, _PARAMETERS, index)
        name = parameter.get("name") if isinstance(parameter, dict) else None
        if any(one[: len(at)] == at for one, _ in written) or not isinstance(name, str):
            continue
        if any(
            name == value or name.startswith((f"{value}.", f"{value}[")) or value.startswith((f"{name}.", f"{name}["))
            for value in values
        ):
            text = f"the parameter `{name}` overrides the value that is written: remove the parameter, or write that"
            yield Finding("warning", "argo-parameter", "121", text, draft.item, at)


def _is_values(one: Path, path: Path) -> bool:
    return one[: len(path)] == path and len(one) > len(path) and one[len(path)] in (_OBJECT, _TEXT)


def _helm_name(path: Path) -> str:
    """Return the path of a value as the name of a Helm parameter."""
    return "".join(f"[{part}]" if isinstance(part, int) else "." + part.replace(".", "\\.") for part in path).lstrip(".")
