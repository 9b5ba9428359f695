"""Two packages whose Secrets differ in values only: nothing else that is printed or written differs, and no exit code."""

from __future__ import annotations

import re

import pytest

from tests.conformance.cases import resource_list
from tests.functions.flux_values.support import config_map, entry, release, secret
from tests.functions.flux_values.support import value as value_entry
from tests.secrets.commands import krm
from tests.secrets.judge import Places, of_secrets
from tests.secrets.markers import places, without
from tests.secrets.test_cases import WITH, given, items_of
from tests.secrets.trees import EXAMPLES, STORIES, rewrite
from tests.secrets.twins import Said, Watch, differences, filled, package

FIRST = ("Xabcdefgh",)
OTHERS = {
    "longer": ("x" * 300,),
    "one letter": ("a",),
    "words of messages": ("values", "secret", "replicas", "team", "must", "Package", "resource", "everybody"),
    "names": ("pw", "team", "vault", "chain", "spec", "layer", "app"),
    "non-secret values": ("none", "localhost", "red", "2", "other", "o"),
    "numbers": ("123", "0", "-7", "12345678901234567890", "2.5"),
    "words of YAML": ("true", "null", "~", "no", "on", "y", "False"),
    "what is shown in their place": ("<hidden>", "<hidden>, changed"),
    "signs of YAML": ("x: y", "*a", "&a", "!a", "%a", "@a", "#a", "- a", "? a", "|", ">", "[a", "'", '"q"', "`pw`", "a #b"),
    "of other alphabets": ("é☃𝒳", "пароль", "密码", "\u200bq"),
    "base64": ("aGVsbG8=", "QUJD"),
    "all different": tuple(f"value-{number}" for number in range(60)),
    "dates": ("2024-02-29", "12:30:45"),
}
"""Values that fit wherever those of the first package do."""
PACKAGES = ["object", "inline", *(str(story.relative_to(EXAMPLES)) for story in STORIES)]
SOME = [(story, name) for at, story in enumerate(PACKAGES) for number, name in enumerate(OTHERS) if at < 2 or (at + number) % 2]
"""The packages on which all functions work have all values, the examples half of them."""

WHOLE_TEXTS = ("lv-bad-secret",)
"""Cases in which the value is the whole text of a layer: signs of YAML would give it another structure, and its author hears of dates."""
PADDED = ("glasskube-values/value-configurations",)
"""Packages whose Secrets must hold values of eight characters."""

_FIRST: dict[str, list[Said]] = {}


def seen(directory, story, values):
    return Watch(package(directory / "package", story if story in ("object", "inline") else EXAMPLES / story, values)).all()


@pytest.mark.parametrize(("story", "name"), SOME)
def test_packages(tmp_path, story, name):
    fitting = [f"{value:_<8}" for value in OTHERS[name]] if story in PADDED else OTHERS[name]
    first = _FIRST.get(story) or _FIRST.setdefault(story, seen(tmp_path / "first", story, FIRST))
    assert {said.code for said in first if "render -v ." in said.command} == {0}
    assert not differences(first, seen(tmp_path / "other", story, fitting))


@pytest.mark.parametrize("story", PACKAGES)
def test_what_commands_say_of_packages(tmp_path, story):
    """Values are equal to keys, words and other values of the package in one of the two."""
    given = story if story in ("object", "inline") else EXAMPLES / story
    said = []
    for number, values in enumerate((FIRST, OTHERS["words of messages"] + OTHERS["non-secret values"])):
        fitting = [f"{value:_<8}" for value in values] if story in PADDED else values
        said.append(Watch(package(tmp_path / str(number) / "package", given, fitting)).questions())
    assert not differences(*said)
    assert len({one.code for one in said[0]}) > 1


def observed(system, case, values):
    """What is seen of a case in every form, in a first run and in one of its own output."""
    text, allowed = given(system, case, [filled(item, values) for item in case["input"]]), set[tuple[str, str, str, str]]()
    found = []
    for _ in range(2):
        explained = krm("explain", "--json", stdin=text)
        allowed = of_secrets(explained.stdout, allowed) if explained.stdout.startswith(b"{") else allowed
        found += [explained, krm("explain", stdin=text), krm("explain", "--patch", stdin=text)]
        done = krm("run", stdin=text)
        found.append(done)
        text = items_of(done.stdout)
        done.stdout = seen_of(done.stdout, allowed)
    return [(one.code, one.stdout, one.stderr) for one in found]


def seen_of(stdout: bytes, allowed: Places) -> bytes:
    text = stdout.decode()
    return without(text, places(text, allowed)).encode()


@pytest.mark.parametrize(("system", "case"), WITH)
def test_cases(system, case):
    first = observed(system, case, FIRST)
    begin = len(case["id"]) % 3  # a third of them for each case
    for name, values in [*OTHERS.items()][begin::3]:
        if name in ("signs of YAML", "dates") and case["id"] in WHOLE_TEXTS:
            continue
        assert observed(system, case, values) == first, name


def test_limit_a_constraint_tells_whether_a_value_fits(tmp_path):
    """The only word on a value that does not fit: which constraint it is, neither the value nor its length."""
    story = PADDED[0]
    texts = []
    for value in ("Xabc", "seven77"):
        done = krm("render", package(tmp_path / value / "package", EXAMPLES / story, (value,)))
        assert done.code == 1
        texts.append(done.stderr.decode().replace(f"/{value}/", "/"))
        assert 'violates minLength 8; found "<hidden>"' in texts[-1]
    assert texts[0] == texts[1]


def answers(directory, *words):
    """What is printed of the values of a package, without the lines of findings: they have them in documents that no earlier step has edited."""
    page = directory.parent / "page.html"
    done = [krm("explain", *more, directory) for more in ([], ["--all"], ["--json"], ["--html", page], *words)]
    said = [(one.code, one.stdout, one.stderr.replace(bytes(directory.parent), b"")) for one in done]
    return [(code, *(_PLACE.sub(rb"\1", text) for text in texts)) for code, *texts in said], _PLACE.sub(
        rb"\1", page.read_bytes()
    )


_PLACE = re.compile(rb"(supply\.yaml)(?::\d+:\d+)(?=: Workload)")


@pytest.mark.parametrize("output", ["object", "inline"])
def test_no_answer_tells_whether_a_value_is_current(tmp_path, output):
    """The same files beside a Secret that holds what stands in them already, and beside one that holds another value."""
    found = [answers(package(tmp_path / value / "package", output, (value,)), ["--patch"]) for value in ("mine", "other")]
    assert found[0] == found[1]


@pytest.mark.parametrize("output", ["object", "inline"])
def test_no_answer_tells_whether_a_value_is_that_of_the_last_render(tmp_path, output):
    found = []
    for value in ("first", "other"):
        directory = package(tmp_path / value / "package", output, ("first",))
        assert krm("render", directory).code == 0
        rewrite(directory, lambda one, value=value: one if "krm-values.dev" in str(one) else filled(one, (value,)))
        found.append(answers(directory))
    assert found[0] == found[1]


def test_limit_the_exit_code_of_diff_tells_whether_a_value_is_current(tmp_path):
    directory = package(tmp_path / "package", "object", FIRST)
    assert krm("render", "--diff", directory).code == 1
    assert krm("render", directory).code == 0
    assert krm("render", "--diff", directory).code == 0
    rewrite(directory, lambda found: filled(found, ("another",)))
    assert krm("render", "--diff", directory).code == 1


def test_what_is_written_does_not_tell_whether_it_stood_there_before(tmp_path):
    """A value equal to the one that it replaces leaves the same files: undo records know it as one out of a Secret."""
    written = []
    for value in ("mine", "plain", "Xabcdefgh"):
        watch = Watch(package(tmp_path / value / "package", "object", (value,)))
        written.append([said for said in watch.all() if said.command.startswith("rendered") and ".yaml " in said.command])
    assert written[0] == written[1] == written[2]
    assert len(written[0]) > 10


SYNTAX = {"a comma": "a,b=c", "a brace": "{a}", "a backslash": "a\\b", "another number": "0x1F"}


@pytest.mark.parametrize("value", SYNTAX.values(), ids=SYNTAX)
def test_limit_what_its_reader_takes_for_syntax_is_told(tmp_path, value):
    """Helm reads the value of a `targetPath` as `--set` does: that is a constraint on it like any other."""
    directory = package(tmp_path / "package", "object", (value,))
    done = krm("render", directory)
    assert "the value of Secret team/more (key `a`)" in done.stderr.decode()
    assert value not in done.stderr.decode()


RELEASE = release(entry("s", "Secret"))
APP = {
    "apiVersion": "application.giantswarm.io/v1alpha1",
    "kind": "App",
    "metadata": {"name": "web", "namespace": "team"},
    "spec": {
        "catalog": "none",
        "name": "web",
        "namespace": "team",
        "version": "1.0.0",
        "kubeConfig": {"inCluster": True},
        "userConfig": {"secret": {"name": "s", "namespace": "team"}},
    },
}
CATALOG = {
    "apiVersion": "application.giantswarm.io/v1alpha1",
    "kind": "Catalog",
    "metadata": {"name": "none", "namespace": "giantswarm"},
    "spec": {},
}
FORMS = {
    "a word": ("off", "yes", "true or false"),
    "digits": ("12345678901234567891", "98765432109876543219", "does not keep its digits"),
    "a date": ("2024-02-29", "2023-12-31", "a plain date"),
}
"""Two values of one form, and what is reported of both."""


@pytest.mark.parametrize(("one", "other", "words"), FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    ("function", "key", "owners"), [("flux-values", "values.yaml", [RELEASE]), ("giantswarm-config", "values", [APP, CATALOG])]
)
def test_limit_a_warning_tells_that_readers_differ_on_a_value(function, key, owners, one, other, words):
    """Go's YAML readers and others read it differently: that it has such a form is reported, and nothing else of it."""
    done = [
        krm("run", stdin=resource_list([*owners, secret("s", **{key: f"u: {held}\n"})], function, {}))
        for held in (one, other, "x")
    ]
    texts = [each.stderr + each.stdout.partition(b"\nresults:")[2] for each in done]
    assert [each.code for each in done] == [0, 0, 0]
    assert words in texts[0].decode()
    assert words not in texts[2].decode()
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("held", "is_reported"), [("x", True), ("another", True), ("", False)])
def test_limit_an_empty_value_is_not_reported_as_one_without_effect(held, is_reported):
    entries = [value_entry("k", "a", "s", kind="Secret"), value_entry("k", "a")]
    done = krm("run", stdin=resource_list([release(*entries), secret("s", k=held), config_map(k="1")], "flux-values", {}))
    assert ("`a` of `valuesFrom[0]` has no effect" in done.stderr.decode()) == is_reported
