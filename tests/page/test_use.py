"""How the page is used: search, filters, links, keys, print, in light and dark, wide and narrow, and with 20,000 values."""

from __future__ import annotations

import itertools
import re
from urllib.parse import unquote

import pytest

from tests.page import axe, large
from tests.page.conftest import EXAMPLES, write

SIZES = {"wide": (1280, 800), "narrow": (400, 800)}
HOST = "ConfigMap/shop/cart-flux-values/ingress.host"
ROWS = "#rows .value"


def keys(page) -> list[str]:
    return page.texts("#rows .value .key")


def count(page, kind: str) -> int:
    (found,) = (text for text in page.texts("#kinds button") if text.startswith(f"{kind} "))
    return int(found.rpartition(" ")[2].replace(",", ""))


def search(page, text: str) -> None:
    page.press("/")
    page.type(text)
    page.frames()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["explained", "compared"])
def test_it_opens_without_a_message_a_request_or_a_barrier(browser, request, name, size, dark):
    page = browser.page(*SIZES[size], dark=dark).open(request.getfixturevalue(name))
    assert len(keys(page)) >= 4
    assert page.messages() == []
    assert page.requests() == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert axe.findings(page) == []
    page.close()


@pytest.mark.parametrize("package", sorted(path.parent for path in EXAMPLES.glob("*/*/Kptfile")), ids=lambda path: path.name)
def test_every_example_has_a_page(page, package, tmp_path):
    write("explain", package, "--html", tmp_path / "page.html")
    page.resize(1440, 9000)
    page.open(tmp_path / "page.html")
    size = sum(" = " in line and line[:1] != " " for line in write("explain", package).stdout.splitlines())
    assert count(page, "All") == size == len(keys(page)) > 0
    for number in range(0, size, 7):
        page.evaluate(f"document.querySelectorAll('{ROWS}')[{number}].click()")
        assert page.texts("#pictures .file") or "No layer" in page.text("#pictures")
    assert page.messages() == []


def test_the_policy_holds(page, explained):
    page.open(explained)
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'})); 1")
    page.evaluate("document.body.append(Object.assign(document.createElement('img'), {src: 'http://127.0.0.1:9/x.png'})); 1")
    assert page.evaluate("window.ran") is None
    assert sum("Content Security Policy" in text for text in page.messages()) == 2
    assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'asked', error => 'refused')") == "refused"


def test_what_one_sees_first(page, explained):
    page.open(explained)
    assert page.text("h1") == "all-six"
    assert page.text("#summary") == "35 values in 9 resources, out of 5 files, through 6 steps"
    assert page.text("#name") == "ingress.host = cart.example.test"
    assert page.evaluate("document.title") == "all-six: where values come from"


def test_every_value_is_there_and_says_what_the_json_says(page, explained):
    page.resize(1440, 4000)
    page.open(explained)
    lines = write("explain", EXAMPLES / "pipelines/all-six").stdout.splitlines()
    assert len(keys(page)) == sum(line.startswith("  + ") for line in lines) == count(page, "All")
    assert len(page.texts("#rows .cell.won")) == count(page, "All")
    assert count(page, "Contested") == sum(line.startswith("  - ") and last.startswith("  + ") for last, line in _rows(lines))


def _rows(lines):
    """Pairs of rows of layers that follow each other."""
    return itertools.pairwise(line for line in lines if line.startswith(("  + ", "  - ")))


def test_the_winning_cell_is_marked(page, explained):
    page.open(explained, HOST)
    row = '[aria-selected="true"]'
    assert page.texts(f"{row} .cell.won") == ["cart.example.test"]
    assert page.texts(f"{row} .cell.lost") == ["unset.example.test"]


def test_the_way_is_drawn_from_the_line_that_somebody_wrote(page, explained):
    page.open(explained, HOST)
    assert page.texts("#pictures .file") == [
        "package.yaml:13",
        "workload.yaml:11",
        "chain/chain.yaml:10",
        "app/layers.yaml:12",
    ]
    assert page.texts("#pictures .by") == ["value host", "resource", "blueprint.default", "catalog harbour"]
    assert page.texts("#pictures svg .step") == [
        "1 glasskube-values",
        "2 cartographer-params",
        "3 giantswarm-config",
        "4 flux-values",
    ]
    assert page.texts("#pictures svg .enters") == ["owner.value", "values", "valuesFrom[0]"]
    assert (
        page.text("#pictures .rules li:last-child")
        == "4 flux-valuesvalue host overrides the resource's own value, blueprint.default and catalog harbour"
    )


def test_search(page, explained):
    page.open(explained)
    search(page, "ingress HOST")
    assert set(keys(page)) == {"spec.values.ingress.host", "ingress.host"}
    page.evaluate("document.getElementById('search').value = ''")
    page.press("Escape")
    search(page, "layers.yaml:21")
    assert keys(page) == ["replicas", "replicas"]
    assert page.text("#hits") == "2 of 35 values"
    page.press("Escape", "Escape")
    search(page, "no such thing")
    assert keys(page) == []
    assert page.text("#none p") == "No value matches."
    assert page.text("#hits") == "0 of 35 values"
    page.click("#none button")
    assert count(page, "All") == 35
    assert len(keys(page)) > 10


@pytest.mark.parametrize(("kind", "hash_"), [("Contested", "contested"), ("Changed", "changed"), ("New", "new")])
def test_filters_by_what_a_value_is(page, explained, kind, hash_):
    page.resize(1440, 4000)
    page.open(explained)
    wanted = count(page, kind)
    page.click("#kinds button", [text.split()[0] for text in page.texts("#kinds button")].index(kind))
    assert 0 < len(keys(page)) == wanted
    assert page.evaluate("location.hash").endswith(f"?show={hash_}")


def test_changed_shows_what_is_in_the_files_now(page, explained):
    page.open(explained, "?show=changed")
    assert page.texts("#rows .shown")[1:] == ["cart.localhost → cart.example.test", "0.0.0-dev → 1.4.2"]


def test_filter_by_resource_and_by_layer(page, explained):
    page.open(explained)
    page.click("#side button[title^='ConfigMap shop/cart-flux-values']")
    assert keys(page) == ["ingress.class", "ingress.host", "registry", "replicas"]
    assert page.texts("#chosen button") == ["ConfigMap shop/cart-flux-values"]
    page.click("#side button[title$='value host']")
    assert keys(page) == ["ingress.host"]
    page.click("#chosen button")
    assert len(keys(page)) > 1
    page.press("Escape")
    assert page.texts("#chosen button") == []


def test_the_tree_has_resources_below_what_they_are_made_for(page, explained):
    page.open(explained)
    assert page.text("#side .made") == "Workload shop/cartworkload-cart9ResolvedParams · shop"


@pytest.mark.parametrize(("name", "view"), [("explained", ""), ("compared", "?by=resource")])
def test_every_value_has_a_link_that_leads_to_it(browser, request, name, view):
    page = browser.page(1440, 4000).open(request.getfixturevalue(name), view)
    links = {}
    for number in range(len(keys(page))):
        page.evaluate(f"document.querySelectorAll('{ROWS}')[{number}].click()")
        links[page.evaluate("location.hash.slice(1)")] = page.text("#name")
    assert len(links) == len(keys(page))
    for link, title in [*links.items()][::4]:
        page.open(request.getfixturevalue(name), link)
        assert page.text("#name") == title
        assert len(page.texts('#rows [aria-selected="true"]')) == 1
    page.close()


def test_a_link_reads_like_the_resource_and_path(page, explained):
    page.open(explained, HOST)
    assert page.text("#name") == "ingress.host = cart.example.test"
    assert unquote(page.evaluate("location.hash")) == f"#{HOST}"


def test_a_link_may_name_list_elements_and_hold_filters(page, explained):
    page.open(explained, "Workload/shop/cart/spec.params[host].value?show=contested&q=host")
    assert page.text("#name") == "spec.params[host].value = cart.example.test"
    assert page.evaluate("document.getElementById('search').value") == "host"
    assert page.text("#kinds [aria-pressed=true]").startswith("Contested")


def test_a_link_to_nothing_opens_the_page(page, explained):
    page.open(explained, "ConfigMap/no/such/path?show=nothing&resource=x&layer=y")
    assert len(keys(page)) > 10
    assert page.evaluate("document.getElementById('way').hidden")
    assert page.texts("#dead p") == [
        f"The link leads nowhere: this page has no {what}"
        for what in ("value ConfigMap/no/such/path", "resource x", "layer y", "filter nothing")
    ]
    page.press("j")
    assert page.evaluate("document.getElementById('dead').hidden"), "it is read"
    assert page.messages() == []


def test_a_link_to_nothing_names_what_it_may_have_meant(page, explained):
    page.open(explained, HOST.replace("values", "value"))
    assert (
        page.text("#dead")
        == f"The link leads nowhere: this page has no value {HOST.replace('values', 'value')}; did you mean {HOST}?"
    )
    page.click("#dead button")
    assert page.text("#name") == "ingress.host = cart.example.test"
    assert page.evaluate("document.getElementById('dead').hidden")
    assert unquote(page.evaluate("location.hash")) == f"#{HOST}"


def test_a_link_to_nothing_is_text_and_nothing_else(page, explained):
    page.open(explained, "%3Cimg src=x%3E%E2%80%AE" + "x" * 300)
    assert page.text("#dead code") == "<img src=x>\ufffd" + "x" * 188
    assert page.evaluate("document.querySelectorAll('#dead img').length") == 0


def test_a_link_that_changes_while_the_page_is_open(page, explained):
    page.open(explained)
    page.evaluate("location.hash = 'ConfigMap/shop/cart-flux-values/replicas'; 1")
    page.until("document.getElementById('name').textContent === 'replicas = 3'")


def test_keys(page, explained):
    page.open(explained)
    for pressed, title in (("j", "registry = "), ("ArrowDown", "replicas = 3"), ("k", "registry"), ("ArrowUp", "ingress.host")):
        page.press(pressed)
        assert page.text("#name").startswith(title)
    page.press("]")
    assert page.text("#about").startswith("SolutionDescriptor")
    page.press("[", "[")
    assert page.text("#about").startswith("ResolvedParams")
    page.press("Home")
    assert page.text("#about").startswith("App")
    page.press("End", "PageUp", "PageDown")
    assert page.evaluate("document.querySelector('[aria-selected=true]').getAttribute('aria-rowindex')") == "44"
    page.press("c")
    assert page.text("#kinds [aria-pressed=true]").startswith("Contested")
    page.press("d")
    assert page.text("#kinds [aria-pressed=true]").startswith("Changed")
    page.press("a", "?")
    assert page.evaluate("document.getElementById('keys').open")
    assert {"search; Enter or ↓ moves to the rows", "next value"} <= set(page.texts("#keys dd"))
    page.press("Escape")
    assert not page.evaluate("document.getElementById('keys').open")
    page.press("Escape")
    assert page.evaluate("document.getElementById('way').hidden")
    assert page.messages() == []


def test_from_the_search_to_the_rows_without_a_mouse(page, explained):
    page.open(explained)
    search(page, "registry")
    page.press("Enter")
    assert page.evaluate("document.activeElement.id") == "grid"
    named = page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent")
    assert named.startswith("registry")
    assert page.evaluate("document.getElementById('grid').getAttribute('aria-rowcount')") == str(len(keys(page)) + 2)


def test_every_key_that_the_page_names_is_in_the_manual(page, explained):
    page.open(explained)
    manual = (EXAMPLES.parent / "docs/explain.md").read_text("utf-8")
    assert [key for key in page.texts("#keys dt") if f"`{key}`" not in manual] == []


def test_the_print_view_has_all_rows_and_no_controls(page, explained):
    page.open(explained, HOST)
    page.media("print")
    page.frames()
    assert len(keys(page)) == 35
    shown = "e => e && getComputedStyle(e).display !== 'none'"
    visible = page.evaluate(
        f"['#side','#search','#help','#actions','#way','#grid'].map(s => ({shown})(document.querySelector(s)))"
    )
    assert visible == [False, False, False, False, True, True]
    assert page.evaluate(
        "document.getElementById('way').getBoundingClientRect().top < document.getElementById('grid').getBoundingClientRect().top"
    ), "the way comes first"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.media()
    page.frames()
    assert page.evaluate("getComputedStyle(document.getElementById('side')).display") != "none"
    assert page.evaluate("document.querySelectorAll('#rows .value').length") < 40


def test_it_prints(page, explained):
    found = page.open(explained, HOST).pdf()
    assert found.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", found)) in (2, 3, 4)
    assert b"/MediaBox [0 0 841" in found or b"/MediaBox [0 0 842" in found, "A4, landscape"


def test_what_a_print_of_many_layers_shows(page, tmp_path):
    package = tmp_path / "package"
    large.write(package, releases=1, keys=20)
    file = package / "release-000.yaml"
    more = "".join(f"  - {{kind: ConfigMap, name: more-{number}}}\n" for number in range(30))
    layers = "".join(
        f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: more-{number}, namespace: team}}\ndata:\n"
        f"  values.yaml: |\n    group0:\n      key0: {number}\n"
        for number in range(30)
    )
    file.write_text(file.read_text().replace("  valuesFrom:\n", f"  valuesFrom:\n{more}") + layers)
    write("explain", package, "--html", tmp_path / "page.html")
    page.open(tmp_path / "page.html")
    assert len(page.texts("#pictures .file")) == 14
    page.click(".picture > button")
    assert len(page.texts("#pictures .file")) == 33
    assert page.texts("#side .more") == ["Show all 33 layers"]
    page.click("#side .more")
    assert len(page.texts("#side h2 ~ h2 ~ ul button")) == 33
    page.media("print")
    page.frames()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "overrides valuesFrom[31]" in page.text("#rows .note")


def test_compare_shows_both_sides_and_the_cause(page, compared):
    page.open(compared, "?by=resource")
    assert page.text("h1") == "before → after"
    assert page.texts("#rows .section .word b")[:3] == ["before", "after", "because"]
    row = {key: number for number, key in enumerate(keys(page))}["resources.memory"]
    assert page.texts("#rows .value > .before")[row] == "256Mi"
    assert page.texts("#rows .value > .shown")[row] == "512Mi"
    assert page.texts("#rows .why")[row] == "app/user.yaml:9 changed"
    page.evaluate(f"document.querySelectorAll('{ROWS}')[{row}].click()")
    assert page.texts("#pictures h3") == ["Before: before", "After: after"]
    assert page.texts("#kinds button") == ["All 10", "Changed 4", "Other layer 2", "Added 2", "Removed 2", "Contested 6"]
    page.press("d")
    assert set(keys(page)) == {"replicas", "resources.memory"}
    page.evaluate("location.hash = '?show=winner&by=resource'; 1")
    page.until(f"document.querySelectorAll('{ROWS}').length === 2")
    assert page.texts("#rows .was") == page.texts("#rows .won") == ["pier9", "pier9"]


def test_compare_marks_who_won_before(page, compared):
    page.open(compared, "?by=resource")
    row = {key: number for number, key in enumerate(keys(page))}["replicas"]
    cells = f"document.querySelectorAll('{ROWS}')[{row}].querySelectorAll"
    assert page.evaluate(f"[...{cells}('.was')].map(e => e.textContent)") == ["3"]
    assert page.evaluate(f"[...{cells}('.won')].map(e => e.textContent)") == ["2"]


def test_twenty_thousand_values_are_few_elements(page, many):
    page.open(many)
    assert count(page, "All") == large.LEAVES
    assert page.evaluate("document.getElementsByTagName('*').length") < 3000
    page.press("End")
    assert page.text("#name").startswith("group9.key99 = ")
    assert page.evaluate("document.querySelector('[aria-selected=true]').getBoundingClientRect().bottom <= innerHeight")
    page.media("print")
    page.frames()
    assert page.text("#rows > p").endswith(" more rows are not printed: filter for them.")
    page.media()
    page.frames()
    search(page, "release-042 key17 base")
    assert len(keys(page)) > 0
    assert page.evaluate("document.getElementById('grid').getAttribute('aria-rowcount')") == "12"
    assert page.messages() == []
