"""What happens between two renders of one directory: each row of the manual's table, as bytes of files."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.packages import command

STORIES = Path(__file__).parents[3] / "examples" / "glasskube-values"
UNDO = "krm-values.dev/undo.glasskube-values"
VALUES = """\
  values:
    host:
      value: foo.example.com
"""
MANIFEST = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata:
  name: foo
spec:
  manifest:
    name: foo
    scope: Namespaced
    valueDefinitions:
      first:
        type: text
        targets:
        - resource: {apiGroup: v1, kind: Thing, name: thing}
          patch: {op: add, path: /spec/list/0}
      key:
        type: text
        targets:
        - resource: {apiGroup: v1, kind: Secret, name: box}
          patch: {op: replace, path: /stringData/key}
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata:
  name: foo
  namespace: team
spec:
  packageInfo:
    name: foo
    version: v1
  values:
    first:
      value: ours
    key:
      value: new-key
"""
THING = "apiVersion: v1\nkind: Thing\nmetadata:\n  name: thing\n  namespace: team\nspec:\n  list:\n  - a\n  - b\n"
BOX = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: box\n  namespace: team\nstringData:\n  key: old-key\n"


class Directory:
    """A package that is rendered again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.authored = self.files()

    def files(self) -> dict[str, str]:
        return {str(path.relative_to(self.path)): path.read_text() for path in self.path.rglob("*") if path.is_file()}

    def render(self, code: int = 0) -> str:
        done = command("render", self.path)
        assert done.returncode == code, done.stderr
        return "".join(line for line in done.stderr.splitlines(keepends=True) if not re.match(r"\d+ step\(s\)", line))

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text()
        assert old in text
        (self.path / name).write_text(text.replace(old, new))

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.path / f"{name}.yaml").write_text(text)


def example(tmp_path: Path, story: str = "several-targets") -> Directory:
    shutil.copytree(STORIES / story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected"))
    config = tmp_path / "package" / "glasskube-values.yaml"
    config.write_text(config.read_text().replace("strict: true", "strict: false"))
    return Directory(tmp_path / "package")


def lists(tmp_path: Path) -> Directory:
    """An element before others, and a Secret's old value."""
    directory = example(tmp_path)
    for name in ("package", "manifest", "resources", "kustomization"):
        (directory.path / f"{name}.yaml").unlink()
    directory.write(manifest=MANIFEST, package=PACKAGE, thing=THING, box=BOX)
    return Directory(directory.path)


@pytest.fixture
def rendered(tmp_path):
    directory = example(tmp_path)
    assert directory.render() == ""
    assert directory.files() != directory.authored
    return directory


def only_undone(directory: Directory, *changed: str) -> None:
    """Every file is as authored, but for those that the test itself changed."""
    assert {k: v for k, v in directory.files().items() if k not in changed} == {
        k: v for k, v in directory.authored.items() if k not in changed
    }
    assert UNDO not in "".join(directory.files().values())


def test_the_same_run_again_changes_no_byte(rendered):
    once = rendered.files()
    assert rendered.render() == ""
    assert rendered.files() == once


def test_a_changed_value_stands_and_nothing_piles_up(rendered):
    before = rendered.files()["resources.yaml"]
    rendered.change("package.yaml", "foo.example.com", "bar.example.com")
    rendered.render()
    after = rendered.files()["resources.yaml"]
    assert "foo.example.com" not in after
    assert after.count("bar.example.com") == before.count("foo.example.com") == 3
    without = re.compile(rf"{UNDO}.*")
    assert without.sub("", after) == without.sub("", before).replace("foo.example.com", "bar.example.com")


def test_a_value_that_is_gone_leaves_no_byte(rendered):
    rendered.change("manifest.yaml", "required: true", "required: false")
    rendered.change("package.yaml", VALUES, "")
    rendered.render()
    only_undone(rendered, "package.yaml", "manifest.yaml")


def test_a_target_that_is_gone_is_undone_and_the_others_stay(rendered):
    rendered.change("manifest.yaml", "          - op: add\n            path: /spec/rules/0/host\n", "")
    rendered.render()
    text = rendered.files()["resources.yaml"]
    assert "    host: foo.example.com" not in text
    assert text.count("foo.example.com") == 2


def test_a_package_that_is_gone_leaves_no_byte(rendered):
    (rendered.path / "package.yaml").unlink()
    rendered.render()
    assert "package.yaml" not in rendered.files()
    only_undone(rendered, "package.yaml")


def test_a_release_goes_with_its_package(tmp_path):
    directory = example(tmp_path, "chart-value")
    directory.render()
    assert "glasskube/team/helmrelease-foo-foo.yaml" in directory.files()
    (directory.path / "package.yaml").unlink()
    directory.render()
    only_undone(directory, "package.yaml")


def test_without_resources_in_emit_it_is_as_if_no_package_wrote_there(rendered):
    rendered.change("glasskube-values.yaml", "strict: false", "emit: [helm]")
    rendered.render()
    only_undone(rendered, "glasskube-values.yaml")


def test_with_nothing_in_emit_the_tool_can_be_left(tmp_path):
    directory = example(tmp_path, "value-configurations")
    directory.render()
    directory.change("glasskube-values.yaml", "strict: false", "emit: []")
    directory.render()
    only_undone(directory, "glasskube-values.yaml")


def test_a_resource_that_is_fetched_anew_is_done_as_on_the_first_run(rendered):
    once = rendered.files()
    (rendered.path / "resources.yaml").write_text(rendered.authored["resources.yaml"])
    assert rendered.render() == ""
    assert rendered.files() == once


def checked_out(directory: Directory, name: str) -> None:
    """The content as authored, with the annotation of the run."""
    (line,) = re.findall(rf".*{UNDO}.*\n", (directory.path / name).read_text())
    (directory.path / name).write_text(
        directory.authored[name].replace("  namespace: team\n", f"  namespace: team\n  annotations:\n{line}", 1)
    )


def test_content_that_went_back_while_the_annotation_stayed_is_silent(tmp_path):
    directory = example(tmp_path, "value-configurations")
    directory.write(resources=BOX.replace("Secret", "ConfigMap").replace("stringData", "data").replace("box", "foo-settings"))
    credentials = BOX.replace("box", "foo-credentials")
    directory.write(credentials=credentials)
    directory = Directory(directory.path)
    assert directory.render() == ""
    once = directory.files()
    checked_out(directory, "resources.yaml")
    assert directory.render() == ""
    assert directory.files() == once


def test_an_old_secret_value_that_is_back_is_silent_without_a_hash(tmp_path):
    directory = lists(tmp_path)
    assert directory.render() == ""
    once = directory.files()
    checked_out(directory, "box.yaml")
    assert directory.render() == ""
    assert directory.files()["box.yaml"] == once["box.yaml"]


def test_an_insert_before_other_elements_that_went_back_is_an_error(tmp_path):
    directory = lists(tmp_path)
    directory.render()
    checked_out(directory, "thing.yaml")
    before = directory.files()
    said = directory.render(code=1)
    assert "has an element of an earlier run that was changed by hand, and would get another: delete the changed one" in said
    assert directory.files() == before


def test_an_update_of_the_place_is_a_warning_and_the_new_original(tmp_path):
    directory = lists(tmp_path)
    directory.write(box=BOX.replace("Secret", "Thing"), manifest=MANIFEST.replace("kind: Secret", "kind: Thing"))
    directory = Directory(directory.path)
    directory.render()
    directory.change("box.yaml", "key: new-key", "key: from-upstream")
    said = directory.render()
    assert "was edited by hand" in said
    assert "key: new-key" in directory.files()["box.yaml"]
    (directory.path / "package.yaml").unlink()
    directory.render()
    assert directory.files()["box.yaml"] == directory.authored["box.yaml"].replace("old-key", "from-upstream")


def test_elements_that_somebody_adds_stay_and_ours_goes_last_again(rendered):
    rendered.change(
        "resources.yaml",
        "        - name: APP_HOST\n          value: foo.example.com\n",
        "        - name: APP_HOST\n          value: foo.example.com\n        - name: MINE\n          value: '1'\n",
    )
    assert rendered.render() == ""
    text = rendered.files()["resources.yaml"]
    assert text.index("name: MODE") < text.index("name: MINE") < text.index("name: APP_HOST")
    assert text.count("APP_HOST") == 1
    (rendered.path / "package.yaml").unlink()
    rendered.render()
    assert rendered.files()["resources.yaml"] == rendered.authored["resources.yaml"] + (
        "        - name: MINE\n          value: '1'\n"
    )


def test_what_a_secret_held_before_is_not_kept(tmp_path):
    directory = lists(tmp_path)
    directory.render()
    (directory.path / "package.yaml").unlink()
    said = directory.render()
    assert "is written by nothing any more and its earlier value was not kept: the last value stays" in said
    assert directory.files()["box.yaml"] == BOX.replace("old-key", "new-key")
    assert directory.files()["thing.yaml"] == THING


def test_two_configs_for_one_list_are_refused(rendered):
    """A Package that wrote, is still there, and has no manifest in this run."""
    (rendered.path / "manifest.yaml").unlink()
    before = rendered.files()
    said = rendered.render(code=1)
    assert "was written by Package foo/foo, which has no manifest in this run" in said
    assert rendered.files() == before
