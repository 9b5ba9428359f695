"""The page of `fleet render --html`: the matrix, failures first, filters, links into pages of packages; 10,000 packages are few elements."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.packages import command
from tests.fleet import made
from tests.page import axe, fleets
from tests.page.conftest import write
from tests.page.test_file import data

CELLS = "#rows .package"


@pytest.fixture(scope="session")
def fleet(tmp_path_factory):
    """The page of a fleet of 20 packages, of which two are broken, and one has a page of its own."""
    folder = tmp_path_factory.mktemp("fleet")
    made.make(folder / "fleet", 20)
    (folder / "c001").mkdir()
    write("explain", folder / "fleet/c001/app4", "--html", folder / "c001/app4.html")
    (folder / "c001/app5.html").write_text("somebody else's")
    done = command("fleet", "render", "fleet", "--html", "fleet.html", "--jobs", "2", cwd=folder)
    assert done.returncode == 1, done.stderr
    return folder / "fleet.html"


@pytest.fixture(scope="session")
def ten_thousand(tmp_path_factory):
    file = tmp_path_factory.mktemp("fleets") / "fleet.html"
    fleets.write(file, 1000, 10)
    return file


def test_its_data(fleet):
    found = data(fleet)
    assert len(found["packages"]) == 20
    assert [one[7] for one in found["packages"] if one[7]] == ["c001/app4.html"], "a file that is no page of ours is no link"
    assert fleet.read_bytes().startswith(b"<!doctype html><!-- a page of krm-values -->\n")


def test_it_is_replaced_and_nothing_else_is(fleet, tmp_path):
    shutil.copy(fleet, tmp_path / "page.html")
    made.make(tmp_path / "fleet", 1)
    done = command("fleet", "render", "fleet", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(data(tmp_path / "page.html")["packages"]) == 1
    (tmp_path / "other.html").write_text("mine")
    done = command("fleet", "render", "fleet", "--html", "other.html", cwd=tmp_path)
    assert done.returncode == 1
    assert "is not a page of krm-values" in done.stderr


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (400, 800)], ids=["wide", "narrow"])
def test_it_opens_without_a_message_a_request_or_a_barrier(browser, fleet, size, dark):
    page = browser.page(*size, dark=dark).open(fleet)
    assert len(page.texts(CELLS)) == 20
    assert page.messages() == []
    assert page.requests() == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert axe.findings(page) == []
    page.close()


def test_the_matrix_has_a_row_and_a_column_for_each_part_and_failures_first(page, fleet):
    page.open(fleet)
    assert page.text("#summary") == "20 packages"
    assert page.texts("#kinds button") == ["All 20", "Not rendered 2", "Changed 18", "Failed 2"]
    assert page.texts("#rows .label") == ["c000", "c001"]
    assert page.texts("#side b")[:2] == ["app3", "app0"], "the column with failures is the first"
    assert page.evaluate(f"document.querySelector('{CELLS}').getAttribute('aria-label')") == "c000/app3: failed"
    (first, second) = page.texts("#findings li")
    assert first.startswith("c000/app3 error: release.yaml:1:4: is not YAML")
    assert second.startswith("c001/app3 error: run.yaml:")


def test_a_package_says_what_has_come_of_it_and_leads_to_its_page(page, fleet):
    page.open(fleet, "c001/app4")
    assert page.text("#name") == "c001/app4"
    assert page.text("#about").startswith("changed  ·  ")
    assert "deployment.yaml" in page.texts("#told li")
    assert page.evaluate("document.querySelector('#told a').href").endswith("/c001/app4.html")
    page.open(fleet, "c001/app5")
    assert page.texts("#told a") == []
    page.press("ArrowUp", "ArrowRight")
    assert page.text("#name") == "c000/app6"
    page.press("Escape")
    assert page.evaluate("document.getElementById('way').hidden")


def test_filters(page, fleet):
    page.open(fleet)
    page.click("#kinds button", 3)
    assert page.text("#hits") == "2 of 20 packages"
    assert page.evaluate("location.hash") == "#?show=failed"
    page.press("Escape")
    page.press("/")
    page.type("c001 not yaml")
    page.frames()
    assert page.text("#hits") == "0 of 20 packages"
    page.click("#none button")
    page.click("#side button[title='app3']")
    assert page.text("#hits") == "2 of 20 packages"
    page.open(fleet, "?q=c001&column=app7")
    assert page.text("#hits") == "1 of 20 packages"


def test_the_head_has_room_for_all_that_a_filter_says(browser, ten_thousand):
    page = browser.page(1280, 800).open(ten_thousand)
    page.press("/")
    page.type("cluster-007")
    page.until("document.getElementById('hits').textContent")
    assert page.evaluate("document.querySelector('header').scrollWidth <= innerWidth")
    assert page.evaluate("document.getElementById('title').offsetWidth >= document.getElementById('title').scrollWidth")
    page.close()


def test_ten_thousand_packages_are_few_elements(page, ten_thousand):
    page.open(ten_thousand)
    assert page.text("#summary") == "10,000 packages"
    assert page.evaluate("document.getElementsByTagName('*').length") < 3000
    page.press("/")
    page.type("cluster-0777")
    page.frames()
    assert page.text("#hits") == "10 of 10,000 packages"
    assert seen(page) == ["cluster-0777"]
    page.press("Escape", "Escape")
    page.open(ten_thousand, "cluster-0999/app-9")
    assert page.evaluate("document.querySelector('[aria-selected=true]').getBoundingClientRect().bottom <= innerHeight")
    assert page.evaluate("document.querySelectorAll('b').length") == page.evaluate(
        "document.querySelectorAll('#side b').length"
    )
    assert page.messages() == []


def seen(page):
    """The labels of the rows from top to bottom, as somebody sees or hears them."""
    labels = "[...document.querySelectorAll('#rows .label')].filter(one => one.checkVisibility())"
    heard = "[...document.querySelectorAll('#rows .line:not([aria-hidden]) .label')]"
    assert page.evaluate(f"{labels}.every((one, at) => one === {heard}[at])")
    tops = page.evaluate(f"{labels}.map(one => one.parentNode.offsetTop)")
    assert tops == [24 * at for at in range(len(tops))]
    return page.evaluate(f"{labels}.map(one => one.textContent)")


def test_rows_come_back_as_they_were(page, ten_thousand):
    page.open(ten_thousand)
    first = seen(page)
    assert len(first) > 20
    for text in ("cluster-0777", "cluster-0013", "app-3", "error", "nothing at all"):
        page.press("/")
        page.type(text)
        page.frames()
        seen(page)
        assert page.text("#hits")
        page.press("Escape")
        page.frames()
        assert seen(page) == first
        ids = page.evaluate("[...document.querySelectorAll('#rows .package')].map(one => one.id)")
        assert len(ids) == len({*ids}) > 200
    page.click("#rows .package", 15)
    assert page.text("#name").startswith(f"{first[1]}/")


def test_a_thousand_columns_are_few_elements_too(page, tmp_path):
    fleets.write(tmp_path / "wide.html", 10, 1000)
    page.open(tmp_path / "wide.html")
    assert page.evaluate("document.getElementsByTagName('*').length") < 3000
    page.open(tmp_path / "wide.html", "cluster-0009/app-999")
    assert page.evaluate("document.querySelector('[aria-selected=true]').getBoundingClientRect().right <= innerWidth")


def test_the_parts_that_span_the_matrix_are_those_of_the_file(tmp_path):
    made.make(tmp_path / "fleet", 11)
    (tmp_path / "fleet/.krm-fleet.yaml").write_text(
        "apiVersion: krm-values.dev/v1alpha1\nkind: Fleet\nmetadata: {name: fleet}\nspec: {matrix: {rows: 2, columns: 1}}\n"
    )
    command("fleet", "render", "fleet", "--diff", "--html", "fleet.html", cwd=tmp_path)
    found = data(tmp_path / "fleet.html")
    first = found["packages"][0]
    assert [found["strings"][first[at]] for at in (0, 1, 2)] == ["c000/app0", "app0", "c000"]
