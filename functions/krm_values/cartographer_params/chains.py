"""Supply chains and deliveries: their selectors, params and steps, and what admission refuses in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._krm.findings import Report
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.fields import Fields, read_params
from krm_values.cartographer_params.kinds import ALLOWED, DELIVERY, DEPLOYMENT, INPUTS, OUTPUT, PLAIN, SUPPLY_CHAIN, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._krm.item import Item
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_SOURCE = ("source", "source.git", "source.git.url", "source.git.ref", "source.git.ref.branch", "source.git.ref.tag")
_BOTH = (*_SOURCE, "source.git.ref.commit", "source.image", "source.subPath", "serviceAccountName")
_PATHS = {
    True: tuple(f"spec.{field}" for field in (*_BOTH, "build", "image")),
    False: tuple(f"spec.{field}" for field in _BOTH),
}
_PREFIXES = {
    True: ("spec.params", "spec.build.env", "spec.env", "spec.resources", "spec.serviceClaims", "metadata"),
    False: ("spec.params", "metadata"),
}


@record
class Chain:
    """A ClusterSupplyChain or ClusterDelivery.

    is_refused: it has an error, which has been reported. renamed: its params for which the owner has another name.
    """

    item: Item
    kind: str
    name: str
    selector: ChainSelector
    params: Mapping[str, Param]
    steps: tuple[Step, ...]
    is_refused: bool
    step_names: frozenset[str]
    renamed: tuple[Param, ...]

    @property
    def selectors(self) -> list[ChainSelector]:
        """Its selector and those of its steps' options."""
        return [self.selector, *(option.selector for step in self.steps for option in step.options)]

    @property
    def label(self) -> str:
        """`ClusterSupplyChain/c`."""
        return f"{self.kind}/{self.name}"


@record
class Step:
    """One entry of `spec.resources`. template: "" if there are `options`."""

    name: str
    kind: str
    template: str
    options: tuple[Option, ...]
    params: Mapping[str, Param]
    inputs: tuple[Input, ...]
    path: Path

    @property
    def output(self) -> str:
        """The kind of its output: `source`, `image`, `config` or ""."""
        return OUTPUT.get(self.kind, "")

    @property
    def templates(self) -> tuple[str, ...]:
        """The names of the templates that it may use."""
        return (self.template,) if self.template else tuple(option.name for option in self.options if option.name)


@record
class Option:
    """An option of a step: the name of a template, or of an input to pass through."""

    name: str
    pass_through: str
    selector: ChainSelector
    path: Path

    @property
    def label(self) -> str:
        return self.name or f"passThrough {self.pass_through}"


@record
class Input:
    """An input of a step: the output of the step `resource`. kind: `source`, `image`, `config` or `deployment` (which has no name)."""

    kind: str
    name: str
    resource: str
    path: Path


@record
class ChainSelector:
    """The requirements of a selector; their count decides between several that fit."""

    labels: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]

    @property
    def count(self) -> int:
        return len(self.labels) + len(self.fields)

    @property
    def asks(self) -> frozenset[tuple[str, str, str, tuple[str, ...]]]:
        """The requirements without their paths, to compare selectors."""
        labels = [("label", one.key, one.operator, one.values) for one in self.labels]
        return frozenset([*labels, *(("field", one.key, one.operator, one.values) for one in self.fields)])


@record
class Requirement:
    """A requirement on the label or field `key`. A label pair is `In` with one value."""

    key: str
    operator: str
    values: tuple[str, ...]
    path: Path

    @property
    def text(self) -> str:
        """`lane In (a, b)`."""
        return f"{self.key} {self.operator}" + (f" ({', '.join(self.values)})" if self.values else "")


def read_chain(item: Item, report: Report, config: CartographerParams) -> Chain:
    """Read a chain; report everything that admission refuses in it."""
    own = Report()
    fields = Fields(item, own)
    selector = _selector(fields, item.kind, ("spec",), "selector", "selectorMatchExpressions", "selectorMatchFields")
    if not selector.count:
        text = f"must select by something: give the {WORDS[item.kind]} a `selector`, `selectorMatchExpressions` or `selectorMatchFields`"
        fields.error("23", "no-selector", ("spec",), text)
    given = read_params(fields, ("spec", "params"), "blueprint", config)
    resources = _steps(fields, item.kind, config)
    if item.kind == SUPPLY_CHAIN:
        _check_inputs(fields, resources)
    report.extend(own.findings)
    names = frozenset(step.name for step in resources)
    renamed = tuple(param for param in given.values() if param.owner_name)
    return Chain(item, item.kind, item.name, selector, given, resources, own.failed, names, renamed)


def _check_inputs(fields: Fields, resources: tuple[Step, ...]) -> None:
    outputs = {step.name: step.output for step in resources if step.name}
    unclear = {step.name for step in resources if step.kind not in ALLOWED[SUPPLY_CHAIN]}
    for step in resources:
        for one in step.inputs:
            path = (*one.path, "resource")
            if one.resource not in outputs:
                text = f"must be a step of the chain; found {{found}}{suggest.hint(one.resource, outputs)}"
                fields.error("27", "input", path, text, one.resource)
            elif outputs[one.resource] != one.kind and one.resource not in unclear:
                output = f"a {outputs[one.resource]}" if outputs[one.resource] else "none"
                text = f"must be a step whose output is a {one.kind}; found {{found}}, whose output is {output}"
                fields.error("27", "input", path, text, one.resource)


def _steps(fields: Fields, chain_kind: str, config: CartographerParams) -> tuple[Step, ...]:
    """Read the steps of a chain, in order; add an error for everything that admission refuses."""
    steps: list[Step] = []
    seen: set[str] = set()
    for path in fields.maps(("spec", "resources"), "24"):
        step = _step(fields, path, chain_kind, config)
        if not step.name:
            fields.error("24", "step-name", path, "must have a `name`")
        elif step.name in seen:
            text = "must be unique among the steps; {found} is the name of an earlier one"
            fields.error("24", "step-name", (*path, "name"), text, step.name)
        seen.add(step.name)
        steps.append(step)
    return tuple(steps)


def _step(fields: Fields, path: Path, chain_kind: str, config: CartographerParams) -> Step:
    ref = (*path, "templateRef")
    kind, template = fields.string((*ref, "kind"), "31"), fields.string((*ref, "name"), "25")
    if kind not in ALLOWED[chain_kind]:
        known = ", ".join(f"`{one}`" for one in ALLOWED[chain_kind])
        text = f"must be one of {known} in a {WORDS[chain_kind]}; found {{found}}{suggest.hint(kind, ALLOWED[chain_kind])}"
        fields.error("31", "template-kind", (*ref, "kind"), text, kind)
    inputs = tuple(_inputs(fields, path, chain_kind))
    options = _options(fields, ref, template, chain_kind)
    name = fields.string((*path, "name"), "24")
    step = Step(name, kind, template, options, read_params(fields, (*path, "params"), "resource", config), inputs, path)
    _check_options(fields, step)
    if chain_kind == DELIVERY:
        _check_deployment(fields, step)
    return step


def _inputs(fields: Fields, path: Path, chain_kind: str) -> Iterator[Input]:
    """Yield the inputs for which a step of this kind of chain has fields; the API server drops others."""
    for key, kind in INPUTS.items():
        for at in fields.maps((*path, key), "27") if chain_kind == SUPPLY_CHAIN or kind != "image" else ():
            yield Input(kind, fields.string((*at, "name"), "27"), fields.string((*at, "resource"), "27"), at)
    if chain_kind != SUPPLY_CHAIN and fields.get((*path, "deployment")) is not None:
        at = (*path, "deployment")
        fields.map(at, "29")
        yield Input("deployment", "", fields.string((*at, "resource"), "29"), at)


def _options(fields: Fields, ref: Path, template: str, chain_kind: str) -> tuple[Option, ...]:
    options = tuple(_option(fields, at, chain_kind) for at in fields.maps((*ref, "options"), "25"))
    if template and options:
        fields.error("25", "template-ref", ref, "has both `name` and `options`: keep one")
    elif not template and not options:
        fields.error("25", "template-ref", ref, "must have a `name` or `options`")
    elif len(options) == 1:
        text = "must have at least two entries: for a single template write its `name` instead"
        fields.error("25", "options", (*ref, "options"), text)
    return options


def _option(fields: Fields, path: Path, chain_kind: str) -> Option:
    asked = _selector(fields, chain_kind, (*path, "selector"), "matchLabels", "matchExpressions", "matchFields")
    return Option(fields.string((*path, "name"), "25"), fields.string((*path, "passThrough"), "25"), asked, path)


def _check_options(fields: Fields, step: Step) -> None:
    first: dict[frozenset[tuple[str, str, str, tuple[str, ...]]], Option] = {}
    names: set[str] = set()
    passes = False
    for option in step.options:
        if bool(option.name) == bool(option.pass_through):
            has = "has both `name` and `passThrough`" if option.name else "has neither `name` nor `passThrough`"
            fields.error("25", "option", option.path, f"{has}: an option has exactly one")
        if not option.selector.count:
            text = f"must have a requirement: the selector of the option `{option.label}` is empty"
            fields.error("25", "option-selector", (*option.path, "selector"), text)
        same = first.setdefault(option.selector.asks, option)
        if option.selector.count and same is not option:
            text = f"is the same as that of the option `{same.label}`: both fit the same owners"
            fields.error("25", "option-selector", (*option.path, "selector"), text)
        if option.name and option.name in names:
            text = "must be unique among the options; {found} is the name of an earlier one"
            fields.error("25", "option-name", (*option.path, "name"), text, option.name)
        if option.pass_through and passes:
            text = "must be in one option only: another one passes an input through as well"
            fields.error("25", "option-name", (*option.path, "passThrough"), text)
        names.add(option.name)
        passes = passes or bool(option.pass_through)
        if option.pass_through and not option.name:
            _check_pass_through(fields, step, option)


def _check_pass_through(fields: Fields, step: Step, option: Option) -> None:
    path = (*option.path, "passThrough")
    if step.kind in (PLAIN, DEPLOYMENT):
        fields.error("26", "pass-through", path, f"must be absent: a {step.kind} has no output to pass through")
        return
    known = [one.name for one in step.inputs if one.kind == step.output]
    if option.pass_through not in known:
        named = f": {suggest.listed(known, quote='`')}" if known else ", which has none"
        text = (
            f"must be one of the `{step.output}s` of the step{named}; found {{found}}{suggest.hint(option.pass_through, known)}"
        )
        fields.error("26", "pass-through", path, text, option.pass_through)


def _check_deployment(fields: Fields, step: Step) -> None:
    given = next((one for one in step.inputs if one.kind == "deployment"), None)
    if step.kind == DEPLOYMENT:
        if given is None:
            fields.error("29", "deployment", step.path, f"must have a `deployment`: it is a {DEPLOYMENT}")
        for one in step.inputs:
            if one.kind == "config":
                fields.error("29", "deployment", one.path, f"must be absent: a {DEPLOYMENT} takes no `configs`")
    elif given is not None:
        fields.error("29", "deployment", given.path, f"must be absent: only a {DEPLOYMENT} takes it")


def _selector(fields: Fields, chain_kind: str, at: Path, *keys: str) -> ChainSelector:
    """Read the selector at `at`. keys: of its label pairs, its label expressions and its field requirements."""
    pairs, expressions, match_fields = ((*at, key) for key in keys)
    labels = [Requirement(key, "In", (fields.string((*pairs, key), "41"),), (*pairs, key)) for key in fields.map(pairs, "41")]
    labels += [_requirement(fields, path, "43") for path in fields.maps(expressions, "43")]
    asked = [_field(fields, path, is_workload=chain_kind == SUPPLY_CHAIN) for path in fields.maps(match_fields, "30")]
    return ChainSelector(tuple(labels), tuple(asked))


def _requirement(fields: Fields, path: Path, rule: str) -> Requirement:
    key, operator = fields.string((*path, "key"), rule), fields.string((*path, "operator"), rule)
    values = fields.strings((*path, "values"), rule)
    if not key:
        fields.error(rule, "selector-key", path, "must have a `key`")
    if operator not in _OPERATORS:
        near = suggest.nearest(operator, _OPERATORS)
        hint = f"; did you mean `{near}`?" if near else ""
        text = f"must be one of `In`, `NotIn`, `Exists` and `DoesNotExist`; found {{found}}{hint}"
        fields.error(rule, "operator", (*path, "operator"), text, operator)
    elif operator in _OPERATORS[:2] and not values:
        fields.error(rule, "operator-values", path, f"must have `values`: `{operator}` compares with them")
    elif operator in _OPERATORS[2:] and values:
        fields.error(rule, "operator-values", (*path, "values"), f"must be absent: `{operator}` takes none")
    return Requirement(key, operator, values, path)


def _field(fields: Fields, path: Path, *, is_workload: bool) -> Requirement:
    asked = _requirement(fields, path, "30")
    if not asked.key:
        return asked
    known, prefixes = _PATHS[is_workload], _PREFIXES[is_workload]
    if asked.key not in known and not asked.key.startswith(prefixes):
        below = _relative(asked.key)
        hint = f"; it is relative to the owner: `{below}`" if below else suggest.hint(asked.key, (*known, *prefixes))
        begins = ", ".join(f"`{prefix}`" for prefix in prefixes)
        text = f"must be a path of the owner that admission allows (`spec.source`, ... or one that begins with {begins}); found {{found}}{hint}"
        fields.error("30", "field-key", (*path, "key"), text, asked.key)
        return asked
    try:
        paths.read(asked.key)
    except paths.PathError as error:
        fields.error("30", "field-key", (*path, "key"), f"must be a JSONPath; found {{found}}, which {error.fact}", asked.key)
    return asked


def _relative(key: str) -> str:
    """Return the key without the prefix of older documentation (`workload.`, `deliverable.` or a dot), "" if it has none."""
    for prefix in ("workload.", "deliverable.", "."):
        if key.startswith(prefix):
            return key[len(prefix) :]
    return ""
