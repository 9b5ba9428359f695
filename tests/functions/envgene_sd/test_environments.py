"""Whose items are whose, which environments are chosen, and what new SDs are called."""

from __future__ import annotations

import pytest

from krm_values._krm import config
from krm_values._run import registry
from krm_values._yaml import decode, emit
from tests.conformance.descriptors import PATH
from tests.functions.envgene_sd.support import SD, findings_of, item, run, sd, spec

ONE, TWO = sd("a:1@p"), sd("a:2@p")
HOME = "environments/east/prod-7/Inventory/solution-descriptor"


def at(path, **annotations):
    return {PATH: path, **annotations}


def artifact(name, version, descriptor, environment=""):
    return item({"version": version, "descriptor": descriptor}, name, environment, "SolutionDescriptorArtifact")


def namespace(name, folder="", environment="", **annotations):
    return item(
        {"name": name, **({"folder": folder} if folder else {})}, name, environment, "EnvironmentNamespace", **annotations
    )


def made(state):
    """(name, path, environment) of the SDs that were not given."""
    given = {one["metadata"]["name"] for one in state.inputs}
    new = [one["metadata"] for one in state.items if one["kind"] == SD and one["metadata"]["name"] not in given]
    return [(one["name"], one["annotations"][PATH], one["annotations"].get("krm-values.dev/environment", "")) for one in new]


NEW = [
    # items, ENV_NAMES, what is made
    ([], "", [("sd", "sd.yaml", "")]),
    ([], "east/prod-7", [("east.prod-7.sd", f"{HOME}/sd.yaml", "east/prod-7")]),
    ([item(ONE)], "", [("delta-sd", "delta_sd.yaml", "")]),
    ([item(ONE, **at("x/sd.yml"))], "", [("delta-sd", "x/delta_sd.yml", "")]),
    ([item(ONE, "sd", "east/prod-7")], "", [("delta-sd", f"{HOME}/delta_sd.yaml", "east/prod-7")]),
    ([item(ONE, "main.sd", **at(f"{HOME}/sd.yml"))], "", [("main.delta-sd", f"{HOME}/delta_sd.yml", "east/prod-7")]),
    ([namespace("n", "f", "east/prod-7")], "", [("east.prod-7.sd", f"{HOME}/sd.yaml", "east/prod-7")]),
    (
        [namespace("n", **at("here/environments/east/prod-7/Namespaces/f/namespace.yml"))],
        "",
        [("east.prod-7.sd", f"here/{HOME}/sd.yaml", "east/prod-7")],
    ),
    (
        [item(ONE, "sd", "b/b"), item(ONE, "sd", "a/a")],
        "",
        [(f"{n}.{n}.delta-sd", f"environments/{n}/{n}/Inventory/solution-descriptor/delta_sd.yaml", f"{n}/{n}") for n in "ab"],
    ),
    (
        [item(ONE, "a.sd", "a/a"), item(ONE, "b.sd", "b/b")],
        "a/a",
        [("a.delta-sd", "environments/a/a/Inventory/solution-descriptor/delta_sd.yaml", "a/a")],
    ),
]


@pytest.mark.parametrize(("items", "names", "new"), NEW)
def test_new_sds_have_a_name_a_place_and_an_environment(items, names, new):
    state = run(*items, data=TWO, ENV_NAMES=names)
    assert not state.outcome.failed, state.outcome.findings
    assert made(state) == new


def test_a_new_sd_is_local_where_the_environments_items_are():
    local = {"config.kubernetes.io/local-config": "true"}
    state = run(item(ONE, "a.sd", "a/a", **local), item(ONE, "b.sd", "b/b"), data=TWO)
    annotations = {one["metadata"]["name"]: one["metadata"]["annotations"] for one in state.items}
    assert "config.kubernetes.io/local-config" in annotations["a.delta-sd"]
    assert "config.kubernetes.io/local-config" not in annotations["b.delta-sd"]


FAULTS = [
    ([item(ONE, "full")], "70"),
    ([item(ONE, "sdx")], "70"),
    ([item(ONE, "sd"), item(ONE, "b.sd")], "70"),
    ([item(ONE, "delta-sd"), item(ONE, "b.delta-sd")], "70"),
    ([item(ONE, "sd", "east")], "70"),
    ([artifact("a", "a:1", ONE, "east/../x")], "97"),
    ([namespace("a", "b", "x")], "77"),
]


@pytest.mark.parametrize(("items", "rule"), FAULTS)
def test_items_at_fault_are_refused(items, rule):
    assert {found for _, found in findings_of(run(*items, data=TWO), "error")} == {rule}


@pytest.mark.parametrize("mode", ["basic-merge", "replace"])
def test_an_sd_that_cannot_be_read_is_refused_by_the_rule_of_files(mode):
    text = (
        b"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: krm-values.dev/v1alpha1\n"
        b"  kind: SolutionDescriptor\n  metadata:\n    name: sd\n  spec:\n    applications: []\n    applications: []\n"
    )
    from krm_values._run import invoke  # noqa: PLC0415

    config_text = "functionConfig: " + emit.flow(
        {
            "apiVersion": "krm-values.dev/v1alpha1",
            "kind": "EnvgeneSd",
            "spec": {"SD_SOURCE_TYPE": "json", "SD_DATA": TWO, "SD_REPO_MERGE_MODE": mode},
        }
    )
    outcome = invoke.answer(text + config_text.encode() + b"\n", "")[1]
    assert [(finding.kind, finding.rule) for finding in outcome.findings] == [("unreadable", "70")]


ARTIFACTS = [
    # artifacts, what the environment east/prod-7 gets; None: none
    ([artifact("x", "s:1", TWO)], "a:2"),
    ([artifact("x", "s:1", TWO), artifact("y", "s:1", TWO)], "a:2"),
    ([artifact("x", "s:1", TWO), artifact("y", "s:1", sd("a:3@p"), "east/prod-7")], "a:3"),
    ([artifact("x", "s:1", TWO), artifact("y", "s:1", sd("a:3@p"), "west/dev-1")], "a:2"),
    ([artifact("x", "s:1", TWO), artifact("y", "s:1", sd("a:3@p"))], None),
    ([artifact("y", "s:1", TWO, "west/dev-1")], None),
    ([artifact("y", "s:10", TWO)], None),
    ([artifact("y", "s:1", [1])], None),
    ([artifact("y", "s:1", None)], None),
    ([], None),
]


@pytest.mark.parametrize(("artifacts", "version"), ARTIFACTS)
def test_an_artifact_of_the_environment_comes_before_one_for_all(artifacts, version):
    state = run(item(ONE, "sd", "east/prod-7"), *artifacts, SD_SOURCE_TYPE="artifact", SD_VERSION="s:1")
    assert state.outcome.failed is (version is None)
    assert spec(state)["applications"][0]["version"] == (version or "a:1")
    if version is None:
        assert {rule for _, rule in findings_of(state, "error")} <= {"97", "96"}


def test_the_error_of_one_environment_fails_all_and_names_it():
    state = run(item(ONE, "a.sd", "a/a"), item(sd("a:1"), "b.sd", "b/b"), data=TWO)
    assert state.outcome.failed
    assert spec(state, "a.sd") == ONE
    (finding,) = [one for one in state.outcome.findings if one.severity == "error"]
    assert (finding.rule, finding.item.name, finding.tags) == ("24", "b.sd", {"environment": "b/b"})


def test_a_mistake_of_the_incoming_sd_is_told_once_for_all_environments():
    state = run(item(ONE, "a.sd", "a/a"), item(ONE, "b.sd", "b/b"), data=sd("a:1@p", "a:1@p"))
    assert findings_of(state, "error") == [("duplicate", "29")]


MARKED = {"userData": {"useDeployPostfixAsNamespace": True}}
TRANSLATED = [
    ([namespace("n", "p")], ("a:2@p", [])),
    ([namespace("n", **at("environments/x/y/Namespaces/p-origin/namespace.yml"))], ("a:2@p-origin", [])),
    ([namespace("n", "p"), namespace("", "q")], ("a:2@p", [("namespace-without-name", "77")])),
    ([namespace("n", "p"), item({"name": "n", "folder": "p"}, "again", kind="EnvironmentNamespace")], ("a:2@p", [])),
    ([namespace("n", "p"), item({"name": "n", "folder": "q"}, "again", kind="EnvironmentNamespace")], "84"),
    ([namespace("m", "n")], "78"),
    ([namespace("n")], "78"),
    ([], "78"),
]


@pytest.mark.parametrize(("namespaces", "outcome"), TRANSLATED)
def test_a_namespace_name_becomes_its_folder(namespaces, outcome):
    state = run(*namespaces, data=sd("a:2@n", **MARKED), SD_REPO_MERGE_MODE="replace")
    if isinstance(outcome, str):
        assert outcome in [rule for _, rule in findings_of(state, "error")]
        return
    (made_sd,) = [one["spec"] for one in state.items if one["kind"] == SD]
    assert (made_sd, findings_of(state, "warning")) == (sd(outcome[0]), outcome[1])


UNTRANSLATED = [
    (
        [namespace("n", "p"), item({"name": "n", "folder": "q"}, "again", kind="EnvironmentNamespace")],
        sd("a:2@n", "a:2@p"),
        {"84", "78"},
    ),
    ([namespace("n", "p")], sd("a:2@n", "a:3@p"), {"78"}),
    ([namespace("n", "p")], sd("a:2@n", "b:2@p", "b:2@p"), {"78"}),
]


@pytest.mark.parametrize(("namespaces", "data", "rules"), UNTRANSLATED)
def test_what_is_listed_twice_is_not_told_of_postfixes_without_translation(namespaces, data, rules):
    state = run(*namespaces, data={**data, **MARKED}, SD_REPO_MERGE_MODE="replace")
    assert {rule for _, rule in findings_of(state, "error")} == rules


def test_a_postfix_without_translation_names_environment_and_known_ones():
    namespaces = [item({"name": name, "folder": name}, name, "a/a", kind="EnvironmentNamespace") for name in ("one", "two")]
    state = run(*namespaces, item(ONE, "b.sd", "b/b"), data=sd("a:2@other", **MARKED), SD_REPO_MERGE_MODE="replace")
    fact = "`deployPostfix` other of a in incoming SD 0 is not the `name` of a Namespace object"
    assert [finding.message for finding in state.outcome.findings] == [
        f"a/a: {fact}; there are one, two",
        f"b/b: {fact}; the environment has no Namespace object",
    ]


def test_namespaces_are_not_looked_at_where_nobody_asks():
    bad = [namespace("n", "p"), item({"name": "n", "folder": "q"}, "again", kind="EnvironmentNamespace"), namespace("", "z")]
    state = run(*bad, data=sd("a:2@n", userData={"useDeployPostfixAsNamespace": "true"}), SD_REPO_MERGE_MODE="replace")
    assert findings_of(state, "error") == []
    assert findings_of(state, "warning") == [
        ("wrong-shape", "S35"),
        ("unknown-postfix", "S37"),
    ]  # the marker is not `true`, and `n` is a name


def test_the_minimal_config_does_nothing():
    function = registry.load("envgene-sd")
    value = config.read(function.form(), function.name, None)
    assert {name: getattr(value, name) for name in ("strict", "sd_data")} == {
        "strict": False,
        "sd_data": "",
    }
    state = run(item(ONE), item(TWO, "delta-sd"))
    assert state.outcome.operations == ()
    assert decode.to_data(decode.parse(state.out.decode()))["items"] == state.inputs
