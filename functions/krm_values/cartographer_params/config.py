"""The functionConfig of cartographer-params."""

from __future__ import annotations

from typing import Any, Literal, Self

from krm_values._kit.config.model import Config, Field, model_validator


class Source(Config):
    """A source as a step hands it on."""

    url: Any
    """Where the source lies."""

    revision: Any
    """Which revision of it."""


class StepOutput(Config, json_schema_extra={"minProperties": 1, "maxProperties": 1}):
    """The output of a step: exactly one of the three."""

    source: Source = Field(None)  # type: ignore[assignment]  # may be absent, but is never null
    """What a source or deployment step hands on."""

    image: Any = None
    """What an image step hands on."""

    config: Any = None
    """What a config step hands on."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("must have exactly one of `source`, `image` and `config`")
        return self


class CartographerParams(Config):
    """Resolves the params of supply chains and deliveries and stamps their objects."""

    emit: list[Literal["params", "objects"]] = Field(["params", "objects"])
    """What is written: `params` one ResolvedParams per owner, `objects` what its chain stamps. The plan is the same."""

    precedence: Literal["released", "rfc0010"] = "released"
    """`released` as every release of Cartographer does; `rfc0010`: where the chain is silent, the template's default counts and the owner's value does not."""

    step_outputs: dict[str, dict[str, StepOutput]] = Field({})
    """What only a cluster knows: by owner (`<Kind>/<namespace>/<name>` or `*`), then by step."""

    rename: dict[str, dict[str, dict[str, str]]] = Field({})
    """Params that a step reads from another of the owner's names: by chain (`<kind>/<name>`), step and param."""

    scoped: bool = False
    """Whether an owner's param `step/name` feeds `name` of that step alone."""

    owner_references: bool = False
    """Whether stamped objects name their owner in `metadata.ownerReferences`, if it has a uid."""

    ytt: bool = False
    """Whether `spec.ytt` must be rendered, by the program that whoever runs this names; else such steps are left out with a warning."""

    strict: bool = False
    """Whether warnings are errors."""
