"""Value templates: Go's text/template with one value, whose output encoding/json reads.

Supported are text, comments, trim marks, `.`, string literals, `true` and `false`, parentheses, pipelines, `if`, `with`, `else`, `end`, and
the functions `eq`, `ne`, `not`, `and`, `or`, `len`, `base64` and `printf "%q"`. Everything else is an error that names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._golang.encoding_json import JsonError, decode
from krm_values._golang.template.error import TemplateError
from krm_values._golang.template.evaluator import text_of
from krm_values._golang.template.parser import parse

if TYPE_CHECKING:
    from krm_values._data.values import JSON

__all__ = ["Rendered", "TemplateError", "check", "render"]


@record
class Rendered:
    """A template's output: its text, and its value as JSON."""

    text: str
    value: JSON


def render(template: str, dot: JSON, *, alias: bool = False) -> Rendered:
    """Execute a template on a value: the string of a value definition, or any value that a transformation found.

    alias: whether `.value` is the dot. Raises TemplateError, whose `stage` is `parse`, `execute` or `json`.
    """
    text = text_of(parse(template), dot, alias=alias)
    try:
        return Rendered(text, decode(text))
    except JsonError as error:
        raise TemplateError("json", f"the result is not JSON: {error.message}", rendered=text) from None


def check(template: str) -> None:
    """Raise TemplateError if the template cannot be parsed, or uses what is not supported."""
    parse(template)
