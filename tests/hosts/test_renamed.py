"""Objects that kustomize has renamed: a reference by the original name finds them in every function, and what is written has the new name."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import findings, names
from krm_values._run import invoke
from krm_values._yaml import decode, emit
from tests.conformance.cases import resource_list
from tests.hosts.machine import COMMANDS, Machine

RESOURCES = (Path(__file__).parent / "packages/renamed/resources.yaml").read_text("utf-8")
CONFIGS: dict[str, dict[str, Any]] = {
    "flux-values": {},
    "tekton-params": {"references": True},
    "giantswarm-config": {"outputs": ["helmRelease", "combined"]},
    "cartographer-params": {},
    "glasskube-values": {},
    "layered-values": {
        "layers": [
            {"configMap": "base", "key": "values.yaml"},
            {"from": {"kind": "ConfigMap", "name": "gk", "namespace": "aviary"}, "path": "data.L", "at": "level"},
            {"values": {"n": 5}, "when": {"name": "dep"}},
        ],
        "targets": [{"kind": "Deployment", "name": "dep", "fields": {"spec.replicas": "n"}}],
    },
    "envgene-sd": {"SD_SOURCE_TYPE": "json", "SD_DATA": [{"applications": [{"version": "a:2", "deployPostfix": "x"}]}]},
}
WRITTEN = {
    "flux-values": [["name: dev-web-v1-flux-values"]],
    "tekton-params": [["params:", "- name: branch", "value: $(params.branch)"]] * 2,
    "giantswarm-config": [
        ["name: dev-cat-v1"],
        ["name: dev-catcfg-v1", "valuesKey: values"],
        ["name: dev-usr-v1", "valuesKey: values"],
    ],
    "cartographer-params": [["carto.run/cluster-template-name: dev-tmpl-v1"], ["kind: GitRepository", "name: dev-wl-v1"]],
    "glasskube-values": [["MODE: high"], ["level: high"]],
    "layered-values": [["replicas: 5"]],
    "envgene-sd": [["version: a:2"]],
}
"""Lines that follow each other, apart from others, in one object of the result."""


def items() -> list[Any]:
    texts = RESOURCES.split("---\n")
    return [decode.to_data(decode.parse(text)) for text in texts]


def renamed(item: Any, prefix: str = "dev-", suffix: str = "-v1", namespace: str = "prod") -> Any:
    """An item as kustomize sends it after its namespace, prefix and suffix: each step adds to the histories."""
    metadata, kind, internal = item["metadata"], item["kind"], "internal.config.kubernetes.io/"
    name, space = metadata["name"], metadata.get("namespace", "default")
    annotations = {
        **metadata.get("annotations", {}),
        f"{internal}previousKinds": f"{kind},{kind},{kind}",
        f"{internal}previousNames": f"{name},{name},{prefix}{name}",
        f"{internal}previousNamespaces": f"{space},{namespace},{namespace}",
        f"{internal}prefixes": prefix,
        f"{internal}suffixes": suffix,
    }
    return {
        **item,
        "metadata": {**metadata, "name": f"{prefix}{name}{suffix}", "namespace": namespace, "annotations": annotations},
    }


def ran(function: str, given: list[Any]) -> str:
    source, outcome = invoke.answer(resource_list(given, function, CONFIGS[function]), function)
    assert [findings.line(one) for one in outcome.findings if one.severity == "error"] == []
    return b"".join(source.apply(outcome, invoke.entries(outcome))).decode()


def documents(text: str) -> Iterator[list[str]]:
    data: Any = decode.to_data(decode.parse(text))
    for item in data["items"]:
        item["metadata"].pop("annotations", None) if item["kind"] != "Deployment" else None
        yield [line.strip().removeprefix("- ") for line in emit.block(item)]


def has(lines: list[str], wanted: list[str]) -> bool:
    left = iter(lines)
    return all(word.removeprefix("- ") in left for word in wanted)


def value(text: str) -> str:
    """The values that flux-values writes for the HelmRelease."""
    data: Any = decode.to_data(decode.parse(text))
    return next(
        base64.b64decode(item["data"]["values.yaml"]).decode()
        for item in data["items"]
        if item["metadata"]["name"] == "dev-web-v1-flux-values"
    )


def check(function: str, objects: list[list[str]]) -> None:
    for wanted, alike in itertools.groupby(WRITTEN[function]):
        assert sum(has(lines, wanted) for lines in objects) >= len(list(alike)), wanted


@pytest.mark.parametrize("function", CONFIGS)
def test_a_reference_by_the_original_name_finds_a_renamed_object(function):
    text = ran(function, [renamed(item) for item in items()])
    check(function, list(documents(text)))


@pytest.mark.parametrize("function", CONFIGS)
def test_real_kustomize(function: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs("kustomize")
    config = {
        "apiVersion": names.API_VERSION,
        "kind": names.kind(function),
        "metadata": {
            "name": "config",
            "annotations": {"config.kubernetes.io/function": f"exec: {{path: {COMMANDS / f'krm-{function}'}}}"},
        },
        "spec": CONFIGS[function],
    }
    texts = {
        "resources.yaml": RESOURCES,
        "function.yaml": "\n".join(emit.block(config)) + "\n",
        "kustomization.yaml": "resources: [resources.yaml]\nnamePrefix: dev-\nnameSuffix: -v1\nnamespace: prod\n"
        "transformers: [function.yaml]\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    built = machine.run("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", tmp_path).stdout
    check(function, [[line.strip().removeprefix("- ") for line in text.splitlines()] for text in built.split("---\n")])


@pytest.mark.parametrize(
    "function", [name for name in CONFIGS if name not in ("cartographer-params", "layered-values", "envgene-sd")]
)
def test_of_two_objects_of_one_former_name_the_one_with_the_same_prefix_is_meant(function):
    given = [
        renamed(item, f"{colour}-", "") for colour in ("blue", "green") for item in items() if item["kind"] != "PackageManifest"
    ]
    given += [item for item in items() if item["kind"] == "PackageManifest"]
    text = ran(function, given)
    assert ran(function, given[::-1]).count("\n") == text.count("\n")


def test_a_present_name_is_preferred_to_a_former_one():
    old, new = renamed(items()[1]), items()[1]
    new["metadata"]["namespace"], new["data"] = "prod", {"values.yaml": "a: 2\n"}
    release, secret = (renamed(items()[number]) for number in (0, 2))
    text = ran("flux-values", [release, old, secret, new])
    assert value(text) == "a: 2\nown: 1\ns: 1\n"


def test_former_names_in_two_namespaces_are_told_apart():
    one, other = items()[1], items()[1]
    one["metadata"]["namespace"], other["metadata"]["namespace"] = "team-a", "team-b"
    other["data"] = {"values.yaml": "a: 2\n"}
    release, secret = items()[0], items()[2]
    for item in (release, secret):
        item["metadata"]["namespace"] = "team-b"
    text = ran("flux-values", [renamed(release), renamed(one, "x-"), renamed(other, "y-"), renamed(secret)])
    assert value(text) == "a: 2\nown: 1\ns: 1\n"
