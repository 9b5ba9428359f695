"""What happens between two renders of one directory, as bytes of files; as data it is in the conformance cases `gk-re-*`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.cli.packages import command

STORIES = Path(__file__).parents[3] / "examples" / "glasskube-values"
UNDO = "krm-values.dev/undo.glasskube-values"
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
        return "".join(line for line in done.stderr.splitlines(keepends=True) if not re.match(r"\d+ steps? run", line))

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


def test_a_package_that_is_gone_leaves_no_byte(rendered):
    (rendered.path / "package.yaml").unlink()
    rendered.render()
    assert "package.yaml" not in rendered.files()
    only_undone(rendered, "package.yaml")


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


def test_two_configs_for_one_list_are_refused(rendered):
    """A Package that wrote, is still there, and has no manifest in this run."""
    (rendered.path / "manifest.yaml").unlink()
    before = rendered.files()
    said = rendered.render(code=1)
    assert "was written by Package foo/foo, which has no manifest in this run" in said
    assert rendered.files() == before


@pytest.mark.parametrize("op", ["add", "remove"])
def test_a_default_is_written_for_its_package(tmp_path, op):
    """The manifest, and so the value, stands in the functionConfig."""
    directory = lists(tmp_path)
    (directory.path / "manifest.yaml").unlink()
    patch = {"op": op, "path": "/spec/list/0"}
    target = {"resource": {"apiGroup": "v1", "kind": "Thing", "name": "thing"}, "patch": patch}
    first = {"type": "text", "defaultValue": "ours", "targets": [target]}
    manifest = {"name": "foo", "scope": "Namespaced", "valueDefinitions": {"first": first}}
    config = yaml.safe_load((directory.path / "glasskube-values.yaml").read_text())
    config["spec"] = {"useDefaults": True, "manifests": [manifest]}
    directory.write(**{"glasskube-values": yaml.safe_dump(config), "package": PACKAGE.partition("  values:")[0]})
    directory.render()
    assert '"by":["Package/team/foo"]' in directory.files()["thing.yaml"]
    directory.write(**{"glasskube-values": yaml.safe_dump({**config, "spec": {"useDefaults": True}})})
    before = directory.files()
    assert "was written by Package team/foo, which has no manifest in this run" in directory.render(code=1)
    assert directory.files() == before
