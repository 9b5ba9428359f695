"""Joins the templates beside this module into one file: skeleton, style, script and data.

`string.Template` suffices, since the script creates all elements; importing Jinja2 takes 40 ms, this 1 ms.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_HERE = Path(__file__).parent
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters with a meaning in HTML or JavaScript, as JSON escapes them."""
FIRST_LINE = "<!doctype html><!-- a page of krm-values -->"
"""The first line of each page, by which a page is recognized and may be overwritten."""


def page(data: dict[str, Any]) -> bytes:
    """Return the page. Its content security policy allows its own style and script, by hash, and nothing else."""
    style, script = _template("page.css"), _template("page.js")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    whole = Template(_template("page.html")).substitute(
        first=FIRST_LINE, policy=policy, style=style, script=script, data=embedded(data)
    )
    return whole.encode()


def embedded(data: dict[str, Any]) -> str:
    """Return the data as JSON that cannot close the element that contains it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def _template(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
