"""Targets that write into an item's metadata, or take the place of the whole item: the next run still knows what is what."""

from __future__ import annotations

from copy import deepcopy

import pytest

from krm_values._run import registry
from tests.conformance import laws
from tests.conformance.cases import execute
from tests.functions.glasskube_values.packages import LEVEL, cluster, manifest, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import SYSTEM, run, told

UNDO = "krm-values.dev/undo.glasskube-values"
PLACE = {"config.kubernetes.io/path": "a/env.yaml", "config.kubernetes.io/index": "3"}
ENV = {**config_map(), "metadata": {"name": "env", "namespace": "aviary", "labels": {"own": "kept"}, "annotations": PLACE}}
PACKAGE = cluster(values={"level": "x"})
WHOLE = (
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "env", "namespace": "aviary"}, "data": {"LEVEL": "{{.}}"}}'
)
RENAMED = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "{{.}}"}}'


def written(*targets):
    return {"manifests": [manifest(value("level", *targets), scope="Cluster")]}


def without_record(item):
    bare = deepcopy(item)
    bare["metadata"]["annotations"].pop(UNDO, None)
    return bare


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ([target("/metadata/name", "replace"), target()], {"name": "x", "namespace": "aviary", "labels": {"own": "kept"}}),
        ([target("/metadata/namespace", "replace")], {"name": "env", "namespace": "x", "labels": {"own": "kept"}}),
        ([target("/metadata", template='{"name": "env", "labels": {"q": "{{.}}"}}')], {"name": "env", "labels": {"q": "x"}}),
        ([target("/metadata", template='{"name": "{{.}}"}')], {"name": "x"}),
        ([target("", template=WHOLE)], {"name": "env", "namespace": "aviary"}),
        ([target("", "replace", template=RENAMED)], {"name": "x"}),
        (
            [target("", template=WHOLE), target("/metadata/labels", template='{"q": "{{.}}"}')],
            {"name": "env", "namespace": "aviary", "labels": {"q": "x"}},
        ),
    ],
)
def test_what_a_target_does_to_an_item_repeats_and_goes_again(targets, expected):
    """The hosts' annotations stay, every law holds, and without the value the item is as authored."""
    first = run(PACKAGE, deepcopy(ENV), **written(*targets))
    assert told(first) == []
    bare = without_record(first.items[1])
    assert bare["metadata"] == {**expected, "annotations": PLACE}
    for law in laws.STATE_LAWS:
        law(first)
    gone = run(cluster(), first.items[1], **written(*targets))
    assert told(gone) == told(gone, "warning") == []
    assert gone.items[1] == ENV


def test_the_whole_item_becomes_what_the_template_says():
    state = run(PACKAGE, deepcopy(ENV), **written(target("", template=WHOLE)))
    assert state.items[1]["data"] == {"LEVEL": "x"}


def test_a_whole_item_that_stands_already_is_not_written():
    env = {**config_map(), "metadata": {"name": "env", "namespace": "aviary", "annotations": PLACE}, "data": {"LEVEL": "x"}}
    state = run(PACKAGE, env, **written(target("", template=WHOLE)))
    assert told(state) == []
    assert state.items == state.inputs
    assert state.outcome.operations == ()


@pytest.mark.parametrize(
    "name", ["krm-values.dev/generated-by", UNDO, "config.kubernetes.io/path", "internal.config.kubernetes.io/id"]
)
def test_annotations_of_hosts_and_of_ours_are_nobodys_to_write(name):
    """A target that marked an item as ours would have the next run remove it."""
    state = run(
        PACKAGE,
        config_map(),
        **written(target("/metadata/annotations", template=f'{{"{name}": "glasskube-values"}}')),
    )
    assert [finding.kind for finding in state.outcome.findings if finding.severity == "error"] == ["patch"]
    assert name in told(state)[0]
    assert state.items == state.inputs


def test_an_annotation_of_somebody_else_is_written():
    state = run(PACKAGE, config_map(), **written(target("/metadata/annotations", template='{"own": "{{.}}"}')))
    assert told(state) == []
    assert state.items[1]["metadata"]["annotations"]["own"] == "x"


def test_a_name_that_somebody_gives_by_hand_is_the_items_own():
    """Only what a record says is undone before names are compared."""
    state = run(PACKAGE, config_map("other"), manifests=[manifest(LEVEL, scope="Cluster")])
    assert state.items == state.inputs
    assert registry.load("glasskube-values").name == "glasskube-values"
    assert execute(SYSTEM, {}, state.items, {"manifests": [manifest(LEVEL, scope="Cluster")]}).items == state.items
