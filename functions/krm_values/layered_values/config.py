"""The functionConfig of layered-values."""

from __future__ import annotations

from typing import Any, Literal

from krm_values._krm.model import Config, Field, FunctionConfig


class Selector(Config):
    """Selects resources by their header; an absent field matches all, and at least one field is required."""

    api_version: str | None = None
    """Their apiVersion; `*` stands for any run of characters."""

    kind: str | None = None
    """Their kind; `*` as above."""

    name: str | None = None
    """Their name; `*` as above."""

    namespace: str | None = None
    """Their namespace; `*` as above."""

    labels: dict[str, str] | None = None
    """Labels that they all have; the value `*` stands for any."""


class Split(Config):
    """The piece of a string between separators."""

    split: str
    """The separator."""

    index: int
    """Which piece, counted from 0."""


class By(Config):
    """A merge strategy for lists of maps, which merge element by element."""

    by: str
    """The key by whose value elements are the same."""


class Layer(Config):
    """One layer: exactly one of `configMap`, `secret`, `from` and `values`."""

    config_map: str | None = None
    """The name of a ConfigMap."""

    secret: str | None = None
    """The name of a Secret."""

    from_: Selector | None = Field(None, alias="from")
    """The one resource that a field is read from."""

    values: dict[str, Any] | None = None
    """Values written here."""

    namespace: str | None = None
    """The namespace of the ConfigMap or Secret; any if it is not given."""

    key: str | None = None
    """The data key of the ConfigMap or Secret; `*` makes each key a value. Without it the object must have exactly one."""

    path: str | None = None
    """The part that is taken: of the resource, or within the string of a ConfigMap or Secret."""

    at: str | None = None
    """Where in the values it is put; a scalar or a list needs it."""

    part: Literal["registry", "repository", "name", "tag", "digest"] | Split | None = None
    """The piece of a string that is taken."""

    name: str | None = None
    """What explain and errors call the layer; the name of its object if it is not given."""

    priority: int = 0
    """Layers with a higher one are merged later, over the others."""

    optional: bool = False
    """Whether its object, key, path or part may be absent."""

    when: Selector | None = None
    """The targets that the layer counts for; all if it is not given."""


class SchemaSource(Config):
    """A ConfigMap, a Secret or a field that holds a JSON Schema."""

    config_map: str | None = None
    """The name of a ConfigMap."""

    secret: str | None = None
    """The name of a Secret."""

    from_: Selector | None = Field(None, alias="from")
    """The one resource that it is read from."""

    namespace: str | None = None
    """The namespace of the ConfigMap or Secret; any if it is not given."""

    key: str | None = None
    """The data key of the ConfigMap or Secret."""

    path: str | None = None
    """The part that is taken."""


class Value(Config):
    """The value of a field."""

    value: str
    """The path of the value in the merged document; `.` is the whole document."""

    part: Literal["registry", "repository", "name", "tag", "digest"] | Split | None = None
    """The piece of the field that is written."""

    as_: Literal["text", "number", "boolean", "yaml", "json"] | None = Field(None, alias="as")
    """The form in which it is written; by the field's type if it is not given."""

    missing: Literal["error", "create", "skip"] | None = None
    """What is done where the field is absent; as the target says if it is not given."""

    optional: bool = False
    """Whether the field is left alone where no layer sets the value."""


class Target(Config):
    """A generated ConfigMap or Secret, or fields of selected resources."""

    config_map: str | None = None
    """The name of a ConfigMap that is generated."""

    secret: str | None = None
    """The name of a Secret that is generated."""

    key: str | None = None
    """The data key of the generated object, `values.yaml` if it is not given; `*` makes a key of each value."""

    value: str | None = None
    """The path of the value that the generated object holds; the whole document if it is not given."""

    as_: Literal["yaml", "json"] | None = Field(None, alias="as")
    """The form of the generated text; by the suffix of the key if it is not given."""

    api_version: str | None = None
    """The apiVersion of the selected resources; `*` stands for any run of characters."""

    kind: str | None = None
    """Their kind; `*` as above."""

    name: str | None = None
    """Their name; `*` as above."""

    namespace: str | None = None
    """Their namespace, `*` as above; of a generated object the namespace that it gets."""

    labels: dict[str, str] | None = None
    """Labels that they all have; the value `*` stands for any."""

    fields: dict[str, str | Value | list[Value]] | None = None
    """By the path of a field the path of its value, or more about it; a list writes several parts of one field."""

    missing: Literal["error", "create", "skip"] | None = None
    """What is done where a field is absent: an `error` if it is not given, or `create` it, or `skip` the resource."""

    optional: bool = False
    """Whether there may be no such resource."""

    allow_secrets: bool = False
    """Whether values from Secrets may be written here although it is not a Secret."""


class LayeredValues(FunctionConfig):
    """Merges values in layers and writes them into generated objects or fields of any resource."""

    layers: list[Layer]
    """The layers, in merge order: later ones override earlier ones."""

    targets: list[Target]
    """Where the merged values are written."""

    merge: dict[str, Literal["merge", "replace", "append", "prepend", "unique"] | By] = Field({})
    """How the values at a path are merged, if not as usual: maps key by key, everything else replaced."""

    nulls: Literal["keep", "remove"] = "keep"
    """`keep` writes keys whose merged value is null, so that Helm drops the chart's default; `remove` omits them."""

    schema_: dict[str, Any] | None = Field(None, alias="schema")
    """The JSON Schema that merged documents must fit, and its defaults, which are the lowest layer."""

    schema_from: SchemaSource | None = None
    """Where that schema is, if it is not written here."""

    references: bool = True
    """Whether a map `{$value: PATH}` stands for the value at that path."""

    strict: bool = False
    """Whether warnings are errors."""
