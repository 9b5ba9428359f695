"""What explain says of the example: each chain's score or first requirement that fails, and of each param who set it and whom it beat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from krm_values._data.pointer import get, to_field
from tests.answers import cells, decided
from tests.conformance.cases import execute
from tests.conformance.systems import SYSTEMS
from tests.functions.cartographer_params.test_example import call, copied, made, render
from tests.growth import cartographer
from tests.hosts.package import read

if TYPE_CHECKING:
    from krm_values._krm.plan import Origin

LAYERS = {
    "owner.value": ("Workload", "Deliverable"),
    "resource": ("ClusterSupplyChain", "ClusterDelivery"),
    "blueprint": ("ClusterSupplyChain", "ClusterDelivery"),
    "template.default": (
        "ClusterSourceTemplate",
        "ClusterTemplate",
        "ClusterImageTemplate",
        "ClusterConfigTemplate",
        "ClusterDeploymentTemplate",
    ),
}


@pytest.fixture
def package(tmp_path):
    return copied(tmp_path / "package")


def notes(package: Path, topic: str, code: int = 0) -> dict[str, Any]:
    (step,) = json.loads(call("krm-values", "explain", "--json", package, code=code).stdout)["steps"]
    return {note["subject"]: note["data"] for note in step["notes"] if note["topic"] == topic}


def test_every_owner_has_each_chains_score_or_first_failed_requirement(package):
    chosen = {"kind": "ClusterSupplyChain", "name": "web", "score": 2, "selected": True}
    missed = {"kind": "ClusterSupplyChain", "name": "worker", "unmet": "app.example.test/kind In (worker)"}
    assert notes(package, "selection") == {
        "Workload shop/cart": [chosen, missed],
        "Workload shop/mail": [chosen, missed],
        "Deliverable shop/cart": [{"kind": "ClusterDelivery", "name": "to-cluster", "score": 1, "selected": True}],
    }


def test_labels_are_the_first_requirement_and_fields_come_after(package):
    text = (package / "workloads/cart.yaml").read_text()
    (package / "workloads/cart.yaml").write_text(text[: text.index("  source:")])
    assert notes(package, "selection", code=1)["Workload shop/cart"][0] == {
        "kind": "ClusterSupplyChain",
        "name": "web",
        "unmet": "spec.source.git.url Exists",
    }


def test_every_param_of_a_chain_has_its_table(package):
    tables = notes(package, "params")
    owners = [f"Workload/shop/{name}" for name in ("cart", "mail")]
    registry = {
        "step": "image",
        "templates": dict.fromkeys(("buildpack", "dockerfile"), "localhost:5000"),
        "blueprint.value": "registry.example.test",
        "owner": "is ignored",
        "values": dict.fromkeys(owners, "registry.example.test"),
    }
    replicas = {
        "step": "settings",
        "templates": {"settings": 1},
        "blueprint.default": 2,
        "owner": "may set it",
        "values": dict(zip(owners, (4, 2), strict=True)),
    }
    assert tables["ClusterSupplyChain web registry"] == [registry]
    assert tables["ClusterSupplyChain web replicas"] == [replicas]
    assert len(tables) == 8


def test_every_reported_param_is_explained_with_file_and_field(package):
    text = call("krm-values", "explain", "--json", package).stdout
    render(package)
    values = {
        (one["resource"]["name"], one["pointer"]): one
        for one in decided(text)
        if one["resource"]["kind"] == "ResolvedParams" and "/beat/" not in one["pointer"]
    }
    entries = list(params(package))
    assert len(entries) == len(values) > 20
    for report, pointer, done, entry in entries:
        value = values[report, pointer]
        assert value["value"] == entry["value"]
        told = cells(value)
        written = [entry, *entry.get("beat", [])]
        assert [(origin["layer"], origin["value"]) for origin in told] == [(one["origin"], one["value"]) for one in written]
        for origin in told:
            assert origin["facts"] == {"step": done, "param": entry["name"]}
            assert origin["resource"]["kind"] in next(
                kinds for layer, kinds in LAYERS.items() if origin["layer"].startswith(layer)
            )
            assert found(package, origin) == origin["value"]


def params(package: Path):
    """(report, pointer, step, entry) of each param that is reported."""
    for text in (text for path, text in made(package).items() if path.endswith("params.yaml")):
        (data,) = read(text)
        for number, done in enumerate(data["spec"]["steps"]):
            for place, entry in enumerate(done.get("params", [])):
                yield data["metadata"]["name"], f"/spec/steps/{number}/params/{place}/value", done["name"], entry


def found(package: Path, origin: dict[str, Any]) -> Any:
    """The value that stands where an origin says; a stamped owner's stands in the object that was stamped."""
    resource = origin["resource"]
    file = origin.get("file", "cartographer/shop/workload-cart/deliver.yaml")
    for data in read((package / file).read_text()):
        if (data["kind"], data["metadata"]["name"]) == (resource["kind"], resource["name"]):
            return get(data, tuple(path(origin["path"])))
    raise AssertionError(origin)


def path(field: str):
    """`spec.params[0].value` as parts."""
    for part in field.replace("[", ".[").split("."):
        yield int(part[1:-1]) if part.startswith("[") else part


def test_a_tag_with_a_filter_comes_from_the_line_that_it_finds(package):
    template = package / "templates/source.yaml"
    field = 'url: $(workload.spec.env[?(@.name=="HIGH")].value)$'
    template.write_text(template.read_text().replace("url: $(workload.spec.source.git.url)$", field))
    for name in ("cart", "mail"):
        workload = package / f"workloads/{name}.yaml"
        env = "  env:\n  - name: LOW\n    value: a\n  - name: HIGH\n    value: b\n"
        workload.write_text(workload.read_text().rstrip() + "\n" + env)
    values = decided(call("krm-values", "explain", "--json", package).stdout)
    (cell,) = (one["winner"] for one in values if one["path"] == "spec.url" and one["resource"]["name"] == "mail")
    assert (cell["path"], cell["value"], cell["line"]) == ("spec.env[1].value", "b", len(workload.read_text().splitlines()))


STEP, OFFERED = (
    "the step's entry takes the place of the chain's",
    "the owner sets only what the chain offers with a value or default",
)


@pytest.mark.parametrize(
    ("step", "chain", "owner", "winner", "reason"),
    [
        ({"value": "s"}, {"value": "c"}, True, "resource.value", STEP),
        ({"default": "s"}, {"value": "c"}, True, "owner.value", STEP),
        ({"default": "s"}, {"default": "c"}, False, "resource.default", STEP),
        ({}, {"value": "c"}, True, "template.default", STEP),
        ({}, None, True, "template.default", OFFERED),
        (None, None, True, "template.default", OFFERED),
        (None, {"value": "c"}, True, "blueprint.value", ""),
        (None, {"default": "c"}, True, "owner.value", ""),
        ({"value": "s"}, None, True, "resource.value", ""),
    ],
)
def test_the_sentence_says_what_the_table_says(step, chain, owner, winner, reason):
    template = cartographer._template("t", [{"name": "p", "default": "t"}], {"k": "$(params.p)$"})
    resource = cartographer._step("s", "t")
    resource["params"] = [] if step is None else [{"name": "p", **step}]
    line = cartographer._chain([resource])
    line["spec"]["params"] = [] if chain is None else [{"name": "p", **chain}]
    workload = cartographer._workload()
    workload["spec"]["params"] = [{"name": "p", "value": "o"}] if owner else []
    case = {"id": "x", "feature": "params", "input": [template, line, workload], "config": {"precedence": "rfc0010"}}
    state = execute(SYSTEMS["cartographer"], case, case["input"], case["config"])
    told = (one for one in state.outcome.decisions if "beat" not in one.path)
    (leaf,) = [one.leaf for one in told if one.leaf and one.leaf.origin.layer.endswith((".value", ".default"))]
    assert (leaf.origin.layer, leaf.reason) == (winner, reason)


FIELDS = {
    "lone": "$(params.p)$",
    "in": {"list": ["$(params.m)$"]},
    "text": "up to $(params.p)$",
    "both": "$(params.p)$$(params.p)$",
}


def test_a_field_that_is_one_param_overrides_what_the_param_overrides():
    declared = [{"name": "p", "default": 1}, {"name": "m", "default": {"a": 1, "b": 2}}]
    template = cartographer._template("t", declared, FIELDS)
    line = cartographer._chain([cartographer._step("s", "t")])
    line["spec"]["params"] = [{"name": "p", "default": 2}]
    workload = cartographer._workload()
    workload["spec"]["params"] = [{"name": "p", "value": 3}, {"name": "m", "value": {"a": 5}}]
    case = {"id": "x", "feature": "params", "input": [template, line, workload], "config": {"emit": ["objects"]}}
    state = execute(SYSTEMS["cartographer"], case, case["input"], case["config"])
    stamped = (one for one in state.outcome.decisions if one.path[0] == "data")
    told = {to_field(one.path): (one.after, [via(each) for each in (one.leaf.origin, *one.leaf.overridden)]) for one in stamped}
    assert told["data.lone"] == (3, ["owner.value 3", "blueprint.default 2", "template.default 1"])
    assert told["data.in.list[0]"] == ({"a": 5}, ["owner.value {'a': 5}", "template.default {'a': 1, 'b': 2}"])
    assert told["data.text"] == ("up to 3", ["owner.value 3"])


def via(origin: Origin) -> str:
    """The layer and value of the param that a field of the template takes."""
    assert origin.layer == "template"
    (one,) = origin.via
    return f"{one.layer} {one.value}"
