"""The page of `--html`, judged in the browser: texts that want to be HTML, script or style, and links that want to be more than links."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import re
import threading
from typing import TYPE_CHECKING, Any

from tests.cli.packages import kptfile
from tests.hostile.attack import Attack
from tests.hostile.families.parts import config_map, release, text, values
from tests.hosts.machine import lacking
from tests.page.browser import Browser, program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.hostile.attack import Ended
    from tests.page.browser import Page

EXPLAIN = ("krm-values", "explain", "package", "--html", "page.html")
COMPARE = ("krm-values", "compare", "package", "other", "--html", "page.html")
RUN = "window.attacked=1"
_UNSEEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
_ELEMENTS = (
    "[...document.querySelectorAll('img,iframe,object,embed,a,base,form:not([method=dialog]),link,video,audio,math,foreignObject,"
    "[onerror],[onload],[onclick],[href],[src],[style*=url]')].map(e => e.outerHTML)"
)
_COUNTS = "['script', 'style', 'meta', 'title', 'h1'].map(name => document.getElementsByTagName(name).length)"
_ONE = threading.Lock()
"""The browser talks to one thread at a time."""
_POLLUTED = "[({}).polluted, [].polluted, Object.keys(Object.prototype).length].join()"


@functools.cache
def _browser() -> Browser:
    """One for all pages, each in a tab of its own."""
    found = Browser()
    atexit.register(found.__exit__)
    return found


def _seen(page: Page) -> str:
    """The text that is shown; the parts of a key are beside each other."""
    return str(
        page.evaluate("document.body.innerText + [...document.querySelectorAll('.key')].map(e => e.textContent).join('\\n')")
    )


def stands(shows: str, fragment: str = "") -> Callable[[Path, Ended], None]:
    """Open the page, use it, and see that it is the page and nothing more. shows: a text that must be seen as it is."""

    def judge(root: Path, _: Ended) -> None:
        if program() is None:
            lacking("no Chromium is on PATH")
        with _ONE, contextlib.closing(_browser().page()) as page:
            page.open(root / "page.html", fragment)
            first = _seen(page)
            page.press("End", "Home", "c", "a", "/")
            page.type("<img src=x onerror=window.attacked=1> (a+)+$ [")
            page.press("Escape", "Escape")
            seen = first + _seen(page)
            assert shows in seen, f"{shows!r} is not shown: {seen[:2000]!r}"
            assert not re.search(_UNSEEN, seen), "an invisible character is shown"
            assert page.evaluate("window.attacked") is None, "a script has run"
            assert not (found := page.evaluate(_ELEMENTS)), f"elements were made: {found}"
            assert (found := page.evaluate(_COUNTS)) == [2, 1, 5, 1, 1], f"elements were made: {found}"
            assert (found := page.evaluate(_POLLUTED)) == ",,0", f"a prototype was changed: {found}"
            assert page.evaluate("location.pathname").endswith("/run/page.html"), "it has gone elsewhere"
            assert page.evaluate("getComputedStyle(document.body).display") == "grid", "the page is hidden"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the layout is broken"
            assert not (found := page.messages()), f"the browser says {found}"
            assert not (found := page.requests()), f"the page asks for {found}"

    return judge


def package(layer: Any, where: str = "package") -> dict[str, str | bytes]:
    """A release of one layer; a string is its text."""
    held = layer if isinstance(layer, str) else json.dumps(layer)
    return {
        f"{where}/Kptfile": kptfile("exec: krm-flux-values"),
        f"{where}/release.json": text(release(values())),
        f"{where}/base.json": text(config_map(data={"values.yaml": held})),
    }


def _attack(
    name: str,
    tries: str,
    layer: Any,
    shows: str,
    *,
    fragment: str = "",
    files: Mapping[str, str | bytes] | None = None,
    command: tuple[str, ...] = EXPLAIN,
    code: int = 0,
) -> Attack:
    made = package(layer) if files is None else dict(files)
    return Attack(
        f"page: {name}",
        tries,
        command,
        "",
        code,
        made,
        writes=("page.html", "tmp/any"),
        changed=True,
        check=stands(shows, fragment),
        shows=shows if len(shows) < 120 else f"{shows[:60]}…",
    )


SCRIPT = f"</script><script>{RUN}</script>"
IMAGE = f"<img src=x onerror={RUN}>"
TEMPLATE = "{{constructor.constructor(1)()}} ${script} $data %(x)s <%= 1 %>"
LONG = "k" * 100_000
ATTACKS = [
    _attack("the end of a script in a value", "end the element of the data", {"a": SCRIPT}, SCRIPT),
    _attack("the end of a script in a key", "end the element of the data", {SCRIPT: 1}, SCRIPT),
    _attack("an image in a value", "run a handler", {"a": IMAGE}, IMAGE),
    _attack("an image in a key", "run a handler", {IMAGE: 1}, IMAGE),
    _attack("a comment and a script", "leave the reader of HTML in a script", {"a": "<!--<script>"}, "<!--<script>"),
    _attack("`]]>` and a comment's end", "end a section", {"a": "]]> --> */ \\"}, "]]> --> */ \\"),
    _attack("entities", "become HTML in a second reading", {"a": f"&lt;img src=x onerror={RUN}&gt;"}, "&lt;img src=x"),
    _attack("`javascript:` in key and value", "be a link", {f"javascript:{RUN}": f"javascript:{RUN}"}, f"javascript:{RUN}"),
    _attack("a style sheet", "hide the page", {"</style><style>body{display:none}": "a"}, "</style><style>body{display:none}"),
    _attack(
        "`<meta>` and `<base>`",
        "lead elsewhere",
        {"a": "<meta http-equiv=refresh content=0;url=http://127.0.0.1:9/><base href=http://127.0.0.1:9/>"},
        "<meta http-equiv=refresh",
    ),
    _attack("U+2028 and U+2029", "end a line of the script", {"a": f"x\u2028{RUN}\u2029"}, "\\u2028"),
    _attack("right to left", "show a key backwards", {"a\u202egnp.exe": "\u2066x\u200b"}, "\\u202egnp.exe"),
    _attack("ANSI and a bell", "write to a terminal", {"a": "\x1b]0;x\x07\x1b[2J"}, "\\x1b]0;x\\x07"),
    _attack("a key of 100,000 characters", "break the layout", f"? {LONG}\n: 1\nb: 2\n", "b"),
    _attack("a value of 100,000 characters", "break the layout", {"a": LONG, "b": 2}, "b"),
    _attack(
        "`__proto__` and `constructor`",
        "change the prototype of everything",
        {
            "__proto__": {"polluted": "yes"},
            "constructor": {"prototype": {"polluted": "yes"}},
            "toString": 1,
            "hasOwnProperty": 2,
        },
        "constructor.prototype.polluted",
    ),
    _attack("templates of many kinds", "be filled in", {"a": TEMPLATE}, TEMPLATE),
    _attack(
        "a link that is HTML",
        "become HTML",
        {"a": 1, "b": 2},
        "No value matches.",
        fragment=f"{IMAGE}?q={IMAGE}&show=__proto__&resource=constructor&layer=__proto__",
    ),
    _attack("a link that cannot be decoded", "break the page", {"a": 1}, "a", fragment="%E0%A4%A/%?q=%ZZ&show=%"),
    _attack(
        "a link of 200,000 characters", "hang", {"a": 1}, "No value matches.", fragment="x" * 100_000 + "?q=" + "y" * 100_000
    ),
    _attack("a link to a prototype", "select what is no value", {"a": 1}, "a", fragment="__proto__/constructor"),
    _attack(
        "a file's name",
        "run a handler",
        {},
        "<svg onload=",
        files={**package({}), f"package/'\"><svg onload={RUN}>.json": text(config_map(data={"values.yaml": '{"a": 1}'}))}
        | {"package/base.json": text(config_map("unused"))},
    ),
    _attack(
        "a file's name that is not UTF-8",
        "break the encoding",
        {},
        "\\udcff.json",
        files={**package({}), "package/\udcff.json": text(config_map(data={"values.yaml": '{"a": 1}'}))}
        | {"package/base.json": text(config_map("unused"))},
    ),
    _attack(
        "the package's name",
        "run a handler",
        {},
        IMAGE,
        files=package({"a": 1}, IMAGE),
        command=("krm-values", "explain", f"./{IMAGE}", "--html", "page.html"),
    ),
    _attack(
        "compare, both sides",
        "run a handler",
        {},
        IMAGE,
        files={**package({"a": SCRIPT, IMAGE: 1}), **package({"a": IMAGE, SCRIPT: 1}, "other")},
        command=COMPARE,
        code=1,
    ),
]
