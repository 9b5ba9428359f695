"""What a pipeline task writes itself: the values of its `params` and of its matrix [18, 19, 23, 24, 26, 31, 34, 42, 43]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.reference.tekton.fields import matrix_groups, matrix_names, names_of
from tests.reference.tekton.instances import partial
from tests.reference.tekton.layers import Report, check_duplicates, check_name
from tests.reference.tekton.params import Param, fits, is_pass_through, object_keys, resolved_list, resolved_text
from tests.reference.tekton.values import RESULT, Json, in_value, mapping, maps, shape, spelled, text

Layer = Mapping[str, Param]
Results = Mapping[str, Mapping[str, Param]]


def own_value(entry: dict[str, Json], outer: Layer, results: Results, report: Report) -> Param:
    """What an authored task value is."""
    name, value = text(entry.get("name")), entry.get("value")
    if is_pass_through(name, value, outer.get(name)):
        return replace(outer[name], reads=name)
    match = RESULT.fullmatch(value) if isinstance(value, str) else None
    if match:
        return a_result(name, results.get(match["task"], {}).get(match["result"]), star=bool(match["star"]))
    if name in outer and outer[name].type == "string" and value in ([spelled(name, "[*]")], spelled(name, "[*]")):
        report.error(name)  # [44] what was right while the name was an array
    handed = handed_on(name, value, outer)
    if handed is not None:
        return handed
    kind, keys = shape(value), object_keys(value)
    if kind == "string":
        return Param(name, kind, value=resolved_text(text(value), outer), written=text(value))
    return Param(name, kind, keys, keys, resolved_list(value, outer) if kind == "array" else value)


def a_result(name: str, known: Param | None, *, star: bool) -> Param:
    """[23]"""
    if known is None or known.type is None:
        return Param(name, None, declared_as="" if star else "string")
    if known.type == "fanned":
        return Param(name, "array" if star else "string")
    return replace(known, name=name)


def handed_on(name: str, value: Json, outer: Layer) -> Param | None:
    """[23] A value that is an outer param under another name, or None."""
    found = list(in_value(value))
    if not isinstance(value, str) or len(found) != 1 or not (found[0].alone and found[0].whole):
        return None
    source = outer.get(found[0].name)
    if source is None or (source.type != "string" and not fits(found[0], source)):
        return Param(name, None, broken=True)
    if source.type == "string" and found[0].index:
        return None
    return replace(source, name=name, reads=source.name, carried={}, enum=())


def with_outer_keys(param: Param, outer: Param | None, declaration: dict[str, Json] | None) -> Param:
    """[31] An object override keeps the outer object's keys: those its own declaration lists, all where there is none."""
    if outer is None or outer.type != "object" or param.reads or not isinstance(param.value, dict):
        return param
    keys = (*param.value, *(key for key in outer.keys or () if key not in param.value))
    if declaration is not None:
        listed = mapping(declaration.get("properties"))
        keys = tuple(key for key in keys if key in param.value or key in listed)
    return replace(param, keys=keys, provided=keys)


def fanned(task: dict[str, Json]) -> list[Param]:
    """[34] The names that a matrix supplies, each a string per instance."""
    values: dict[str, list[Json]] = {name: [] for name in matrix_names(task)}
    for group in matrix_groups(task):
        for entry in group:
            value = entry.get("value")
            values[text(entry.get("name"))] += value if shape(value) == "array" else [value]
    some = partial(task.get("matrix"))
    return [Param(name, "string", fanned=tuple(found), partial=name in some) for name, found in values.items()]


def check_names(task: dict[str, Json], report: Report, *, embedded: bool) -> None:
    """[34, 42, 43]"""
    entries, supplied = maps(task.get("params")), matrix_names(task)
    for number, group in enumerate(matrix_groups(task)):
        for entry in group:
            value = entry.get("value")
            if (shape(value) == ("string" if number == 0 else "array") and not any(in_value(value))) or shape(
                value
            ) == "object":
                report.error(text(entry.get("name")))
    for group in (entries, *matrix_groups(task)):
        check_duplicates(names_of(group), report)
    for name in supplied:
        if name in names_of(entries):
            report.error(name)
    for name, value in [(text(e.get("name")), e.get("value")) for e in entries] + [(name, "") for name in supplied]:
        if embedded:  # what goes to a reference or a custom task is not declared
            check_name(name, value, report)


def check_case(names: list[str], report: Report) -> None:
    """[42] The final values of a task, compared without case."""
    for name in names:
        if any(other != name and other.casefold() == name.casefold() for other in names):
            report.error(name)
