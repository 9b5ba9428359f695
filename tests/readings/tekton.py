"""The rules of Tekton parameter expansion, read a second time: lists of plain resources in, plain resources or errors out.

Numbers in brackets are rules. Nothing is optimised; nothing is explained to a user; no text is kept.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

Json = Any
UNKNOWN = object()  # a value that only the cluster knows
ALL = "*"  # all keys of an object
MANY = object()  # any number of them

SIMPLE = r"[_a-zA-Z][_a-zA-Z0-9-]*"
DOTTED = r"[_a-zA-Z][_a-zA-Z0-9.-]*"
INDEX = r"\[(?:\*|[0-9]+)\]"
REFERENCE = re.compile(
    rf"\$\((?P<old>inputs\.)?params"
    rf"(?:\.(?P<name>{SIMPLE})(?:(?P<index>{INDEX})?|(?P<keys>(?:\.{SIMPLE})+))"
    rf"|\[\"(?P<double>{DOTTED})\"\](?P<index2>{INDEX})?|\['(?P<single>{DOTTED})'\](?P<index3>{INDEX})?)\)"
)
RESULT = re.compile(r"\$\(tasks\.(?P<task>[^.()\s]+)\.results\.(?P<result>[^.()\[\]\s]+)(?P<star>\[\*\])?\)")
ANY_RESULT = re.compile(r"\$\(tasks\.[^()\s]+\.results[.\[][^()\s]+\)")


# --- values and references -------------------------------------------------------------------------------------------


def mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def maps(value: Json) -> list[dict[str, Json]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: Json) -> str:
    """[21] What a value that is no array and no object becomes."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, bool)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return str(getattr(value, "text", value))


def shape(value: Json) -> str:
    """[21] The type of a value by its JSON shape."""
    if isinstance(value, list) and all(member is None or isinstance(member, str) for member in value):
        return "array"
    if isinstance(value, dict) and all(member is None or isinstance(member, str) for member in value.values()):
        return "object"
    return "string"


@dataclass(frozen=True)
class Reference:
    name: str
    index: str = ""  # "", "*" or digits
    key: str = ""
    deep: bool = False  # more than two parts [43]
    alone: bool = False  # the string is nothing else
    place: str = "string"  # string, entry (of a list), value (of a param) or guard (an entry of a guard's values) [44]
    dotted: bool = True  # spelled with a dot, not with brackets
    old: bool = False  # `inputs.params`

    @property
    def whole(self) -> bool:
        return not self.key and not self.deep and self.index in ("", "*")


def references(value: Json, *, place: str = "string", task: bool = False) -> Iterator[Reference]:
    """[36] The references in one string; the old spelling counts in task scope only."""
    if not isinstance(value, str):
        return
    for match in REFERENCE.finditer(value):
        if match["old"] and not (task and match["name"] and not match["keys"]):
            continue
        keys = (match["keys"] or "").split(".")[1:]
        index = (match["index"] or match["index2"] or match["index3"] or "").strip("[]")
        name = match["name"] or match["double"] or match["single"]
        alone = match.group() == value
        yield Reference(
            name, index, keys[0] if keys else "", len(keys) > 1, alone, place, bool(match["name"]), bool(match["old"])
        )


def in_strings(value: Json, *, place: str = "string", task: bool = False) -> Iterator[Reference]:
    """Those of every string below a field."""
    if isinstance(value, dict):
        for member in value.values():
            yield from in_strings(member, place=place, task=task)
    elif isinstance(value, list):
        for member in value:
            yield from in_strings(member, place=place, task=task)
    else:
        yield from references(value, place=place, task=task)


def in_value(value: Json, *, task: bool = False) -> Iterator[Reference]:
    """Those of a param's value or default: an array has entries, an object strings, all else is one text."""
    kind = shape(value)
    if kind == "array":
        yield from in_strings(value, place="entry", task=task)
    elif kind == "object":
        yield from in_strings(value, task=task)
    else:
        yield from references(text(value), place="value", task=task)


def in_when(when: Json, *, task: bool = False) -> Iterator[Reference]:
    for guard in maps(when):
        for key, value in guard.items():
            yield from in_strings(value, place="guard" if key == "values" else "string", task=task)


def spelled(name: str, suffix: str = "") -> str:
    """[17, 20]"""
    return f'$(params["{name}"]{suffix})' if "." in name else f"$(params.{name}{suffix})"


def pass_through(name: str, kind: str | None) -> Json:
    """[17 to 20]"""
    if kind == "array":
        return [spelled(name, "[*]")]
    return spelled(name, "[*]" if kind == "object" else "")


# --- layers ----------------------------------------------------------------------------------------------------------


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
    fanned: tuple[Json, ...] = ()  # the values of a matrix
    reads: str = ""  # the outer name that the value is, exactly [26]
    declared_as: str = ""  # the type that is written where it is unknown
    broken: bool = False  # the value reads what is not there: an error of its own


def names_of(entries: Json) -> list[str]:
    return [text(entry.get("name")) for entry in maps(entries)]


def filled(declaration: dict[str, Json]) -> dict[str, Json]:
    """[22] A declaration with its missing types."""
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


def properties(keys: Iterable[str]) -> dict[str, Json]:
    return {key: {"type": "string"} for key in keys}


def run_param(entry: dict[str, Json]) -> Param:
    value = entry.get("value")
    return Param(text(entry.get("name")), shape(value), object_keys(value), object_keys(value), value)


@dataclass
class Report:
    """The findings about one object."""

    errors: set[tuple[int, str]] = field(default_factory=set)
    warnings: set[tuple[int, str, str]] = field(default_factory=set)
    item: int = 0

    def error(self, name: str) -> None:
        self.errors.add((self.item, name))

    def warn(self, name: str, kind: str) -> None:
        self.warnings.add((self.item, name, kind))


@dataclass
class Used:
    """Names that a spec reads from its layer, and the keys it reads of each."""

    keys: dict[str, set[str]] = field(default_factory=dict)

    def add(self, name: str, keys: Iterable[str] = ()) -> None:
        self.keys.setdefault(name, set()).update(keys)

    def read(self, found: Iterable[Reference]) -> None:
        for reference in found:
            self.add(reference.name, {reference.key} - {""})

    def __contains__(self, name: str) -> bool:
        return name in self.keys


class Reading:
    """One package under one config."""

    def __init__(self, items: list[dict[str, Json]], config: dict[str, Json]) -> None:
        self.items = items
        self.implicit = config.get("mode", "implicit") == "implicit"
        self.lookup = bool(config.get("references"))
        self.override_defaults = bool(config.get("referenceDefaults"))
        self.report = Report()
        self.stored = self.nested = False
        self.namespace = self.package = ""

    # --- objects [1 to 5, 56] ---

    def resolve(self) -> list[dict[str, Json]]:
        return [self.resolved(number, item) for number, item in enumerate(self.items)]

    def resolved(self, number: int, item: dict[str, Json]) -> dict[str, Json]:
        if item.get("apiVersion") not in ("tekton.dev/v1", "tekton.dev/v1beta1"):
            return item
        self.report.item, self.stored = number, item.get("kind") == "Pipeline"
        self.namespace, self.package = namespace(item), package(item)
        made = copy.deepcopy(item)
        spec = mapping(made.get("spec"))
        if not spec:
            return item
        if item.get("kind") == "Pipeline":
            made["spec"], _ = self.pipeline(spec, [], {})
        elif item.get("kind") == "PipelineRun":
            given = self.run_values(spec, inline="pipelineSpec" in spec)
            if "pipelineSpec" in spec:
                spec["pipelineSpec"], _ = self.pipeline(mapping(spec["pipelineSpec"]), given, pod_templates(spec))
            else:
                self.check_target("Pipeline", spec.get("pipelineRef"), given)
            self.check_run_workspaces(spec, given)
        elif item.get("kind") == "TaskRun":
            given = self.run_values(spec, inline="taskSpec" in spec)
            if "taskSpec" in spec:
                spec["taskSpec"], _ = self.task_spec(mapping(spec["taskSpec"]), given, [])
            else:
                self.check_target("Task", spec.get("taskRef"), given)
        return made

    def run_values(self, spec: dict[str, Json], *, inline: bool) -> list[Param]:
        entries = maps(spec.get("params"))
        self.check_duplicates(names_of(entries), str.casefold)  # [42]
        for entry in entries:
            name = text(entry.get("name"))
            if inline:  # nothing is declared of what goes to a reference
                self.check_name(name, entry.get("value"))
            if ANY_RESULT.search(json.dumps(entry.get("value"))):  # [46]
                self.report.error(name)
            if any(in_value(entry.get("value"))):  # [36]
                self.report.warn(name, "run-value")
        return [run_param(entry) for entry in entries]

    def check_run_workspaces(self, spec: dict[str, Json], given: list[Param]) -> None:
        """[37]"""
        for reference in in_strings(spec.get("workspaces")):
            if reference.name not in {param.name for param in given}:
                self.report.warn(reference.name, "run-workspace")

    # --- a layer of declarations [9, 22, 25, 38, 39, 43, 45] ---

    def layer(self, declarations: list[dict[str, Json]], given: list[Param]) -> dict[str, Param]:
        """Every name that a spec sees: its own declarations, then what else is given."""
        self.check_duplicates(names_of(declarations))
        values = {param.name: param for param in given}
        seen = {}
        for declaration in declarations:
            name = text(declaration.get("name"))
            seen[name] = self.declared(name, declaration, values.get(name))
        self.check_cycles([d for d in declarations if text(d.get("name")) not in values])
        return seen | {name: param for name, param in values.items() if name not in seen}

    def declared(self, name: str, declaration: dict[str, Json], given: Param | None) -> Param:
        kind, default = declared_type(declaration), declaration.get("default")
        listed = tuple(mapping(declaration.get("properties")))
        self.check_name(name, default if kind == "object" else None, kind, listed)
        if default is not None and shape(default) != kind:  # [45]
            self.report.error(name)
        if kind == "object" and not isinstance(declaration.get("properties"), dict):  # [45]
            self.report.error(name)
        enum = tuple(text(entry) for entry in declaration.get("enum") or [])
        value = given.value if given else UNKNOWN if default is None else default
        keys = listed if kind == "object" and isinstance(declaration.get("properties"), dict) else None
        more = () if self.open else tuple(mapping(default))
        handed = (*listed, *more) if given is None or given.provided is None else (*given.provided, *mapping(default), *listed)
        param = Param(name, kind, keys, keys if keys is None else handed, value, enum=enum)
        carried = {k: declaration[k] for k in ("description", "default", "properties") if declaration.get(k) is not None}
        if "properties" in carried:
            carried["properties"] = filled(declaration)["properties"]
        param = replace(param, carried=carried, final=given.final if given else not self.open)
        if given is None and default is None and not self.open:  # [39]
            self.report.error(name)
        if given is None and literal(value) and enum and text(value) not in enum:  # [26]
            self.report.error(name)
        if given is not None:
            self.check_given(name, declaration, given)
            if given.type not in (None, kind):
                return replace(param, type=None, broken=True)
            if given.declared_as == kind and set(declaration) <= {"name", "type"}:  # as we would declare it
                return replace(param, type=None, declared_as=kind)
        elif kind == "object" and shape(default) == "object" and not self.open and not set(default).issuperset(listed):
            self.report.error(name)
        return param

    open = False  # whether values may still come: the declarations of a stored Pipeline itself

    def check_given(self, name: str, declaration: dict[str, Json], given: Param) -> None:
        """[38, 39, 26]"""
        kind = declared_type(declaration)
        if given.type is not None and given.type != kind:
            self.report.error(name)
            return
        default = declaration.get("default")
        if kind == "object" and given.provided is not None:
            present = {*given.provided, *(object_keys(default) or ())}
            if not present.issuperset(mapping(declaration.get("properties"))):
                self.report.error(name)
        allowed = list(map(text, declaration.get("enum") or []))
        values = given.fanned or (given.value,)
        if allowed and any(literal(value) and text(value) not in allowed for value in values):
            self.report.error(name)

    def check_name(self, name: str, value: Json, kind: str = "", keys: Iterable[str] = ()) -> None:
        """[43]"""
        kind = kind or shape(value)
        if not re.fullmatch(SIMPLE if kind == "object" else DOTTED, name):
            self.report.error(name)
        if kind == "object" and not all(re.fullmatch(SIMPLE, key) for key in (*keys, *mapping(value))):
            self.report.error(name)

    def check_duplicates(self, names: list[str], fold: Callable[[str], str] = str) -> None:
        """[42]"""
        folded = [fold(name) for name in names]
        for name in names:
            if folded.count(fold(name)) > 1:
                self.report.error(name)

    def check_cycles(self, declarations: list[dict[str, Json]]) -> None:
        """[45] Defaults that point at each other, or more than ten references in a row."""
        edges = {
            text(d.get("name")): {reference.name for reference in in_value(d["default"])}
            for d in declarations
            if d.get("default") is not None
        }
        for start in edges:
            if longest(start, edges, ()) > 10:
                self.report.error(start)

    # --- reading a field ---

    def check(self, found: Iterable[Reference], seen: dict[str, Param]) -> None:
        """[40, 41, 43, 44]"""
        for reference in found:
            param = seen.get(reference.name)
            if reference.deep or param is None or not fits(reference, param):
                self.report.error(reference.name)

    # --- pipelines [2, 4, 6, 8, 10] ---

    def pipeline(
        self, spec: dict[str, Json], given: list[Param], pods: dict[str, list[Json]], *, nested: bool = False
    ) -> tuple[dict[str, Json], Used]:
        """A pipeline's spec, and what it reads of the names that are given to it."""
        authored = maps(spec.get("params"))
        self.open = self.stored and not nested
        layer = self.layer(authored, given)
        self.open = False
        used = Used()
        around, self.nested = self.nested, nested
        tasks = [*maps(spec.get("tasks")), *maps(spec.get("finally"))]
        results = {text(task.get("name")): self.result_types(task) for task in tasks}
        enums: dict[str, list[tuple[str, ...]]] = {}
        declared = set(names_of(authored))
        for part in ("tasks", "finally"):
            if isinstance(spec.get(part), list):
                spec[part] = [
                    self.task(task, layer, results, used, enums, declared, pods.get(text(task.get("name")), []))
                    if isinstance(task, dict)
                    else task
                    for task in spec[part]
                ]
        self.nested = around
        added = [
            {**self.declaration(param), **self.common_enum(param.name, enums)}
            for param in given
            if param.name not in declared and (param.type or param.declared_as) and (self.implicit or param.name in used)
        ]
        self.warn_enums({name: layer[name] for name in declared}, enums)
        self.check_undeclared([p for p in given if p.name not in declared and (self.implicit or p.name in used)])
        for declaration in authored:  # a default needs a value, but no declaration
            used.read(in_value(declaration.get("default")))
        return with_params(spec, [*map(filled, authored), *added]), used

    def declaration(self, param: Param) -> dict[str, Json]:
        """[10, 12, 24, 25] A declaration that is added."""
        made: dict[str, Json] = {"name": param.name, "type": param.type or param.declared_as}
        if self.implicit or param.type == "object":
            made |= {k: v for k, v in param.carried.items() if self.implicit or k != "description"}
        if param.type == "object":
            made.setdefault("properties", properties(param.keys or ()))
        return made

    def common_enum(self, name: str, enums: dict[str, list[tuple[str, ...]]]) -> dict[str, Json]:
        """[26]"""
        if name not in enums:
            return {}
        first, *others = enums[name]
        common = [entry for entry in first if all(entry in other for other in others)]
        if not common:
            self.report.error(name)
        return {"enum": common}

    def warn_enums(self, declared: dict[str, Param], enums: dict[str, list[tuple[str, ...]]]) -> None:
        for name, wanted in enums.items():
            own = declared[name].enum if name in declared else None
            if own is not None and not all(own and set(own) <= set(allowed) for allowed in wanted):
                self.report.warn(name, "enum")

    def check_undeclared(self, params: list[Param]) -> None:
        """[4, 23] A result whose type nobody knows cannot be declared."""
        for param in params:
            if param.type is None and not param.declared_as and not param.broken:
                if self.stored:
                    self.report.error(param.name)
                else:
                    self.report.warn(param.name, "result-type")

    # --- pipeline tasks [7, 11, 30 to 35, 42] ---

    def task(
        self,
        task: dict[str, Json],
        layer: dict[str, Param],
        results: dict[str, dict[str, Param] | None],
        used: Used,
        enums: dict[str, list[tuple[str, ...]]],
        declared: set[str],
        pod: list[Json],
    ) -> dict[str, Json]:
        done = copy.deepcopy(task)
        entries, fan = maps(done.get("params")), matrix_params(task)
        fanned = matrix_names(task)
        own = {text(entry.get("name")): self.own_value(entry, layer, results) for entry in entries}
        self.check_task_names(entries, task, own, fanned)
        self.read_fields(task, fan, layer, used)
        outer = [param for name, param in layer.items() if name not in own and name not in fanned]
        given_matrix = [Param(name, "string", fanned=self.fanned(name, fan, layer)) for name in fanned]
        passed: list[Param] = []
        taken: dict[str, tuple[str, ...]] = {}
        needed: dict[str, set[str]] = {}  # the keys that an embedded spec reads or declares
        if ("taskSpec" in task or "pipelineSpec" in task) and not is_custom(task):
            for entry in entries:
                self.check_name(text(entry.get("name")), entry.get("value"))
        if is_custom(task):
            reads = Used()
            reads.read(in_strings(mapping(task["taskSpec"]).get("spec"), task=True))
            passed = [param for param in outer if self.implicit or param.name in reads]
        elif "taskSpec" in task or "pipelineSpec" in task:
            passed, taken, needed = self.embedded(done, entries, own, outer, given_matrix, layer, pod)
        elif "taskRef" in task:
            passed, taken, needed = self.referenced(task, own, outer, given_matrix, pod)
        for entry in entries:
            used.read(in_value(entry.get("value")))
        for name in [param.name for param in passed] + [name for name in own if own[name].reads == name]:
            used.add(name, needed.get(name, ()))
        for name, enum in taken.items():
            source = own[name].reads if name in own else name if name not in fanned else ""
            if source in layer:
                enums.setdefault(source, []).append(enum)
        known = [param for param in passed if param.type or param.declared_as]
        final = [*entries, *({"name": p.name, "value": pass_through(p.name, p.type)} for p in known)]
        names = [*names_of(final), *fanned]
        for name in names:  # [42] by case, over all final values
            if any(other != name and other.casefold() == name.casefold() for other in names):
                self.report.error(name)
        return with_params(done, final)

    def own_value(self, entry: dict[str, Json], layer: dict[str, Param], results: dict[str, dict[str, Param] | None]) -> Param:
        """[18, 19, 23, 24] What an authored task value is."""
        name, value = text(entry.get("name")), entry.get("value")
        if is_pass_through(name, value, layer.get(name)):
            return replace(layer[name], reads=name)
        match = RESULT.fullmatch(value) if isinstance(value, str) else None
        if match:
            known = (results.get(match["task"]) or {}).get(match["result"])
            if known and known.type == "fanned":
                known = replace(known, type="array" if match["star"] else "string")
            return (
                replace(known, name=name)
                if known and known.type
                else Param(name, None, declared_as="" if match["star"] else "string")
            )
        if name in layer and layer[name].type == "string" and value in ([spelled(name, "[*]")], spelled(name, "[*]")):
            self.report.error(name)  # [44] what was right while the name was an array
        found = list(in_value(value))
        if isinstance(value, str) and len(found) == 1 and found[0].alone and found[0].whole:
            source = layer.get(found[0].name)
            if source is None or (source.type != "string" and not fits(found[0], source)):
                return Param(name, None, broken=True)
            if source.type != "string" or not found[0].index:
                return replace(source, name=name, reads=source.name, carried={}, enum=())
        keys = object_keys(value)
        if shape(value) == "string":
            return Param(name, "string", value=resolved_text(text(value), layer))
        if shape(value) == "array":
            return Param(name, "array", value=resolved_list(value, layer))
        return Param(name, "object", keys, keys, value)

    def fanned(self, name: str, fan: list[dict[str, Json]], layer: dict[str, Param]) -> tuple[Json, ...]:
        """[26] What a matrix gives for a name, UNKNOWN among it where only the cluster knows."""
        found: list[Json] = []
        for value in (entry.get("value") for entry in fan if text(entry.get("name")) == name):
            if shape(value) == "array":
                found += resolved_list(value, layer)
            elif isinstance(value, str) and any(r.alone and r.index == "*" for r in references(value)):
                found += resolved_list([value], layer)
            else:
                found.append(resolved_text(text(value), layer))
        return tuple(found)

    def check_task_names(
        self, entries: list[dict[str, Json]], task: dict[str, Json], own: dict[str, Param], fanned: list[str]
    ) -> None:
        """[34, 42, 43]"""
        self.check_duplicates(names_of(entries))
        for group in matrix_groups(task):
            self.check_duplicates(names_of(group))
        for name in fanned:
            self.check_name(name, "")
            if name in own:
                self.report.error(name)

    def read_fields(self, task: dict[str, Json], fan: list[dict[str, Json]], layer: dict[str, Param], used: Used) -> None:
        """[33, 41] The fields of a pipeline task that read the pipeline layer."""
        reference = mapping(task.get("taskRef"))
        fanned = matrix_names(task)
        found = [
            *(r for entry in maps(task.get("params")) for r in in_value(entry.get("value"))),
            *(r for entry in fan for r in in_value(entry.get("value"))),
            *in_when(task.get("when")),
            *(r for r in references(task.get("displayName")) if r.name not in fanned),
            *references(task.get("onError")),
            *(r for entry in maps(task.get("workspaces")) for r in references(entry.get("subPath"))),
            *references(reference.get("name")),
            *(r for entry in maps(reference.get("params")) for r in in_value(entry.get("value"))),
        ]
        self.check(found, layer)
        used.read(found)
        for entry in maps(task.get("params")):  # an object that is handed on under another name is read with all its keys
            whole = [r for r in references(entry.get("value")) if r.alone and r.index == "*" and r.name != entry.get("name")]
            for one in whole:
                used.add(one.name, {ALL})

    # --- embedded specs [8, 11, 12, 25, 31, 34, 35] ---

    def embedded(
        self,
        done: dict[str, Json],
        entries: list[dict[str, Json]],
        own: dict[str, Param],
        outer: list[Param],
        given_matrix: list[Param],
        layer: dict[str, Param],
        pod: list[Json],
    ) -> tuple[list[Param], dict[str, tuple[str, ...]], dict[str, set[str]]]:
        """Resolve the embedded spec of `done` and its objects' keys; what must be passed, its enums, the keys it needs."""
        field_name = "taskSpec" if "taskSpec" in done else "pipelineSpec"
        spec = mapping(done[field_name])
        listed = {text(d.get("name")): d for d in maps(spec.get("params"))}
        for param in given_matrix:
            if param.name in layer:  # [34]
                self.report.error(param.name)
        overrides = {name: layer[name] for name in own if name in layer and own[name].reads != name}
        merged = {name: self.merged(own[name], entries, overrides.get(name), listed.get(name)) for name in own}
        if field_name == "taskSpec":
            self.check_overrides(spec, own, overrides, stored=self.stored and not self.nested)
        _, used = self.inner(field_name, copy.deepcopy(spec), [*merged.values(), *outer, *given_matrix], pod)
        for entry in entries:
            name, value = text(entry.get("name")), entry.get("value")
            if name in overrides and overrides[name].type == "object" and shape(value) == "object":
                wanted = self.wanted_keys(listed.get(name), used.keys.get(name, set()))
                missing = [k for k in overrides[name].keys or () if k not in value and (wanted is None or k in wanted)]
                entry["value"] = {**value, **{key: f"$(params.{name}.{key})" for key in missing}}
                merged[name] = replace(merged[name], keys=tuple(entry["value"]))
        said, self.report = self.report, Report()  # everything was said about all keys
        done[field_name], _ = self.inner(field_name, spec, [*merged.values(), *outer, *given_matrix], pod)
        self.report = said
        passed = [param for param in outer if self.implicit or param.name in listed or param.name in used]
        enums = {text(d.get("name")): d.get("enum") for d in maps(mapping(done.get("taskSpec")).get("params"))}
        needed = {name: set(mapping(d.get("properties"))) for name, d in listed.items()}
        return passed, {name: tuple(map(text, enum)) for name, enum in enums.items() if enum}, used.keys | needed

    def merged(
        self, param: Param, entries: list[dict[str, Json]], outer: Param | None, declaration: dict[str, Json] | None
    ) -> Param:
        """[31] An object override keeps the outer object's keys."""
        if outer is None or outer.type != "object" or param.type != "object":
            return param
        literal_map = any(shape(e.get("value")) == "object" for e in entries if text(e.get("name")) == param.name)
        if not literal_map or param.keys is None:
            return param
        wanted = None if declaration is None else set(mapping(declaration.get("properties")))
        more = (key for key in outer.keys or () if key not in param.keys and (wanted is None or key in wanted))
        keys = (*param.keys, *more)
        return replace(param, keys=keys, provided=keys)

    def wanted_keys(self, declaration: dict[str, Json] | None, read: set[str]) -> set[str] | None:
        """[31] Which outer keys an override needs; None: all."""
        if declaration is not None:
            return set(mapping(declaration.get("properties")))
        return None if self.implicit or ALL in read else read

    def inner(
        self, field_name: str, spec: dict[str, Json], given: list[Param], pod: list[Json]
    ) -> tuple[dict[str, Json], Used]:
        if field_name == "taskSpec":
            return self.task_spec(spec, given, pod)
        return self.pipeline(spec, given, {}, nested=True)

    def check_overrides(
        self, spec: dict[str, Json], own: dict[str, Param], overrides: dict[str, Param], *, stored: bool
    ) -> None:
        """[35, 38] An overridden outer list."""
        for reference in in_task(spec):
            outer = overrides.get(reference.name)
            if outer is None or outer.type != "array" or reference.old:
                continue
            if reference.index.isdigit():
                self.report.error(reference.name)
            if not stored and own[reference.name].type == "string" and reference.whole:
                if reference.place == "entry" and reference.alone:
                    continue
                self.report.error(reference.name)

    def task_spec(self, spec: dict[str, Json], given: list[Param], pod: list[Json]) -> tuple[dict[str, Json], Used]:
        """[3, 12] An embedded task's spec."""
        authored = maps(spec.get("params"))
        listed = set(names_of(authored))
        seen = self.layer(authored, given)
        found = list(in_task(spec))
        self.check(found, seen)
        used = Used()
        used.read(found)
        used.read(r for declaration in authored for r in in_value(declaration.get("default"), task=True))
        for template in pod:  # [37]
            for reference in in_strings(template):
                used.add(reference.name, {reference.key} - {""})
                if reference.name not in seen:
                    self.report.warn(reference.name, "pod-template")
        values = {param.name for param in given}
        defaults = {text(d.get("name")) for d in authored if d.get("default") is not None}
        for declaration in authored:  # section 7: only other defaults of the task are put in
            reads = {reference.name for reference in in_value(declaration.get("default"))}
            if text(declaration.get("name")) not in values and not reads <= defaults - values:
                self.report.warn(text(declaration.get("name")), "default")
        extra = [param for param in given if param.name not in listed and (self.implicit or param.name in used)]
        self.check_undeclared(extra)
        added = [self.declaration(param) for param in extra if param.type or param.declared_as]
        return with_params(spec, [*map(filled, authored), *added]), used

    # --- references [52 to 57] ---

    def referenced(
        self,
        task: dict[str, Json],
        own: dict[str, Param],
        outer: list[Param],
        given_matrix: list[Param],
        pod: list[Json],
    ) -> tuple[list[Param], dict[str, tuple[str, ...]], dict[str, set[str]]]:
        target = self.find("Task", task.get("taskRef")) if self.lookup else None
        if target is None:
            return [], {}, {}
        given = {param.name: param for param in [*own.values(), *given_matrix]}
        around = {param.name: param for param in outer}
        passed = set()
        enums = {}
        for declaration in maps(mapping(target.get("spec")).get("params")):
            name, kind = text(declaration.get("name")), declared_type(declaration)
            if name in given:
                self.check_given(name, declaration, given[name])
            elif declaration.get("default") is None or self.override_defaults:
                optional = declaration.get("default") is not None
                if name not in around:
                    if not optional:
                        self.report.error(name)  # [39, 52]
                    continue
                if around[name].type != kind and optional:
                    self.report.warn(name, "reference-default")  # [53]
                    continue
                self.check_given(name, declaration, around[name])
                passed.add(name)
            else:
                continue
            if declaration.get("enum"):
                enums[name] = tuple(map(text, declaration["enum"]))
        needed = {text(d.get("name")): set(mapping(d.get("properties"))) for d in maps(target["spec"].get("params"))}
        for reference in in_strings(pod):  # [37]
            if reference.name not in {*given, *needed}:
                self.report.warn(reference.name, "pod-template")
        return [param for param in outer if param.name in passed], enums, needed

    def check_target(self, kind: str, reference: Json, given: list[Param]) -> None:
        """[56]"""
        target = self.find(kind, reference) if self.lookup else None
        values = {param.name: param for param in given}
        for declaration in maps(mapping(mapping(target).get("spec")).get("params")):
            name = text(declaration.get("name"))
            if name in values:
                self.check_given(name, {k: v for k, v in declaration.items() if k != "enum"}, values[name])
            elif declaration.get("default") is None:
                self.report.error(name)

    def find(self, kind: str, reference: Json) -> dict[str, Json] | None:
        """[52, 55] The object of the list that a reference names."""
        said = mapping(reference)
        if any(said.get(key) for key in ("apiVersion", "resolver", "bundle")) or said.get("kind", kind) != kind:
            return None
        same = [i for i in self.items if i.get("kind") == kind and is_tekton(i) and name_of(i) == said.get("name")]
        found = [i for i in same if namespace(i) == self.namespace] or [i for i in same if not namespace(i)]
        if len(found) > 1:
            enclosing = [i for i in found if encloses(package(i), self.package)]
            nearest = max((len(package(i)) for i in enclosing), default=0)
            found = [i for i in enclosing if len(package(i)) == nearest] or found
        if len(found) > 1:
            self.report.warn("?", "several")
        return found[0] if len(found) == 1 and isinstance(found[0].get("spec"), dict) else None

    def result_types(self, task: dict[str, Json]) -> dict[str, Param] | None:
        """[23] The results of a pipeline task by name, None where they cannot be known."""
        if is_custom(task) or "pipelineRef" in task:
            return None
        spec = task.get("taskSpec") or task.get("pipelineSpec")
        unsaid = None if "pipelineSpec" in task else "string"
        if spec is None and "taskRef" in task:
            spec = mapping(self.quietly_found(task["taskRef"])).get("spec")
        found = {}
        for result in maps(mapping(spec).get("results")):
            name = text(result.get("name"))
            kind = result.get("type") or ("object" if result.get("properties") is not None else unsaid)
            keys = tuple(mapping(result.get("properties"))) if kind == "object" else None
            if kind == "string" and "matrix" in task:
                kind = "fanned"  # a string each, together an array
            found[name] = Param(name, kind, keys, keys)
        return found

    def quietly_found(self, reference: Json) -> dict[str, Json] | None:
        warnings = set(self.report.warnings)
        target = self.find("Task", reference)
        self.report.warnings = warnings
        return target


# --- small questions -------------------------------------------------------------------------------------------------


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


def longest(name: str, edges: dict[str, set[str]], path: tuple[str, ...]) -> float:
    """How many references lie in a row from here; infinite in a circle."""
    if name in path:
        return float("inf")
    return max((1 + longest(other, edges, (*path, name)) for other in edges.get(name, ()) if other in edges), default=0)


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


def is_custom(task: dict[str, Json]) -> bool:
    """[7]"""
    return bool(mapping(task.get("taskSpec")).get("apiVersion"))


def in_container(container: dict[str, Json]) -> Iterator[Reference]:
    """[36] The fields of a step, a step template or a sidecar that are searched."""
    for key in ("name", "image", "imagePullPolicy", "workingDir", "script", "onError"):
        yield from references(container.get(key), task=True)
    for key in ("command", "args"):
        yield from in_strings(container.get(key), place="entry", task=True)
    for variable in maps(container.get("env")):
        yield from references(variable.get("value"), task=True)
        yield from in_strings(variable.get("valueFrom"), task=True)
    for key in ("envFrom", "volumeMounts"):
        yield from in_strings(container.get(key), task=True)
    for key in ("stdoutConfig", "stderrConfig"):
        yield from references(mapping(container.get(key)).get("path"), task=True)
    yield from in_when(container.get("when"), task=True)
    for param in maps(container.get("params")):
        yield from in_value(param.get("value"), task=True)


def in_task(spec: dict[str, Json]) -> Iterator[Reference]:
    """[36] The references of an embedded task."""
    for container in (*maps(spec.get("steps")), mapping(spec.get("stepTemplate")), *maps(spec.get("sidecars"))):
        yield from in_container(container)
    yield from in_strings(spec.get("volumes"), task=True)
    for workspace in maps(spec.get("workspaces")):
        yield from references(workspace.get("mountPath"), task=True)


def matrix_groups(task: dict[str, Json]) -> list[list[dict[str, Json]]]:
    """[34] The param lists of a matrix; a v1beta1 list is read as its params."""
    matrix = task.get("matrix")
    if isinstance(matrix, list):
        return [maps(matrix)]
    rows = [maps(row.get("params")) for row in maps(mapping(matrix).get("include"))]
    return [maps(mapping(matrix).get("params")), *rows]


def matrix_params(task: dict[str, Json]) -> list[dict[str, Json]]:
    return [entry for group in matrix_groups(task) for entry in group]


def matrix_names(task: dict[str, Json]) -> list[str]:
    return list(dict.fromkeys(names_of(matrix_params(task))))


def with_params(spec: dict[str, Json], params: list[dict[str, Json]]) -> dict[str, Json]:
    """[15] No empty `params` appears; what is no map stays where it is."""
    rest = iter(params)
    written = spec.get("params") if isinstance(spec.get("params"), list) else []
    made = [next(rest) if isinstance(entry, dict) else entry for entry in written]
    return {**spec, "params": [*made, *rest]} if params else spec


def pod_templates(spec: dict[str, Json]) -> dict[str, list[Json]]:
    """[37] The pod templates of task runs by pipeline task."""
    found: dict[str, list[Json]] = {}
    for entry in maps(spec.get("taskRunSpecs")):
        templates = [entry[key] for key in ("podTemplate", "taskPodTemplate") if key in entry]
        found.setdefault(text(entry.get("pipelineTaskName")), []).extend(templates)
    return found


def is_tekton(item: dict[str, Json]) -> bool:
    return item.get("apiVersion") in ("tekton.dev/v1", "tekton.dev/v1beta1")


def name_of(item: dict[str, Json]) -> Json:
    return mapping(item.get("metadata")).get("name")


def namespace(item: dict[str, Json]) -> str:
    return mapping(item.get("metadata")).get("namespace") or ""


def package(item: dict[str, Json]) -> str:
    annotations = mapping(mapping(item.get("metadata")).get("annotations"))
    return str(annotations.get("internal.config.kubernetes.io/package-path", ""))


def encloses(outer: str, inner: str) -> bool:
    return not outer or inner == outer or inner.startswith(outer + "/")


@dataclass(frozen=True)
class Answer:
    """What comes out: the items (as they came where there are errors), (item, param) of errors, (item, param, kind) of warnings."""

    items: list[dict[str, Json]]
    errors: frozenset[tuple[int, str]]
    warnings: frozenset[tuple[int, str, str]]


def resolve(items: list[dict[str, Json]], config: dict[str, Json]) -> Answer:
    """The package under a config of `mode`, `references` and `referenceDefaults`."""
    reading = Reading(items, config)
    made = reading.resolve()
    errors = frozenset(reading.report.errors)
    return Answer(items if errors else made, errors, frozenset(reading.report.warnings))
