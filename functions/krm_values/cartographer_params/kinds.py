"""The Go types of owners: their fields, and the values of unset ones (rules 45, 73 and 76).

Source: github.com/vmware-tanzu/cartographer, pkg/apis/v1alpha1 at commit db183fc31dd4 (2024-06-10), and the types of Kubernetes
to which these refer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    GoType: TypeAlias = "str | Ptr | ListOf | MapOf | Fields"

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
class Fields:
    """A struct.

    names: JSON name to type, in Go's order; `!` after a name means that it is written even when empty (no `omitempty`).
    inlined: an embedded struct; its fields come first.
    """

    names: Mapping[str, GoType]
    inlined: Fields | None = None


_OBJECT_REFERENCE = Fields(dict.fromkeys(("kind", "namespace", "name", "apiVersion"), STRING))
_OWNER_REFERENCE = Fields(
    {
        **dict.fromkeys(("apiVersion!", "kind!", "name!", "uid!"), STRING),
        **dict.fromkeys(("controller", "blockOwnerDeletion"), Ptr(BOOLEAN)),
    }
)
_MANAGED_FIELDS = Fields(
    {
        **dict.fromkeys(("manager", "operation", "apiVersion"), STRING),
        "time": Ptr(TIME),
        "fieldsType": STRING,
        "fieldsV1": Ptr(RAW),
        "subresource": STRING,
    }
)
_METADATA = Fields(
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
_TYPE = Fields({"kind": STRING, "apiVersion": STRING})
_PARAM = Fields({"name!": STRING, "value!": RAW})
_REF = Fields(dict.fromkeys(("branch", "tag", "commit"), Ptr(STRING)))
_SOURCE = Fields({"git": Ptr(Fields({"url": Ptr(STRING), "ref": Ptr(_REF)})), "image": Ptr(STRING), "subPath": Ptr(STRING)})
_KEY = Fields({"key!": STRING, "optional": Ptr(BOOLEAN)}, Fields({"name": STRING}))
_VALUE_FROM = Fields(
    {
        "fieldRef": Ptr(Fields({"apiVersion": STRING, "fieldPath!": STRING})),
        "resourceFieldRef": Ptr(Fields({"containerName": STRING, "resource!": STRING, "divisor!": QUANTITY})),
        "configMapKeyRef": Ptr(_KEY),
        "secretKeyRef": Ptr(_KEY),
    }
)
_ENV = Fields({"name!": STRING, "value": STRING, "valueFrom": Ptr(_VALUE_FROM)})
_NAMED = Fields({"name!": STRING})
_RESOURCES = Fields({"limits": MapOf(QUANTITY), "requests": MapOf(QUANTITY), "claims": ListOf(_NAMED)})
KUBERNETES = (_METADATA, _ENV, _RESOURCES)
"""The types that Kubernetes defines, not Cartographer."""
_CLAIM = Fields({"name!": STRING, "ref": Ptr(Fields(dict.fromkeys(("apiVersion!", "kind!", "name!"), STRING)))})
_SELECTOR = Fields({"resource!": Fields({"apiVersion": STRING, "kind": STRING}), "matchingLabels!": MapOf(STRING)})
_CONDITION = Fields(
    {
        "type!": STRING,
        "status!": STRING,
        "observedGeneration": NUMBER,
        "lastTransitionTime!": TIME,
        "reason!": STRING,
        "message!": STRING,
    }
)
_OWNER_STATUS = Fields({"observedGeneration": NUMBER, "conditions": ListOf(_CONDITION)})


def _owner(spec: Fields, status: Fields) -> Fields:
    return Fields({"metadata!": _METADATA, "spec!": spec, "status!": status}, _TYPE)


OWNERS: dict[str, Fields] = {
    "Workload": _owner(
        Fields(
            {
                "params": ListOf(_PARAM),
                "source": Ptr(_SOURCE),
                "build!": Fields({"env": ListOf(_ENV)}),
                "env": ListOf(_ENV),
                "image": Ptr(STRING),
                "resources": Ptr(_RESOURCES),
                "serviceAccountName": STRING,
                "serviceClaims": ListOf(_CLAIM),
            }
        ),
        Fields({"supplyChainRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Deliverable": _owner(
        Fields({"params": ListOf(_PARAM), "source": Ptr(_SOURCE), "serviceAccountName": STRING}),
        Fields({"deliveryRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Runnable": _owner(
        Fields(
            {
                "runTemplateRef!": Fields({"kind": STRING, "name!": STRING}),
                "selector": Ptr(_SELECTOR),
                "inputs": MapOf(RAW),
                "serviceAccountName": STRING,
                "retentionPolicy!": Fields({"maxFailedRuns!": NUMBER, "maxSuccessfulRuns!": NUMBER}),
            }
        ),
        Fields({"observedGeneration": NUMBER, "conditions": ListOf(_CONDITION), "outputs": MapOf(RAW)}),
    ),
}
