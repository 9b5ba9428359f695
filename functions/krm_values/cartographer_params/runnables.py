"""Runnables: one object each, stamped from a ClusterRunTemplate that refers to the Runnable and the object that it selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._golang.jsonpath.values import UNKNOWN
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import stamp
from krm_values.cartographer_params.kind_names import RUN_TEMPLATE
from krm_values.cartographer_params.render import render
from krm_values.cartographer_params.rendering import of_stamping
from krm_values.cartographer_params.target import Target

if TYPE_CHECKING:
    from typing import Any

    from krm_values._golang.jsonpath.values import GoValue
    from krm_values._kit.planner.plan import Finding, New, Note
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.realise import Setting
    from krm_values.cartographer_params.templates import Template


def run(owner: Owner, view: GoValue, template: Template, setting: Setting, entries: list[Finding | Note]) -> New | None:
    """Return the object of a Runnable; None, with an entry that says why, if it cannot be stamped."""
    if template.is_refused:
        return None
    labels = {"carto.run/runnable-name": owner.name, "carto.run/run-template-name": template.name}
    context: dict[str, Any] = {"selected": UNKNOWN} if get(owner.data, ("spec", "selector")) is not None else {}
    rendered = render(template, context, {"runnable": view}, None, setting.room)
    target = Target(owner, "", template, labels, is_mutable=False)
    entries += of_stamping(target, rendered)
    if rendered.state != "stamped":
        return None
    report = Report()
    made = stamp.complete(target, rendered.value, (), setting.config, report)
    entries += report.findings
    return made


def template_of(owner: Owner, setting: Setting, entries: list[Finding | Note]) -> Template | None:
    """Return the ClusterRunTemplate of a Runnable; None, with an entry that says why, if there is none."""
    name = get(owner.data, ("spec", "runTemplateRef", "name"))
    if not isinstance(name, str) or not name:
        text = f"must name a {RUN_TEMPLATE}"
        entries.append(owner.finding("error", "15", "run-template", text, ("spec", "runTemplateRef", "name")))
        return None
    template = setting.blueprints.template(RUN_TEMPLATE, name)
    if template is None and not setting.blueprints.is_unread(RUN_TEMPLATE, name):
        text = f"{RUN_TEMPLATE} `{name}` is not in the list: add it{setting.blueprints.near(RUN_TEMPLATE, name)}"
        entries.append(owner.finding("error", "15", "run-template", text, ("spec", "runTemplateRef", "name")))
    return template
