"""Selectors of chains and options: label pairs, label expressions and field requirements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.kind_names import SUPPLY_CHAIN

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values.cartographer_params.typed_fields import Fields

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_SOURCE = ("source", "source.git", "source.git.url", "source.git.ref", "source.git.ref.branch", "source.git.ref.tag")
_BOTH = (*_SOURCE, "source.git.ref.commit", "source.image", "source.subPath", "serviceAccountName")
_PATHS = {
    True: tuple(f"spec.{field}" for field in (*_BOTH, "build", "image")),
    False: tuple(f"spec.{field}" for field in _BOTH),
}
_PREFIXES = {
    True: ("spec.params", "spec.build.env", "spec.env", "spec.resources", "spec.serviceClaims", "metadata"),
    False: ("spec.params", "metadata"),
}


@record
class Requirement:
    """A requirement on the label or field `key`. A label pair is `In` with one value."""

    key: str
    operator: str
    values: tuple[str, ...]
    path: Path

    @property
    def text(self) -> str:
        """`lane In (a, b)`."""
        return f"{self.key} {self.operator}" + (f" ({', '.join(self.values)})" if self.values else "")


@record
class Selector:
    """The requirements of a selector; their count decides between several that fit."""

    labels: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]

    @property
    def count(self) -> int:
        return len(self.labels) + len(self.fields)

    @property
    def asks(self) -> frozenset[tuple[str, str, str, tuple[str, ...]]]:
        """The requirements without their paths, to compare selectors."""
        labels = [("label", one.key, one.operator, one.values) for one in self.labels]
        return frozenset([*labels, *(("field", one.key, one.operator, one.values) for one in self.fields)])


def read(fields: Fields, pairs: Path, expressions: Path, match_fields: Path, chain_kind: str) -> Selector:
    """Read the selector whose three parts are at these paths."""
    labels = [
        Requirement(key, "In", (value,), (*pairs, key))
        for key, value in ((key, fields.string((*pairs, key), "41")) for key in fields.map(pairs, "41"))
    ]
    labels += [_requirement(fields, path, "43") for path in fields.maps(expressions, "43")]
    asked = [_field(fields, path, is_workload=chain_kind == SUPPLY_CHAIN) for path in fields.maps(match_fields, "30")]
    return Selector(tuple(labels), tuple(asked))


def _requirement(fields: Fields, path: Path, rule: str) -> Requirement:
    key, operator = fields.string((*path, "key"), rule), fields.string((*path, "operator"), rule)
    values = fields.strings((*path, "values"), rule)
    if not key:
        fields.error(rule, "selector-key", path, "must have a `key`")
    if operator not in _OPERATORS:
        near = suggest.nearest(operator, _OPERATORS)
        hint = f"; did you mean `{near}`?" if near else ""
        text = f"must be one of `In`, `NotIn`, `Exists` and `DoesNotExist`; found {{found}}{hint}"
        fields.error(rule, "operator", (*path, "operator"), text, operator)
    elif operator in _OPERATORS[:2] and not values:
        fields.error(rule, "operator-values", path, f"must have `values`: `{operator}` compares with them")
    elif operator in _OPERATORS[2:] and values:
        fields.error(rule, "operator-values", (*path, "values"), f"must be absent: `{operator}` takes none")
    return Requirement(key, operator, values, path)


def _field(fields: Fields, path: Path, *, is_workload: bool) -> Requirement:
    asked = _requirement(fields, path, "30")
    if not asked.key:
        return asked
    known, prefixes = _PATHS[is_workload], _PREFIXES[is_workload]
    if asked.key not in known and not asked.key.startswith(prefixes):
        below = _relative(asked.key)
        hint = f"; it is relative to the owner: `{below}`" if below else suggest.hint(asked.key, (*known, *prefixes))
        begins = ", ".join(f"`{prefix}`" for prefix in prefixes)
        text = f"must be a path of the owner that admission allows (`spec.source`, ... or one that begins with {begins}); found {{found}}{hint}"
        fields.error("30", "field-key", (*path, "key"), text, asked.key)
    else:
        _parse(fields, path, asked.key)
    return asked


def _parse(fields: Fields, path: Path, key: str) -> None:
    try:
        paths.read(key)
    except paths.PathError as error:
        fields.error("30", "field-key", (*path, "key"), f"must be a JSONPath; found {{found}}, which {error.fact}", key)


def _relative(key: str) -> str:
    """Return the key without the prefix of older documentation (`workload.`, `deliverable.` or a dot), "" if it has none."""
    for prefix in ("workload.", "deliverable.", "."):
        if key.startswith(prefix):
            return key[len(prefix) :]
    return ""
