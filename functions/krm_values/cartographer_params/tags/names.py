"""What the tags of a template name."""

from __future__ import annotations

from krm_values._golang.jsonpath.nodes import Field
from krm_values.cartographer_params.api import paths
from krm_values.cartographer_params.tags.tags import expressions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON

_OWNERS = ("workload", "deliverable", "")
_LIST = ("spec", "params")


def parts(expression: str) -> list[str] | None:
    """The names of a path, "" where a part is no plain name; None if it does not parse."""
    try:
        return [node.name if isinstance(node, Field) else "" for node in paths.read(expression)]
    except paths.PathError:
        return None


def params(template: JSON) -> list[str]:
    """The params that a template's tags name, once each; "" where one may take any of them."""
    found = [names for expression in expressions(template) if (names := parts(expression))]
    return list(dict.fromkeys(names[1] if len(names) > 1 else "" for names in found if names[0] in ("params", "")))


def takes_owner_params(template: JSON) -> bool:
    """Whether a tag may read the params of the owner as the owner lists them: alone, or with all of it."""
    found = (names for expression in expressions(template) if (names := parts(expression)))
    return any(
        names[0] in _OWNERS and all(name in (wanted, "") for name, wanted in zip(names[1:], _LIST, strict=False))
        for names in found
    )
