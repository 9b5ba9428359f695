"""The fields of Glasskube's objects, and of the parts of a manifest that this function does not read.

Source: glasskube/glasskube `api/v1alpha1` (package_types, packageinfo_types, package_manifest, common) at b0d877d.
"""

from __future__ import annotations

from krm_values._kit.planner.fields import resource

PACKAGE = resource(spec=None)
"""Of a Package or ClusterPackage; `manifest/packages` checks the fields of its spec."""
PACKAGE_INFO = resource(spec=dict.fromkeys(("name", "version", "repositoryUrl")))
WRAPPER = resource(spec=None)
"""Of a PackageManifest, a kind of krm-values; `manifest/candidates` checks the fields of its spec."""

REFERENCES = [dict.fromkeys(("label", "url"))]
DEPENDENCIES = [dict.fromkeys(("name", "version"))]
COMPONENTS = [{"name": None, "installedName": None, "version": None, "values": {"*": {"value": None}}}]
ENTRYPOINTS = [dict.fromkeys(("name", "serviceName", "port", "localPort", "scheme"))]
TRANSITIVE = [dict.fromkeys(("apiGroup", "kind", "name"))]
