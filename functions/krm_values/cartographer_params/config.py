"""The functionConfig of cartographer-params."""

from __future__ import annotations

from typing import Any, Literal, Self

from krm_values._krm.model import Config, Field, FunctionConfig, model_validator


class Source(Config):
    """A source as a step hands it on."""

    url: Any
    """The location of the source."""

    revision: Any
    """The revision of the source."""


class StepOutput(Config, json_schema_extra={"minProperties": 1, "maxProperties": 1}):
    """The output of a step: exactly one of `source`, `image` and `config`."""

    source: Source = Field(None)  # type: ignore[assignment]  # may be absent, but is never null
    """The output of a source or deployment step."""

    image: Any = None
    """The output of an image step."""

    config: Any = None
    """The output of a config step."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("must have exactly one of `source`, `image` and `config`")
        return self


class CartographerParams(FunctionConfig):
    """The configuration of a run that resolves the params of supply chains and deliveries and stamps their objects."""

    emit: list[Literal["params", "objects"]] = Field(["params", "objects"])
    """What is written: `params` one ResolvedParams per owner, `objects` the objects that its chain stamps. Everything is checked in any case."""

    precedence: Literal["released", "rfc0010"] = "released"
    """`released`: as in every release of Cartographer; `rfc0010`: where the chain has no entry for a param, the template's default counts and the owner's value is ignored, and an entry may have neither `value` nor `default`."""

    step_outputs: dict[str, dict[str, StepOutput]] = Field({})
    """Outputs that are known in the cluster only: by owner (`<Kind>/<namespace>/<name>` or `*`), then by step."""

    rename: dict[str, dict[str, dict[str, str]]] = Field({})
    """The name of the owner's param that a step reads instead of its own: by chain (`<kind>/<name>`), step and param."""

    workload_param_names: bool = False
    """Whether `workload-param-name` of a param entry names the owner's param that sets it, an idea of RFC 0010; else it is an error."""

    scoped: bool = False
    """Whether an owner's param `step/name` sets `name` of that step only."""

    owner_references: bool = False
    """Whether stamped objects have `metadata.ownerReferences`, if their owner has a uid."""

    ytt: bool = False
    """Whether templates with `spec.ytt` are rendered, by the program that `--ytt` or `KRM_VALUES_YTT` names; otherwise their steps are skipped with a warning."""

    strict: bool = False
    """Whether warnings are errors."""
