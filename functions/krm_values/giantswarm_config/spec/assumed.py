"""Layers that are not in Git: those that the admission webhook and the operator add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.references import label
from krm_values.giantswarm_config.spec.app import VERSION_LABEL
from krm_values.giantswarm_config.spec.levels import USER
from krm_values.giantswarm_config.spec.references import EXTRA, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._kit.planner.report import Report
    from krm_values.giantswarm_config.spec.app import App

    Holds = Callable[[str, str, str], bool]

_IN_CLUSTER_VERSION = "0.0.0"
_CHARTS, _PRIORITY = "giantswarm", 1
_USER = {"ConfigMap": "-user-values", "Secret": "-user-secrets"}


def cluster_values(app: App, holds: Holds, report: Report) -> Iterator[Reference]:
    """Yield the webhook's entry for `<cluster>-cluster-values`, unless the App refers to that ConfigMap itself."""
    if app.in_cluster or app.label(VERSION_LABEL) == _IN_CLUSTER_VERSION:
        return
    if not app.cluster:
        text = "the assumed cluster values are skipped: an App of an organization needs the label `giantswarm.io/cluster`"
        report.info("assumed-skipped", "14", text, app.item)
        return
    name, band = f"{app.cluster}-cluster-values", app.levels.band(_PRIORITY)
    found = Reference("ConfigMap", app.item.namespace, name, EXTRA, band, _PRIORITY, app.item, (), _next_position(app))
    if any((one.kind, one.namespace, one.name) == (found.kind, found.namespace, found.name) for one in app.references):
        return
    yield from _if_there(app, found, "14", holds, report)


def user_values(app: App, kinds: set[str], namespace: str, holds: Holds, report: Report) -> Iterator[Reference]:
    """Yield what the operator adopts as `userConfig` by its name where the App has none."""
    given = {reference.kind for reference in app.references if reference.level == "userConfig"}
    for kind in sorted(kinds - given):
        name = app.item.name + _USER[kind]
        found = Reference(kind, namespace or _CHARTS, name, "userConfig", USER, app.levels.user, app.item, ())
        yield from _if_there(app, found, "15", holds, report)


def _if_there(app: App, reference: Reference, rule: str, holds: Holds, report: Report) -> Iterator[Reference]:
    if holds(reference.kind, reference.namespace, reference.name):
        yield reference
        return
    text = f"{label(reference)}, which `assume` would add, is not in the list"
    report.info("assumed-absent", rule, text, app.item)


def _next_position(app: App) -> int:
    """Return a position after every listed entry."""
    return 1 + max((reference.position for reference in app.references), default=0)
