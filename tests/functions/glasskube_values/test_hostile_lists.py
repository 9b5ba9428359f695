"""Very much of something: each gives the upstream result or a finding, and none takes the square of its number (or the test would not end)."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values.glasskube_values import commands as grammar
from krm_values.glasskube_values import lint
from tests.functions.glasskube_values.packages import cluster, helm, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map, thing
from tests.functions.glasskube_values.runs import found, run, told


def refer(name, key="level"):
    return {"valueFrom": {"packageRef": {"name": name, "value": key}}}


def chain(length, last):
    """ClusterPackages p0 to p<length>, each of which refers to the next."""
    values = [refer(f"p{number + 1}") for number in range(length)]
    return [cluster(f"p{number}", values={"level": each}) for number, each in enumerate([*values, last])]


CLUSTER = manifest(value("level", target(namespace="aviary")), scope="Cluster")


def test_a_chain_of_references_ends_in_its_literal():
    items = chain(400, "calm")
    items[1:] = [{**item, "spec": {**item["spec"], "packageInfo": {"name": "other", "version": "v1"}}} for item in items[1:]]
    state = run(*items, config_map(), manifests=[CLUSTER])
    assert told(state) == []
    assert found(state)["data"]["LEVEL"] == "calm"


@pytest.mark.parametrize("last", ["calm", refer("p0")], ids=["chain", "ring"])
def test_a_chain_or_ring_of_1500_is_told(last):
    messages = told(run(*chain(1_500, last), manifests=[manifest(value("level"), scope="Cluster")]))
    if last == "calm":
        assert len(messages) == 1_500 - 400
        assert messages[0].endswith('cannot resolve "level": leads through more than 400 references, from package to package')
    else:
        assert len(messages) == 1_501
        assert "cycle p0.level -> p1.level -> " in messages[0]
        assert messages[0].endswith("-> p299.level -> 1,201 more -> p0.level")


def test_a_chain_of_1500_into_nothing_is_told():
    messages = told(run(*chain(1_500, refer("ghost")), manifests=[CLUSTER]))
    assert len(messages) == 1_501
    assert all('ClusterPackage "ghost" is not in the list' in message for message in messages)


def test_every_member_of_a_ring_and_what_leads_into_it():
    items = [*chain(2, refer("p0")), cluster("q", values={"level": refer("p1")})]
    assert [message.partition("cycle ")[2] for message in told(run(*items, manifests=[CLUSTER]))] == [
        "p0.level -> p1.level -> p2.level -> p0.level",
        "p1.level -> p2.level -> p0.level -> p1.level",
        "p2.level -> p0.level -> p1.level -> p2.level",
        "p1.level -> p2.level -> p0.level -> p1.level",
    ]


def test_very_many_values_without_a_definition_are_told():
    messages = told(run(package(values={f"v{number}": "x" for number in range(5_000)}), manifests=[manifest()]))
    assert len(messages) == 5_000
    assert 'value "v4999" has no value definition' in messages[-1] or 'value "v999" has no value definition' in messages[-1]


def test_a_missing_key_names_a_few_of_very_many():
    keys = config_map(**{f"key-{number}": "x" for number in range(5_000)})
    given = {"valueFrom": {"configMapRef": {"name": "env", "namespace": "aviary", "key": "ghost"}}}
    (message,) = told(run(package(values={"level": given}), keys, manifests=[manifest(value("level"))]))
    assert message.endswith(
        'has no key "ghost"; it has `key-0`, `key-1`, `key-10`, `key-100`, `key-1000`, `key-1001`, '
        "`key-1002`, `key-1003`, `key-1004` and 4991 more"
    )


RECORD = "krm-values.dev/undo.glasskube-values"


@pytest.mark.parametrize(
    "undo",
    [
        [{"op": "add", "path": "/metadata/annotations", "value": "x"}],
        [{"op": "add", "path": "/metadata/annotations", "value": ["x"]}],
    ],
)
def test_a_record_that_leads_to_no_object_is_none(undo):
    item = config_map(LEVEL="loud")
    item["metadata"]["annotations"] = {RECORD: json.dumps({"by": ["Package/aviary/lumen"], "undo": undo, "v": 2})}
    state = run(package(values={"level": "calm"}), item, manifests=[manifest(value("level", target()))])
    (message,) = told(state)
    assert "is not an undo record: restore it" in message


@pytest.mark.parametrize(
    "where", [{"resource": {"apiGroup": "aviary.example/v1", "kind": "Thing", "name": "thing"}}, {"chartName": "nest"}]
)
@pytest.mark.parametrize("template", ['{"{{ . }}": 1}', '[{"a": {"{{ . }}": 1}}]'])
def test_a_key_that_no_reader_takes_is_told(where, template):
    given = manifest(
        value("level", {**where, "valueTemplate": template, "patch": {"op": "add", "path": "/deep"}}), helm=helm("nest")
    )
    state = run(package(values={"level": "x" * 900}), thing({}), manifests=[given])
    assert told(state) == []
    state = run(package(values={"level": "x" * 1_100}), thing({}), manifests=[given])
    (message,) = told(state)
    assert message.endswith("cannot write a key of 1,100 characters: readers of YAML take about 1,000")


def test_a_path_with_a_key_that_no_reader_takes_is_told():
    state = run(
        package(values={"level": "x"}), config_map(), manifests=[manifest(value("level", target("/data/" + "k" * 1_100)))]
    )
    assert told(state) == [
        "stdin:16:3: ConfigMap aviary/env: cannot write a key of 1,100 characters: readers of YAML take about 1,000"
    ]


@pytest.mark.parametrize(
    ("path", "resource"),
    [("/spec/list/-", True), ("/spec/list/-", False), ("/spec/list/0", True), ("/spec/at", False), ("/spec/a{}", True)],
)
def test_two_thousand_patches_are_made_and_no_more(path, resource):
    where = {"apiGroup": "aviary.example/v1", "kind": "Thing", "name": "thing"} if resource else {"chart": "nest"}
    # each insert at the beginning moves all that are there
    for count in (1_000,) if path.endswith("/0") else (2_000, 2_500):
        values = [value(f"v{number:05}", target(path.format(number), **where)) for number in range(count)]
        chart = helm("nest", values={"spec": {"list": []}})
        given = manifest(*values, helm=chart)
        items = [package(values={name: "x" for name, _ in values}), thing({"list": []})]
        state = run(*items, manifests=[given], record=False)
        if count <= 2_000:
            assert told(state) == []
        else:
            (message,) = told(state)
            assert 'patch of "v02000": must not have more than 2,000 patches, found more (limit `patches`), in ' in message


def test_very_many_packages_on_one_item_are_told():
    items = [package(f"p{number}", f"n{number}", values={"level": "x"}) for number in range(1_500)]
    messages = told(run(*items, config_map(namespace=None), manifests=[manifest(value("level", target()))]))
    assert sum("both of manifest" in message for message in messages) == 1_499
    assert "is matched by Package n0/p0 and by Package n1499/p1499" in " ".join(messages)


def test_very_many_manifests_and_packages_that_do_not_fit_are_told():
    items = [package(f"p{number}", manifest=f"m{number}") for number in range(1_000)]
    given = [{**manifest(), "name": f"q{number}"} for number in range(1_000)]
    warnings = told(run(*items, manifests=given), "warning")
    assert len(warnings) == 1_000
    assert all("is given: the package is left alone" in warning for warning in warnings)


def test_very_many_unknown_keys_are_told():
    given = {**manifest(), **{f"defaultNamesp{number}": "x" for number in range(10_000)}}
    warnings = told(run(package(), manifests=[given]), "warning")
    assert len(warnings) == 10_000
    assert sum("did you mean `defaultNamespace`?" in warning for warning in warnings) > 1_000


def reading(path):
    resource = {"apiGroup": "aviary.example/v1", "kind": "Thing", "name": "thing"}
    return {"source": {"path": path, "resource": resource}, "targets": [target()]}


def test_the_paths_of_a_run_share_their_steps():
    items = [package(), config_map(), thing({"list": list(range(50_000))})]
    given = manifest(transformations=[reading("{ .spec.list[4711] }")] * 200)
    state = run(*items, manifests=[given])
    assert told(state) == []
    assert found(state)["data"]["LEVEL"] == 4711
    given = manifest(transformations=[*[reading("{ .spec.list[?(@==7)] }")] * 20, reading("{ .spec.list[1] }")])
    cut, left = told(run(*items, manifests=[given]))
    assert "transformation 20: " in cut
    assert " steps; say which members are meant" in cut
    assert "transformation 21: " in left
    assert "is not followed: the source paths of this run have taken 2,000,000 steps" in left


def test_a_union_that_doubles_at_every_step_is_told():
    nested: object = 1
    for _ in range(20):
        nested = {"a": nested}
    given = manifest(transformations=[reading("{ .spec" + "['a','a']" * 20 + " }")])
    (message,) = told(run(package(), config_map(), thing(nested), manifests=[given]))
    assert "takes more than 200,000 steps; say which members are meant" in message


def linted(given):
    return [(fault.severity, fault.kind) for fault in lint.check_all(given)]


def test_very_many_faults_of_one_manifest_are_linted():
    definitions = {f"v{number}": {"type": "texd"} for number in range(5_000)}
    unknown = {f"defaultNamesp{number}": "x" for number in range(5_000)}
    faults = linted({**manifest(), **unknown, "valueDefinitions": definitions})
    assert faults.count(("error", "manifest")) == 10_000
    assert faults.count(("warning", "unknown-key")) == 5_000


def test_very_many_charts_that_are_none_are_linted():
    charts = helm(*(f"chart-{number}" for number in range(1_000)))
    targets = [target(f"/v{number}", chart=f"chart{number}") for number in range(1_000)]
    assert linted(manifest(value("level", *targets), helm=charts)) == [("warning", "dead-target")] * 1_000


def test_samples_are_tried_up_to_four_million_characters():
    options = [f"o{number}" for number in range(2_000)]
    template = '"{{ . }}' + "x" * 9_000 + '"'
    targets = [target(f"/v{number}", chart="nest", template=template) for number in range(50)]
    assert linted(manifest(value("level", *targets, kind="options", options=options), helm=helm("nest"))) == []
    late = target("/late", chart="nest", template="{{ . }}")
    assert linted(manifest(value("level", late, kind="options", options=options), helm=helm("nest"))) == [
        ("error", "template-json")
    ]


def test_the_schema_command_says_what_a_manifest_must_be(tmp_path):
    file = tmp_path / "package.yaml"
    file.write_text("name: foo\nvalueDefinitions: {level: {type: texd, targets: []}}\n")
    with pytest.raises(InputError) as caught:
        grammar.schema(Namespace(manifest=str(file), limits=DEFAULT))
    text = '`valueDefinitions.level.type`: "level": must be one of `boolean`, `text`, `number`, `options`; found string "texd"'
    assert text in str(caught.value.message)
