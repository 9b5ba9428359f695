"""The file that `--html` writes: whole in itself, safe to open, and written as other outputs are."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import stat
from pathlib import Path

import pytest

import krm_values
from krm_values._explain.page import file
from tests.answers import decided
from tests.cli.packages import command
from tests.page import large
from tests.page.conftest import EXAMPLES, write

FLUX = EXAMPLES / "flux-values/base-and-site"
MOST_BYTES = 6_000_000


def data(file: Path):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', file.read_text("utf-8"))[1])


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FLUX, tmp_path / "package"))


def test_it_names_no_other_file_and_no_host(explained):
    text = explained.read_text("utf-8")
    head = text.replace(re.search(r'application/json">(.*?)</script>', text)[1], "")
    assert re.findall(r"\b(?:src|href|action)=|@import|url\(", head) == []
    assert set(re.findall(r"https?://[^'\"`\s]+", head)) == {"http://www.w3.org/2000/svg"}


def test_its_policy_allows_its_own_style_and_script_only(explained):
    text = explained.read_text("utf-8")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)

    def digest(found: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(found.encode()).digest()).decode()}'"

    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert policy == (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; base-uri 'none'; form-action 'none'"
    )
    assert " style=" not in text.replace(script, "")


@pytest.mark.parametrize(
    "name", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("]
)
def test_its_script_makes_no_html_of_texts_and_asks_for_nothing(name):
    scripts = [*Path(krm_values.__file__).parent.rglob("*.js")]
    assert scripts
    assert [one.name for one in scripts if name in one.read_text("utf-8")] == []


def test_data_cannot_end_their_element():
    hostile = "</script><!--]]>&amp;\u2028\u2029"
    found = file.embedded({hostile: [hostile]})
    assert not re.search("[<>&\u2028\u2029]", found)
    assert json.loads(found) == {hostile: [hostile]}


def test_the_same_package_gives_the_same_bytes(package, tmp_path):
    for name in ("one.html", "other.html"):
        write("explain", package, "--html", tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()


def test_values_are_masked_as_in_the_json(package, tmp_path):
    (secret,) = re.findall(r"password: (\S+)", (package / "site/login.yaml").read_text())
    write("explain", package, "--html", tmp_path / "page.html")
    assert secret not in (tmp_path / "page.html").read_text()
    found = data(tmp_path / "page.html")
    hidden = {found["strings"][row[1]] for row in found["values"] if row[3] == -1}
    listed = decided(write("explain", package, "--json").stdout)
    assert hidden == {entry["inner"] for entry in listed if entry.get("hidden")} != set()
    write("explain", package, "--html", tmp_path / "shown.html", "--show-secrets")
    assert secret in (tmp_path / "shown.html").read_text()


@pytest.mark.parametrize("example", ["pipelines/all-six", "giantswarm-config/stage-and-region", "flux-values/base-and-site"])
def test_after_a_render_no_value_is_another_one_than_in_the_files(example, tmp_path):
    package = Path(shutil.copytree(EXAMPLES / example, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))
    write("explain", package, "--html", tmp_path / "fresh.html")
    assert 2 in {row[5] for row in data(tmp_path / "fresh.html")["values"]}
    write("render", package)
    write("explain", package, "--html", tmp_path / "rendered.html")
    assert {row[5] for row in data(tmp_path / "rendered.html")["values"]} == {0}


def test_compare_masks_too(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    login = other / "site/login.yaml"
    (secret,) = re.findall(r"password: (\S+)", login.read_text())
    login.write_text(login.read_text().replace(secret, "another-one-77"))
    write("compare", package, other, "--html", tmp_path / "page.html", code=1)
    text = (tmp_path / "page.html").read_text()
    assert secret not in text
    assert "another-one-77" not in text
    assert [row[3:6] for row in data(tmp_path / "page.html")["values"]] == [[-1, -1, 1]]


NAMED = {
    "Kptfile": (
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n"
        "pipeline: {mutators: [{exec: krm-layered-values, configPath: c.yaml}]}\n"
    ),
    "c.yaml": (
        "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: c}\nspec:\n"
        "  layers: [{KIND: s, key: '*'}]\n  targets:\n  - kind: App\n    allowSecrets: true\n    fields:\n"
        "      spec.list[0].name: name\n      spec.list[0].port: port\n"
    ),
    "s.yaml": "apiVersion: v1\nkind: KIND\nmetadata: {name: s}\nFIELD: {name: hunter2222, port: '1'}\n",
    "a.yaml": "apiVersion: x/v1\nkind: App\nmetadata: {name: a}\nspec: {list: [{name: old, port: '0'}]}\n",
}


@pytest.mark.parametrize(("kind", "field", "path"), [("Secret", "stringData", "[0]"), ("ConfigMap", "data", "[hunter2222]")])
def test_a_name_of_a_list_element_is_not_shown_if_it_came_out_of_a_secret(tmp_path, kind, field, path):
    for name, text in NAMED.items():
        layer = kind[0].lower() + kind[1:] if name == "c.yaml" else kind
        (tmp_path / name).write_text(text.replace("KIND", layer).replace("FIELD", field))
    write("explain", tmp_path, "--html", tmp_path / "page.html")
    assert f"spec.list{path}.port" in data(tmp_path / "page.html")["strings"]
    assert ("hunter2222" in (tmp_path / "page.html").read_text()) == (kind == "ConfigMap")


def test_elements_of_lists_have_names(explained):
    strings = data(explained)["strings"]
    assert "spec.pipelineSpec.tasks[smoke].params[url].value" in strings or [
        s for s in strings if re.search(r"tasks\[[a-z]", s)
    ]


def test_the_mode_is_the_usual_one_and_the_owners_alone_with_secrets(package, tmp_path):
    os.umask(mask := os.umask(0))
    write("explain", package, "--html", tmp_path / "page.html")
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o666 & ~mask
    write("explain", package, "--html", tmp_path / "page.html", "--show-secrets")
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o600


def test_a_page_is_replaced_and_nothing_else_is(package, tmp_path):
    page = tmp_path / "page.html"
    write("explain", package, "--html", page)
    write("explain", package, "--html", page)
    page.write_text("mine\n")
    done = write("explain", package, "--html", page, code=1)
    assert done.stderr == f"error: {page}: exists and is not a page of krm-values: remove it, or name another file\n"
    assert page.read_text() == "mine\n"


def test_a_link_is_not_followed(package, tmp_path):
    (tmp_path / "other.html").write_text("mine\n")
    (tmp_path / "page.html").symlink_to("other.html")
    assert "must not be a symbolic link" in write("explain", package, "--html", tmp_path / "page.html", code=1).stderr
    assert (tmp_path / "other.html").read_text() == "mine\n"
    assert (tmp_path / "page.html").is_symlink()


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo], ids=["directory", "fifo"])
def test_a_device_or_directory_is_refused(package, tmp_path, make):
    make(tmp_path / "page.html")
    assert "must be a file" in write("explain", package, "--html", tmp_path / "page.html", code=1).stderr


def test_a_page_in_the_package_is_warned_of(package):
    done = write("explain", package, "--html", package / "page.html")
    assert f"warning: {package}/page.html: the page lies in the package {package}" in done.stderr
    assert "page of krm-values" in (package / "page.html").read_text()


@pytest.mark.parametrize("name", ["page.yaml", "sub/page.json", "Kptfile", ".krmignore"])
def test_a_page_is_never_a_file_that_the_package_reads(package, name):
    before = sorted(package.rglob("*"))
    assert write("explain", package, "--html", package / name, code=1).stderr.startswith(f"error: {package}/{name}: ")
    assert sorted(package.rglob("*")) == before


def test_a_link_of_the_package_does_not_lead_the_page_out(package, tmp_path):
    (tmp_path / "outside").mkdir()
    (package / "out").symlink_to(tmp_path / "outside")
    done = write("explain", package, "--html", package / "out/page.html", code=1)
    assert "symbolic link that leads out of the directory" in done.stderr
    assert [*(tmp_path / "outside").iterdir()] == []


def test_no_page_where_no_value_is_what_is_asked_for(package, tmp_path):
    done = write("explain", package, "no.such", "--html", tmp_path / "page.html", code=1)
    assert "no value has the path `no.such`" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_equal_packages_have_a_page_too(package, tmp_path):
    write("compare", package, package, "--html", tmp_path / "page.html", code=0)
    assert data(tmp_path / "page.html")["values"] == []


def test_findings_are_on_the_page(package, tmp_path):
    login = package / "site/login.yaml"
    login.unlink()
    write("explain", package, "--html", tmp_path / "page.html", code=1)
    (found,) = data(tmp_path / "page.html")["findings"]
    assert found[0] == "error"
    assert "app/release.yaml" in found[1]


@pytest.mark.parametrize("words", [("flux-values", "FILES"), ("FILES",)], ids=["function", "files"])
def test_a_page_of_plain_resources(package, tmp_path, words):
    files = [
        package / name
        for name in ("app/release.yaml", "base/values.yaml", "site/values.yaml", "site/login.yaml", "flux-values.yaml")
    ]
    called = [str(word) for one in words for word in (files if one == "FILES" else [one])]
    write("explain", *called, "--html", tmp_path / "page.html")
    assert len(data(tmp_path / "page.html")["values"]) == 7


def test_a_pattern_makes_a_smaller_page(package, tmp_path):
    write("explain", package, "lamp.*", "--html", tmp_path / "page.html")
    found = data(tmp_path / "page.html")
    assert [found["strings"][row[1]] for row in found["values"]] == ["lamp.colour", "lamp.period"]


def test_what_the_files_hold_now_is_beside_what_they_will(package, tmp_path):
    write("render", package)
    site = package / "site/values.yaml"
    site.write_text(site.read_text().replace("period: 5", "period: 7"))
    write("explain", package, "--html", tmp_path / "page.html")
    found = data(tmp_path / "page.html")
    (row,) = (row for row in found["values"] if row[5])
    assert [found["strings"][row[at]] for at in (1, 3)] == ["lamp.period", "7"]
    assert row[4:6] == [-1, 1], "an object that is a Secret may have held another's value there"


def test_a_page_of_twenty_thousand_values_is_below_six_megabytes(many):
    found = data(many)
    assert len(found["values"]) == large.LEAVES == 20_000
    assert many.stat().st_size < MOST_BYTES


def test_the_picture_in_the_documents_is_there_and_small():
    docs = EXAMPLES.parent / "docs"
    (name,) = re.findall(r"!\[[^]]+\]\((images/[^)]+\.png)\)", (docs / "explain.md").read_text("utf-8"))
    picture = (docs / name).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 300_000


@pytest.mark.parametrize("words", [("explain",), ("compare", FLUX)], ids=lambda words: words[0])
def test_no_folder_is_made_for_a_page(words, package, tmp_path):
    done = command(*words, package, "--html", tmp_path / "missing/page.html")
    assert done.returncode != 0
    assert f"there is no directory {tmp_path}/missing: create it" in done.stderr
    assert not (tmp_path / "missing").exists()
