"""The three examples of the RFC (giantswarm/rfc, multi-layer-app-config), as printed and with what the API asks for."""

from __future__ import annotations

import pytest

from krm_values._yaml import decode
from tests.functions.giantswarm_config.support import catalog, config_map, ref, run, secret, told

EMPTY = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
spec:
  catalog: giantswarm
  config:
    configMap:
      name: ingress-controller-values
      namespace: m2m01
  configs: []  # <-- new
  name: ingress-nginx
  namespace: kube-system
  userConfig:
    configMap:
      name: ingress-nginx-user-values
      namespace: m2m01
  version: 2.7.0
"""
NO_PRIORITY = EMPTY.replace(
    "configs: []  # <-- new",
    """configs:
  - kind: secret
    name: ingress-nginx-admin-login
    namespace: m2m01
  - kind: configMap
    name: ingress-nginx-admin-account
    namespace: m2m01""",
)
PRIORITIES = EMPTY.replace(
    "configs: []  # <-- new",
    """configs:
  - kind: configMap
    name: ingress-nginx-post-user
    namespace: m2m01
    priority: 125
  - kind: configMap
    name: ingress-nginx-pre-user
    namespace: m2m01
    priority: 75
  - kind: configMap
    name: ingress-nginx-pre-cluster
    namespace: m2m01
  - kind: configMap
    name: ingress-nginx-final
    namespace: m2m01
    priority: 125
  - kind: configMap
    name: ingress-nginx-high-priority
    namespace: m2m01
    priority: 10""",
)
CATALOG = "giantswarm-catalog"
ORDERS = [
    (EMPTY, [(CATALOG, 0), ("ingress-controller-values", 50), ("ingress-nginx-user-values", 100)], [CATALOG]),
    (
        NO_PRIORITY,
        [
            (CATALOG, 0),
            ("ingress-nginx-admin-account", 25),
            ("ingress-controller-values", 50),
            ("ingress-nginx-user-values", 100),
        ],
        [CATALOG, "ingress-nginx-admin-login"],
    ),
    (
        PRIORITIES,
        [
            (CATALOG, 0),
            ("ingress-nginx-high-priority", 10),
            ("ingress-nginx-pre-cluster", 25),
            ("ingress-controller-values", 50),
            ("ingress-nginx-pre-user", 75),
            ("ingress-nginx-user-values", 100),
            ("ingress-nginx-post-user", 125),
            ("ingress-nginx-final", 125),
        ],
        [CATALOG],
    ),
]
NAMES = {name for _, maps, secrets in ORDERS for name in (*(name for name, _ in maps), *secrets)}


def completed(text):
    """With a name, the field's name as it is, and a cluster."""
    data = decode.to_data(decode.parse(text.replace("configs:", "extraConfigs:")))
    data["metadata"] = {"name": "ingress-nginx", "namespace": "m2m01"}
    data["spec"]["kubeConfig"] = {"inCluster": False, "context": {"name": "m2m01"}}
    return data


def around():
    """A Catalog and every object that one of the examples names."""
    shelf = catalog("giantswarm", "giantswarm", configMap=ref(CATALOG, "m2m01"), secret=ref(CATALOG, "m2m01"))
    held = [config_map(name, f"last: {name}\n", namespace="m2m01") for name in sorted(NAMES)]
    return [shelf, *held, *(secret(name, f"{name}: 1\n", namespace="m2m01") for name in sorted(NAMES))]


@pytest.mark.parametrize(("text", "maps", "secrets"), ORDERS)
def test_the_merge_order_is_the_one_the_rfc_lists(text, maps, secrets):
    state = run(completed(text), *around())
    assert told(state, "error") == []
    notes = {note.subject.rpartition(" ")[2]: note.data for note in state.outcome.notes if note.topic == "layers"}
    assert [(layer["name"], layer["priority"]) for layer in notes["ConfigMap"]] == maps
    assert [layer["name"] for layer in notes["Secret"]] == secrets


@pytest.mark.parametrize("text", [EMPTY, NO_PRIORITY, PRIORITIES])
def test_as_printed_the_field_configs_is_an_error_with_the_right_name(text):
    data = decode.to_data(decode.parse(text))
    data["metadata"] = {"name": "ingress-nginx"}
    state = run(data, *around())
    (error,) = told(state, "error")
    assert error == (
        "stdin:12:5: App ingress-nginx `spec.configs`: is not a field of App, so its layers never apply; rename it to `spec.extraConfigs`"
    )
    assert "`spec.kubeConfig`" in told(state, "warning")[0]
