"""The page of 20,000 values in headless Chromium: how long it takes to open, search and filter, by the browser's own trace.

Each figure is compared with the time in which an empty page opens in the same browser, so that it means the same on any machine.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.figures import Figure as Gated
from tests.page import large
from tests.page.browser import Browser, program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tests.bench.setting import Bench
    from tests.page.browser import Page

ROUNDS = 7
EMPTY = (
    "<!doctype html><html lang=en><title>empty</title><p>empty</p><script>document.documentElement.dataset.ready = 1</script>"
)


@dataclass(frozen=True)
class Figure:
    """A median, and its ratio to opening an empty page. worst: the slowest of the rounds."""

    name: str
    milliseconds: float
    worst: float
    ratio: float


def figures() -> list[Figure]:
    """Return the figures of the page of 20,000 values; none without Chromium, which is printed."""
    if program() is None:
        print("no page is measured: no Chromium is on PATH")
        return []
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        file, empty = _pages(Path(folder))
        page = browser.page()
        steps: dict[str, Callable[[], float]] = {
            "open an empty page": lambda: _opened(browser, page, empty),
            f"open {large.LEAVES:,} values": lambda: _opened(browser, page, file),
            "search, a word": lambda: searched(browser, page, "key17"),
            "search, one letter more": lambda: _typed(browser, page, "1"),
            "filter, contested": lambda: pressed(browser, page, "c"),
            "next value": lambda: pressed(browser, page, "j"),
        }
        seen: dict[str, list[float]] = {name: [] for name in steps}
        for turn in range(ROUNDS + 1):
            for name, step in steps.items():
                took = step()
                if turn:
                    seen[name].append(took)
    base = statistics.median(seen["open an empty page"])
    return [Figure(name, statistics.median(runs), max(runs), statistics.median(runs) / base) for name, runs in seen.items()]


GATED = {"page-open": "open 20,000 values", "page-search": "search, a word", "page-filter": "filter, contested"}


def rows(bench: Bench) -> Iterator[Gated]:
    """Yield opening, searching and filtering against opening an empty page; nothing in the quick bench or without Chromium."""
    found = [] if bench.quick else figures()
    base = next((one.milliseconds for one in found if one.name == "open an empty page"), 0.0)
    by_name = {one.name: one for one in found}
    for name, what in GATED.items() if found else ():
        yield Gated(name, f"page: {what}", by_name[what].milliseconds, "open an empty page", base, runs=ROUNDS)


def main() -> None:
    """Print the rows."""
    rows = figures()
    if rows:
        print("\n| page | median ms | worst ms | to an empty page |\n|---|---:|---:|---:|")
    for row in rows:
        print(f"| {row.name} | {row.milliseconds:.0f} | {row.worst:.0f} | {row.ratio:.2f} |", flush=True)


def _pages(folder: Path) -> tuple[Path, Path]:
    call = "import sys; sys.argv[0] = 'krm-values'; from krm_values._cli.main import main; sys.exit(main())"
    words = ["explain", str(large.write(folder / "package")), "--html", str(folder / "page.html")]
    subprocess.run([sys.executable, "-c", call, *words], check=True)
    (folder / "empty.html").write_text(EMPTY)
    return folder / "page.html", folder / "empty.html"


def _opened(browser: Browser, page: Page, file: Path) -> float:
    """Return the time from the start of the navigation to the end of the first painting after the page's script has run."""
    with browser.trace() as events:
        page.open(file)
    began = next(
        event["ts"]
        for event in events
        if event["name"] == "navigationStart" and event["args"]["data"]["documentLoaderURL"].startswith("file:")
    )
    done = _in_order(events)
    script = [event for event in done if event["name"] == "EvaluateScript" and event["ts"] > began][-1]
    return (_painted(done, script) - began) / 1e3


def searched(browser: Browser, page: Page, text: str) -> float:
    page.press("Escape", "/")
    with browser.trace() as events:
        page.type(text)
    return seen(events, "input")


def _typed(browser: Browser, page: Page, key: str) -> float:
    with browser.trace() as events:
        page.press(key)
    return seen(events, "input")


def pressed(browser: Browser, page: Page, key: str) -> float:
    page.evaluate("document.activeElement.blur()")
    page.press("Escape")
    with browser.trace() as events:
        page.press(key)
    return seen(events, "keydown")


def seen(events: Iterable[dict[str, Any]], kind: str) -> float:
    """Return the time from an event to the end of the painting of what it changed."""
    done = _in_order(events)
    first = next(event for event in done if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == kind)
    return (_painted(done, first) - first["ts"]) / 1e3


def _in_order(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted((event for event in events if event["ph"] == "X"), key=lambda event: event["ts"])


def _painted(done: Sequence[dict[str, Any]], cause: dict[str, Any]) -> float:
    """Return when the first painting after an event has ended, in microseconds."""
    after = [event for event in done if event["tid"] == cause["tid"] and event["ts"] > cause["ts"]]
    paint = next(event for event in after if event["name"] == "Paint" and event["ts"] > cause["ts"] + cause["dur"])
    last = next(event for event in after if event["name"] == "Layerize" and event["ts"] > paint["ts"])
    return float(last["ts"] + last["dur"])


if __name__ == "__main__":
    main()
