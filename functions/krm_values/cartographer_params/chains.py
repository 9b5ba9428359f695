"""The steps of a chain: their template or options, params and inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values.cartographer_params import fields as params
from krm_values.cartographer_params import selectors
from krm_values.cartographer_params.kind_names import ALLOWED, DELIVERY, DEPLOYMENT, INPUTS, OUTPUT, PLAIN, SUPPLY_CHAIN, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.selectors import Selector
    from krm_values.cartographer_params.typed_fields import Fields


@record
class Input:
    """An input of a step: the output of the step `resource`. kind: `source`, `image`, `config` or `deployment` (which has no name)."""

    kind: str
    name: str
    resource: str
    path: Path


@record
class Option:
    """An option of a step: the name of a template, or of an input to pass through."""

    name: str
    pass_through: str
    selector: Selector
    path: Path

    @property
    def label(self) -> str:
        return self.name or f"passThrough {self.pass_through}"


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


def read(fields: Fields, chain_kind: str, hints: Hints, config: CartographerParams) -> tuple[Step, ...]:
    """Read the steps of a chain, in order; add an error for everything that admission refuses."""
    steps: list[Step] = []
    seen: set[str] = set()
    for path in fields.maps(("spec", "resources"), "24"):
        step = _step(fields, path, chain_kind, hints, config)
        if not step.name:
            fields.error("24", "step-name", path, "must have a `name`")
        elif step.name in seen:
            fields.error(
                "24",
                "step-name",
                (*path, "name"),
                "must be unique among the steps; {found} is the name of an earlier one",
                step.name,
            )
        seen.add(step.name)
        steps.append(step)
    return tuple(steps)


def _step(fields: Fields, path: Path, chain_kind: str, hints: Hints, config: CartographerParams) -> Step:
    ref = (*path, "templateRef")
    kind, template = fields.string((*ref, "kind"), "31"), fields.string((*ref, "name"), "25")
    if kind not in ALLOWED[chain_kind]:
        known = ", ".join(f"`{one}`" for one in ALLOWED[chain_kind])
        fields.error(
            "31",
            "template-kind",
            (*ref, "kind"),
            f"must be one of {known} in a {WORDS[chain_kind]}; found {{found}}{suggest.hint(kind, ALLOWED[chain_kind])}",
            kind,
        )
    inputs = tuple(_inputs(fields, path, chain_kind))
    options = _options(fields, ref, template, chain_kind)
    name = fields.string((*path, "name"), "24")
    step = Step(name, kind, template, options, params.read(fields, (*path, "params"), "resource", config), inputs, path)
    _check_options(fields, step, hints)
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
        fields.error(
            "25", "options", (*ref, "options"), "must have at least two entries: for a single template write its `name` instead"
        )
    return options


def _option(fields: Fields, path: Path, chain_kind: str) -> Option:
    selector = (*path, "selector")
    asked = selectors.read(
        fields, (*selector, "matchLabels"), (*selector, "matchExpressions"), (*selector, "matchFields"), chain_kind
    )
    return Option(fields.string((*path, "name"), "25"), fields.string((*path, "passThrough"), "25"), asked, path)


def _check_options(fields: Fields, step: Step, hints: Hints) -> None:
    first = _Firsts()
    for option in step.options:
        if bool(option.name) == bool(option.pass_through):
            has = "has both" if option.name else "has neither"
            fields.error(
                "25",
                "option",
                option.path,
                f"{has} `name` and `passThrough`: an option has exactly one"
                if option.name
                else f"{has} `name` nor `passThrough`: an option has exactly one",
            )
        if not option.selector.count:
            text = f"must have a requirement: the selector of the option `{option.label}` is empty"
            fields.error("25", "option-selector", (*option.path, "selector"), text)
        first.check(fields, option)
        if option.pass_through and not option.name:
            _check_pass_through(fields, step, option, hints)


class _Firsts:
    """The options of a step so far, to find repeated selectors and names."""

    __slots__ = ("_asks", "_names", "_passes")

    def __init__(self) -> None:
        self._asks: dict[frozenset[tuple[str, str, str, tuple[str, ...]]], Option] = {}
        self._names: set[str] = set()
        self._passes = False

    def check(self, fields: Fields, option: Option) -> None:
        """Add an error if an earlier option has the same selector or name."""
        one = self._asks.setdefault(option.selector.asks, option)
        if option.selector.count and one is not option:
            text = f"is the same as that of the option `{one.label}`: both fit the same owners"
            fields.error("25", "option-selector", (*option.path, "selector"), text)
        if option.name and option.name in self._names:
            text = "must be unique among the options; {found} is the name of an earlier one"
            fields.error("25", "option-name", (*option.path, "name"), text, option.name)
        if option.pass_through and self._passes:
            text = "must be in one option only: another one passes an input through as well"
            fields.error("25", "option-name", (*option.path, "passThrough"), text)
        self._names.add(option.name)
        self._passes = self._passes or bool(option.pass_through)


def _check_pass_through(fields: Fields, step: Step, option: Option, hints: Hints) -> None:
    path = (*option.path, "passThrough")
    if step.kind in (PLAIN, DEPLOYMENT):
        fields.error("26", "pass-through", path, f"must be absent: a {step.kind} has no output to pass through")
        return
    known = [one.name for one in step.inputs if one.kind == step.output]
    if option.pass_through not in known:
        named = f": {suggest.listed(known, quote='`')}" if known else ", which has none"
        text = (
            f"must be one of the `{step.output}s` of the step{named}; found {{found}}{hints.hint(option.pass_through, known)}"
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
