"""The picture in the manual is that of the page which the example makes now. `--update-golden` makes it anew."""

from __future__ import annotations

from tests.page import screenshots


def test_the_picture_in_the_manual_shows_what_the_page_of_the_example_says(browser, explained, request):
    made = screenshots.picture(browser, explained)
    if request.config.getoption("--update-golden"):
        screenshots.README.write_bytes(made)
    shown = screenshots.README.read_bytes()
    assert shown[:8] == made[:8] == b"\x89PNG\r\n\x1a\n"
    assert screenshots.words(shown) == screenshots.words(made), (
        "make it anew: pytest tests/page/test_picture.py --update-golden"
    )
    assert "cart.example.test" in screenshots.words(shown)
