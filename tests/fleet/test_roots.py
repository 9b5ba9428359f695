"""Which packages a fleet has: found as `render --recursive` finds them, by roots that `.krm-fleet.yaml` and patterns narrow."""

from __future__ import annotations

import pytest

from krm_values._data.errors import UserError
from krm_values._fleet import roots
from tests.cli.packages import command, write

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n"
HEAD = "apiVersion: krm-values.dev/v1alpha1\nkind: Fleet\n"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    names = ("eu/a/web", "eu/a/api", "us/b/web", "us/b/web/inner", "old/c")
    write(tmp_path, {f"{name}/Kptfile": KPTFILE for name in names})
    (tmp_path / "us/link").symlink_to("../eu/a")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*given, select=()):
    return [member.name for member in roots.find(given, select).members]


def test_outermost_packages_are_found_sorted_and_no_link_is_followed(tree):
    assert names(".") == ["eu/a/api", "eu/a/web", "old/c", "us/b/web"]
    assert names("eu", "us") == ["eu/a/api", "eu/a/web", "us/b/web"]
    assert names("us/b/web") == ["."]


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["eu"], ["eu/a/api", "eu/a/web"]),
        (["*/*/web"], ["eu/a/web", "us/b/web"]),
        (["**/web"], ["eu/a/web", "us/b/web"]),
        (["*/web", "old/?"], ["old/c"]),
        (["e.*", "ol*/"], ["old/c"]),
    ],
)
def test_a_pattern_matches_a_name_or_a_directory_of_it(tree, patterns, found):
    assert names(".", select=patterns) == found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["eu", "eu/a"], "eu/a: is in eu, which is a root as well"),
        (["eu/a", "."], "eu/a: is in ., which is a root as well"),
        (["eu", "./eu"], "./eu: is the same directory as eu: name it once"),
        (["us/link", "eu"], "us/link: is in eu, which is a root as well"),
        (["none"], "none: is not a directory"),
    ],
)
def test_roots_in_each_other_are_refused(tree, given, said):
    with pytest.raises(UserError) as error:
        roots.find(given)
    assert said in str(error.value)


def test_the_file_of_a_root_names_roots_and_what_is_left_out(tree):
    write(tree, {".krm-fleet.yaml": f"{HEAD}spec: {{roots: [us, eu], exclude: ['**/api'], timeout: 7, matrix: {{rows: 2}}}}\n"})
    fleet = roots.find(["."])
    assert [member.name for member in fleet.members] == ["eu/a/web", "us/b/web"]
    assert (fleet.timeout, fleet.rows, fleet.columns) == (7, 2, 2)


def test_a_directory_has_the_name_of_a_package_only_where_one_would_be_found(tree):
    write(tree, {".krm-fleet.yaml": f"{HEAD}spec: {{roots: [us, eu], exclude: ['**/api']}}\n"})
    asked = {"eu/a/api": "", "eu/a/web": "eu/a/web", "old/c": "", "us/gone": "us/gone", "usb": ""}
    assert {name: roots.find(["."]).name_of(str(tree / name)) for name in asked} == asked
    assert roots.find(["."], ["us"]).name_of(str(tree / "eu/a/web")) == ""


def test_what_one_root_leaves_out_another_one_has(tree):
    write(tree, {"eu/.krm-fleet.yaml": f"{HEAD}spec: {{exclude: ['**/web']}}\n"})
    asked = {"eu/a/web": "", "eu/a/new": "eu/a/new", "us/b/web": "us/b/web"}
    assert {name: roots.find(["eu", "us"]).name_of(str(tree / name)) for name in asked} == asked


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("{root: [eu]}", ".krm-fleet.yaml:3:8: functionConfig `spec.root`: must be one of `roots`, `exclude`, `timeout`, `matrix`; did you mean `roots`?"),
        ("{roots: eu}", '.krm-fleet.yaml:3:8: functionConfig `spec.roots`: must be a list; found string "eu"'),
        ("{timeout: -1}", ".krm-fleet.yaml:3:8: functionConfig `spec.timeout`: input should be greater than or equal to 0; found number -1"),
        ("{roots: [eu, eu/a]}", ".krm-fleet.yaml:3:20: functionConfig `spec.roots[1]`: must not be the same as another root or within one: see `eu`"),
        ("{roots: [us/link]}", "`spec.roots[0]`: must be a directory below this one, and no link"),
        ("{roots: [../x]}", "`spec.roots[0]`: must be a directory below this one, and no link"),
        ("{roots: [none]}", "`spec.roots[0]`: must be a directory, and there is none of this name"),
        ("{matrix: {rows: 0}}", "`spec.matrix.rows`: input should be greater than or equal to 1; found number 0"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_an_error_with_its_place(tree, spec, said):
    write(tree, {".krm-fleet.yaml": f"{HEAD}spec: {spec}\n"})
    done = command("fleet", "render", ".", cwd=tree)
    assert done.returncode == 1
    assert said in done.stderr
