"""What the tags of a template name."""

from __future__ import annotations

from krm_values._kit.jsonpathnodes import Field
from krm_values.cartographer_params import jsonpath
from krm_values.cartographer_params.template import expressions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON


def parts(expression: str) -> list[str] | None:
    """The names of a path, "" where a part is no plain name; None if it does not parse."""
    try:
        return [node.name if isinstance(node, Field) else "" for node in jsonpath.read(expression)]
    except jsonpath.PathError:
        return None


def params(template: JSON) -> list[str]:
    """The params that a template's tags name, once each; "" where one may take any of them."""
    found = [names for expression in expressions(template) if (names := parts(expression))]
    return list(dict.fromkeys(names[1] if len(names) > 1 else "" for names in found if names[0] == "params"))
