"""The steps of an owner's chain, realised in order, each with the outputs of earlier steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values.cartographer_params import inputs, outputs, precedence, stamp, supplied_outputs
from krm_values.cartographer_params.inputs import Output
from krm_values.cartographer_params.render import render
from krm_values.cartographer_params.rendering import of_stamping
from krm_values.cartographer_params.resolve import option_of
from krm_values.cartographer_params.target import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values._kit.planner.plan import New, Origin
    from krm_values._kit.planner.report import Report
    from krm_values.cartographer_params.blueprints import Blueprints
    from krm_values.cartographer_params.budget import Room
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.precedence import Resolved
    from krm_values.cartographer_params.templates import Template
    from krm_values.cartographer_params.ytt import Renderer


@record
class Setting:
    """What all owners of a run share. renderer: None if ytt is not run."""

    blueprints: Blueprints
    config: CartographerParams
    renderer: Renderer | None
    room: Room


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

    @property
    def stamped(self) -> dict[str, JSON] | None:
        """The data of the stamped object."""
        return self.made.data if self.made else None  # type: ignore[return-value]


def realise(owner: Owner, typed: GoValue, chain: Chain, setting: Setting, report: Report) -> list[Realised]:
    """Realise every step of the chain for this owner, in order. typed: the typed view of the owner."""
    known: dict[str, Output] = {}
    done = []
    for step in chain.steps:
        report.extend(supplied_outputs.wrong(setting.config, owner, step))
        realised = _Step(owner, typed, chain, step, setting, report).realise(known)
        known[step.name] = realised.output
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

    @property
    def given(self) -> Output | None:
        """The output that the functionConfig supplies."""
        given = supplied_outputs.of_step(self.setting.config, self.owner, self.step)
        if given is None:
            return None
        config = supplied_outputs.path(self.setting.config, self.owner, self.step)
        return Output(self.step.output, "supplied", supplied_outputs.value(given), config=config)

    def realise(self, known: dict[str, Output]) -> Realised:
        arrived = inputs.arrivals(self.step, known)
        name = self.step.template
        if self.step.options:
            option = option_of(self.owner, self.typed, self.step, self.setting.room.paths, self.report)
            if option is None:
                return Realised(self.step, None, "", "failed", self._output("failed"), self._params(None))
            if option.pass_through:
                return self._passed_through(option.pass_through, arrived)
            name = option.name
        template = self.setting.blueprints.template(self.step.kind, name)
        if template is None or template.is_refused:
            return Realised(self.step, template, "", "failed", self._output("failed"), self._params(template))
        return self._stamped(template, arrived)

    def _passed_through(self, name: str, arrived: list[inputs.Arrived]) -> Realised:
        one = next((one for one in arrived if (one.input.kind, one.input.name) == (self.step.output, name)), None)
        is_known = one is not None and one.output.is_known
        passed = self._output("waiting")
        if one and is_known:
            passed = replace(one.output, state="passThrough")
        return Realised(self.step, None, name, "passThrough", self.given or passed)

    def _stamped(self, template: Template, arrived: list[inputs.Arrived]) -> Realised:
        params = self._params(template)
        labels = stamp.labels(self.owner, self.chain, self.step, template)
        context = {"params": {one.name: one.winner.value for one in params}, "labels": labels, **inputs.context(arrived)}
        rendered = render(
            template, context, {"workload": self.typed, "deliverable": self.typed}, self.setting.renderer, self.setting.room
        )
        state = rendered.state
        feeds = tuple(one.output.made for one in arrived if one.output.made)
        is_mutable = template.lifecycle == "mutable"
        target = Target(self.owner, self.step.name, template, labels, is_mutable, feeds, lambda: _origins(arrived))
        if state != "notRendered" or not self.setting.config.ytt:  # otherwise one error of the plan reports the missing program
            self.report.extend(of_stamping(target, rendered))
        made = None
        if state == "stamped":
            made = stamp.complete(target, rendered.value, params, self.setting.config, self.report)
            state = "stamped" if made else "failed"
        output = self._output("failed" if state == "failed" else "waiting")
        if made and not self.given:
            output = outputs.rendered(self.owner, self.step, template, made, self.report, room=self.setting.room)
        return Realised(self.step, template, "", state, output, params, rendered.waiting, made)

    def _output(self, state: str) -> Output:
        return self.given or Output(self.step.output, state if self.step.output else "")

    def _params(self, template: Template | None) -> tuple[Resolved, ...]:
        return tuple(precedence.resolve(self.owner, self.chain, self.step, template, self.setting.config))


def _origins(arrived: list[inputs.Arrived]) -> Mapping[tuple[str, ...], Origin]:
    from krm_values.cartographer_params import taken  # noqa: PLC0415 - for the ways of values only

    return taken.origins(arrived)
