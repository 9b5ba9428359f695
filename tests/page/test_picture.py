"""The picture in README is that of the page which the example makes now. `--update-golden` makes it anew."""

from __future__ import annotations

import re

from tests.page import screenshots

ANEW = "make it anew: pytest tests/page/test_picture.py --update-golden"


def test_the_picture_in_readme_shows_what_the_page_of_the_example_says(browser, explained, request):
    made = screenshots.picture(browser, explained)
    if request.config.getoption("--update-golden"):
        screenshots.README.write_bytes(made)
    shown = screenshots.README.read_bytes()
    assert shown[:8] == made[:8] == b"\x89PNG\r\n\x1a\n"
    assert screenshots.words(shown) == screenshots.words(made), ANEW
    assert "cart.example.test" in screenshots.words(shown)


def test_the_picture_in_readme_is_of_this_page_where_no_browser_is(explained):
    assert screenshots.words(screenshots.README.read_bytes()).splitlines()[0] == screenshots.digest(explained), ANEW


def test_readme_shows_it_and_names_the_command_that_makes_the_page():
    text = (screenshots.ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"!\[[^]]+\]\((\S+)\)", text) == [screenshots.README.relative_to(screenshots.ROOT).as_posix()]
    assert "krm-values explain examples/pipelines/all-six --html page.html" in text
