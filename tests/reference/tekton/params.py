"""What a layer knows of a param, and what follows from it for a reference [9, 18 to 26, 44]."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field

from tests.reference.tekton.values import REFERENCE, RESULT, Json, Reference, mapping, references, shape, spelled, text

UNKNOWN = object()  # a value that only the cluster knows
MANY = object()  # any number of them


@dataclass(frozen=True)
class Param:
    """One name of a layer."""

    name: str
    type: str | None  # None: unknown (a result of a task that nobody knows)
    keys: tuple[str, ...] | None = None  # of an object, None: unknown
    provided: tuple[str, ...] | None = None  # the keys that a pass-through hands down
    value: Json = UNKNOWN
    final: bool = True  # the value is the one that runs (not the default of a stored Pipeline)
    carried: dict[str, Json] = field(default_factory=dict)  # what a copied declaration takes along [24]
    enum: tuple[str, ...] = ()
    written: str = ""  # a task's own string as it stands there
    fanned: tuple[Json, ...] = ()  # the values of a matrix
    partial: bool = False  # only some instances of a matrix have it
    reads: str = ""  # the outer name that the value is, exactly [26]
    declared_as: str = ""  # the type that is written where it is unknown
    broken: bool = False  # the value reads what is not there: an error of its own


def filled(declaration: dict[str, Json]) -> dict[str, Json]:
    """[22] A declaration with its missing types, as an added one has them; an authored one stays as it is [15]."""
    done = copy.deepcopy(declaration)
    done["type"] = done.get("type") or declared_type(declaration)
    for name, entry in mapping(done.get("properties")).items():
        if entry is None or (isinstance(entry, dict) and not entry.get("type")):
            done["properties"][name] = {**mapping(entry), "type": "string"}
    return done


def declared_type(declaration: dict[str, Json]) -> str:
    """[22]"""
    if declaration.get("type"):
        return str(declaration["type"])
    if isinstance(declaration.get("properties"), dict):
        return "object"
    return shape(declaration["default"]) if declaration.get("default") is not None else "string"


def object_keys(value: Json) -> tuple[str, ...] | None:
    return tuple(value) if shape(value) == "object" else None


def pass_through(name: str, kind: str | None) -> Json:
    """[17 to 20]"""
    if kind == "array":
        return [spelled(name, "[*]")]
    return spelled(name, "[*]" if kind == "object" else "")


def fits(reference: Reference, param: Param) -> bool:
    """[44] Whether a reference may stand where it stands."""
    star = reference.index == "*" and (reference.place == "guard" or (reference.place == "value" and reference.dotted))
    if param.type == "array":
        if reference.key:
            return False
        if reference.whole:
            return reference.alone and (reference.place == "entry" or star)
        return not (param.final and isinstance(param.value, list) and known_length(param.value) <= int(reference.index))
    if param.type == "object":
        if reference.key:
            return param.keys is None or reference.key in param.keys
        return star and reference.alone and reference.place == "value"
    return param.type is None or not reference.key


def known_length(value: list[Json]) -> float:
    """[44] How long a list is; infinite where an entry stands for any number of them."""
    return float("inf") if MANY in value else len(value)


def literal(value: Json) -> bool:
    return value not in (UNKNOWN, MANY) and shape(value) == "string" and not dynamic(text(value))


def may_be(one: str, other: str) -> bool:
    """Whether a text with references may be another text in the end."""
    pattern = re.sub(r"\\\$\\\([^()]*\\\)", ".*", re.escape(one))
    return dynamic(one) and (dynamic(other) or re.fullmatch(pattern, other, re.DOTALL) is not None)


def dynamic(value: str) -> bool:
    """Whether a text may hold something that Tekton puts in."""
    return "$(" in value


def resolved_text(value: str, layer: dict[str, Param]) -> Json:
    """[26] A text with the known strings of a layer put in."""
    known = {name: p.value for name, p in layer.items() if p.type == "string" and literal(p.value)}
    if any(r.name not in known or not r.whole or r.index for r in references(value)) or dynamic(REFERENCE.sub("", value)):
        return UNKNOWN
    return REFERENCE.sub(lambda m: m.group() if m["old"] else text(known[m["name"] or m["double"] or m["single"]]), value)


def resolved_list(value: list[Json], layer: dict[str, Param]) -> list[Json]:
    """[44] A list with the known lists of a layer put in; MANY among its entries where the length is unknown."""
    done: list[Json] = []
    for entry in value:
        found = list(references(entry))
        if len(found) == 1 and found[0].alone and found[0].whole:
            param = layer.get(found[0].name)
            if param is None or param.type != "string":
                done += param.value if param and param.final and isinstance(param.value, list) else [MANY]
                continue
        done.append(MANY if RESULT.fullmatch(text(entry)) else resolved_text(text(entry), layer))
    return done


def is_pass_through(name: str, value: Json, outer: Param | None) -> bool:
    """[24, 35] Whether a value is exactly the pass-through of its own name, in list or bare star form."""
    if outer is None:
        return False
    if outer.type == "array" and isinstance(value, list) and len(value) == 1:
        found = list(references(value[0]))
    elif outer.type == "array":
        found = [reference for reference in references(value) if reference.index]
    else:
        found = list(references(value))
    if len(found) != 1 or not (found[0].alone and found[0].whole and found[0].name == name):
        return False
    return outer.type == "array" or found[0].index == ("" if outer.type == "string" else "*")


def with_params(spec: dict[str, Json], params: list[dict[str, Json]]) -> dict[str, Json]:
    """[15] No empty `params` appears; what is no map stays where it is."""
    rest = iter(params)
    written = spec.get("params") if isinstance(spec.get("params"), list) else []
    made = [next(rest) if isinstance(entry, dict) else entry for entry in written]
    return {**spec, "params": [*made, *rest]} if params else spec
