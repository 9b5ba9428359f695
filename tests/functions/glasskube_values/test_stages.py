"""Where the stages end: for the value that failed one."""

from __future__ import annotations

import pytest

from tests.functions.glasskube_values.packages import LEVEL, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import run, told

NO_JSON = target("/data/A", template="{{ . }}")
NO_PLACE = target("/none/A")
COPY = {"source": {"path": "{ $.metadata.labels }"}, "targets": [target("/data/B")]}
TAKEN = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "lumen-lumen", "namespace": "aviary"},
}


def kinds(state):
    return [finding.kind for finding in state.outcome.findings if finding.severity == "error"]


def test_a_value_that_fails_at_one_target_is_not_judged_at_the_others():
    given = manifest(value("level", NO_JSON, NO_PLACE), value("tone", NO_PLACE))
    state = run(package(values={"level": "x", "tone": "y"}), config_map(), manifests=[given])
    assert kinds(state) == ["template", "patch"]
    assert 'patch of "tone"' in told(state)[1]


def test_a_missing_value_says_nothing_of_another_called_values():
    given = manifest(value("values", NO_PLACE), value("level", constraints={"required": True}))
    assert kinds(run(package(values={"values": "x"}), config_map(), manifests=[given])) == ["validation", "patch"]


def test_a_transformation_that_fails_is_not_judged_at_its_targets():
    wrong = {**COPY, "targets": [NO_JSON, NO_PLACE], "source": {"path": "{ $.metadata.name }"}}
    state = run(package(), config_map(), manifests=[manifest(transformations=[wrong])])
    assert len(told(state)) == 1


@pytest.mark.parametrize(
    "transformation",
    [
        COPY,
        {"source": {"path": "text"}, "targets": [NO_JSON]},
        {"source": {"path": "text"}, "targets": [NO_PLACE]},
        {"source": {"path": "text"}, "targets": [target(op="move")]},
        {"source": {"path": "text"}, "targets": [target(apiGroup="a/b/c")]},
    ],
    ids=["source", "template", "patch", "op", "group"],
)
def test_what_is_wrong_with_a_transformation_has_its_kind(transformation):
    state = run(package(), config_map(), manifests=[manifest(transformations=[transformation])])
    assert kinds(state) == ["transformation"]
    assert "transformation 1: " in told(state)[0]


def test_two_manifests_to_choose_from_are_one_error_after_a_run_too():
    """That the Package has no manifest only follows."""
    first = run(package(values={"level": "x"}), config_map(), manifests=[manifest(LEVEL)])
    state = run(*first.items, manifests=[manifest(LEVEL), manifest()])
    assert kinds(state) == ["manifest"]
    assert kinds(run(*first.items)) == ["record"]


def test_a_required_value_that_is_empty_and_refused_is_reported_once():
    for limit, warnings in ((0, 1), (2, 0)):
        given = manifest(value("level", target(), constraints={"required": True, "minLength": limit}))
        state = run(package(values={"level": ""}), config_map(), manifests=[given])
        assert len(told(state)) == 1 - warnings
        assert sum("is required and empty" in text for text in told(state, "warning")) == warnings
