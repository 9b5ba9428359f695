"""The Go types of owners: which fields there are, and what an unset one is (rules 45, 73 and 76).

Their source: github.com/vmware-tanzu/cartographer, pkg/apis/v1alpha1 at commit db183fc31dd4 (2024-06-10), and the types of Kubernetes
that these refer to.
"""

from __future__ import annotations

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    GoType: TypeAlias = "str | Ptr | ListOf | MapOf | Fields"

TEXT, NUMBER, BOOLEAN, RAW, TIME, QUANTITY = "text", "number", "boolean", "raw", "time", "quantity"


@record
class Ptr:
    """A pointer: null when unset, and nothing below it."""

    to: GoType


@record
class ListOf:
    entries: GoType


@record
class MapOf:
    entries: GoType


@record
class Fields:
    """A struct. names: JSON name to type, in Go's order; `!` after a name: JSON writes it even when it is empty.

    inlined: a struct whose fields count as this one's. It comes first.
    """

    names: Mapping[str, GoType]
    inlined: Fields | None = None


_OBJECT_REFERENCE = Fields(dict.fromkeys(("kind", "namespace", "name", "apiVersion"), TEXT))
_OWNER_REFERENCE = Fields(
    {
        **dict.fromkeys(("apiVersion!", "kind!", "name!", "uid!"), TEXT),
        **dict.fromkeys(("controller", "blockOwnerDeletion"), Ptr(BOOLEAN)),
    }
)
_MANAGED_FIELDS = Fields(
    {
        **dict.fromkeys(("manager", "operation", "apiVersion"), TEXT),
        "time": Ptr(TIME),
        "fieldsType": TEXT,
        "fieldsV1": Ptr(RAW),
        "subresource": TEXT,
    }
)
_METADATA = Fields(
    {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), TEXT),
        "generation": NUMBER,
        "creationTimestamp!": TIME,
        "deletionTimestamp": Ptr(TIME),
        "deletionGracePeriodSeconds": Ptr(NUMBER),
        "labels": MapOf(TEXT),
        "annotations": MapOf(TEXT),
        "ownerReferences": ListOf(_OWNER_REFERENCE),
        "finalizers": ListOf(TEXT),
        "managedFields": ListOf(_MANAGED_FIELDS),
    }
)
_TYPE = Fields({"kind": TEXT, "apiVersion": TEXT})
_PARAM = Fields({"name!": TEXT, "value!": RAW})
_REF = Fields(dict.fromkeys(("branch", "tag", "commit"), Ptr(TEXT)))
_SOURCE = Fields({"git": Ptr(Fields({"url": Ptr(TEXT), "ref": Ptr(_REF)})), "image": Ptr(TEXT), "subPath": Ptr(TEXT)})
_KEY = Fields({"key!": TEXT, "optional": Ptr(BOOLEAN)}, Fields({"name": TEXT}))
_VALUE_FROM = Fields(
    {
        "fieldRef": Ptr(Fields({"apiVersion": TEXT, "fieldPath!": TEXT})),
        "resourceFieldRef": Ptr(Fields({"containerName": TEXT, "resource!": TEXT, "divisor!": QUANTITY})),
        "configMapKeyRef": Ptr(_KEY),
        "secretKeyRef": Ptr(_KEY),
    }
)
_ENV = Fields({"name!": TEXT, "value": TEXT, "valueFrom": Ptr(_VALUE_FROM)})
_NAMED = Fields({"name!": TEXT})
_RESOURCES = Fields({"limits": MapOf(QUANTITY), "requests": MapOf(QUANTITY), "claims": ListOf(_NAMED)})
KUBERNETES = (_METADATA, _ENV, _RESOURCES)
"""Types that belong to Kubernetes, not to Cartographer."""
_CLAIM = Fields({"name!": TEXT, "ref": Ptr(Fields(dict.fromkeys(("apiVersion!", "kind!", "name!"), TEXT)))})
_SELECTOR = Fields({"resource!": Fields({"apiVersion": TEXT, "kind": TEXT}), "matchingLabels!": MapOf(TEXT)})
_CONDITION = Fields(
    {
        "type!": TEXT,
        "status!": TEXT,
        "observedGeneration": NUMBER,
        "lastTransitionTime!": TIME,
        "reason!": TEXT,
        "message!": TEXT,
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
                "image": Ptr(TEXT),
                "resources": Ptr(_RESOURCES),
                "serviceAccountName": TEXT,
                "serviceClaims": ListOf(_CLAIM),
            }
        ),
        Fields({"supplyChainRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Deliverable": _owner(
        Fields({"params": ListOf(_PARAM), "source": Ptr(_SOURCE), "serviceAccountName": TEXT}),
        Fields({"deliveryRef!": _OBJECT_REFERENCE}, _OWNER_STATUS),
    ),
    "Runnable": _owner(
        Fields(
            {
                "runTemplateRef!": Fields({"kind": TEXT, "name!": TEXT}),
                "selector": Ptr(_SELECTOR),
                "inputs": MapOf(RAW),
                "serviceAccountName": TEXT,
                "retentionPolicy!": Fields({"maxFailedRuns!": NUMBER, "maxSuccessfulRuns!": NUMBER}),
            }
        ),
        Fields({"observedGeneration": NUMBER, "conditions": ListOf(_CONDITION), "outputs": MapOf(RAW)}),
    ),
}
