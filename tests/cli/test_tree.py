"""New and removed resources: which file they go to, and what is left of the one they came from."""

from __future__ import annotations

import pytest
from tests.cli.packages import CONFIG_MAP, kptfile, write

from krm_values._krm import packages
from krm_values._krm.item import Position
from krm_values._run import tree
from krm_values._run.generated import Added
from krm_values._run.resolve import Outcome
from krm_values._run.tree import default_path

NEW = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new", "namespace": "ns"}, "data": {"on": "yes"}}
TEXT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n  namespace: ns\ndata:\n  'on': 'yes'\n"
A, B = CONFIG_MAP.format(name="a"), CONFIG_MAP.format(name="b")


@pytest.fixture
def loaded(tmp_path):
    texts = {"Kptfile": kptfile(), "two.yaml": f"# head\n{A}---\n{B}", "sub/Kptfile": kptfile(), "sub/one.yaml": A}
    return tree.load(packages.read(write(tmp_path, texts)))


def take(loaded, *added: Added, removed: tuple[str, ...] = (), owner: str = "") -> dict[str, str | None]:
    """The changed files after a step that adds and removes; removed: names in two.yaml and sub/one.yaml."""
    gone = [
        n for n, found in enumerate(loaded.tree.documents) if found.path in removed or f"{found.path}:{found.index}" in removed
    ]
    loaded.tree.apply(Outcome((), {}, frozenset(gone), added, (), (), ()), owner)
    return {change.path: None if change.new is None else change.new.decode() for change in tree.changes(loaded)}


@pytest.mark.parametrize(
    ("position", "owner", "expected"),
    [
        (Position("", "new.yaml"), "", {"new.yaml": TEXT}),
        (Position("", "deep/er.yaml"), "", {"deep/er.yaml": TEXT}),
        (Position("", "two.yaml", 2), "", {"two.yaml": f"# head\n{A}---\n{B}---\n{TEXT}"}),
        (Position("", "sub/one.yaml", 1), "", {"sub/one.yaml": f"{A}---\n{TEXT}"}),
        (Position(), "", {"ns/configmap_new.yaml": TEXT}),
        (Position(), "sub", {"sub/ns/configmap_new.yaml": TEXT}),
    ],
    ids=["own file", "own directory", "shared file", "sub-package", "no path", "no path in a sub-package"],
)
def test_a_new_resource_goes_to_its_file(loaded, position, owner, expected):
    """Without a path it gets the name that kpt gives it, in the package whose pipeline runs."""
    assert take(loaded, Added(NEW, position), owner=owner) == expected  # type: ignore[arg-type]
    new = loaded.tree.documents[-1]
    assert loaded.tree.item(len(loaded.tree.documents) - 1).data == NEW
    assert (new.package, new.path) == ("sub" if "sub" in next(iter(expected)) else "", next(iter(expected)))


def test_several_new_resources_share_a_file(loaded):
    other = {**NEW, "metadata": {"name": "z"}}
    found = take(loaded, Added(NEW, Position("", "new.yaml", 0)), Added(other, Position("", "new.yaml", 1)))  # type: ignore[arg-type]
    assert found == {"new.yaml": TEXT + "---\n" + TEXT.replace("  name: new\n  namespace: ns\n", "  name: z\n")}
    assert [document.index for document in loaded.tree.documents[-2:]] == [0, 1]


def test_a_new_json_file_gets_json(loaded):
    assert take(loaded, Added({"kind": "A"}, Position("", "new.json"))) == {"new.json": '{\n  "kind": "A"\n}\n'}


@pytest.mark.parametrize(
    ("removed", "expected"),
    [
        (("two.yaml:0",), {"two.yaml": B}),
        (("two.yaml:1",), {"two.yaml": f"# head\n{A}"}),
        (("two.yaml",), {"two.yaml": None}),
        (("sub/one.yaml", "two.yaml"), {"sub/one.yaml": None, "two.yaml": None}),
    ],
)
def test_a_file_goes_with_its_last_resource(loaded, removed, expected):
    assert take(loaded, removed=removed) == expected


def test_a_removed_and_a_new_resource_in_one_file(loaded):
    assert take(loaded, Added(NEW, Position("", "two.yaml", 2)), removed=("two.yaml",)) == {"two.yaml": TEXT}  # type: ignore[arg-type]


def test_what_a_step_added_the_next_one_may_edit_or_remove(loaded):
    take(loaded, Added(NEW, Position("", "new.yaml")))  # type: ignore[arg-type]
    number = len(loaded.tree.documents) - 1
    loaded.tree.apply(Outcome((), {number: TEXT.replace("yes", "no")}, frozenset(), (), (), (), ()), "")
    assert [(c.path, c.new) for c in tree.changes(loaded)] == [("new.yaml", TEXT.replace("yes", "no").encode())]
    loaded.tree.apply(Outcome((), {}, frozenset({number}), (), (), (), ()), "")
    assert tree.changes(loaded) == []


@pytest.mark.parametrize(
    ("namespace", "path"),
    [("", "deployment_web.yaml"), ("prod", "prod/deployment_web.yaml")],
    ids=["no namespace", "namespace"],
)
def test_the_default_name_is_kpts(namespace, path):
    metadata = {"name": "web", "namespace": namespace} if namespace else {"name": "web"}
    assert default_path({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}) == path  # type: ignore[dict-item]
