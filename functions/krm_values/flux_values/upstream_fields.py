"""The fields of a HelmRelease by version.

From the CRD `helmreleases.helm.toolkit.fluxcd.io` of github.com/fluxcd/helm-controller: v2 as of commit 0f61a86 (after 1.7.1),
v2beta2 and v2beta1 as in the last CRDs that had them (commits 0e105c1 and 4ffe621).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.shapes import resource

if TYPE_CHECKING:
    from krm_values._krm.shapes import Shape

GROUP = "helm.toolkit.fluxcd.io"
_NAMESPACED = {"name": None, "namespace": None}
_OBJECT = {"apiVersion": None, "kind": None, **_NAMESPACED}
_METADATA = {"annotations": None, "labels": None}
_TARGET = {"annotationSelector": None, "group": None, "kind": None, "labelSelector": None, **_NAMESPACED, "version": None}
_REMEDIATION = {"ignoreTestFailures": None, "remediateLastFailure": None, "retries": None}
_STRATEGY = {"name": None, "retryInterval": None}
_WAITS: Shape = {"disableHooks": None, "disableWait": None, "timeout": None}
_CHART: Shape = {
    "chart": None,
    "interval": None,
    "reconcileStrategy": None,
    "sourceRef": _OBJECT,
    "valuesFiles": None,
    "verify": {"provider": None, "secretRef": {"name": None}},
    "version": None,
}
_INSTALL: Shape = {
    **_WAITS,
    "crds": None,
    "createNamespace": None,
    "disableOpenAPIValidation": None,
    "disableWaitForJobs": None,
    "remediation": _REMEDIATION,
    "replace": None,
    "skipCRDs": None,
}
_UPGRADE: Shape = {
    **_WAITS,
    "cleanupOnFail": None,
    "crds": None,
    "disableOpenAPIValidation": None,
    "disableWaitForJobs": None,
    "force": None,
    "preserveValues": None,
    "remediation": {**_REMEDIATION, "strategy": None},
}
_ROLLBACK: Shape = {**_WAITS, "cleanupOnFail": None, "disableWaitForJobs": None, "force": None, "recreate": None}
_TEST: Shape = {"enable": None, "ignoreFailures": None, "timeout": None}
_FILTERS: Shape = [{"exclude": None, "name": None}]
_KUSTOMIZE: Shape = {
    "images": [{"digest": None, "name": None, "newName": None, "newTag": None}],
    "patches": [{"patch": None, "target": _TARGET}],
}
_PATCH_OPERATIONS: Shape = [{"from": None, "op": None, "path": None, "value": None}]
_OLD_KUSTOMIZE: Shape = {
    **_KUSTOMIZE,
    "patchesJson6902": [{"patch": _PATCH_OPERATIONS, "target": _TARGET}],
    "patchesStrategicMerge": None,
}
_VALUES_FROM: Shape = {"kind": None, "name": None, "optional": None, "targetPath": None, "valuesKey": None}
_SPEC: Shape = {
    "chart": {"metadata": _METADATA, "spec": _CHART},
    "chartRef": _OBJECT,
    "dependsOn": [_NAMESPACED],
    "driftDetection": {"ignore": [{"paths": None, "target": _TARGET}], "mode": None},
    "install": _INSTALL,
    "interval": None,
    "kubeConfig": {"configMapRef": {"name": None}, "secretRef": {"key": None, "name": None}},
    "maxHistory": None,
    "persistentClient": None,
    "postRenderers": [{"kustomize": _KUSTOMIZE}],
    "releaseName": None,
    "rollback": _ROLLBACK,
    "serviceAccountName": None,
    "storageNamespace": None,
    "suspend": None,
    "targetNamespace": None,
    "test": _TEST,
    "timeout": None,
    "uninstall": {**_WAITS, "deletionPropagation": None, "keepHistory": None},
    "upgrade": _UPGRADE,
    "values": None,
    "valuesFrom": [_VALUES_FROM],
}
_OLD_SPEC: Shape = {
    **_SPEC,
    "chart": {"metadata": _METADATA, "spec": {**_CHART, "valuesFile": None}},
    "postRenderers": [{"kustomize": _OLD_KUSTOMIZE}],
}
_CHECKS = {"disableSchemaValidation": None, "disableTakeOwnership": None, "serverSideApply": None, "strategy": _STRATEGY}

RELEASES: dict[str, Shape] = {
    "v2": resource(
        spec={
            **_SPEC,
            "chart": {"metadata": _METADATA, "spec": {**_CHART, "ignoreMissingValuesFiles": None}},
            "commonMetadata": _METADATA,
            "dependsOn": [{**_NAMESPACED, "readyExpr": None}],
            "healthCheckExprs": [{"apiVersion": None, "current": None, "failed": None, "inProgress": None, "kind": None}],
            "install": {**_INSTALL, **_CHECKS},
            "postRenderStrategy": None,
            "rollback": {**_ROLLBACK, "serverSideApply": None},
            "test": {**_TEST, "filters": _FILTERS},
            "upgrade": {**_UPGRADE, **_CHECKS, "chartNameChangeStrategy": None},
            "valuesFrom": [{**_VALUES_FROM, "literal": None}],
            "waitStrategy": {"name": None},
        }
    ),
    "v2beta2": resource(
        spec={
            **_OLD_SPEC,
            "chart": {"metadata": _METADATA, "spec": {**_CHART, "ignoreMissingValuesFiles": None, "valuesFile": None}},
            "test": {**_TEST, "filters": _FILTERS},
        }
    ),
    "v2beta1": resource(spec=_OLD_SPEC),
}
"""The shape of a whole HelmRelease by version."""
