"""Checks that what a layer declares and what it is given fit: types, keys, enums, defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.graph import circles, long_chains, way_round
from krm_values._data.pointer import get, scalars
from krm_values._data.scalars import is_disputed
from krm_values.tekton_params import check_defaults, check_names
from krm_values.tekton_params.findings import is_bare
from krm_values.tekton_params.layers import UNKNOWN, layer, shape_of
from krm_values.tekton_params.params import Declaration, as_text, find_in, first, may_become, type_of, with_article
from krm_values.tekton_params.passing import allowed_everywhere, enum_demands
from krm_values.tekton_params.pipelines import pipeline_refs, read_pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.layers import Keys, Known, Lookup, Referenced, Scope
    from krm_values.tekton_params.params import ParamValue
    from krm_values.tekton_params.passing import Passed, Scoped, Setting

DEPTH = 10
_SHOWN = 20
_SUPPLIERS = {
    "run": "the run",
    "pipeline": "the pipeline",
    "matrix": "the matrix",
    "taskSpec": "the taskSpec",
    "Task": "the Task",
    "Pipeline": "the Pipeline",
}


def of_declarations(
    reporter: Reporter, declared: Iterable[Declaration], given: Scope, label: str, *, stored: bool = False
) -> None:
    """Check a layer's declarations against what is given to it. stored: values come with a later run."""
    for one in first(declared):
        outer = given.get(one.name)
        old = one.name if is_bare(one) else ""
        if outer is None:
            if not one.has_default and not stored:
                message = f"{label} declares it without a default and no layer gives it a value; add a default or a value"
                reporter.error("missing-value", "39", one.path, one.name, message, old=old)
            filled = _default_keys(one) if one.has_default and not stored and type_of(one.default) == "object" else None
            _missing_keys(reporter, one, filled, label, one.path)
        elif _differ(one.type, outer):
            message = f"{_supplier(outer, reporter)} gives {with_article(outer.type)}, {label} declares {with_article(one.type)}; change one of them"
            reporter.error("type-conflict", "38", one.path, one.name, message, found=outer.origins[0].value, old=old)
        else:
            _missing_keys(reporter, one, _settled_keys(one, outer), label, one.path)
            _partial(reporter, one, outer, label, one.path)


def of_added(reporter: Reporter, passed: Passed, label: str) -> None:
    """Warn where a declaration that is added for one of the task's own values has keys that the value does not pass on."""
    paths = {value.name: value.path for value in passed.task.values}
    for name, data in passed.added.items():
        if name in paths:
            _partial(
                reporter, Declaration(name, passed.given[name].type, data, paths[name]), passed.given[name], label, paths[name]
            )


def of_target(reporter: Reporter, passed: Passed, target: Referenced, setting: Setting) -> None:
    """Check what a referenced Task or Pipeline of the list declares against what its pipeline task gets."""
    label, path = f"{target.item.kind} {target.item.label}", passed.task.path
    if target.item.kind == "Task":
        check_defaults.of_referenced(reporter, target.declarations, passed.given, label, path)
    for one in target.declarations:
        given, outer = passed.given.get(one.name), passed.outer.get(one.name)
        if given is not None:
            if _differ(one.type, given):
                message = f"{label} wants {with_article(one.type)}, {_supplier(given, reporter)} gives {with_article(given.type)}; change one of them"
                reporter.error("type-conflict", "38", path, one.name, message, found=given.origins[0].value)
            else:
                _missing_keys(reporter, one, _settled_keys(one, given), label, path)
                _partial(reporter, one, given, label, path)
        elif outer is not None and outer.type and outer.type != one.type:
            message = f"{label} wants {with_article(one.type)}, the outer layer has {with_article(outer.type)}"
            if one.is_required:
                advice = "; change one of them or pass a value"
                reporter.error("type-conflict", "38", path, one.name, message + advice, found=outer.origins[0].value)
            elif setting.reference_defaults:
                reporter.warning("default-kept", "53", path, one.name, f"{message}: its default is not overridden")
        elif outer is None and not one.has_default:
            message = f"{label} needs it, {reporter.task} does not pass it and no outer layer has it; pass a value"
            reporter.error("missing-value", "39", path, one.name, message)
        elif outer is None:
            _missing_keys(reporter, one, _default_keys(one), label, path)
    _lists(reporter, target, passed.view, label, path)


def _lists(reporter: Reporter, target: Referenced, view: Scope, label: str, path: Path) -> None:
    """Report lists that are too short for what the referenced object reads of them."""
    for ref in target.into_lists:
        known = view.get(ref.name)
        length = known.shape.length if known and known.type == "array" and known.shape.sure else None
        if length == 0 and ref.index == "*":
            fact = f"{label} reads `{ref.text}` as the `values` of a step's `when`, and the list is empty"
            reporter.warning("no-values", "44", path, ref.label, f"{fact}, so Tekton refuses the step; give it a member")
        elif length is not None and ref.index != "*" and not ref.is_in(length):
            message = f"{label} reads `{ref.text}`, and the list has {length} element{'' if length == 1 else 's'}; give it more"
            reporter.error("past-the-end", "44", path, ref.label, message)


def of_run(reporter: Reporter, target: Referenced, given: Scope, label: str, path: Path) -> None:
    """Check a run by reference against the Pipeline or Task of the list."""
    for one in target.declarations:
        outer = given.get(one.name)
        if outer is None and not one.has_default:
            message = f"{label} needs it and the run does not give it; add it to `spec.params`"
            reporter.error("missing-value", "39", path, one.name, message)
        elif outer is None:
            _missing_keys(reporter, one, _default_keys(one), label, path)
        elif _differ(one.type, outer):
            message = f"{label} declares {with_article(one.type)}, the run gives {with_article(outer.type)}; change one of them"
            reporter.error("type-conflict", "38", outer.origins[0].path, one.name, message, found=outer.origins[0].value)
        else:
            _missing_keys(reporter, one, _settled_keys(one, outer), label, outer.origins[0].path)
            if target.item.kind == "Pipeline":
                _partial_run(reporter, one, outer, target)
    of_enum_values(reporter, target.declarations, given)
    if target.item.kind == "Task":
        check_defaults.of_referenced(reporter, target.declarations, given, label, path)
    view = layer(target.declarations, given, target.item, target.item.kind)
    check_names.of_shared_references(reporter, view, given, path)
    _lists(reporter, target, view, label, path)


def _partial_run(reporter: Reporter, one: Declaration, outer: Known, target: Referenced) -> None:
    """Report keys that a field of the Pipeline reads and only its default has."""
    lacking = frozenset(_default_keys(one)).difference(outer.shape.keys or ()) if outer.type == "object" else None
    pipeline = read_pipeline(get(target.item.data, ("spec",)), ("spec",), "", stored=True) if lacking else None
    reads = (read.ref for task in pipeline.tasks for read in task.reads_outside) if pipeline else ()
    for key in dict.fromkeys(ref.key for ref in reads if ref.name == one.name and ref.key in (lacking or ())):
        message = (
            f"Pipeline {target.item.label} reads this key, which only its default has: it stays text in Tekton v1.9 to v1.15;"
            " add the key to the value"
        )
        reporter.warning("partial-object", "32", outer.origins[0].path, f"{one.name}.{key}", message)


def of_steps(reporter: Reporter, passed: Passed, setting: Setting) -> None:
    """Check the steps of an embedded task against the StepActions of the list that they refer to."""
    for step in setting.steps(passed.task, passed.item):
        label = f"StepAction {step.target.item.label}"
        declared = {one.name: one for one in step.target.declarations}
        for value in step.values:
            if value.name in declared:
                _step_value(reporter, declared[value.name], value, passed.view, label)
            else:
                hint = suggest.hint(value.name, declared) or "; remove it"
                message = f"{label} does not declare it, and Tekton refuses what it does not declare{hint}"
                reporter.error("unknown-param", "58", value.path, value.name, message)
        needs = step.needs(setting)
        for one in needs:
            _step_need(reporter, one, passed.view.get(one.name), label, step.path)
        given = frozenset(value.name for value in step.values).union(one.name for one in needs)
        view = layer(step.target.declarations, {}, step.target.item, "StepAction", stored=True)
        check_names.of_shared_references(reporter, view, {}, step.path)
        check_defaults.of_step_action(reporter, step.target.declarations, given, label, step.path)


def _step_value(reporter: Reporter, one: Declaration, value: ParamValue, view: Scope, label: str) -> None:
    given = shape_of(value.value, view, lambda _: UNKNOWN)
    written = as_text(value.value)
    is_dropped = (
        given.type == "string" and "[*])" in written
    )  # `$(params.s[*])` of a string, for which the StepAction's default counts
    is_known = given.type and given.sure and not is_dropped and "$(steps." not in written
    if is_known and one.type and given.type != one.type:
        message = f"{label} wants {with_article(one.type)}, the step gives {with_article(given.type)}; change one of them"
        reporter.error("type-conflict", "58", (*value.path, "value"), value.name, message, found=value.value)
    elif isinstance(value.value, dict) and given.keys is not None:
        _missing_keys(reporter, one, (*given.keys, *_default_keys(one)), label, value.path)


def _step_need(reporter: Reporter, one: Declaration, known: Known | None, label: str, path: Path) -> None:
    if known is None or not known.type:
        if one.has_default:
            _missing_keys(reporter, one, _default_keys(one), label, path)
        else:
            lack = "does not have it" if known is None else "has it with an unknown type"
            message = f"{label} needs it, the step does not pass it and its task {lack}; pass a value"
            reporter.error("missing-value", "58", path, one.name, message)
    elif known.type == one.type:
        _missing_keys(reporter, one, _settled_keys(one, known), label, path)
    else:
        message = f"{label} wants {with_article(one.type)}, the task has {with_article(known.type)}"
        if one.is_required:
            advice = "; change one of them or pass a value"
            reporter.error("type-conflict", "58", path, one.name, message + advice, found=known.origins[0].value)
        else:
            reporter.warning("default-kept", "58", path, one.name, f"{message}: its default is not overridden")


def of_circles(pipelines: Iterable[Item], lookup: Lookup, report: Report) -> None:
    """Report Pipelines whose pipeline tasks refer to each other in a circle, at the first reference of each circle."""
    found: dict[int, dict[int, tuple[Item, Path]]] = {}
    labels: dict[int, str] = {}
    for item in pipelines:
        labels[item.number] = item.label
        references = found[item.number] = {}
        for path, reference in pipeline_refs(get(item.data, ("spec",)), ("spec",)):
            target = lookup.target("Pipeline", item, reference)
            if target:
                references.setdefault(target.item.number, (item, path))
    graph = {number: frozenset(references).intersection(found) for number, references in found.items()}
    for circle in circles(graph):
        way = way_round(graph, circle)
        shown = " -> ".join(labels[number] for number in (way if len(way) <= _SHOWN else (*way[: _SHOWN - 1], way[-1])))
        item, path = found[way[0]][way[1]]
        message = f"Pipelines refer to each other in a circle, which Tekton refuses: {shown}; remove one of the references"
        report.error("circular-pipelines", "52", message, item, path)


def of_unknown_types(reporter: Reporter, passed: Passed) -> None:
    """Report whole results of unknown type, which cannot be declared."""
    spec = "pipelineSpec" if passed.scoped else "taskSpec"
    for value in passed.of_unknown_type:
        message = f"the type of this result is unknown, so {reporter.task} cannot declare the param; declare it in its {spec}"
        add = reporter.error if reporter.item.kind == "Pipeline" else reporter.warning
        add("unknown-result-type", "23", (*value.path, "value"), value.name, message, found=value.value)


def of_retyped(reporter: Reporter, entry: ParamValue | Declaration) -> None:
    """Report plain words that the API server reads as booleans, numbers that become another text, and collections that become one."""
    for key, value in entry.authored.items():
        if key != "enum" and isinstance(value, (list, dict)) and _has_numbers(value):
            kind = "list" if isinstance(value, list) else "map"
            message = f"Tekton reads a {kind} with numbers or booleans as a string, its JSON text: quote them"
            reporter.warning("retyped-list", "21", (*entry.path, key), entry.name, message, found=value)
        for path, member in scalars(value, (*entry.path, key)):
            if isinstance(member, str) and not is_disputed(member):
                continue  # however it is written
            scalar = reporter.item.scalar(path)
            if scalar is None or not scalar.plain:
                continue
            if is_disputed(scalar.text):
                message = f"`{scalar.text}` is true or false to kubectl and the API server, and a string to kpt, kustomize and here; quote it: `'{scalar.text}'`"
                reporter.warning("retyped-scalar", "21", path, entry.name, message, found=scalar.text)
            elif isinstance(member, (int, float)) and not isinstance(member, bool) and as_text(member) != scalar.text:
                message = f"`{scalar.text}` is a number and becomes the text `{as_text(member)}`; quote it if its digits matter: `'{scalar.text}'`"
                reporter.warning("text-digits", "21", path, entry.name, message, found=scalar.text)


def _has_numbers(value: list[JSON] | dict[str, JSON]) -> bool:
    """Return whether all members are scalars and one is no string."""
    members = value if isinstance(value, list) else list(value.values())
    return type_of(value) == "string" and not any(isinstance(member, (list, dict)) for member in members)


def _differ(declared: str, outer: Known) -> bool:
    return bool(declared and outer.type and outer.shape.sure) and declared != outer.type


def _settled_keys(one: Declaration, outer: Known) -> Keys | None:
    """Return the keys that have a value or whose lack is reported further out; None if the keys are unknown."""
    return None if outer.filled is None else (*outer.filled, *outer.missing, *_default_keys(one))


def _default_keys(one: Declaration) -> Keys:
    return tuple(one.default) if isinstance(one.default, dict) and type_of(one.default) == "object" else ()


def _missing_keys(reporter: Reporter, one: Declaration, filled: Keys | None, label: str, path: Path) -> None:
    """Report the keys of a declared object that no layer gives a value. filled: the keys with a value, None if unknown."""
    if one.type != "object" or filled is None:
        return
    old, has = one.name if is_bare(one) else "", frozenset(filled)
    for key in one.properties or {}:
        if key not in has:
            message = f"{label} declares the key and no layer gives it a value; add it to the value or to a default"
            reporter.error("missing-key", "39", path, f"{one.name}.{key}", message, old=old)


def _partial(reporter: Reporter, one: Declaration, outer: Known, label: str, path: Path) -> None:
    """Report keys that only a default of the pipeline has: `[*]` passes on the run's keys alone."""
    if one.type != "object" or not reporter.task:
        return
    for key in one.properties or {}:
        if outer.only_in_default(key) and key not in _default_keys(one):
            message = (
                f"only the pipeline's default has this key and the run's value is passed to {reporter.task} without it;"
                f" give the declaration of {label} a default"
            )
            reporter.warning("partial-object", "32", path, f"{one.name}.{key}", message)


def _supplier(known: Known, reporter: Reporter) -> str:
    return _SUPPLIERS.get(known.origins[0].layer, reporter.task or "the task")


def of_enums(reporter: Reporter, scoped: Scoped) -> None:
    """Check that the enums of a pipeline's params and of its tasks fit."""
    demands = enum_demands(scoped)
    for name in scoped.added:
        found = demands.get(name, [])
        if found and not allowed_everywhere(found):
            each = "; ".join(f"{one.task.label} allows {suggest.listed(one.enum)}" for one in found)
            reporter.error(
                "enum-empty", "26", scoped.given[name].origins[0].path, name, f"no value is allowed everywhere: {each}"
            )
    for one in scoped.pipeline.declarations:
        for demand in demands.get(one.name, ()) if one.type == "string" else ():
            allows = f"{demand.task.label} allows {suggest.listed(demand.enum)} only"
            if not one.enum:
                fact = f"{allows} and this declaration has no enum"
            elif not set(one.enum) <= set(demand.enum):
                fact = f"{allows} and the enum here is {suggest.listed(one.enum)}"
            else:
                continue
            message = f"{fact}: Tekton fails the run; add one that is part of it"
            reporter.warning("enum-not-given", "26", one.path, one.name, message)


def of_enum_declarations(reporter: Reporter, declared: Iterable[Declaration]) -> None:
    """Report an enum with a value twice, one of an array or object, and one without the default."""
    for one in declared:
        enum, default = one.enum, as_text(one.default)
        if enum and one.type not in ("string", ""):
            message = f"has an `enum` and is {with_article(one.type)}; only a string may have one"
            reporter.error("enum-type", "26", one.path, one.name, message)
            continue
        for value in dict.fromkeys(value for index, value in enumerate(enum) if value in enum[:index]):
            reporter.error(
                "enum-twice", "26", (*one.path, "enum"), one.name, f'"{value}" is more than once in the enum; remove one'
            )
        if one.has_default and type_of(one.default) == "string" and "$(" not in default:
            _enum_value(reporter, one, default, one.path)


def of_enum_values(
    reporter: Reporter, declared: Iterable[Declaration], given: Scope, matrix: Iterable[ParamValue] = ()
) -> None:
    """Report values and the single values of a matrix outside the enum of their declaration."""
    supplied: dict[str, list[str]] = {}
    for entry in matrix:
        for member in entry.value if isinstance(entry.value, list) else [entry.value]:
            if isinstance(member, str) and "$(" not in member:
                supplied.setdefault(entry.name, []).append(member)
    for one in declared:
        known = given.get(one.name)
        found = supplied.get(one.name, [])
        if known and not found and known.shape.text is not None and known.shape.sure:
            found = [known.shape.text]
        written = known.origins[0].value if known and not found else None
        if isinstance(written, str) and "$(" in written and not any(may_become(written, choice) for choice in ("", *one.enum)):
            found = [written]
        for value in dict.fromkeys(found):
            _enum_value(reporter, one, value, known.origins[0].path if known else one.path)


def _enum_value(reporter: Reporter, one: Declaration, value: str, path: Path) -> None:
    """Report a value outside an enum; "" is any enum's, as Tekton has it."""
    if one.enum and one.type == "string" and value and value not in one.enum:
        where = f" ({reporter.task})" if reporter.task else ""
        message = f'"{value}" is not one of {suggest.listed(one.enum)}{where}; change the value or the enum'
        reporter.error("enum-value", "26", path, one.name, message, found=value)


def of_defaults(reporter: Reporter, declared: tuple[Declaration, ...], given: Scope) -> None:
    """Check each declaration by itself, then report circles and long chains of references among the defaults that are used."""
    for one in declared:
        if one.type == "object" and one.properties is None:
            message = "an object's declaration needs `properties` that list its keys; add them"
            reporter.error("no-properties", "45", one.path, one.name, message)
        elif one.type and one.has_default and type_of(one.default) != one.type:
            message = f"is declared as {with_article(one.type)} and its default is {with_article(type_of(one.default))}; change one of them"
            reporter.error("default-type", "45", (*one.path, "default"), one.name, message, found=one.default)
    used = {one.name: one for one in declared if one.has_default and one.name not in given}
    if not used:
        return
    graph = {name: frozenset(ref.name for ref in find_in(one.default) if ref.name in used) for name, one in used.items()}
    paths = {one.name: (*one.path, "default") for one in first(declared)}
    circular: set[str] = set()
    for circle in circles(graph):
        circular.update(circle)
        message = "circular default references; give one of them a default of its own"
        reporter.error("circular-default", "45", paths[circle[0]], ", ".join(circle), message)
    straight = {name: found - circular for name, found in graph.items() if name not in circular}
    for chain in long_chains(straight, DEPTH):
        message = f"default references are more than {DEPTH} deep ({', '.join(chain)}), which Tekton refuses; shorten the chain"
        reporter.error("deep-default", "45", paths[chain[0]], chain[0], message)
