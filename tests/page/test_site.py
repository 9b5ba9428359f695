"""The site of the documents: built without a warning, served over HTTP, opened in Chromium."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urldefrag, urlsplit

from tests.hosts.machine import lacking

if TYPE_CHECKING:
    from tests.page.browser import Page

ROOT = Path(__file__).parents[2]
OPENED = (
    "index.html",
    "docs/start/tekton.html",
    "functions/krm_values/layered_values/README.html",
    "functions/krm_values/tekton_params/findings.html#missing-key",
)
FOUND = {"undo record": "docs/undo.html", "circular-default": "tekton_params/findings.html"}
"""Words, and a page that the search must name."""


class Links(HTMLParser):
    """What a page refers to, and the places in it that others may. loaded: what a browser fetches by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag == "link" and not {"index", "search", "next", "prev"} & {*found.get("rel", "").split()}:
            self.loaded.add(found["href"])
        elif "src" in found:
            self.loaded.add(found["src"])


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def test_the_site(page: Page, tmp_path: Path):
    """One test, since a site takes half a minute to build, on each process that runs a part of it."""
    if not all(map(find_spec, ("sphinx", "myst_parser", "furo"))):
        lacking("Sphinx, MyST and furo are not installed (the dependency group `docs`)")
    command = [sys.executable, ROOT / "scripts/site.py", "--out", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    html = tmp_path / "html"
    pages = {path: Links(path.read_text("utf-8")) for path in html.rglob("*.html")}
    every_document_is_a_page(html)
    no_link_or_anchor_is_broken(pages)
    assert {link for found in pages.values() for link in found.loaded if urlsplit(link).netloc} == set()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(html))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        for name in OPENED:
            opens_and_asks_only_its_server(page, address, name)
        for words, expected in FOUND.items():
            the_search_finds(page, address, words, expected)
        server.shutdown()


def every_document_is_a_page(html: Path) -> None:
    documents = [path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md")]
    assert [path for path in documents if not (html / path.with_suffix(".html")).exists()] == []


def no_link_or_anchor_is_broken(pages: dict[Path, Links]) -> None:
    """Links to other servers are not tried, only listed in the message of a failure."""
    broken, others = [], set()
    for path, found in pages.items():
        for link in found.links:
            if urlsplit(link).scheme:
                others.add(link)
                continue
            name, place = map(unquote, urldefrag(link))
            target = (path.parent / name).resolve() if name else path
            known = pages[target].places if target in pages else {""} if target.is_file() else set()
            if place not in known:
                broken.append((path.name, link))
    assert broken == [], f"others: {sorted(others)}"
    assert len(pages) > 80


def opens_and_asks_only_its_server(page: Page, address: str, name: str) -> None:
    opened(page, address + name)
    asked = [found["request"]["url"] for method, found in page.events if method == "Network.requestWillBeSent"]
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
    assert page.messages() == []
    assert "#" not in name or page.evaluate("document.querySelector(':target') !== null")


def the_search_finds(page: Page, address: str, words: str, expected: str) -> None:
    opened(page, f"{address}search.html?q={words.replace(' ', '+')}")
    page.until(f"[...document.querySelectorAll('#search-results a')].some(a => a.href.includes({json.dumps(expected)}))")


def opened(page: Page, url: str) -> None:
    page.send("Page.navigate", url="about:blank")
    page.events.clear()
    page.send("Page.navigate", url=url)
    page.until(
        f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url.partition('#')[0].partition('?')[0])})"
    )
    page.frames()
