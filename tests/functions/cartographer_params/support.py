"""Small chains, templates and owners, and plans and runs over them."""

from __future__ import annotations

from typing import Any

from krm_values._krm import config
from krm_values._krm import findings as results
from krm_values._krm.item import Header, Item, Reading
from krm_values._krm.plan import Finding, New, Note
from krm_values._krm.resources import Resources
from krm_values._run import registry
from tests.conformance.cases import State, System, execute

API = "carto.run/v1alpha1"
NAME = "cartographer-params"
SYSTEM = System(lambda _: NAME, lambda _: {}, lambda _case, _outcome: "")
BY, FROM = "krm-values.dev/generated-by", "krm-values.dev/generated-from"
PATH = "config.kubernetes.io/path"


def thing(kind: str, name: str, spec: dict[str, Any] | None, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def workload(name: str = "parcel", params: Any = None, kind: str = "Workload", **spec: Any) -> dict[str, Any]:
    given = spec.pop("metadata", {"namespace": "dock", "labels": {"lane": "a"}})
    return thing(kind, name, {**({} if params is None else {"params": listed(params, "value")}), **spec}, **given)


def template(name: str = "t", params: Any = None, kind: str = "ClusterTemplate", **spec: Any) -> dict[str, Any]:
    body = {"apiVersion": "demo.example/v1", "kind": "Widget", "metadata": {"name": name}}
    whole = {"template": body, **({} if params is None else {"params": listed(params, "default")}), **spec}
    return thing(kind, name, {key: value for key, value in whole.items() if value is not ...})


def body(spec: Any = None, kind: str = "Widget", **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "demo.example/v1", "kind": kind, "metadata": metadata, **({} if spec is None else {"spec": spec})}


def chain(*steps: dict[str, Any], name: str = "c", kind: str = "ClusterSupplyChain", **spec: Any) -> dict[str, Any]:
    whole = {"selector": {"lane": "a"}, "resources": list(steps), **spec}
    return thing(kind, name, {key: value for key, value in whole.items() if value is not ...})


def step(name: str = "s", template: str = "t", kind: str = "ClusterTemplate", **fields: Any) -> dict[str, Any]:
    reference = fields.pop("templateRef", {"kind": kind, "name": template})
    return {"name": name, "templateRef": reference, **fields}


def listed(params: Any, field: str) -> Any:
    """`{quota: 1}` as the list that it stands for."""
    return [{"name": name, field: value} for name, value in params.items()] if isinstance(params, dict) else params


def items(*objects: dict[str, Any]) -> list[Item]:
    """Items without a text."""

    def item(number: int, data: dict[str, Any]) -> Item:
        metadata = data["metadata"]
        header = Header(data["apiVersion"], data["kind"], metadata.get("namespace", ""), metadata["name"])
        return Item(number, header, lambda: Reading(data, {}, lambda _: None, lambda _: None))

    return [item(number, data) for number, data in enumerate(objects)]


def plan(*objects: dict[str, Any], **spec: Any) -> list[Any]:
    function = registry.load(NAME)
    own = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "CartographerParams", "metadata": {"name": "x"}, "spec": spec}
    return list(function.plan(config.read(function.form(), NAME, own), Resources(items(*objects)), None))


def run(*objects: dict[str, Any], **spec: Any) -> State:
    return execute(SYSTEM, {}, list(objects), spec)


def findings(planned: list[Any], severity: str) -> list[Finding]:
    return [entry for entry in planned if isinstance(entry, Finding) and entry.severity == severity]


def told(planned: list[Any], severity: str) -> list[str]:
    return [results.message(finding) for finding in findings(planned, severity)]


def notes(planned: list[Any], topic: str) -> list[Note]:
    return [entry for entry in planned if isinstance(entry, Note) and entry.topic == topic]


def stamped(planned: list[Any]) -> list[Any]:
    return [entry.data for entry in planned if isinstance(entry, New) and entry.data["kind"] != "ResolvedParams"]


def reports(planned: list[Any]) -> dict[str, Any]:
    """The spec of each ResolvedParams by name."""
    found = [entry.data for entry in planned if isinstance(entry, New) and entry.data["kind"] == "ResolvedParams"]
    return {data["metadata"]["name"]: data["spec"] for data in found}


def params(report: dict[str, Any]) -> dict[str, dict[str, tuple[Any, str]]]:
    """(value, origin) of each param of each step."""
    return {
        one["name"]: {param["name"]: (param["value"], param["origin"]) for param in one.get("params", [])}
        for one in report["steps"]
    }
