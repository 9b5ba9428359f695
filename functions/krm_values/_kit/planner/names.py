"""The names of a function in Python, in a kind and on the command line, and the project's API group."""

from __future__ import annotations

GROUP = "krm-values.dev"
API_VERSION = f"{GROUP}/v1alpha1"


def argument(module: str) -> str:
    """`krm_values.tekton_params` or `TektonParams` to `tekton-params`."""
    last = module.rsplit(".", 1)[-1]
    if last[:1].isupper():
        last = "".join("_" + c.lower() if c.isupper() else c for c in last)[1:]
    return last.replace("_", "-")


def module(name: str) -> str:
    """`tekton-params` to `tekton_params`."""
    return name.replace("-", "_")


def kind(name: str) -> str:
    """`tekton-params` to `TektonParams`."""
    return "".join(part.capitalize() for part in name.split("-"))


def script(name: str) -> str:
    """`tekton-params` to `krm-tekton-params`."""
    return f"krm-{name}"
