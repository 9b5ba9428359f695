"""One layer of declarations against what is given to it [9, 22, 25, 26, 38, 39, 42, 43, 45]."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tests.reference.tekton.fields import names_of
from tests.reference.tekton.params import UNKNOWN, Param, declared_type, filled, fits, literal, may_be, object_keys
from tests.reference.tekton.values import DOTTED, SIMPLE, Json, Reference, in_value, mapping, shape, text


@dataclass
class Report:
    """The findings: (item, param) of errors, (item, param, kind) of warnings."""

    errors: set[tuple[int, str]] = field(default_factory=set)
    warnings: set[tuple[int, str, str]] = field(default_factory=set)
    item: int = 0

    def error(self, name: str) -> None:
        self.errors.add((self.item, name))

    def warn(self, name: str, kind: str) -> None:
        self.warnings.add((self.item, name, kind))


def layer(declarations: list[dict[str, Json]], given: list[Param], report: Report, *, stored: bool = False) -> dict[str, Param]:
    """Every name that a spec sees: its own declarations, then what else is given. stored: values come with later runs."""
    check_duplicates(names_of(declarations), report)
    values = {param.name: param for param in given}
    seen = {}
    for declaration in declarations:
        name = text(declaration.get("name"))
        check_declaration(name, declaration, report)
        if name in values:
            check_given(name, declaration, values[name], report)
            seen[name] = with_value(name, declaration, values[name])
        else:
            if not stored:
                check_missing(name, declaration, report)
            seen[name] = with_default(name, declaration, stored=stored)
    check_circles([d for d in declarations if text(d.get("name")) not in values], report)
    seen |= {name: param for name, param in values.items() if name not in seen}
    check_shared(seen, report)
    return seen


def check_shared(seen: dict[str, Param], report: Report) -> None:
    """[43] Names that are spelled as a key of an object."""
    for name in seen:
        head, _, key = name.partition(".")
        above = seen.get(head)
        if above is not None and above.type == "object" and key in (*(above.keys or ()), *(above.provided or ())):
            report.error(name)


def with_default(name: str, declaration: dict[str, Json], *, stored: bool) -> Param:
    """A declared param that nobody gives a value."""
    param, default = bare(name, declaration), declaration.get("default")
    provided = param.keys
    if provided is not None and not stored:
        provided = (*provided, *mapping(default))
    return replace(param, provided=provided, value=UNKNOWN if default is None else default, final=not stored)


def with_value(name: str, declaration: dict[str, Json], given: Param) -> Param:
    """[9] The declaration decides the type, the given value wins; what does not fit is not followed up."""
    param, default = bare(name, declaration), declaration.get("default")
    if given.type not in (None, param.type):
        return replace(param, type=None, broken=True)
    if given.declared_as == param.type and set(declaration) <= {"name", "type"}:  # as we would declare it
        return replace(param, type=None, declared_as=given.declared_as)
    provided = param.keys
    if provided is not None and given.provided is not None:
        provided = (*given.provided, *mapping(default), *provided)
    return replace(param, provided=provided, value=given.value, final=given.final)


def bare(name: str, declaration: dict[str, Json]) -> Param:
    """What a declaration says by itself."""
    kind, listed = declared_type(declaration), filled(declaration).get("properties")
    keys = tuple(listed) if kind == "object" and isinstance(listed, dict) else None
    carried = {key: declaration[key] for key in ("description", "default") if declaration.get(key) is not None}
    if listed is not None:
        carried["properties"] = listed
    return Param(name, kind, keys, carried=carried, enum=enum_of(declaration))


def enum_of(declaration: dict[str, Json]) -> tuple[str, ...]:
    return tuple(text(entry) for entry in declaration.get("enum") or [])


# --- checks ---


def check_declaration(name: str, declaration: dict[str, Json], report: Report) -> None:
    """[26, 43, 45] A declaration by itself."""
    kind, default = declared_type(declaration), declaration.get("default")
    check_name(name, default if kind == "object" else None, report, kind, mapping(declaration.get("properties")))
    if default is not None and shape(default) != kind:
        report.error(name)
    if kind == "object" and not isinstance(declaration.get("properties"), dict):
        report.error(name)
    check_default(name, declaration, report)


def check_default(name: str, declaration: dict[str, Json], report: Report) -> None:
    """[26]"""
    default, enum = declaration.get("default"), enum_of(declaration)
    if enum and (declared_type(declaration) != "string" or len(set(enum)) < len(enum)):
        report.error(name)
    if default is not None and enum and literal(default) and text(default) not in (*enum, ""):
        report.error(name)


def lacks(declaration: dict[str, Json]) -> bool:
    """[39, 52] Whether there is no default, or one without a key."""
    default = declaration.get("default")
    return default is None or (
        shape(default) == "object" and not set(default).issuperset(mapping(declaration.get("properties")))
    )


def check_missing(name: str, declaration: dict[str, Json], report: Report) -> None:
    """[39] No value, or no value for a key."""
    if lacks(declaration):
        report.error(name)


def _is_one_of(value: Json, choices: tuple[str, ...]) -> bool:
    """[26] Whether a value is a choice, or may be one once what it reads is put in."""
    if literal(value):
        return text(value) in choices
    return not isinstance(value, str) or any(may_be(value, choice) for choice in choices)


def check_given(name: str, declaration: dict[str, Json], given: Param, report: Report, *, enums: bool = True) -> None:
    """[26, 38, 39] A value that is given to a declaration."""
    kind, enum = declared_type(declaration), enum_of(declaration)
    if given.type is not None and given.type != kind:
        report.error(name)
        return
    if kind == "object" and given.provided is not None:
        provided = {*given.provided, *(object_keys(declaration.get("default")) or ())}
        if not provided.issuperset(mapping(declaration.get("properties"))):
            report.error(name)
    values = given.fanned or (given.written or given.value,)
    is_own = bool(given.fanned or given.written) or given.reads in ("", name)
    if (
        enums
        and enum
        and kind == "string"
        and not all(_is_one_of(value, (*enum, "")) for value in values if is_own or literal(value))
    ):
        report.error(name)


def check_name(name: str, value: Json, report: Report, kind: str = "", keys: Iterable[str] = ()) -> None:
    """[43]"""
    kind = kind or shape(value)
    if not re.fullmatch(SIMPLE if kind == "object" else DOTTED, name):
        report.error(name)
    if kind == "object" and not all(re.fullmatch(SIMPLE, key) for key in (*keys, *mapping(value))):
        report.error(name)


def check_duplicates(names: list[str], report: Report, fold: Callable[[str], str] = str) -> None:
    """[42]"""
    folded = [fold(name) for name in names]
    for name in names:
        if folded.count(fold(name)) > 1:
            report.error(name)


def check_circles(declarations: list[dict[str, Json]], report: Report) -> None:
    """[45] Defaults that point at each other, or more than ten references in a row."""
    edges = {
        text(d.get("name")): {reference.name for reference in in_value(d["default"])}
        for d in declarations
        if d.get("default") is not None
    }
    for start in edges:
        if longest(start, edges, ()) > 10:
            report.error(start)


def longest(name: str, edges: dict[str, set[str]], path: tuple[str, ...]) -> float:
    """How many references lie in a row from here; infinite in a circle."""
    if name in path:
        return float("inf")
    return max((1 + longest(other, edges, (*path, name)) for other in edges.get(name, ()) if other in edges), default=0)


def check_references(found: Iterable[Reference], seen: dict[str, Param], report: Report) -> None:
    """[40, 41, 43, 44]"""
    for reference in found:
        param = seen.get(reference.name)
        if reference.deep or param is None or not fits(reference, param):
            report.error(reference.name)
