"""The functionConfig of tekton-params."""

from __future__ import annotations

from typing import Any, Literal, Self

from krm_values._krm.model import FunctionConfig, model_validator

_NEEDS_REFERENCES: dict[str, Any] = {
    "if": {"properties": {"referenceDefaults": {"const": True}}, "required": ["referenceDefaults"]},
    "then": {"properties": {"references": {"const": True}}, "required": ["references"]},
}


class TektonParams(FunctionConfig, json_schema_extra=_NEEDS_REFERENCES):
    """Passes Tekton params to every embedded spec and writes the result out."""

    mode: Literal["implicit", "propagate"] = "implicit"
    """`implicit` passes every outer name to every embedded spec (TEP-0023); `propagate` only names that are used or declared (TEP-0107)."""

    references: bool = False
    """Whether to also pass what Tasks, Pipelines and StepActions of the list require, and to check runs against what they refer to."""

    reference_defaults: bool = False
    """Whether to pass params of referenced objects that have a default of their own; needs `references`."""

    strict: bool = False
    """Whether warnings are errors."""

    record: bool | None = None
    """Whether undo records are kept in annotations; if not given, in resources that have one of another function, but not under kustomize."""

    @model_validator(mode="after")
    def _defaults_need_references(self) -> Self:
        if self.reference_defaults and not self.references:
            raise ValueError("`referenceDefaults` needs `references: true`")
        return self
