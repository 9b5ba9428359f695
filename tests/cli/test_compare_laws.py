"""`compare` of packages with random edits of their sources: equal means equal, and of one edit, it alone is the cause of everything."""

from __future__ import annotations

import base64
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from tests.cli.packages import command, kptfile, write
from tests.cli.stacks import STACK, layer, release
from tests.cli.test_ways import EXAMPLES, STORIES
from tests.ledger.packages import of_any_function, some
from tests.strict_json import loads

from krm_values._data.errors import UserError
from krm_values._explain import changed as changed_places
from krm_values._explain import differences
from krm_values._explain.causes import Causes
from krm_values._explain.differences import Difference
from krm_values._explain.sides import Side
from krm_values._krm import hosts
from krm_values._krm.packages import Package
from krm_values._run import pipeline
from krm_values._run.planned import Manner, planned
from krm_values._yaml.edit.editor import Editor

EDITS = 6
CASES = 30
"""The packages of conformance cases that are tried."""
HEADS = ("apiVersion", "kind")
FORM = Draft202012Validator(json.loads(Path("functions/krm_values/_explain/comparison.json").read_text("utf-8")))


def rendered(package: Path) -> pipeline.Rendered | None:
    try:
        done = pipeline.rendered(package, skip_foreign=False, follow_links=False)
    except UserError:
        return None
    return None if done.failed else done


def plain(value: Any, *, is_secret: bool, path: tuple[Any, ...] = ()) -> Any:
    """A value with the maps that its texts hold in their place, and 1 another value than true and 1.0."""
    if isinstance(value, dict):
        return {str(key): plain(below, is_secret=is_secret, path=(*path, key)) for key, below in value.items()}
    if isinstance(value, list):
        return [plain(below, is_secret=is_secret, path=(*path, 0)) for below in value]
    if not isinstance(value, str):
        return type(value).__name__, value
    text = base64.b64decode(value).decode() if is_secret and path[:1] == ("data",) else value
    try:
        held = yaml.safe_load(text) if "\n" in text or path[:1] in (("data",), ("stringData",)) else None
    except yaml.YAMLError:
        held = None
    return plain(held, is_secret=False) if isinstance(held, dict) else str(value)


def tree(done: pipeline.Rendered) -> Counter[str]:
    """The data of all documents, in whatever file and order."""
    items = [done.loaded.tree.item(number) for number in range(len(done.loaded.tree.documents))]
    return Counter(
        json.dumps(
            [one.package, plain(hosts.hide(one.reading.whole)[0], is_secret=one.kind == "Secret")], sort_keys=True, default=str
        )
        for one in items
    )


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, below in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, key)
        yield from places(below, (*path, key))


def edited(text: str, picked: random.Random) -> str | None:
    """A document with another scalar, without a value, or with the elements of a list in another order."""
    editor = Editor(text)
    found = [path for path in places(editor.data) if path[0] not in HEADS and path != ("metadata",)]
    path = picked.choice(found)
    value: Any = editor.data
    for part in path:
        value = value[part]
    if isinstance(value, str) and "\n" in value and picked.random() < 0.8:
        try:
            inner = edited(value, picked)
        except (UserError, IndexError, AttributeError, TypeError):
            return None
        if inner is None:
            return None
        editor.put(path, inner)
    elif isinstance(value, list) and len(value) > 1:
        editor.move((*path, 0), len(value) - 1)
    elif isinstance(value, dict | list) or picked.random() < 0.3:
        editor.remove(path)
    else:
        editor.put(path, not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}x")
    return editor.text()


@pytest.mark.parametrize("story", STORIES)
def test_one_edit_is_the_cause_of_all_that_differs(story, tmp_path):
    before = Path(shutil.copytree(EXAMPLES / story, tmp_path / "before", ignore=shutil.ignore_patterns(".expected")))
    assert compared_with_edits(before, random.Random(story), tmp_path)


@pytest.mark.parametrize("number", range(CASES))
def test_one_edit_is_the_cause_in_packages_of_all_functions(number, tmp_path):
    seed = f"compare {number}"
    before = write(tmp_path / "before", of_any_function(random.Random(seed)))
    compared_with_edits(before, random.Random(seed), tmp_path)


def compared_with_edits(before: Path, picked: random.Random, tmp_path: Path) -> int:
    """Compare a package with itself after random edits, one each time. Return how many could be compared."""
    was = rendered(before)
    if was is None:
        return 0
    files = sorted(path.relative_to(before) for path in before.rglob("*.yaml"))
    done = 0
    for _ in range(EDITS * 5):
        file = picked.choice(files)
        whole = (before / file).read_text("utf-8")
        documents = whole.split("\n---\n")
        number = picked.randrange(len(documents))
        try:
            documents[number] = edited(documents[number], picked) or documents[number]
        except (UserError, IndexError, AttributeError):
            continue
        after = Path(shutil.copytree(before, tmp_path / f"after-{done}", dirs_exist_ok=True))
        (after / file).write_text("\n---\n".join(documents), "utf-8")
        now = rendered(after)
        if now is None:
            continue
        told = command("compare", before, after, "--json")
        found = loads(told.stdout)
        assert not [error.message for error in FORM.iter_errors(found)]
        assert told.returncode == int(not found["equal"]) == int(tree(was) != tree(now)), (file, told.stdout)
        causes = {cause["file"] for one in found["differences"] for cause in one["causes"]}
        assert causes <= {str(file)}, told.stdout
        assert all(one["causes"] for one in found["differences"]), told.stdout
        done += 1
        if done == EDITS:
            break
    return done


@pytest.mark.parametrize("number", range(CASES))
def test_of_several_edits_those_are_the_causes_that_make_it(number, tmp_path):
    """Alone, or only together: each difference, in packages of all functions with an edit in each of two or three files."""
    picked = random.Random(f"causes {number}")
    before = write(tmp_path / "before", of_any_function(picked) if number % 2 else some(picked))
    for attempt in range(6):
        edits = some_edits(before, picked)
        chosen = [one for size in range(4) for one in combinations(edits, size)]
        states = {one: with_edits(before, edits, one, tmp_path / str(attempt)) for one in chosen}
        if len(edits) > 1 and all(states.values()):
            check_causes(states, tuple(edits), before, tmp_path / str(attempt))
            return


def some_edits(before: Path, picked: random.Random) -> dict[Path, str]:
    """The texts of two or three files with an edit each."""
    files = sorted(path.relative_to(before) for path in before.rglob("*.yaml"))
    found = {}
    for file in picked.sample(files, min(picked.choice([2, 3]), len(files))):
        try:
            found[file] = edited((before / file).read_text("utf-8"), picked)
        except (UserError, IndexError, AttributeError):
            continue
    return {file: text for file, text in found.items() if text is not None}


def check_causes(states: dict[tuple[Path, ...], Side | None], edits: tuple[Path, ...], before: Path, into: Path) -> None:
    one, two = states[()], states[edits]
    for found in causes_of(one, two, read_package(before), read_package(into / named(edits))):
        alone = {file for file in edits if not differs(states[file,], (one, two), found)}
        needed = {
            file for file in edits if differs(states[tuple(other for other in edits if other != file)], (one, two), found)
        }
        assert {Path(cause.change.at[0]) for cause in found.causes or ()} == (alone or needed), (found.key, found.proof)


def with_edits(before: Path, edits: dict[Path, str], chosen: tuple[Path, ...], into: Path) -> Side | None:
    """A package with some of the edits; None if it cannot be rendered."""
    package = Path(shutil.copytree(before, into / named(chosen)))
    for file in chosen:
        (package / file).write_text(edits[file], "utf-8")
    done = rendered(package)
    return None if done is None else Side(done, show_secrets=False)


def named(chosen: tuple[Path, ...]) -> str:
    return " ".join(["with", *(str(file).replace("/", "_") for file in chosen)])


def read_package(directory: Path) -> Package:
    return pipeline.read_package(directory, follow_links=False)


def causes_of(one: Side, two: Side, *roots: Package) -> list[Difference]:
    changes = changed_places.changed(one, two)
    found = differences.between(one, two, changed_places.Touched(one, two, changes).has)
    return Causes(one, two, changes, roots, partial(planned, manner=Manner()), most=40).of(found)  # type: ignore[arg-type]


def differs(state: Side | None, sides: tuple[Side, Side], found: Difference) -> bool:
    """Whether the place of a difference is not as in the second state; of a value that is gone, whether the first state's is there."""
    before, after = sides
    if found.kind == "removed" and found.place is not None and found.pair.before:
        gone = [one for one in differences.between(before, state) if one.kind == "removed" and one.pair.before]
        return (found.pair.before.header, found.place) not in [(one.pair.before.header, one.place) for one in gone]
    left = {one.key for one in differences.between(state, after)}
    return not left.isdisjoint((found.key, found.key_of_object))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write(tmp_path / "package", STACK)


def changed(package: Path, tmp_path: Path, **files: str) -> Path:
    return write(Path(shutil.copytree(package, tmp_path / "other")), {f"{name}.yaml": text for name, text in files.items()})


def words(*call: Any) -> str:
    """What a command prints, without line breaks."""
    return " ".join(command(*call).stdout.split())


def test_a_renamed_object_and_what_is_generated_for_it_have_another_name(package, tmp_path):
    other = changed(package, tmp_path, release=(package / "release.yaml").read_text().replace("name: web", "name: shop"))
    assert words("compare", package, other) == (
        "ConfigMap team/shop-flux-values metadata.name web-flux-values -> shop-flux-values because release.yaml:4 changed"
    )


def test_the_file_of_an_object_is_no_difference(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "below").mkdir()
    (other / "base.yaml").rename(other / "below/renamed.yaml")
    assert command("compare", package, other).returncode == 0


def test_a_file_that_is_no_yaml_is_compared_by_its_bytes(package, tmp_path):
    (package / "notes.txt").write_text("one\n")
    (package / "link").symlink_to("notes.txt")
    other = Path(shutil.copytree(package, tmp_path / "other", symlinks=True))
    assert command("compare", package, other).returncode == 0
    (other / "notes.txt").write_text("two\n")
    (other / "new.txt").write_text("\0")
    (other / "link").unlink()
    (other / "link").symlink_to("new.txt")
    told = command("compare", package, other)
    assert (told.returncode, told.stdout.count("changed"), told.stdout.count("added")) == (1, 4, 2)
    assert "notes.txt\n  changed  because notes.txt changed\n" in told.stdout


def test_of_two_edits_the_one_that_makes_the_difference_is_named(package, tmp_path):
    """The layer below sets the same key, and a render without the layer above shows that this changes nothing."""
    both = {"replicas": 2, "image": {"tag": "v2"}}
    (package / "release.yaml").write_text(release(["base", "top"], {}))
    (package / "top.yaml").write_text(layer("top", {"replicas": 5}))
    other = changed(package, tmp_path, base=layer("base", {**both, "replicas": 4}), top=layer("top", {"replicas": 6}))
    told = command("compare", package, other).stdout
    assert "  replicas 5 -> 6  because top.yaml:6 changed\n" in told
    undecided = command("compare", package, other, "--renders", "0").stdout
    assert "  replicas 5 -> 6  because one of base.yaml:8 changed, top.yaml:6 changed\n" in undecided


def test_two_edits_that_are_needed_both_are_named_together(package, tmp_path):
    names = release(["base", "new"], {"replicas": 3})
    other = changed(package, tmp_path, release=names, new=layer("new", {"image": {"tag": "v9"}}))
    told = words("compare", package, other)
    assert "image.tag v1 -> v9 because new.yaml:1 added and release.yaml:13 added together" in told


def test_a_map_that_went_is_one_edit(package, tmp_path):
    """However many values it has: two edits need two more renders, and those of each name what it made."""
    values = {"image": {f"k{number}": {"x": number} for number in range(12)}, "replicas": 2}
    write(package, {"base.yaml": layer("base", values), "release.yaml": release(["base", "over"], {"port": 1})})
    entries = ["over", "base"]  # whose order is another edit
    other = changed(package, tmp_path, base=layer("base", {"replicas": 2}), release=release(entries, {"port": 1}))
    found = json.loads(command("compare", "--json", package, other).stdout)
    assert {one["proof"] for one in found["differences"]} <= {"only", "rendered"}
    assert found["renders"] <= 6
    gone = [
        one for one in found["differences"] if one["change"] == "removed" and one["resource"]["name"].endswith("-flux-values")
    ]
    assert len(gone) == 12
    assert {cause["file"] for one in gone for cause in one["causes"]} == {"base.yaml"}


def test_a_step_that_went_is_the_cause_of_the_object_that_went(tmp_path):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {0}}}\nspec:\n  layers: [{{name: own, values: {{a: 1}}}}]\n  targets: [{{configMap: {0}}}]\n"
    steps = [f"exec: krm-layered-values, configPath: {name}.yaml" for name in ("one", "two")]
    files = {f"{name}.yaml": config.format(name) for name in ("one", "two")}
    before = write(tmp_path / "before", {**files, "Kptfile": kptfile(*steps)})
    after = write(tmp_path / "after", {**files, "Kptfile": kptfile(steps[0])})
    line = (before / "Kptfile").read_text().splitlines().index(
        next(x for x in (before / "Kptfile").read_text().splitlines() if "two.yaml" in x)
    ) + 1
    assert command("compare", before, after).stdout == f"ConfigMap two\n  removed  because Kptfile:{line} (A) removed\n"


def test_an_object_that_is_named_by_a_digest_of_its_content_has_another_name(package, tmp_path):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: app-{0}}}\ndata: {{mode: {1}}}\n"
    other = changed(package, tmp_path)
    (package / "one.yaml").write_text(text.format("5f2d9c81", "slow"))
    (other / "two.yaml").write_text(text.format("77ab01c2", "fast"))
    assert words("compare", package, other) == (
        "ConfigMap app-77ab01c2 data.mode slow -> fast because two.yaml:4 changed metadata.name app-5f2d9c81 -> app-77ab01c2 because two.yaml:3 changed"
    )


def test_elements_are_known_by_their_names_and_others_by_their_order(package, tmp_path):
    text = "apiVersion: x/v1\nkind: Thing\nmetadata: {{name: t}}\nspec:\n  env: {0}\n  args: {1}\n"
    other = changed(
        package, tmp_path, thing=text.format("[{name: B, value: b}, {name: N, value: n}, {name: A, value: x}]", "[p, new, r]")
    )
    (package / "thing.yaml").write_text(text.format("[{name: A, value: a}, {name: B, value: b}]", "[gone, p, q, r]"))
    told = json.loads(command("compare", package, other, "--json").stdout)
    assert [(one["path"], one["change"]) for one in told["differences"]] == [
        *(("spec.args[0]", "removed"), ("spec.args[1]", "changed")),
        *(("spec.env[0]", "moved"), ("spec.env[1].name", "added"), ("spec.env[1].value", "added")),
        *(("spec.env[2]", "moved"), ("spec.env[2].value", "changed")),
    ]


def test_a_key_that_go_reads_otherwise_is_one_difference(package, tmp_path):
    other = changed(package, tmp_path)
    (package / "base.yaml").write_text(layer("base", {}).replace("{}\n", "") + "    size: {y: 1}\n")
    (other / "base.yaml").write_text((package / "base.yaml").read_text().replace("y: 1", "y: 2"))
    told = json.loads(command("compare", package, other, "--json").stdout)
    assert [one["inner"] for one in told["differences"]] == ["size.true", "size.true"]
