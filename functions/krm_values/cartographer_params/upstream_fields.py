"""The fields of Cartographer's kinds, as shapes of `_kit/planner/fields`.

Source: github.com/vmware-tanzu/cartographer, config/crd/bases and pkg/apis/v1alpha1 at commit db183fc31dd4 (2024-06-10), which has the
same fields as release v0.8.11. Shapes of owners are made from their Go types. None means any content: values, template bodies, ytt,
Kubernetes' own types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.fields import resource
from krm_values.cartographer_params import kind_names as kinds
from krm_values.cartographer_params import kinds as owner_types
from krm_values.cartographer_params.fields import OWNER_NAME
from krm_values.cartographer_params.kinds import Fields, ListOf, MapOf, Ptr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._kit.planner.fields import Shape
    from krm_values.cartographer_params.kinds import GoType

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
_CONDITION = {"key": None, "value": None}
_OBSERVED = {
    "observedMatches": [{"input": None, "output": None}],
    "observedCompletion": {"succeeded": _CONDITION, "failed": _CONDITION},
}


def _shape(kind: GoType) -> Shape:
    """Return the shape of a Go type."""
    if isinstance(kind, Ptr):
        return _shape(kind.to)
    if isinstance(kind, ListOf):
        return [_shape(kind.entries)]
    if isinstance(kind, Fields) and not any(kind is one for one in owner_types.KUBERNETES):
        inlined = _shape(kind.inlined) if kind.inlined else {}
        return {**inlined, **{name.removesuffix("!"): _shape(below) for name, below in kind.names.items()}}
    return {"*": _shape(kind.entries)} if isinstance(kind, MapOf) else None


_OWNERS = {kind: _shape(owner)["spec"] for kind, owner in owner_types.OWNERS.items()}
SHAPES: Mapping[str, Shape] = {
    **{kind: resource(spec=spec) for kind, spec in _OWNERS.items()},
    kinds.SUPPLY_CHAIN: resource(spec={**_CHAIN, "resources": [{**_STEP, "images": [_INPUT]}]}),
    kinds.DELIVERY: resource(spec={**_CHAIN, "resources": [{**_STEP, "deployment": {"resource": None}}]}),
    **{kind: resource(spec={**_TEMPLATE, **dict.fromkeys(kinds.PATHS[kind])}) for kind in kinds.TEMPLATES},
    kinds.DEPLOYMENT: resource(spec={**_TEMPLATE, **_OBSERVED}),
    kinds.RUN_TEMPLATE: resource(spec={"template": None, "outputs": None}),
}
"""The shape of each kind."""
