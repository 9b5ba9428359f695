"""The steps of an owner's chain, realised in order, each with the outputs of earlier steps; and the one object of a Runnable.

An output is known if the functionConfig supplies it, if it is read from the object that a mutable template stamps, or if an input is
passed through. A step that refers to an output that is not known waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._go.jsonpath import UNKNOWN
from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.plan import Origin
from krm_values.cartographer_params import paths, rendering, stamp
from krm_values.cartographer_params.kinds import DEPLOYMENT, INPUTS, RUN_TEMPLATE, SOURCE
from krm_values.cartographer_params.rendering import StampTarget, render
from krm_values.cartographer_params.resolve import option_of, resolve_params

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.plan import New, Severity
    from krm_values.cartographer_params.blueprints import Blueprints, Template
    from krm_values.cartographer_params.chains import Chain, Input, Step
    from krm_values.cartographer_params.config import CartographerParams, StepOutput
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.paths import RunBudget
    from krm_values.cartographer_params.rendering import Renderer
    from krm_values.cartographer_params.resolve import Resolved

ANY = "*"
_LISTS = {kind: key for key, kind in INPUTS.items()}


@record
class Setting:
    """What all owners of a run share. renderer: None if ytt is not run."""

    blueprints: Blueprints
    config: CartographerParams
    renderer: Renderer | None
    budget: RunBudget


@record
class Realised:
    """A step realised for an owner. state: `stamped`, `waiting`, `notRendered`, `passThrough` or `failed`. made: the stamped object."""

    step: Step
    template: Template | None
    pass_through: str
    state: str
    output: Output
    params: tuple[Resolved, ...] = ()
    waiting: tuple[str, ...] = ()
    made: New | None = None


@record
class Output:
    """The output of a step.

    state: `rendered`, `supplied`, `passThrough`, `waiting` or `failed`, "" if the step has no output. value: a map with `url` and
    `revision` of a source, any value of an image or config; None if it is not known. made: the object from which it was read, at
    these paths, in the order of the value's fields. config: where the functionConfig supplies it.
    """

    kind: str
    state: str
    value: JSON = None
    made: New | None = None
    paths: tuple[str, ...] = ()
    config: Path | None = None

    @property
    def is_known(self) -> bool:
        return self.state in ("rendered", "supplied", "passThrough")

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its values in a tag."""
        return ("url", "revision") if self.kind == "source" else (self.kind,)


@record
class Arrived:
    """An input and the output that arrives there. is_unreachable: it can never arrive."""

    input: Input
    output: Output
    is_unreachable: bool


def realise(owner: Owner, typed: GoValue, chain: Chain, setting: Setting, report: Report) -> list[Realised]:
    """Realise every step of the chain for this owner, in order. typed: the typed view of the owner."""
    outputs: dict[str, Output] = {}
    done = []
    for step in chain.steps:
        _check_supplied(setting.config, owner, step, report)
        realised = _Step(owner, typed, chain, step, setting, report).realise(_arrivals(step, outputs))
        outputs[step.name] = realised.output
        done.append(realised)
    return done


@record
class _Step:
    """One step for one owner, with what its realisation needs."""

    owner: Owner
    typed: GoValue
    chain: Chain
    step: Step
    setting: Setting
    report: Report

    def realise(self, arrived: list[Arrived]) -> Realised:
        name = self.step.template
        if self.step.options:
            option = option_of(self.owner, self.typed, self.step, self.setting.budget, self.report)
            if option is None:
                return self._failed(None)
            if option.pass_through:
                return self._passed_through(option.pass_through, arrived)
            name = option.name
        template = self.setting.blueprints.template(self.step.kind, name, self.chain.item)
        return self._failed(template) if template is None or template.is_refused else self._stamped(template, arrived)

    def _failed(self, template: Template | None) -> Realised:
        return Realised(self.step, template, "", "failed", self._output("failed"), self._params(template))

    def _passed_through(self, name: str, arrived: list[Arrived]) -> Realised:
        one = next((one for one in arrived if (one.input.kind, one.input.name) == (self.step.output, name)), None)
        passed = replace(one.output, state="passThrough") if one and one.output.is_known else self._output("waiting")
        return Realised(self.step, None, name, "passThrough", self._supplied or passed)

    def _stamped(self, template: Template, arrived: list[Arrived]) -> Realised:
        setting = self.setting
        params = self._params(template)
        labels = stamp.labels(self.owner, self.chain, self.step, template)
        values = {"params": {one.name: one.winner.value for one in params}, "labels": labels, **_context(arrived)}
        rendered = render(
            template, values, {"workload": self.typed, "deliverable": self.typed}, setting.renderer, setting.budget
        )
        feeds = tuple(one.output.made for one in arrived if one.output.made)
        target = StampTarget(self.owner, self.step.name, template, labels, feeds, lambda: _origins(arrived))
        if rendered.state != "notRendered" or not setting.config.ytt:  # else the plan has one error: no program is named
            self.report.extend(rendering.findings(target, rendered))
        state, made = rendered.state, None
        if state == "stamped":
            made = stamp.complete(target, rendered.value, params, setting.config, self.report)
            state = "stamped" if made else "failed"
        output = self._output("failed" if state == "failed" else "waiting")
        if made and not self._supplied:
            output = self._rendered_output(template, made)
        return Realised(self.step, template, "", state, output, params, rendered.waiting, made)

    def _rendered_output(self, template: Template, made: New) -> Output:
        """Return the output read from a stamped object; `waiting` if its template is not mutable or a path finds nothing."""
        step, owner, budget = self.step, self.owner, self.setting.budget
        waiting = self._output("waiting")
        if not step.output or step.kind == DEPLOYMENT or template.lifecycle != "mutable":
            return waiting
        faults: dict[str, str] = {}
        values = [_read(path, made.data, budget, faults) for path in template.outputs.values() if path]
        for path, fact in faults.items():
            text = f"the output of the step `{step.name}` is not known: {path} of {template.kind} `{template.name}` {fact}"
            severity: Severity = "error" if budget.is_spent else "warning"
            self.report.add(owner.finding(severity, "101", "output-path", text, step=step.name))
        if len(values) < len(template.outputs) or any(value is None for value in values):
            return waiting
        named = " and ".join(f"`{path}`" for path in template.outputs.values())
        text = f"the {step.output} of the step `{step.name}` is read from {named} of the rendered object, which is correct unless a controller rewrites it"
        self.report.add(owner.finding("info", "107", "rendered-output", text, step=step.name))
        value: JSON = {"url": values[0], "revision": values[1]} if step.kind == SOURCE else values[0]
        return Output(step.output, "rendered", value, made, tuple(template.outputs.values()))

    def _output(self, state: str) -> Output:
        return self._supplied or Output(self.step.output, state if self.step.output else "")

    @property
    def _supplied(self) -> Output | None:
        """The output that the functionConfig supplies, if it is of the kind of the step's output."""
        key, given = _entry(self.setting.config, self.owner, self.step)
        if given is None or (kind := _kind(given)) != self.step.output:
            return None
        value: JSON = {"url": given.source.url, "revision": given.source.revision} if kind == "source" else getattr(given, kind)
        return Output(kind, "supplied", value, config=("stepOutputs", key, self.step.name, kind))

    def _params(self, template: Template | None) -> tuple[Resolved, ...]:
        return tuple(resolve_params(self.owner, self.chain, self.step, template, self.setting.config))


def _read(path: str, made: JSON, budget: RunBudget, faults: dict[str, str]) -> JSON:
    try:
        return paths.on_object(path, made, budget)
    except paths.PathError as error:
        if not error.missing:
            faults[path] = error.fact
        return None


def _entry(config: CartographerParams, owner: Owner, step: Step) -> tuple[str, StepOutput | None]:
    """Return the key and the entry of `stepOutputs` for a step; that of the owner replaces the one for all owners whole."""
    for key in (owner.key, ANY):
        if given := config.step_outputs.get(key, {}).get(step.name):
            return key, given
    return ANY, None


def _kind(given: StepOutput) -> str:
    return next(iter(given.model_fields_set))


def _check_supplied(config: CartographerParams, owner: Owner, step: Step, report: Report) -> None:
    """Report a supplied output that is not of the kind of the step's output."""
    key, given = _entry(config, owner, step)
    if given is not None and _kind(given) != step.output:
        field = f'functionConfig `spec.stepOutputs["{key}"]["{step.name}"]`'
        must = f"must be a `{step.output}`" if step.output else "must be absent: the step has no output"
        text = f"{field} {must}, as it is a {step.kind} of {owner.label}; found {described(_kind(given))}"
        tags = {"owner": owner.key, "step": step.name}
        report.error("supplied-kind", "107", text, tags=tags, config=("stepOutputs", key, step.name))


def _arrivals(step: Step, outputs: Mapping[str, Output]) -> list[Arrived]:
    """Return the state of each input of a step. outputs: of the earlier steps by name."""
    found = []
    for one in step.inputs:
        kind = "source" if one.kind == "deployment" else one.kind
        output = outputs.get(one.resource)
        fits = output is not None and output.kind == kind
        found.append(Arrived(one, output if output and fits else Output(kind, "waiting"), not fits))
    return found


def _context(arrived: list[Arrived]) -> dict[str, Any]:
    """Return the part of a template's context that comes from other steps, with UNKNOWN for what is not known."""
    made: dict[str, Any] = {key: {} for key in INPUTS}
    made["deployment"] = None
    for one in arrived:
        if one.input.kind == "deployment":
            made["deployment"] = _value(one, "")
        else:
            made[_LISTS[one.input.kind]][one.input.name] = _value(one, one.input.name)
    for kind, one in _only(arrived):
        value = _value(one, one.input.name)
        made[kind] = value if kind == "source" or value is UNKNOWN else value[kind]
    return made


def _value(one: Arrived, name: str) -> Any:
    if not one.output.is_known:
        return UNKNOWN
    if one.output.kind == "source" and isinstance(one.output.value, dict):
        return {**one.output.value, "name": name}
    return {one.output.kind: one.output.value, "name": name}


def _only(arrived: list[Arrived]) -> Iterator[tuple[str, Arrived]]:
    """Yield the kinds that have a short name (exactly one input can arrive, or only one is declared), each with that input."""
    for kind in INPUTS.values():
        declared = [one for one in arrived if one.input.kind == kind]
        coming = [one for one in declared if not one.is_unreachable] or declared
        if len(coming) == 1:
            yield kind, coming[0]


def _origins(arrived: list[Arrived]) -> dict[tuple[str, ...], Origin]:
    """Return where each known value comes from, by each of the names in a tag that mean it."""
    known = [one for one in arrived if one.output.is_known]
    found: dict[tuple[str, ...], Origin | None] = {}
    for one in known:
        begin = ("deployment",) if one.input.kind == "deployment" else (_LISTS[one.input.kind], one.input.name)
        for place, field in enumerate(one.output.fields):
            found[*begin, field] = _origin(one.output, place)
    for kind, one in _only(known):
        for place, field in enumerate(one.output.fields):
            found[(kind, field) if kind == "source" else (kind,)] = _origin(one.output, place)
    return {name: origin for name, origin in found.items() if origin}


def _origin(output: Output, place: int) -> Origin | None:
    """Return where a value of an output comes from: an object that a step stamped, or the functionConfig. place: of its path."""
    value, below = output.value, output.fields[place : place + 1] if output.kind == "source" else ()
    if isinstance(value, dict) and below:
        value = value.get(below[0])
    if output.made and len(output.paths) > place:
        return Origin("output", value, output.made, paths.plain_names(output.paths[place]))
    return None if output.config is None else Origin("supplied", value, config=(*output.config, *below))


def realise_runnable(owner: Owner, typed: GoValue, setting: Setting, report: Report) -> tuple[Template, New] | None:
    """Return the run template and the object of a Runnable; None, with a finding that says why, if it cannot be stamped."""
    template = _run_template(owner, setting.blueprints, report)
    if template is None or template.is_refused:
        return None
    labels = {"carto.run/runnable-name": owner.name, "carto.run/run-template-name": template.name}
    values = {"selected": UNKNOWN} if get(owner.data, ("spec", "selector")) is not None else {}
    rendered = render(template, values, {"runnable": typed}, None, setting.budget)
    target = StampTarget(owner, "", template, labels)
    report.extend(rendering.findings(target, rendered))
    if rendered.state != "stamped":
        return None
    made = stamp.complete(target, rendered.value, (), setting.config, report)
    return (template, made) if made else None


def _run_template(owner: Owner, blueprints: Blueprints, report: Report) -> Template | None:
    path = ("spec", "runTemplateRef", "name")
    name = get(owner.data, path)
    if not isinstance(name, str) or not name:
        report.add(owner.finding("error", "15", "run-template", f"must name a {RUN_TEMPLATE}", path))
        return None
    template = blueprints.template(RUN_TEMPLATE, name, owner.item if isinstance(owner.item, Item) else None)
    if template is None and not blueprints.is_unread(RUN_TEMPLATE, name):
        text = f"{RUN_TEMPLATE} `{name}` is not in the list: add it{blueprints.near(RUN_TEMPLATE, name)}"
        report.add(owner.finding("error", "15", "run-template", text, path))
    return template
