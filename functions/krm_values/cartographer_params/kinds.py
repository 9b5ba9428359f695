"""Cartographer's kinds: which templates a chain may use, what a step hands on, the Go types of owners, and the fields of each kind.

Source: github.com/vmware-tanzu/cartographer, config/crd/bases and pkg/apis/v1alpha1 at commit db183fc31dd4 (2024-06-10), which has the
same fields as release v0.8.11, and the types of Kubernetes to which these refer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._krm import shapes
from krm_values._krm.shapes import Served, resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from krm_values._krm.item import Item
    from krm_values._krm.plan import Finding, New
    from krm_values._krm.shapes import Shape

    GoType: TypeAlias = "str | Ptr | ListOf | MapOf | StructOf"

GROUP = "carto.run"
SUPPLY_CHAIN, DELIVERY = "ClusterSupplyChain", "ClusterDelivery"
RUNNABLE, RUN_TEMPLATE = "Runnable", "ClusterRunTemplate"
CHAIN_OF = {"Workload": SUPPLY_CHAIN, "Deliverable": DELIVERY}
WORDS = {SUPPLY_CHAIN: "supply chain", DELIVERY: "delivery"}
OWNERS = (*CHAIN_OF, RUNNABLE)

SOURCE, IMAGE, CONFIG = "ClusterSourceTemplate", "ClusterImageTemplate", "ClusterConfigTemplate"
DEPLOYMENT, PLAIN = "ClusterDeploymentTemplate", "ClusterTemplate"
TEMPLATES = (SOURCE, IMAGE, CONFIG, DEPLOYMENT, PLAIN)
EVERY = (*OWNERS, SUPPLY_CHAIN, DELIVERY, *TEMPLATES, RUN_TEMPLATE)
SERVED = (Served(GROUP, ("v1alpha1",), EVERY),)
"""What is read of a list."""
SERVED_STAMPED = (Served(GROUP, ("v1alpha1",), OWNERS, EVERY),)
"""What is read of stamped objects."""
ALLOWED = {SUPPLY_CHAIN: (SOURCE, IMAGE, CONFIG, PLAIN), DELIVERY: (SOURCE, DEPLOYMENT, CONFIG, PLAIN)}
OUTPUT = {SOURCE: "source", IMAGE: "image", CONFIG: "config", DEPLOYMENT: "source", PLAIN: ""}
PATHS = {SOURCE: ("urlPath", "revisionPath"), IMAGE: ("imagePath",), CONFIG: ("configPath",), DEPLOYMENT: (), PLAIN: ()}
INPUTS = {"sources": "source", "images": "image", "configs": "config"}
CONTEXT = ("workload", "deliverable", "params", "deployment", "labels", *INPUTS, *INPUTS.values())
RUN_CONTEXT = ("runnable", "selected")
OWNER_NAME = "workload-param-name"
"""The field of a chain's or step's entry that names the owner's param, as RFC 0010 suggests."""


def unknown_keys(item: Item | New) -> Iterator[Finding]:
    """Yield a warning for each key of an owner, chain or template that its type lacks: the API server drops it or refuses the object."""
    data = item.data
    shape = SHAPES.get(str(data.get("kind"))) if isinstance(data, dict) else None
    yield from shapes.shape_warnings(item, shape, "S5")
    yield from shapes.warnings(item, shapes.unknown_keys(data, shape), "S5")


# The Go types of owners, and with them the values of unset fields (rules 45, 73 and 76).
STRING, NUMBER, BOOLEAN, RAW, TIME, QUANTITY = "string", "number", "boolean", "raw", "time", "quantity"


@record
class Ptr:
    """A pointer: null when unset; then no path leads below it."""

    to: GoType


@record
class ListOf:
    entries: GoType


@record
class MapOf:
    entries: GoType


@record
class StructOf:
    """A struct.

    names: JSON name to type, in Go's order; `!` after a name means that it is written even when empty (no `omitempty`).
    inlined: an embedded struct; its fields come first.
    """

    names: Mapping[str, GoType]
    inlined: StructOf | None = None


_OBJECT_REFERENCE = StructOf(dict.fromkeys(("kind", "namespace", "name", "apiVersion"), STRING))
_OWNER_REFERENCE = StructOf(
    {
        **dict.fromkeys(("apiVersion!", "kind!", "name!", "uid!"), STRING),
        **dict.fromkeys(("controller", "blockOwnerDeletion"), Ptr(BOOLEAN)),
    }
)
_MANAGED_FIELDS = StructOf(
    {
        **dict.fromkeys(("manager", "operation", "apiVersion"), STRING),
        "time": Ptr(TIME),
        "fieldsType": STRING,
        "fieldsV1": Ptr(RAW),
        "subresource": STRING,
    }
)
_METADATA = StructOf(
    {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), STRING),
        "generation": NUMBER,
        "creationTimestamp!": TIME,
        "deletionTimestamp": Ptr(TIME),
        "deletionGracePeriodSeconds": Ptr(NUMBER),
        "labels": MapOf(STRING),
        "annotations": MapOf(STRING),
        "ownerReferences": ListOf(_OWNER_REFERENCE),
        "finalizers": ListOf(STRING),
        "managedFields": ListOf(_MANAGED_FIELDS),
    }
)
_TYPE = StructOf({"kind": STRING, "apiVersion": STRING})
_PARAM = StructOf({"name!": STRING, "value!": RAW})
_REF = StructOf(dict.fromkeys(("branch", "tag", "commit"), Ptr(STRING)))
_SOURCE = StructOf({"git": Ptr(StructOf({"url": Ptr(STRING), "ref": Ptr(_REF)})), "image": Ptr(STRING), "subPath": Ptr(STRING)})
_KEY = StructOf({"key!": STRING, "optional": Ptr(BOOLEAN)}, StructOf({"name": STRING}))
_VALUE_FROM = StructOf(
    {
        "fieldRef": Ptr(StructOf({"apiVersion": STRING, "fieldPath!": STRING})),
        "resourceFieldRef": Ptr(StructOf({"containerName": STRING, "resource!": STRING, "divisor!": QUANTITY})),
        "configMapKeyRef": Ptr(_KEY),
        "secretKeyRef": Ptr(_KEY),
    }
)
_ENV = StructOf({"name!": STRING, "value": STRING, "valueFrom": Ptr(_VALUE_FROM)})
_NAMED = StructOf({"name!": STRING})
_RESOURCES = StructOf({"limits": MapOf(QUANTITY), "requests": MapOf(QUANTITY), "claims": ListOf(_NAMED)})
_CLAIM = StructOf({"name!": STRING, "ref": Ptr(StructOf(dict.fromkeys(("apiVersion!", "kind!", "name!"), STRING)))})
_SELECTOR = StructOf({"resource!": StructOf({"apiVersion": STRING, "kind": STRING}), "matchingLabels!": MapOf(STRING)})
_CONDITION = StructOf(
    {
        "type!": STRING,
        "status!": STRING,
        "observedGeneration": NUMBER,
        "lastTransitionTime!": TIME,
        "reason!": STRING,
        "message!": STRING,
    }
)
_OWNER_STATUS = StructOf({"observedGeneration": NUMBER, "conditions": ListOf(_CONDITION)})


def _owner(spec: StructOf, status: StructOf) -> StructOf:
    return StructOf({"metadata!": _METADATA, "spec!": spec, "status!": status}, _TYPE)


GO_TYPES: dict[str, StructOf] = {
    "Workload": _owner(
        StructOf(
            {
                "params": ListOf(_PARAM),
                "source": Ptr(_SOURCE),
                "build!": StructOf({"env": ListOf(_ENV)}),
                "env": ListOf(_ENV),
                "image": Ptr(STRING),
                "resources": Ptr(_RESOURCES),
                "serviceAccountName": STRING,
                "serviceClaims": ListOf(_CLAIM),
            }
        ),
        StructOf({"supplyChainRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Deliverable": _owner(
        StructOf({"params": ListOf(_PARAM), "source": Ptr(_SOURCE), "serviceAccountName": STRING}),
        StructOf({"deliveryRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Runnable": _owner(
        StructOf(
            {
                "runTemplateRef!": StructOf({"kind": STRING, "name!": STRING}),
                "selector": Ptr(_SELECTOR),
                "inputs": MapOf(RAW),
                "serviceAccountName": STRING,
                "retentionPolicy!": StructOf({"maxFailedRuns!": NUMBER, "maxSuccessfulRuns!": NUMBER}),
            }
        ),
        StructOf({"observedGeneration": NUMBER, "conditions": ListOf(_CONDITION), "outputs": MapOf(RAW)}),
    ),
}

# The fields of each kind, as shapes of `_krm/shapes`. None means any content: values, template bodies, ytt, Kubernetes' own types.
_EXPRESSION = {"key": None, "operator": None, "values": None}
_BLUEPRINT_PARAM = {"name": None, "value": None, "default": None, OWNER_NAME: None}
_OPTION = {
    "name": None,
    "passThrough": None,
    "selector": {"matchLabels": None, "matchExpressions": [_EXPRESSION], "matchFields": [_EXPRESSION]},
}
_INPUT = {"name": None, "resource": None}
_STEP = {
    "name": None,
    "templateRef": {"kind": None, "name": None, "options": [_OPTION]},
    "params": [_BLUEPRINT_PARAM],
    "sources": [_INPUT],
    "configs": [_INPUT],
}
_CHAIN = {
    "selector": None,
    "selectorMatchExpressions": [_EXPRESSION],
    "selectorMatchFields": [_EXPRESSION],
    "params": [_BLUEPRINT_PARAM],
    "serviceAccountRef": {"name": None, "namespace": None},
}
_HEALTH = {
    "matchConditions": [{"type": None, "status": None}],
    "matchFields": [{**_EXPRESSION, "messagePath": None}],
}
_TEMPLATE = {
    "template": None,
    "ytt": None,
    "params": [{"name": None, "default": None}],
    "healthRule": {
        "alwaysHealthy": None,
        "singleConditionType": None,
        "multiMatch": {"healthy": _HEALTH, "unhealthy": _HEALTH},
    },
    "lifecycle": None,
    "retentionPolicy": {"maxFailedRuns": None, "maxSuccessfulRuns": None},
}
_OBSERVED_VALUE = {"key": None, "value": None}
_OBSERVED = {
    "observedMatches": [{"input": None, "output": None}],
    "observedCompletion": {"succeeded": _OBSERVED_VALUE, "failed": _OBSERVED_VALUE},
}


def _shape(kind: GoType) -> Shape:
    if isinstance(kind, Ptr):
        return _shape(kind.to)
    if isinstance(kind, ListOf):
        return [_shape(kind.entries)]
    if isinstance(kind, StructOf) and not any(kind is one for one in (_METADATA, _ENV, _RESOURCES)):
        inlined = _shape(kind.inlined) if kind.inlined else {}
        return {**inlined, **{name.removesuffix("!"): _shape(below) for name, below in kind.names.items()}}
    return {"*": _shape(kind.entries)} if isinstance(kind, MapOf) else None


_OWNERS = {kind: _shape(owner)["spec"] for kind, owner in GO_TYPES.items()}
SHAPES: Mapping[str, Shape] = {
    **{kind: resource(spec=spec) for kind, spec in _OWNERS.items()},
    SUPPLY_CHAIN: resource(spec={**_CHAIN, "resources": [{**_STEP, "images": [_INPUT]}]}),
    DELIVERY: resource(spec={**_CHAIN, "resources": [{**_STEP, "deployment": {"resource": None}}]}),
    **{kind: resource(spec={**_TEMPLATE, **dict.fromkeys(PATHS[kind])}) for kind in TEMPLATES},
    DEPLOYMENT: resource(spec={**_TEMPLATE, **_OBSERVED}),
    RUN_TEMPLATE: resource(spec={"template": None, "outputs": None}),
}
"""The shape of each kind."""
