"""What packages read and patch: a ConfigMap env, a Secret vault, and a Thing with any spec."""

from __future__ import annotations

from typing import Any

THING = {"apiGroup": "aviary.example/v1", "kind": "Thing", "name": "thing"}
"""The thing, as a target or source names it."""


def named(name: str, namespace: str | None) -> dict[str, str]:
    return {"name": name, **({"namespace": namespace} if namespace else {})}


def config_map(name: str = "env", namespace: str | None = "aviary", **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named(name, namespace), "data": data or {"MODE": "calm"}}


def secret(name: str = "vault", namespace: str | None = "aviary", **texts: str) -> dict[str, Any]:
    held = texts or {"token": "kelp-moss"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": named(name, namespace), "stringData": held}


def thing(spec: Any, name: str = "thing", namespace: str | None = "aviary") -> dict[str, Any]:
    return {"apiVersion": THING["apiGroup"], "kind": THING["kind"], "metadata": named(name, namespace), "spec": spec}
