"""The page at 400 px and on paper, and what is struck out."""

from __future__ import annotations

import base64
import subprocess

import pytest

from tests.hosts.machine import lacking
from tests.page import large
from tests.page.browser import program
from tests.page.conftest import write
from tests.page.test_use import HOST, ROWS, keys

MOST_BYTES = 5_000_000
_SEEN = """(() => {
  const row = document.querySelector('#rows [aria-selected="true"]').getBoundingClientRect();
  const at = (x, y) => document.elementFromPoint(x, y);
  return [row.top + 4, row.bottom - 4].every(y => at(row.left + 150, y) && at(row.left + 150, y).closest('[aria-selected="true"]'));
})()"""


@pytest.mark.parametrize("height", [560, 800])
def test_the_sheet_leaves_its_row_visible(browser, explained, compared, height):
    page = browser.page(400, height)
    for file in (explained, compared):
        page.open(file)
        for number in range(len(keys(page))):
            page.evaluate(f"document.querySelectorAll('{ROWS}')[{number}].click()")
            page.frames()
            assert page.evaluate(_SEEN), f"row {number} of {file.name} is hidden"
        for key in ("End", "Home", "j", "PageDown"):
            page.press(key)
            assert page.evaluate(_SEEN), key
        sheet, size = page.evaluate("(r => [r.bottom, r.height])(document.getElementById('way').getBoundingClientRect())")
        assert round(sheet) == height, "it stands at the lower edge"
        assert 60 < size <= height / 2
    page.close()


def test_a_row_that_is_clicked_above_the_panel_stays_visible(page, explained):
    page.open(explained, "?show=all")
    page.press("Escape")
    assert page.evaluate("document.getElementById('way').hidden")
    last = page.evaluate(
        f"[...document.querySelectorAll('{ROWS}')].findLastIndex(e => e.getBoundingClientRect().bottom <= innerHeight)"
    )
    page.click(ROWS, last)
    assert page.evaluate(_SEEN)


def test_a_hyphen_is_seen_in_what_is_struck_out(browser, explained):
    page = browser.page(1280, 800).open(explained, HOST)
    looks = []
    for text in ("a-b", "a b"):
        box = page.evaluate(
            f"(e => {{ e.textContent = '{text}'; const r = e.getBoundingClientRect(); return {{x: r.x, y: r.y, width: r.width,"
            " height: r.height, scale: 1}; })(document.querySelector('#rows [aria-selected] .cell.lost s'))"
        )
        page.frames()
        looks.append(page.send("Page.captureScreenshot", format="png", clip=box)["data"])
    page.close()
    assert base64.b64decode(looks[0])[:4] == b"\x89PNG"
    blank = browser.page(300, 100)
    rows = blank.evaluate(_DIFFERING.replace("LOOKS", str(looks)))
    blank.close()
    assert rows, "with a line through it, a hyphen looks like a space"


_DIFFERING = """Promise.all(LOOKS.map(async look => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(look), c => c.charCodeAt(0))], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return [image.width, context.getImageData(0, 0, image.width, image.height).data];
})).then(([[width, one], [, other]]) => {
  const rows = new Set();
  for (let at = 0; at < one.length; at += 4) if (Math.abs(one[at] - other[at]) > 90) rows.add(Math.floor(at / 4 / width));
  return [...rows];
})"""


def test_a_print_of_five_thousand_values_has_each_and_only_counts_what_is_overridden(tmp_path):
    if program() is None:
        lacking("no Chromium is on PATH")
    package = large.write(tmp_path / "package", releases=25, keys=200)
    write("explain", package, "--html", tmp_path / "page.html")
    done = subprocess.run(
        [
            str(program()),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--print-to-pdf={tmp_path / 'page.pdf'}",
            (tmp_path / "page.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "page.pdf").stat().st_size < MOST_BYTES


def test_a_long_print_is_a_line_for_each_value(page, many):
    page.open(many, "?q=release-00")
    page.media("print")
    page.frames()
    assert len(page.texts("#rows > h2")) == 10
    lines = "".join(page.texts("#rows > .fold:not(h2)")).splitlines()
    assert len(lines) == 10 * large.KEYS
    assert lines[0] == "group0.key0 = site-0  valuesFrom[2]  ·  release-000.yaml:369  ·  overrides 2"
    assert "region-0" not in lines[0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.media()
    page.frames()
    assert page.texts("#rows .cell.lost")
