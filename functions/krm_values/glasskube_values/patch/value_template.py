"""A value template: Go's text/template of one text, and what encoding/json reads of its output.

Of the language: text, comments, trim marks, `.`, text literals, `true` and `false`, parentheses, pipelines, `if`, `with`, `else`, `end`, and
the functions `eq`, `ne`, `not`, `and`, `or`, `len`, `base64` and `printf "%q"`. Everything else is refused by name.
"""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._golang.encoding_json import JsonError, decode
from krm_values._golang.template.error import TemplateError
from krm_values._golang.template.evaluator import text_of
from krm_values._golang.template.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON

__all__ = ["Rendered", "TemplateError", "check", "render"]


@record
class Rendered:
    """A template's output: its `text`, and the JSON `value` that it is."""

    text: str
    value: JSON


def render(template: str, dot: JSON, *, alias: bool = False) -> Rendered:
    """Execute a template on a value: the text of a value definition, or whatever a transformation found.

    alias: `.value` is the dot. TemplateError, whose `stage` is `parse`, `execute` or `json`.
    """
    text = text_of(parse(template), dot, alias=alias)
    try:
        return Rendered(text, decode(text))
    except JsonError as error:
        raise TemplateError("json", f"the result is not JSON: {error.message}", rendered=text) from None


def check(template: str) -> None:
    """TemplateError where the template cannot be parsed, or uses what is refused."""
    parse(template)
