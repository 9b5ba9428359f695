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

import pytest

from tests.hosts.machine import lacking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.page.browser import Browser, Page

ROOT = Path(__file__).parents[2]
OPENED = (
    "index.html",
    "docs/start/tekton.html",
    "functions/krm_values/layered_values/README.html",
    "functions/krm_values/tekton_params/findings.html#missing-key",
)


class Links(HTMLParser):
    """What a page refers to, and the places in it that others may. loaded: what a browser fetches by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = {""}

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


@pytest.fixture(scope="module")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a warning of the generator fails here. browser: asked for first, as a site that nobody opens is not built."""
    if find_spec("sphinx") is None or find_spec("myst_parser") is None or find_spec("furo") is None:
        lacking("Sphinx, MyST and furo are not installed (the dependency group `docs`)")
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/site.py", "--out", out], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    found = {}
    for path in site.rglob("*.html"):
        found[path] = Links()
        found[path].feed(path.read_text("utf-8"))
    return found


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_every_page_of_docs_is_in_it(site):
    assert [
        path for path in (ROOT / "docs").rglob("*.md") if not (site / path.relative_to(ROOT).with_suffix(".html")).exists()
    ] == []


def test_no_internal_link_or_anchor_is_broken(pages):
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


def test_nothing_is_loaded_from_elsewhere(pages):
    assert {link for found in pages.values() for link in found.loaded if urlsplit(link).netloc} == set()


def test_pages_open_and_ask_only_their_server(page: Page, address: str):
    for name in OPENED:
        opened(page, address + name)
        asked = [found["request"]["url"] for method, found in page.events if method == "Network.requestWillBeSent"]
        assert asked
        assert [url for url in asked if not url.startswith((address, "data:"))] == []
        assert page.messages() == []
        if "#" in name:
            assert page.evaluate("document.querySelector(':target') !== null")


@pytest.mark.parametrize(
    ("words", "expected"), [("undo record", "docs/undo.html"), ("circular-default", "tekton_params/findings.html")]
)
def test_the_search_finds_a_page(page: Page, address: str, words: str, expected: str):
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
