"""The page of `compare`: differences grouped by what made them, equal ones as one row."""

from __future__ import annotations

from tests.page.test_use import ROWS, keys

CAUSES = [
    "app/user.yaml:10 (A) removed",
    "app/user.yaml:11 added",
    "app/user.yaml:10 added",
    "stage/prod.yaml:8 (A) removed",
    "app/user.yaml:9 changed",
]


def test_it_opens_with_a_section_for_each_cause(page, compared):
    page.open(compared)
    assert page.text("#summary") == "10 values in 2 resources differ between before and after, by 5 causes"
    assert page.texts("#rows .section > :first-child b") == CAUSES
    assert page.texts("#rows .section:first-child .word b") == ["before", "after", "where"]
    assert keys(page) == ["beam", "cluster", "lens", "replicas", "resources.memory"]
    assert set(page.texts("#rows .why")) == {
        "2 resources: ConfigMap giantswarm/lighthouse-chart-values, Secret giantswarm/lighthouse-helm-values"
    }


def test_equal_changes_are_one_row_from_which_each_can_be_reached(page, compared):
    page.open(compared)
    page.evaluate(f"document.querySelectorAll('{ROWS}')[4].click()")
    assert page.text("#about").startswith("ConfigMap giantswarm/lighthouse-chart-values")
    assert page.text("#same summary") == "The same change in 1 other resource"
    page.evaluate("document.querySelector('#same').open = true")
    page.click("#same button")
    assert page.text("#about").startswith("Secret giantswarm/lighthouse-helm-values")
    assert page.texts("#rows [aria-selected=true] .key") == ["resources.memory"]
    link = page.evaluate("location.hash.slice(1)")
    page.open(compared, link)
    assert page.text("#about").startswith("Secret giantswarm/lighthouse-helm-values")
    assert page.evaluate("document.activeElement.id || 1")
    assert page.messages() == []


def test_filters_by_cause_and_by_resource(page, compared):
    page.open(compared)
    page.click("#side button[title^='app/user.yaml:9']")
    assert keys(page) == ["resources.memory"]
    assert page.text("#hits") == "2 of 10 values"
    page.click("#side button[title^='Secret']")
    assert page.text("#hits") == "1 of 10 values"
    assert page.texts("#rows .why") == ["Secret giantswarm/lighthouse-helm-values"]
    link = page.evaluate("location.hash.slice(1)")
    page.open(compared, link)
    assert page.text("#hits") == "1 of 10 values"
    page.press("Escape")
    assert page.text("#hits") == ""


def test_by_resource_each_value_has_its_row(page, compared):
    page.open(compared)
    page.press("g")
    assert len(keys(page)) == 10
    assert page.evaluate("location.hash").endswith("?by=resource")
    page.click("#by")
    assert len(keys(page)) == 5
