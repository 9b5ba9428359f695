"""The fields of Giant Swarm's App, Catalog and AppCatalog.

Source: the CRDs and API types `application.giantswarm.io/v1alpha1` of github.com/giantswarm/apiextensions-application, commit b11d71e (after 0.6.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.shapes import resource

if TYPE_CHECKING:
    from krm_values._krm.shapes import Shape

_NAMESPACED = {"name": None, "namespace": None}
_CONFIG: Shape = {"configMap": _NAMESPACED, "secret": _NAMESPACED}
_STORAGE = {"URL": None, "type": None}
_TIMEOUT = {"timeout": None}
_CATALOG: Shape = {"config": _CONFIG, "description": None, "logoURL": None, "storage": _STORAGE, "title": None}

SHAPES: dict[str, Shape] = {
    "App": resource(
        spec={
            "catalog": None,
            "catalogNamespace": None,
            "config": _CONFIG,
            "extraConfigs": [{"kind": None, **_NAMESPACED, "priority": None}],
            "install": {"skipCRDs": None, **_TIMEOUT},
            "kubeConfig": {"context": {"name": None}, "inCluster": None, "secret": _NAMESPACED},
            **_NAMESPACED,
            "namespaceConfig": {"annotations": None, "labels": None},
            "rollback": _TIMEOUT,
            "uninstall": _TIMEOUT,
            "upgrade": _TIMEOUT,
            "userConfig": _CONFIG,
            "version": None,
        }
    ),
    "Catalog": resource(spec={**_CATALOG, "repositories": [_STORAGE]}),
    "AppCatalog": resource(spec=_CATALOG),
}
"""The shape of a whole object by kind."""
