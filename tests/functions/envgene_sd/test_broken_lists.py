"""`envgene sink` of a list with something in it that cannot be read, or that is called almost like an SD: an error, and nothing is written."""

from __future__ import annotations

import pytest

from tests.conformance.instances import call

FOLDER = "environments/c/e/Inventory/solution-descriptor"
FULL = 'applications:\n- {version: "a:1", deployPostfix: x}\nfoo: bar\n'
DELTA = "applications:\n- {version: 'b:1', deployPostfix: y}\n"


@pytest.fixture
def repository(tmp_path):
    for path, text in {
        f"{FOLDER}/sd.yaml": FULL,
        f"{FOLDER}/delta_sd.yaml": DELTA,
        "environments/c/e/Namespaces/x/namespace.yml": "name: n\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def listed(root):
    done = call(["source", str(root)], {})
    assert done.code == 0, done.err
    return done.out.decode()


def refused(root, data):
    """What `sink` says of a list that it refuses; the repository is as it was."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    done = call(["sink", str(root)], {}, data.encode())
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert (done.code, "changed" in done.err) == (1, False), done.err
    return done.err


def edited(data, old, new):
    assert old in data
    return data.replace('"a:1"', '"a:2"').replace(old, new, 1)


BROKEN = ['"a', "@x", "%x", "a: b: c", "!<a b", '"\\ud800"', '"\\q"', "*nowhere", "[a", "{a: 1, a: 2}"]


@pytest.mark.parametrize("value", BROKEN)
def test_a_value_that_cannot_be_read(repository, value):
    """Inside of an SD's data, with the line of stdin."""
    data = edited(listed(repository), "foo: bar", f"foo: {value}")
    line = data[: data.index("foo: ")].count("\n") + 1
    said = refused(repository, data)
    assert "error: stdin:" in said
    assert int(said.split("stdin:", 1)[1].split(":")[0]) >= line


@pytest.mark.parametrize("value", BROKEN)
@pytest.mark.parametrize("key", ["krm-values.dev/source-digest", "name", "config.kubernetes.io/path"])
def test_metadata_that_cannot_be_read(repository, key, value):
    data = listed(repository)
    old = next(line for line in data.splitlines() if line.strip().startswith(f"{key}: "))
    said = refused(repository, edited(data, old, f"{old.partition(':')[0]}: {value}"))
    assert "error: stdin:" in said


@pytest.mark.parametrize("value", BROKEN)
@pytest.mark.parametrize("at", ["before", "behind"])
def test_another_item_that_cannot_be_read(repository, value, at):
    """It may be an SD."""
    data = edited(listed(repository), "foo: bar", "foo: baz")
    broken = f"- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: m\n  data:\n    key: {value}\n"
    data = data.replace("items:\n", f"items:\n{broken}") if at == "before" else data + broken
    assert "error: stdin:" in refused(repository, data)


def test_a_list_of_documents_and_all_errors_at_once(repository):
    documents = [
        f'apiVersion: krm-values.dev/v1alpha1\nkind: SolutionDescriptor\nmetadata: {{name: {name}}}\nspec: {{a: "\\q"}}\n'
        for name in ("a.sd", "b.sd")
    ]
    said = refused(repository, "---\n".join(documents))
    assert [line.split(": ")[1] for line in said.splitlines()] == ["stdin:4:12", "stdin:9:12"]


def test_an_item_whose_kind_is_misspelt(repository):
    """The Delta SD of an environment that the list has no Delta SD of is removed: not for a slip in its kind."""
    data = listed(repository)
    at = data.rindex("kind: SolutionDescriptor\n")
    said = refused(repository, data[:at] + "kind: SolutionDescriptr\n" + data[at + len("kind: SolutionDescriptor\n") :])
    assert '"SolutionDescriptr" is not a kind of krm-values.dev' in said
    assert "did you mean `SolutionDescriptor`?" in said
    assert "stdin:" in said


@pytest.mark.parametrize(
    ("old", "new", "near"),
    [
        (
            "apiVersion: krm-values.dev/v1alpha1\n  kind: Sol",
            "apiVersion: krm-value.dev/v1alpha1\n  kind: Sol",
            "`krm-values.dev/v1alpha1`",
        ),
        ("kind: SolutionDescriptor", "knd: SolutionDescriptor", "`kind`"),
        ("apiVersion: krm-values.dev/v1alpha1\n  kind: Sol", "apiVerson: krm-values.dev/v1alpha1\n  kind: Sol", "`apiVersion`"),
        ("kind: ResourceList", "kind: ResourceLst", "`ResourceList`"),
        ("kind: ResourceList", "kind: Resources", "kind"),
        ("items:", "itms:", "`items`"),
    ],
)
def test_other_slips_that_hide_an_sd(repository, old, new, near):
    assert near in refused(repository, edited(listed(repository), old, new))


@pytest.mark.parametrize(
    ("text", "words"),
    [("# x\n", "found nothing"), ("kind: ResourceList\nitems: {a: 1}\n", "`items` must be a list, found object")],
)
def test_what_is_not_a_list(repository, text, words):
    assert words in refused(repository, text)


@pytest.mark.parametrize("text", ["items: []", "items:", ""])
def test_an_empty_list_is_a_list(repository, text):
    done = call(["sink", str(repository)], {}, f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n{text}\n".encode())
    assert (done.code, done.err) == (0, "changed: nothing\n")


def test_other_kinds_are_left_alone(repository):
    others = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: m}\n- apiVersion: krm-values.dev/v1alpha1\n  kind: EnvgeneSd\n  metadata: {name: m}\n"
    done = call(["sink", str(repository)], {}, (listed(repository) + others).encode())
    assert (done.code, done.err) == (0, "changed: nothing\n")
