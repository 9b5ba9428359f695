"""What the words and options of `explain` ask for: each row is a call and what it answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.answers import decided
from tests.cli.packages import command, kptfile, write

from krm_values._data.errors import UsageError
from krm_values._data.pointer import to_field
from krm_values._explain.query import Pattern, of_resource

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom:
  - {kind: ConfigMap, name: base}
  values:
    image:
      tag: v2
    replicas: 3
"""
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values.yaml: |
    image:
      name: web
      tag: v1
    port: 80
"""
FILES = {"release.yaml": RELEASE, "base.yaml": BASE}
ALL = ["image.name", "image.tag", "port", "replicas"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A directory with a package, a directory without one, and files beside them."""
    package = {f"shop/{name}": text for name, text in {**FILES, "Kptfile": kptfile("exec: krm-flux-values")}.items()}
    plain = {f"plain/{name}": text for name, text in FILES.items()}
    named = {f"flux-values/{name}": text for name, text in {**FILES, "Kptfile": kptfile("exec: krm-flux-values")}.items()}
    return write(tmp_path, {**package, **plain, **named, **FILES})


def paths(here: Path, *words: str, directory: str = ".", stdin: str = "", code: int = 0) -> list[str]:
    """The paths of the values that a call answers with."""
    done = command("explain", "--json", *words, cwd=here / directory, stdin=stdin)
    assert done.returncode == code, done.stderr
    return sorted(value.get("inner", value["path"]) for value in decided(done.stdout))


LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + "".join(
    "- " + text.replace("\n", "\n  ").rstrip(" ") for text in FILES.values()
)


def test_a_path_that_exists_is_the_package_and_the_rest_are_patterns(here):
    assert paths(here, "shop") == ALL
    assert paths(here, "shop", "image.*") == ["image.name", "image.tag"]
    assert paths(here, "shop", "port", "**.tag") == ["image.tag", "port"]


def test_a_word_that_begins_as_a_path_is_the_package(here):
    assert paths(here, "./shop", "port") == ["port"]
    assert paths(here, str(here / "shop"), "port") == ["port"]
    assert paths(here, ".", "port", directory="shop") == ["port"]
    done = command("explain", "./none", cwd=here)
    assert (done.returncode, done.stderr) == (1, "error: ./none: does not exist\n")


def test_the_name_of_a_function_is_that_function_and_the_rest_are_files(here):
    assert paths(here, "flux-values", "release.yaml", "base.yaml", directory="plain") == ALL
    assert paths(here, "flux-values", "../plain", directory="plain") == ALL
    assert paths(here, "flux-values", "-", stdin=RELEASE + "---\n" + BASE, directory="plain") == ALL
    assert paths(here, "flux-values", stdin=LIST, directory="plain") == ALL


def test_behind_a_function_a_word_that_is_no_file_is_a_pattern(here):
    assert paths(here, "flux-values", "release.yaml", "base.yaml", "image.*", "port", directory="plain") == [
        "image.name",
        "image.tag",
        "port",
    ]
    assert paths(here, "flux-values", "port", "../plain", directory="plain") == ["port"]
    assert paths(here, "flux-values", "-", "port", stdin=RELEASE + "---\n" + BASE, directory="plain") == ["port"]
    assert paths(here, "flux-values", "port", stdin=LIST, directory="plain") == ["port"], "a pattern of the list on stdin"
    done = command("values", "flux-values", "release.yaml", "base.yaml", "image.tag", "HelmRelease/web", cwd=here / "plain")
    heading = '# ConfigMap team/web-flux-values data["values.yaml"], generated for HelmRelease team/web\n'
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{heading}image:\n  tag: v2\n", "")


@pytest.mark.parametrize("name", ["explain", "values"])
@pytest.mark.parametrize("first", ["flux-values", "base.yaml"])
@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("relase.yaml", "release.yaml"),
        ("./relase.yaml", "./release.yaml"),
        ("../plain/bas.yaml", "../plain/base.yaml"),
        ("no/x.json", ""),
    ],
)
def test_a_file_that_does_not_exist_is_an_error_with_the_nearest_one(here, name, first, word, near):
    done = command(name, first, "release.yaml", word, cwd=here / "plain")
    hint = f"; did you mean `{near}`?" if near else ""
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"error: {word}: does not exist{hint}\n")


def test_a_path_with_a_functions_name_is_the_package_with_a_dot(here):
    assert paths(here, "flux-values", "port") == ["port"]
    assert paths(here, "./flux-values", "port") == ["port"]


def test_any_other_first_word_is_a_pattern_for_this_directory(here):
    assert paths(here, "port", directory="shop") == ["port"]
    assert paths(here, "image.*", "replicas", directory="shop") == ["image.name", "image.tag", "replicas"]


@pytest.mark.parametrize("dot", ["", "."])
def test_a_map_is_answered_by_its_values_and_a_dot_may_come_first(here, dot):
    images = ["image.name", "image.tag"]
    for word in ("image", "**.image", 'data["values.yaml"].image', '["image"]'):
        assert paths(here, "shop", dot + word) == images
        assert paths(here, dot + word, directory="shop") == images
        assert paths(here, "--path", dot + word, "shop") == images
        assert paths(here, "flux-values", "release.yaml", "base.yaml", dot + word, directory="plain") == images
    assert paths(here, "shop", f"{dot}image.tag") == ["image.tag"]
    assert paths(here, "shop", f"{dot}data") == ALL
    assert paths(here, "shop", f"{dot}image.*", f"{dot}port") == [*images, "port"]
    assert command("values", "shop", f"{dot}image", cwd=here).stdout == "image:\n  name: web\n  tag: v2\n"
    assert "image.tag v2 -> v1" in command("impact", f"shop/release.yaml:{dot}image.tag", cwd=here).stdout


def test_a_dot_before_a_word_where_no_package_is(here):
    done = command("explain", ".image", cwd=here)
    assert (done.returncode, done.stderr) == (1, "error: .image: does not exist\n")


def test_a_word_that_is_neither_a_path_nor_a_function_where_no_package_is(here):
    done = command("explain", "flux-value", cwd=here / "plain")
    assert (done.returncode, done.stderr) == (2, 'error: no function is called "flux-value"; did you mean "flux-values"?\n')


def test_without_words_it_is_a_list_on_stdin(here):
    assert paths(here, stdin=LIST + "functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: FluxValues\n") == ALL


def test_a_pattern_can_be_an_option_anywhere(here):
    assert paths(here, "--path", "port", "shop") == ["port"]
    assert paths(here, "shop", "--path", "port", "replicas") == ["port", "replicas"]
    assert paths(here, "flux-values", "base.yaml", "release.yaml", "--path", "port", directory="plain") == ["port"]


def _name(words: object) -> str | None:
    return " ".join(words) if isinstance(words, list) else None


FILTERS = [
    (["--resource", "ConfigMap/team/web-flux-values"], ALL),
    (["--resource", "configmap/web-flux-values"], ALL),
    (["--resource", "ConfigMap"], ALL),
    (["--resource", "HelmRelease/team/web"], ALL),
    (["--from", "base.yaml"], ["image.name", "image.tag", "port"]),
    (["--from", "base.yaml:8"], ["image.tag"]),
    (["--from", "release.yaml:9"], ["image.tag"]),
    (["--contested"], ["image.tag"]),
    (["--overridden-by", "values"], ["image.tag"]),
    (["--overridden-by", "values", "--from", "base.yaml", "**.tag"], ["image.tag"]),
]


@pytest.mark.parametrize(("words", "expected"), FILTERS, ids=_name)
def test_options_ask_for_some_values(here, words, expected):
    assert paths(here, "shop", *words) == expected


NOTHING = [
    (["imag.tag"], "no value has the path `imag.tag`; did you mean `image.tag`?"),
    (["image.tag.x"], "no value has the path `image.tag.x`; `image.tag` is one value"),
    (["port[0]"], "no value has the path `port[0]`; `port` is one value"),
    (["spec.values.image.tag"], "no value has the path `spec.values.image.tag`; did you mean `image.tag`?"),
    (["tag"], "no value has the path `tag`; did you mean `image.tag`? `**.tag` matches every path that ends with it"),
    (["data.image"], "no value has the path `data.image`"),
    (["im*"], "no value has the path `im*`"),
    (["--resource", "ConfigMap/team/web-flux-value"], "no function decides a value of `ConfigMap/team/web-flux-value`"),
    (["--from", "bsae.yaml"], "no value comes from the file `bsae.yaml`; did you mean `base.yaml`?"),
    (["--overridden-by", "value"], "no layer that wins is called `value`; did you mean `values`?"),
    (["--overridden-by", "valuesFro"], "no layer that wins is called `valuesFro`; did you mean `valuesFrom`?"),
    (["port", "--contested"], "no value matches"),
]


@pytest.mark.parametrize(("words", "message"), NOTHING, ids=_name)
def test_where_no_value_fits_it_says_so_and_what_is_near(here, words, message):
    done = command("explain", "shop", *words, cwd=here)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error: {message}" in done.stderr


@pytest.mark.parametrize(
    "words", [["imag.tag", "port"], ["port", "--path", "imag.tag"], ["port", "imag.tag", "--json"]], ids=_name
)
@pytest.mark.parametrize("command_name", ["explain", "values"])
def test_a_pattern_that_fits_nothing_beside_one_that_does_is_named(here, words, command_name):
    if command_name == "values":
        words = [word for word in words if not word.startswith("--")]
    done = command(command_name, "shop", *words, cwd=here)
    assert done.returncode == 1
    assert done.stderr.count("error:") == 1
    assert "error: no value has the path `imag.tag`; did you mean `image.tag`?" in done.stderr
    assert "port" in done.stdout


def test_a_first_word_that_is_no_directory_is_named(here):
    done = command("explain", "nosuchdir", "port", cwd=here / "shop")
    assert (done.returncode, "port = " in done.stdout) == (1, True)
    assert "error: no value has the path `nosuchdir`" in done.stderr


@pytest.mark.parametrize(
    "words", [["port"], ["--contested"], ["--from", "release.yaml"], ["--resource", "ConfigMap"]], ids=_name
)
def test_a_package_without_values_has_none_that_is_asked_for(tmp_path, words):
    write(tmp_path, {"Kptfile": kptfile("exec: krm-flux-values"), "base.yaml": BASE})
    done = command("explain", ".", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: no ")
    assert command("explain", ".", cwd=tmp_path).returncode == 0


def test_without_a_function_nothing_is_said_of_one(here):
    done = command("explain", "release.yaml", cwd=here)
    assert (done.returncode, done.stdout) == (1, "")
    assert "name the function, as in `krm-values explain flux-values release.yaml`" in done.stderr


WRONG = [
    (["--from", "base.yaml:0"], "with a line from 1 on"),
    (["a..b"], "pattern"),
    (["a["], "pattern"),
    (['["a'], "pattern"),
    (["--resource", "a/b/c/d"], "KIND/NAME"),
]


@pytest.mark.parametrize(("words", "part"), WRONG, ids=_name)
def test_what_cannot_be_understood_is_an_error_of_the_command_line(here, words, part):
    done = command("explain", "shop", *words, cwd=here)
    assert done.returncode == 2
    assert part in done.stderr


FITS = [
    ("a.b", ("a", "b"), True),
    ("a.b", ("a", "b", "c"), False),
    ("a.*", ("a", "b"), True),
    ("a.*", ("a",), False),
    ("a.*", ("a", "b", "c"), False),
    ("**", ("a", "b"), True),
    ("**.c", ("c",), True),
    ("**.c", ("a", "b", "c"), True),
    ("a.**.c", ("a", "c"), True),
    ("a.**.c", ("a", "b", "b", "c"), True),
    ("a.**", ("a",), True),
    ("a.im*", ("a", "image"), True),
    ("a.im*", ("a", "tag"), False),
    ("a[0].b", ("a", 0, "b"), True),
    ("a[*].b", ("a", 3, "b"), True),
    ("a.0.b", ("a", 0, "b"), True),
    ('data["values.yaml"]', ("data", "values.yaml"), True),
    ('["a*"]', ("ab",), False),
    ('["a*"]', ("a*",), True),
    ('["a\\"b"].c', ('a"b', "c"), True),
]


@pytest.mark.parametrize(("pattern", "path", "fits"), FITS, ids=str)
def test_a_pattern_fits_whole_paths(pattern, path, fits):
    assert Pattern(pattern).fits(path) is fits


@pytest.mark.parametrize("path", [("a", "b"), ("data", "values.yaml", "x"), ("l", 0, 'a"b\\c'), ("a b", "c[d]")], ids=str)
def test_a_path_as_it_is_shown_is_a_pattern_of_itself(path):
    assert Pattern(to_field(path)).fits(path)


@pytest.mark.parametrize("text", ["", ".", "a.", "a[x]", 'a["b', "a]b"])
def test_what_is_no_pattern_is_refused(text):
    with pytest.raises(UsageError, match="must be a path"):
        Pattern(text)


@pytest.mark.parametrize(("text", "fits"), [("a.**.c", True), ('a["**"].c', False), ("a.*.c", True), ('a["x"].c', True)])
def test_a_quoted_part_of_a_pattern_is_a_name(text, fits):
    assert Pattern(text).fits(("a", "x", "c")) == fits


@pytest.mark.parametrize("text", ["", "ConfigMap/", "ConfigMap//a", "/team/a", "ConfigMap/team/a/b"])
def test_a_resource_has_no_empty_part_and_at_most_three(text):
    with pytest.raises(UsageError):
        of_resource(text)


LONG = "a" * 30_000


@pytest.mark.parametrize("words", [[LONG], ["--resource", f"K/{LONG}"], ["--overridden-by", LONG]])
def test_a_message_shows_a_part_of_a_long_word(words):
    done = command("explain", ".", *words, cwd=Path(__file__).parents[2] / "examples/layered-values/first")
    assert done.returncode == 1
    assert len(done.stderr) < 2 * 1000
