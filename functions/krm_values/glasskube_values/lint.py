"""What is wrong with a manifest, without a Package: its value definitions, their targets and templates, and its transformations.

Errors: `pattern`, `template`, `template-json`, `op`, `pointer`, `bounds`, `default`, `options`. Warnings: `slash`, `duplicate`, `if-boolean`,
`text-boolean`, `api-group`, `dead-target`. Info: `no-effect`. In a run the errors are warnings, and what the run reports itself is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.limits import Budget
from krm_values._data.record import record, replace
from krm_values._go import regexp
from krm_values._go.template_parser import Branch, Dot, Field, Name, Pipeline, TemplateError, parse
from krm_values._krm import names
from krm_values.glasskube_values import constraints, json_patch
from krm_values.glasskube_values.decoding import Fault
from krm_values.glasskube_values.json_patch import PatchError
from krm_values.glasskube_values.manifest import examine, without_effect
from krm_values.glasskube_values.patches import render
from krm_values.glasskube_values.targets import may_be_target

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.template_parser import Node, Operand
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Finding
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition, Manifest, Resource, Target
    from krm_values.glasskube_values.packages import Candidate, CoveredLint

_BOUNDS = (("min", "max", "38"), ("minLength", "maxLength", "34"))
_VERSION = re.compile("v[0-9]+(?:(?:alpha|beta)[0-9]+)?")
_LOGIC = (Name("not"), Name("and"), Name("or"))
_DOT = (Dot(), Field(("value",)))
_TRIED = 4_000_000  # characters of the templates of one manifest, and of the values that they are tried with


@record
class Sibling:
    """A plain resource beside a manifest, by the fields with which a target refers to it."""

    api_version: str
    kind: str
    name: str
    namespace: str


def check_all(data: JSON, siblings: Collection[Sibling] | None = None, *, charts_get_strings: bool = True) -> tuple[Fault, ...]:
    """Return all faults of a manifest as written, those of its form first.

    siblings: the plain resources beside it; without them resource targets that match nothing are not reported. charts_get_strings: as in `check`.
    """
    manifest, faults = examine(data)
    return (*faults, *check(manifest, faults, siblings, charts_get_strings=charts_get_strings))


def check(
    manifest: Manifest,
    form: Iterable[Fault] = (),
    siblings: Collection[Sibling] | None = None,
    *,
    charts_get_strings: bool = True,
) -> Iterator[Fault]:
    """Yield the faults of a manifest that could be read, except where `form` already has one. `lint` and a run give the same ones.

    charts_get_strings: whether charts get booleans and numbers without a template as strings, as from the operator; else nothing is wrong with them.
    """
    reported = {fault.path for fault in form if fault.severity != "warning"}
    for fault in _faults(manifest, siblings):
        if fault.path not in reported and (charts_get_strings or fault.kind != "text-boolean"):
            yield fault


def in_run(
    candidates: Sequence[Candidate], used: Collection[Candidate], covered: CoveredLint, config: GlasskubeValues
) -> Iterator[Finding]:
    """Yield the faults of all manifests, errors as warnings, without those that the run reports itself.

    Whether a target matches a resource depends on the Package, so the run reports that, for values that are set. Of manifests with
    equal data one is checked: the first that a Package uses, else the first. used: the manifests that Packages use.
    """
    ids = {id(candidate) for candidate in used}
    checked: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: id(one) not in ids):
        same_name = checked.setdefault(candidate.name, [])
        if any(data_edits.same(one.data, candidate.data) for one in same_name):
            continue
        same_name.append(candidate)
        if id(candidate) not in ids:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity != "error")
        manifest = candidate.manifest or examine(candidate.data)[0]
        for fault in check(manifest, candidate.faults, charts_get_strings=config.typed is False):
            if not covered.has(candidate, fault):
                yield candidate.finding(replace(fault, severity="warning") if fault.severity == "error" else fault)


def siblings_of(items: Iterable[Item]) -> tuple[Sibling, ...]:
    """Return the items that a target may match, without kustomizations and the objects that this function generated."""
    found = (one for one in items if may_be_target(one) and one.group != "kustomize.config.k8s.io" and not _is_generated(one))
    return tuple(Sibling(one.api_version, one.kind, one.name, one.namespace) for one in found)


def _is_generated(item: Item) -> bool:
    return item.kind in ("HelmRelease", "HelmRepository") and item.marks.get(names.MADE_BY) == "glasskube-values"


def _faults(manifest: Manifest, siblings: Collection[Sibling] | None) -> Iterator[Fault]:
    budget = Budget(_TRIED)
    beside = None if siblings is None else _Siblings(siblings)
    for definition in manifest.definitions.values():
        yield from _without_effect(definition)
        yield from _pattern(definition)
        bounds = tuple(_bounds(definition))
        yield from bounds
        yield from _options(definition)
        default = tuple(_default(definition, {str(limit) for fault in bounds for limit in _pair(fault)}))
        yield from default
        yield from _repeated(definition)
        for target in definition.targets:
            yield from _target(target, manifest, beside)
            yield from _text_boolean(target, definition)
            yield from _template(target, definition, budget, sound=not default)
    for transformation in manifest.transformations:
        if transformation.resource:
            path = (*transformation.path, "source", "resource", "apiGroup")
            yield from _api_group(transformation.resource, path, rule="84")
        for target in transformation.targets:
            yield from _target(target, manifest, beside)
            yield from _syntax(target)


def _without_effect(definition: Definition) -> Iterator[Fault]:
    """Yield an info for each well-formed constraint that does not apply to its type, whatever it holds."""
    applicable = _applicable(definition)
    for name in definition.constraints:
        if name not in applicable and name != "required":
            yield without_effect(definition.type, (*definition.path, "constraints", name))


def _applicable(definition: Definition) -> dict[str, JSON]:
    """Return the constraints that apply to its type; all of them if the type is unknown."""
    applicable = constraints.APPLICABLE.get(definition.type, definition.constraints.keys())
    return {name: limit for name, limit in definition.constraints.items() if name in applicable}


def _pattern(definition: Definition) -> Iterator[Fault]:
    pattern = _applicable(definition).get("pattern")
    if not isinstance(pattern, str):
        return
    try:
        regexp.check(pattern)
    except regexp.PatternError as error:
        text = f"is not a valid pattern: {error.message}; found {{found}}"
        yield Fault("error", "pattern", "36", (*definition.path, "constraints", "pattern"), text, pattern)


def _bounds(definition: Definition) -> Iterator[Fault]:
    path = (*definition.path, "constraints")
    limits = _applicable(definition)
    for low, high, rule in _BOUNDS:
        least, most = (limits.get(name) for name in (low, high))
        if high == "maxLength" and isinstance(most, int) and most < 0:
            yield Fault("error", "bounds", rule, (*path, high), "must not be negative: no value fits; found {found}", most)
        elif isinstance(least, int) and isinstance(most, int) and least > most:
            text = f"must not be more than `{high}`, which is {most}: no value fits; found {{found}}"
            yield Fault("error", "bounds", rule, (*path, low), text, least)


def _options(definition: Definition) -> Iterator[Fault]:
    if definition.type == "options" and not definition.options:
        yield Fault(
            "error", "options", "39", (*definition.path, "options"), "must list an option: without one every value is refused"
        )


def _default(definition: Definition, wrong: set[str]) -> Iterator[Fault]:
    """Yield an error if a default violates its own definition for a reason that is not reported yet. wrong: limits that no value fits."""
    if not definition.default:
        return
    reported = {"type", "bad-pattern", *wrong, *([] if definition.options else ["options"])}
    violations = [one for one in definition.violations(definition.default) if one.constraint not in reported]
    if violations:
        text = f"violates its own definition: {', '.join(one.text() for one in violations)}; found {{found}}"
        yield Fault("error", "default", "33", (*definition.path, "defaultValue"), text, definition.default)


def _pair(fault: Fault) -> tuple[str, str]:
    """Return the names of both limits of a fault of bounds."""
    return next((low, high) for low, high, _ in _BOUNDS if fault.path[-1] in (low, high))


def _repeated(definition: Definition) -> Iterator[Fault]:
    """Yield a warning for each target that is listed twice, unless it appends different elements."""
    seen: dict[object, int] = {}
    for number, target in enumerate(definition.targets, start=1):
        last = target.pointer.rpartition("/")[2]
        inserts = target.op == "add" and (last == "-" or json_patch.index(last) is not None)
        key = (target.op, target.pointer, target.resource, target.chart, target.template if inserts else None)
        if key in seen:
            yield Fault("warning", "duplicate", "80", target.path, f"repeats target {seen[key]} of the definition: remove one")
        seen.setdefault(key, number)


def _target(target: Target, manifest: Manifest, siblings: _Siblings | None) -> Iterator[Fault]:
    """Yield the faults of its operation, pointer, and resource or chart. siblings: the resources beside the manifest, None if unknown."""
    yield from _op(target)
    yield from _pointer(target)
    if target.resource is None:
        yield from _chart(target, manifest)
        return
    path = (*target.path, "resource", "apiGroup")
    faults = tuple(_api_group(target.resource, path, rule="72"))
    yield from faults
    if siblings is not None and not faults and not siblings.has(target.resource):
        text = f'no {target.resource.kind} "{target.resource.name}" is among the resources'
        yield Fault("warning", "dead-target", "73", (*target.path, "resource"), text)


def _op(target: Target) -> Iterator[Fault]:
    try:
        json_patch.check_op(target.op)
    except PatchError as error:
        yield Fault("error", "op", error.rule, (*target.patch, "op"), error.message)


def _pointer(target: Target) -> Iterator[Fault]:
    path, pointer = (*target.patch, "path"), target.pointer
    try:
        parts = json_patch.read(pointer)
    except PatchError as error:
        yield Fault("error", "pointer", error.rule, path, error.message)
        return
    if pointer.startswith("//"):
        text = "begins with two slashes: the operator ignores such a patch; found {found}"
        yield Fault("warning", "slash", "59", path, text, pointer)
    elif pointer and pointer[0] != "/":
        text = f'must begin with a slash, or the operator drops the first segment: write "/{pointer}"; found {{found}}'
        yield Fault("warning", "slash", "59", path, text, pointer)
    for part in () if target.is_data_string else parts:
        if rule := json_patch.non_standard_index(part):
            text = (
                f'"{part}" is not an index of a list: it must be 0, or digits without a sign or leading zero; found {{found}}'
            )
            yield Fault("error", "pointer", rule, path, text, pointer)
            return


def _chart(target: Target, manifest: Manifest) -> Iterator[Fault]:
    charts = [release.chart for release in manifest.releases]
    if not target.chart or target.chart in charts:
        return
    text = "is not a chart of the manifest; found {found}" + suggest.hint(target.chart, charts, '"')
    yield Fault("warning", "dead-target", "77", (*target.path, "chartName"), text, target.chart)


def _api_group(resource: Resource, path: Path, *, rule: str) -> Iterator[Fault]:
    """Yield a warning if an `apiGroup` is not group and version, so that nothing matches."""
    group = resource.api_group
    if not group:
        text = 'must be given, with the version ("apps/v1", of the core group "v1"): without it nothing matches'
    elif resource.has_bad_api_group or group.endswith("/"):
        text = 'must be group and version, like "apps/v1"; found {found}'
    elif "/" not in group and not _VERSION.fullmatch(group):
        text = f'must be group and version, like "{group}/v1": a group alone matches nothing; found {{found}}'
    else:
        return
    yield Fault("warning", "api-group", rule, path, text, group or None)


class _Siblings:
    """The resources beside a manifest, indexed by the fields of a target."""

    __slots__ = ("_namespaces",)

    def __init__(self, siblings: Iterable[Sibling]) -> None:
        self._namespaces: dict[tuple[str, str, str], set[str]] = {}
        for one in siblings:
            self._namespaces.setdefault((one.api_version, one.kind, one.name), set()).add(one.namespace)

    def has(self, resource: Resource) -> bool:
        """Return whether a target may match one of them: a run knows the Package's namespace as well, here a resource without one may get any."""
        found = self._namespaces.get((resource.api_group, resource.kind, resource.name), set())
        return bool(found) and (not resource.namespace or not found.isdisjoint(("", resource.namespace)))


def _text_boolean(target: Target, definition: Definition) -> Iterator[Fault]:
    """Yield a warning if a boolean or number is written to a chart as a string."""
    is_text = target.op in ("add", "replace") and not target.template
    if is_text and definition.type in ("boolean", "number") and target.chart and not target.resource:
        text = f"writes a {definition.type} as a string into the values of a chart: give it a `valueTemplate` of {{{{.}}}}"
        yield Fault("warning", "text-boolean", "45", target.path, text)


def _template(target: Target, definition: Definition, budget: Budget, *, sound: bool) -> Iterator[Fault]:
    """Yield the faults of the template of a value. budget: characters of templates and values that may still be tried. sound: whether the default may be tried."""
    if not target.template:
        return
    broken = tuple(_syntax(target))
    if broken:
        yield from broken
        return
    if definition.type == "boolean" and any(_tests_emptiness(node) for node in parse(target.template)):
        text = 'tests whether the string is empty, which neither "true" nor "false" is: write `if eq . "true"`'
        yield Fault("warning", "if-boolean", "48", (*target.path, "valueTemplate"), text)
    for sample in _samples(definition, sound=sound):
        if not budget.allows(len(target.template) + len(sample)):
            return
        try:
            render(target.template, sample, alias=True)
        except TemplateError as error:
            yield _not_json(target, sample, error)
            return


def _syntax(target: Target) -> Iterator[Fault]:
    """Yield an error if the template cannot be parsed, or uses what is not supported."""
    try:
        parse(target.template)
    except TemplateError as error:
        yield Fault(
            "error", "template", "47", (*target.path, "valueTemplate"), f"{error.message}; found {{found}}", target.template
        )


def _samples(definition: Definition, *, sound: bool) -> list[str]:
    """Return sample values that the definition probably allows."""
    kinds = {
        "options": list(definition.options),
        "boolean": ["true", "false"],
        "number": ["1"],
        "text": [_sample_text(definition)],
    }
    found = kinds.get(definition.type, [])
    return [*found, definition.default] if sound and definition.default and definition.default not in found else found


def _sample_text(definition: Definition) -> str:
    """Return `a`, or `1` if only that matches the pattern."""
    pattern = {"pattern": definition.constraints.get("pattern")}
    fits = [text for text in ("a", "1") if not constraints.violations("text", text, limits=pattern)]
    return fits[0] if fits else "a"


def _not_json(target: Target, sample: str, error: TemplateError) -> Fault:
    path = (*target.path, "valueTemplate")
    if error.construct:
        return Fault("error", "template", "47", path, f"{error.message}; found {{found}}", target.template)
    shown = "; the output is {found}" if error.rendered is not None else ""
    text = f'does not give JSON for the value "{sample}": {error.message}{shown}'
    return Fault("error", "template-json", "46" if error.stage == "execute" else "50", path, text, error.rendered)


def _tests_emptiness(node: Node) -> bool:
    """Return whether a condition, here or below, depends only on whether the dot is empty."""
    if not isinstance(node, Branch):
        return False
    below: Sequence[Node] = (*node.then, *node.otherwise) if node.word == "if" else node.otherwise
    return _is_test(node.pipeline) or any(map(_tests_emptiness, below))


def _is_test(operand: Operand) -> bool:
    """Return whether the operand depends only on whether the dot is empty."""
    if not isinstance(operand, Pipeline):
        return operand in _DOT
    first, *others = operand.commands
    words = first[1:] if first[0] in _LOGIC else first if len(first) == 1 else ()
    joined = all if first[0] == Name("and") else any
    return bool(words) and joined(map(_is_test, words)) and all(command[0] in _LOGIC for command in others)
