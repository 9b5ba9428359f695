"""`krm-values fleet job`: prints a Kubernetes Indexed Job that renders the shards of a fleet. It applies nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

_RETRIES = 2


def run(options: Namespace) -> int:
    """Print the Job and return the exit code."""
    if options.shards < 1:
        raise UsageError("`--shards` must be a whole number from 1 on")
    print("\n".join(emit.block(job(options.shards, options.image))))
    return 0


def job(shards: int, image: str) -> dict[str, Any]:
    """Return the Job: an index for each shard, which reads the fleet from one volume and writes its bundle to another."""
    words = ["fleet", "render", "/fleet", "--shard", str(shards), "--bundle", "/bundles/$(JOB_COMPLETION_INDEX).bundle"]
    container = {
        "name": "render",
        "image": image,
        "args": words,
        "resources": {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "fleet", "mountPath": "/fleet", "readOnly": True},
            {"name": "bundles", "mountPath": "/bundles"},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - in the container
        ],
    }
    pod = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 65532,
            "fsGroup": 65532,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [container],
        "volumes": [
            {"name": "fleet", "persistentVolumeClaim": {"claimName": "fleet", "readOnly": True}},
            {"name": "bundles", "persistentVolumeClaim": {"claimName": "bundles"}},
            {"name": "tmp", "emptyDir": {}},
        ],
    }
    spec = {
        "completions": shards,
        "parallelism": shards,
        "completionMode": "Indexed",
        "backoffLimitPerIndex": _RETRIES,
        "template": {"spec": pod},
    }
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "krm-values-fleet"}, "spec": spec}
