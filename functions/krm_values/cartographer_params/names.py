"""The names to which the tags of a template refer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.jsonpath.nodes import Field
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.tags import expressions

if TYPE_CHECKING:
    from krm_values._data.values import JSON

OWNERS = ("workload", "deliverable", "runnable")
"""The names of the owner in tags."""
_OWNERS = ("workload", "deliverable", "")
_LIST = ("spec", "params")


def parts(expression: str) -> list[str] | None:
    """Return the names of a path, "" for a part that is not a plain name; None if it does not parse."""
    try:
        return [node.name if isinstance(node, Field) else "" for node in paths.read(expression)]
    except paths.PathError:
        return None


def plain(expression: str) -> tuple[str, ...]:
    """Return the names with which a path begins, up to the first part that is not a plain name."""
    found = parts(expression) or []
    return tuple(found[: found.index("")] if "" in found else found)


def params(template: JSON) -> list[str]:
    """Return the params to which a template's tags refer, once each; "" if a tag may refer to any."""
    found = [names for expression in expressions(template) if (names := parts(expression))]
    return list(dict.fromkeys(names[1] if len(names) > 1 else "" for names in found if names[0] in ("params", "")))


def takes_owner_params(template: JSON) -> bool:
    """Return whether a tag may read `spec.params` of the owner: by itself or as part of the owner."""
    found = (names for expression in expressions(template) if (names := parts(expression)))
    return any(
        names[0] in _OWNERS and all(name in (wanted, "") for name, wanted in zip(names[1:], _LIST, strict=False))
        for names in found
    )
