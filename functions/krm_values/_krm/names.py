"""The names of a function in Python, in a kind and on the command line, and the project's API group."""

from __future__ import annotations

from krm_values._data.record import record

GROUP = "krm-values.dev"
API_VERSION = f"{GROUP}/v1alpha1"
ATTRIBUTE = "x-attribute"
"""A keyword of ours beside those of JSON Schema: the attribute name of a property."""
UNDO, MADE_BY, MADE_FROM = "undo.", "generated-by", "generated-from"
"""Annotations of the group: the prefix of undo records, and what says which function generated an object, from which resource."""
RECORD = f"{GROUP}/{UNDO}"
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The names of files that kustomize reads as something else than resources."""


@record
class Writer:
    """The identity under which a run writes: a function and, where several of its configs may run side by side, the config's name."""

    function: str
    config: str = ""

    @property
    def key(self) -> str:
        """The name under which an undo record is kept: `layered-values.web`."""
        return f"{self.function}.{self.config}" if self.config else self.function

    @property
    def label(self) -> str:
        """The config as an undo record names it, `LayeredValues//web`; "" for a function whose records name the resources that it read."""
        return f"{kind(self.function)}//{self.config}" if self.config else ""

    @property
    def source(self) -> str:
        """The prefix of the marks of its generated objects, `LayeredValues.krm-values.dev//web/`; "" if all objects of the function are its own."""
        return f"{kind(self.function)}.{GROUP}//{self.config}/" if self.config else ""


def argument(module: str) -> str:
    """Convert `krm_values.tekton_params` or `TektonParams` to `tekton-params`."""
    last = module.rsplit(".", 1)[-1]
    if last[:1].isupper():
        last = "".join("_" + c.lower() if c.isupper() else c for c in last)[1:]
    return last.replace("_", "-")


def module(name: str) -> str:
    """Convert `tekton-params` to `tekton_params`."""
    return name.replace("-", "_")


def kind(name: str) -> str:
    """Convert `tekton-params` to `TektonParams`."""
    return "".join(part.capitalize() for part in name.split("-"))


def script(name: str) -> str:
    """Convert `tekton-params` to `krm-tekton-params`."""
    return f"krm-{name}"
