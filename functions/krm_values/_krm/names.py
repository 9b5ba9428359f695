"""The names of a function in Python, in a kind and on the command line, and the project's API group."""

from __future__ import annotations

import re

from krm_values._data.record import record

GROUP = "krm-values.dev"
OWN = f"{GROUP}/"
"""What the project's annotations begin with."""
API_VERSION = f"{GROUP}/v1alpha1"
ATTRIBUTE = "x-attribute"
"""A keyword of ours beside those of JSON Schema: the attribute name of a property."""
UNDO, MADE_BY, MADE_FROM = "undo.", "generated-by", "generated-from"
"""Annotations of the group: what those of undo records begin with; which function generated an object; and from which resource."""
RECORD = f"{GROUP}/{UNDO}"
_IN_KEY, _LONGEST_KEY = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"), 63
"""What Kubernetes takes as the name of an annotation, and its length."""
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The names of files that kustomize reads as something else than resources."""


@record
class Writer:
    """The identity under which a step writes: its function, and name and namespace of its functionConfig ("" if it has none).

    named: whether configs of the function run side by side, each with its own generated objects, which the config's name keeps apart.
    """

    function: str
    config: str = ""
    namespace: str = ""
    named: bool = False

    def key(self, package: str = "") -> str:
        """Return the name under which an undo record is kept: `layered-values.web`, `layered-values.web_shop` with a namespace.

        package: the path from the config's package to the resource's, so that two packages may have configs of one name:
        `layered-values.web__base` is that of the package around `base`. What an annotation cannot carry is in it as a digest.
        """
        parts = f"{self.config}_{self.namespace}_{package}".rstrip("_")
        if not parts:
            return self.function
        text = parts.replace("/", ".")
        is_fit = _IN_KEY.fullmatch(text) and len(UNDO) + len(self.function) + 1 + len(text) <= _LONGEST_KEY
        return f"{self.function}.{text if is_fit else _digest(parts)}"

    @property
    def title(self) -> str:
        """What messages call it: `LayeredValues web`."""
        name = f"{self.namespace}/{self.config}" if self.namespace else self.config
        return f"{kind(self.function)} {name}".rstrip()

    @property
    def label(self) -> str:
        """The config as an undo record names it, `LayeredValues//web`; "" for a function whose records name the resources that it read."""
        return f"{kind(self.function)}/{self.namespace}/{self.config}" if self.named else ""

    @property
    def source(self) -> str:
        """The prefix of the marks of its generated objects, `LayeredValues.krm-values.dev//web/`; "" if all objects of the function are its own."""
        return f"{kind(self.function)}.{GROUP}//{self.config}/" if self.named else ""


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 - for long names only

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def argument(name: str) -> str:
    """Convert `krm_values.tekton_params` or `TektonParams` to `tekton-params`."""
    last = name.rsplit(".", 1)[-1]
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
