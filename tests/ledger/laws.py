"""The laws of what is said about values: each compares what is said of a package with what is rendered after an edit of its sources."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cli.packages import command, started, write
from tests.ledger import invariants, trees
from tests.ledger.packages import (
    Place,
    Told,
    at,
    meets,
    of_any_function,
    other,
    place_of,
    put,
    reach,
    some,
    text_of,
    with_secrets,
)
from tests.secrets.twins import filled

import krm_values
from krm_values._data import data_edits
from krm_values._data.errors import RepeatedKeyError, UserError
from krm_values._data.pointer import ABSENT, get, scalars, to_field
from krm_values._data.record import replace
from krm_values._data.scalars import text_of as as_text
from krm_values._explain.model import AUTHORED, CONFIG, COPIED, DECIDED, EFFECTIVE, LITERAL, Cell, Reference, Value
from krm_values._krm.plan import RESOURCE, New
from krm_values._run.generated import header_of
from krm_values._run.traced import FIRST, NAMES
from krm_values._yaml import decode

if TYPE_CHECKING:
    from krm_values._data.pointer import Path as Pointer

CASE = "case"
"""What a seed of a package of a conformance case contains."""
TRIED = 6
"""The values of a package on which a law is tried."""
Verdict = Iterator[str]
"""For each check, why it is wrong, or ""."""


@dataclass
class Count:
    """The checks of one law. falls: the seed and a description of each. skipped: edits that are refused or change which values there are."""

    right: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    falls: list[tuple[str, str]] = field(default_factory=list)


def tried(law: str, seed: str, into: Path, count: Count) -> None:
    """Make the package of a seed and try a law on it: one of a conformance case, if the seed says so."""
    chance = random.Random(seed)
    if law == "traced":
        _take(count, seed, trees.wrong(chance))
        return
    if CASE in seed:
        files = of_any_function(chance)
    else:
        files = with_secrets(chance) if law == "secrets" and chance.random() < 0.5 else some(chance)
    try:
        told = Told(files, into / "package")
    except UserError:
        count.skipped["refused"] += 1
        return
    if told.failed:
        count.skipped["refused"] += 1
        return
    if any(map(_has_several, files.values())):
        count.skipped["a text of several documents"] += 1
        return
    try:
        for wrong in OF_PACKAGES[law](told, chance, into, count.skipped):
            _take(count, seed, wrong)
    except RepeatedKeyError:
        count.skipped["a text that has a key twice, which edits as data refuse"] += 1


def _has_several(text: str) -> bool:
    """Whether a text within a file holds several documents, of which edits as data know nothing."""
    return re.search(r"(?m)^ +---( |$)", text) is not None


def _take(count: Count, seed: str, wrong: str) -> None:
    if wrong:
        count.falls.append((seed, wrong))
    else:
        count.right += 1


def _after(files: dict[str, str], into: Path, skipped: Counter[str]) -> Told | None:
    """What is said after an edit; None if it is refused."""
    try:
        found = Told(files, into / "edited")
    except UserError:
        found = None
    if found is None or found.failed:
        skipped["refused after the edit"] += 1
        return None
    return found


def _same(one: Any, two: Any) -> bool:
    return (one is two) if ABSENT in (one, two) else data_edits.same(one, two)


def _picked(told: Told, chance: random.Random) -> list[tuple[str, Value]]:
    found = [(name, value) for name, value in told.values.items() if value.cells]
    return chance.sample(found, min(TRIED, len(found)))


# Edit.


def edit(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """Another scalar at the winner's place changes this value and those that derive from it; at a loser's place, nothing."""
    for name, value in _picked(told, chance):
        cell = chance.choice(value.cells)
        place = place_of(cell)
        new = other(cell.value)
        if place is None or new is ABSENT or cell.origin not in (AUTHORED, CONFIG) or _names(told, place):
            skipped["no scalar of a file, or one that names something"] += 1
            continue
        data = told.source(*place[:2])
        if not _same(at(data, place), cell.value):
            skipped["the value has another form at its place"] += 1
            continue
        after = _after(told.edited(place[0], place[1], put(data, place[2], place[3], new)), into, skipped)
        if after is not None and {*after.values} == {*told.values}:
            yield _edited(told, after, name, cell, place, skipped)
        elif after is not None:
            skipped["other values"] += 1


def _edited(told: Told, after: Told, name: str, cell: Cell, place: Place, skipped: Counter[str]) -> str:
    changed = {one for one, value in told.values.items() if not _same(value.value, after.values[one].value)}
    value = told.values[name]
    what = f"edit of {place}: "
    if cell is value.cells[0] and value.kind in (DECIDED, COPIED) and _same(cell.value, value.value) and name not in changed:
        return f"{what}{name} does not change"
    unknown = [one for one in changed if told.values[one].kind == LITERAL and not told.values[one].cells]
    if unknown:
        skipped["a copy that is told as a constant"] += 1
        changed -= {*unknown}
    wrong = [one for one in changed if not any(meets(place, passed) for passed in reach(told.values[one]))]
    return f"{what}{wrong[0]} changes" if wrong else ""


def _names(told: Told, place: Place) -> bool:
    """Whether a place is one by which layers, objects, params or steps are found: a header, a name, or a part of a reference."""
    if place[3] is None and (
        place[2][:1] in (("apiVersion",), ("kind",), ("metadata",))
        or place[2][-1:] in (("name",), ("chartName",), ("deployPostfix",))
    ):
        return True
    found = [(one.file, one.path) for one in told.references]
    return any(file == place[0] and place[2][: len(path)] == path and path[:2] != ("spec", "layers") for file, path in found)


# Removal.


def removal(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """Without the winner's place the value is the next cell's, or absent."""
    for name, value in _picked(told, chance):
        place = place_of(value.cells[0])
        full = value.path if value.inner is None else value.inner
        if place is None or value.kind != DECIDED or value.value is ABSENT or isinstance(full[-1:] and full[-1], int):
            skipped["not decided, or an element"] += 1
            continue
        if value.decision is not None and value.decision.leaf is not None and value.decision.leaf.reason in (FIRST, NAMES):
            skipped["an element of a list that is another one without it"] += 1
            continue
        loser = value.cells[1] if len(value.cells) > 1 else None
        if place[2][:1] == ("stringData",) and get(told.source(*place[:2]), ("data", place[2][1]), ABSENT) is not ABSENT:
            skipped["a key of `stringData` that `data` has, too"] += 1
            continue
        own = place[2] if place[3] is None else place[3]
        above = len(full) - len(loser.at) if loser is not None and loser.at is not None else 0
        data = told.source(*place[:2])
        own = own[: len(own) - above]
        path, inner = (own, None) if place[3] is None else (place[2], own)
        if not own or isinstance(own[-1], int) or at(data, (*place[:2], path, inner)) is ABSENT:
            skipped["the winner is an element or a whole text"] += 1
            continue
        if not above and not _same(at(data, (*place[:2], path, inner)), value.cells[0].value):
            skipped["the value has another form at its place"] += 1
            continue
        after = _after(told.edited(place[0], place[1], put(data, path, inner, ABSENT)), into, skipped)
        if after is None:
            continue
        found = after.leaf(value, told.files_by_value[name])
        others = [ABSENT, *(one.value for one in value.cells[2:])]
        if loser is not None and any(_same(found, one) for one in others) and _is_whole(told, value, loser):
            skipped["a field takes a map or list as a whole, so that what else was in it goes"] += 1
        elif any(isinstance(part, int) for part in full) and loser is None:
            skipped["an element that may be gone as a whole"] += 1
        else:
            yield _removed(told, after, name, value, loser)


def _is_whole(told: Told, value: Value, loser: Cell) -> bool:
    """Whether a loser is another step's or the object's own value in what a field takes as a whole, or a text that is read as a map."""
    winner = value.cells[0]
    if told.explanation.steps[winner.step].function != "layered-values":
        return False
    is_text = isinstance(loser.value, str) and isinstance(decode.data(loser.value), dict | list)
    return is_text or loser.layer == RESOURCE or loser.step != winner.step


def _removed(told: Told, after: Told, name: str, value: Value, loser: Cell | None) -> str:
    file = told.files_by_value[name]
    data = after.objects.get((file, *header_of(value.item.data)))
    path, inner = value.path, value.inner
    wanted = ABSENT if loser is None else loser.value
    if loser is not None and loser.at is not None:
        if data is not None and _fits(invariants.leaf(data, path, inner), wanted):
            return ""  # of a text that is read as a map or list, the cell has the part
        path, inner = (loser.at, None) if inner is None else (path, loser.at)
    path = _where(told.objects[file, *header_of(value.item.data)], data, path)
    found = ABSENT if data is None else invariants.leaf(data, path, inner)
    at = invariants.place(replace(value, path=path, inner=inner), file)
    left = after.values.get(at)
    if left is not None and left.cells and left.cells[0].parts and _fits(left.cells[0].parts[0].value, wanted):
        return ""  # later steps write parts of it
    if left is not None and left.kind == EFFECTIVE and left.cells and _fits(left.cells[0].value, wanted):
        return ""  # which the text has when it runs
    if left is None and isinstance(found, list) and any(one.startswith(f"{at}[") for one in after.values):
        return ""  # its elements are values of their own, since a later step writes parts of them
    if isinstance(found, dict) and isinstance(wanted, str) and isinstance(text := decode.data(wanted), dict):
        found = {
            key: one for key, one in found.items() if key in text or f"{at}.{key}" not in after.values
        }  # not what later steps add
    if loser is not None and loser.at is not None and isinstance(found, dict) and found and not isinstance(wanted, dict):
        return ""  # another layer has a map there, which overrides it as well
    if found == "" and loser is None and value.cells[0].way:
        return ""  # of a text with a reference that leads nowhere, nothing is left
    since = value.step if loser is None else loser.step
    if inner is None:
        later = [
            one.path[len(path) :]
            for one in after.values.values()
            if one.inner is None and one.step > since and one.path[: len(path)] == path
        ]
        found, wanted = (_without_all(either, later) for either in (found, wanted))
    return "" if _fits(found, wanted) else f"{name} is {found!r} without {place_of(value.cells[0])}, not {wanted!r}"


def _without_all(data: Any, paths: list[Pointer]) -> Any:
    """The data without what later steps write, since there is something again into which they do."""
    for path in paths:
        data = _without(data, path) if path else data
    return data


def _without(data: Any, path: Pointer) -> Any:
    """The data without what is at a path, and without the maps and lists that are empty then."""
    if not isinstance(data, dict | list) or get(data, path, ABSENT) is ABSENT:
        return data
    left = put(data, path, None, ABSENT)
    return _without(left, path[:-1]) if len(path) > 1 and not get(left, path[:-1]) else left


def _where(old: Any, new: Any, path: Pointer) -> Pointer:
    """Where a path to another part of an element than its name leads after an edit: to the one of that name, at no index if there is none."""
    found: list[str | int] = []
    for depth, part in enumerate(path, 1):
        names = [one.get("name") if isinstance(one, dict) else None for one in new] if isinstance(new, list) else []
        name = get(old, (part, "name"))
        is_named = isinstance(part, int) and isinstance(name, str) and path[depth:] != ("name",)
        found.append((names.index(name) if name in names else len(names)) if is_named else part)
        old, new = get(old, (part,)), get(new, (found[-1],))
    return tuple(found)


def _fits(found: Any, wanted: Any) -> bool:
    """Whether a leaf is what a cell says: a null removes, and a text may be read as what it says."""
    if _same(found, wanted) or (wanted is None and found is ABSENT):
        return True
    return isinstance(wanted, str) and found is not ABSENT and (as_text(found) == wanted or _same(found, decode.data(wanted)))


# Before and after.


def before(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """The values are equal before and after a render, and each line names the value that it claims."""
    once = any(step.function in invariants.MERGED_ONCE for step in told.explanation.steps)
    done = krm_values.render(told.directory)
    yield from _lines(told)
    if done.failed or once:
        skipped["not rendered"] += 1
        return
    done.write()
    after = Told(_files(told.directory), into / "again")
    wrong = invariants.between(told.explanation, after.explanation)
    yield from wrong
    yield from [""] * (len(told.values) - len(wrong))
    yield from _lines(after)


def _files(directory: Path) -> dict[str, str]:
    return {
        str(path.relative_to(directory)): path.read_text("utf-8") for path in sorted(directory.rglob("*")) if path.is_file()
    }


def _lines(told: Told) -> Verdict:
    for name, value in told.values.items():
        for cell in value.cells:
            if place_of(cell) and not cell.kept and isinstance(cell.value, int | str) and cell.origin in (AUTHORED, CONFIG):
                yield _line(told, name, cell)


def _reads_as(text: str, value: Any) -> bool:
    """Whether a line has a scalar behind its key or dash that is read as a value, as `0644` is 420."""
    try:
        return _same(decode.data(re.sub(r"^[ -]*([^:]*:\s)?", "", text)), value)
    except UserError:
        return False


def _line(told: Told, name: str, cell: Cell) -> str:
    file = cell.item.position.path
    line, _ = told.ledger.line(cell)
    text = told.files[file].splitlines()[line - 1] if line else ""
    wanted = as_text(cell.value).strip().split("\n")[0][:20]
    data = told.source(file, cell.item.position.index)
    is_read = _same(at(data, (file, 0, *told.ledger.place_in_file(cell))), cell.value)
    fits = (
        not is_read
        or wanted in text
        or _reads_as(text, cell.value)
        or re.sub(r"[^\w]", "", wanted) in re.sub(r"[^\w]", "", text)
        or (cell.inner is None and text.rstrip().endswith(("|", "|-", ">", ">-")))
        or cell.item.kind == "Secret"
    )
    return "" if fits else f"{name}: {file}:{line} has {text!r}, not {cell.value!r}"


# Completeness.


def completeness(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """Each leaf that a render changes or makes has a value, and each value is the rendered leaf."""
    known: dict[tuple[Any, ...], list[Value]] = {}
    for name, value in told.values.items():
        file = told.files_by_value[name]
        known.setdefault((file, *header_of(value.item.data)), []).append(value)
        found = told.leaf(value, file)
        is_element = value.value is ABSENT and isinstance((*value.path, *(value.inner or ()))[-1], int)
        if invariants.is_ours(value.path) or is_element:
            continue
        yield "" if _same(found, value.value) else f"{name} is {value.value!r}, but {found!r} is rendered"
    sources = {(one.path, *header_of(data)): data for one, data in _sources(told)}
    for one in told.ledger.listed(told.ledger.resources(), complete=True, authored=True):
        found = known.setdefault((one.file, *header_of(one.item.data)), [])
        found += [value for value in one.values() if value.kind == AUTHORED]  # an element that another one has moved
    for key, data in told.objects.items():
        old = dict(scalars(sources.get(key)))
        for path, leaf in scalars(data):
            if invariants.is_ours(path) or (path in old and _same(old[path], leaf)):
                continue
            covered = any(path[: len(value.path)] == value.path for value in known.get(key, ()))
            yield "" if covered else f"{key}: {to_field(path)} = {leaf!r} has no value"


def _sources(told: Told) -> Iterator[tuple[Any, Any]]:
    for documents in told.done.loaded.documents.values():
        for one in documents:
            yield one, decode.data(one.text)


def left(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """The same once a step has left the pipeline of a package that was rendered: what it wrote stays."""
    done = krm_values.render(told.directory)
    if done.failed:
        skipped["not rendered"] += 1
        return
    done.write()
    after = _after(_without_a_step(_files(told.directory), chance), into, skipped)
    if after is not None:
        yield from completeness(after, chance, into, skipped)


def _without_a_step(files: dict[str, str], chance: random.Random) -> dict[str, str]:
    """The files without a step of one of their pipelines, if there is one."""
    steps = {name: get(decode.data(text), ("pipeline", "mutators")) for name, text in files.items() if name.endswith("Kptfile")}
    name = chance.choice([name for name, found in steps.items() if found] or [""])
    if not name:
        return files
    steps[name].pop(chance.randrange(len(steps[name])))
    return {**files, name: text_of({**decode.data(files[name]), "pipeline": {"mutators": steps[name]}})}


# References.


def references(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """Without the entry, the line of a config or the step of a reference, the cell or the value is gone."""
    for name, value in _picked(told, chance):
        cell = chance.choice(value.cells)
        listed = [one for one in cell.because if one.kind in ("entry", "config", "step")]
        if not listed:
            skipped["no reference"] += 1
            continue
        one = chance.choice(listed)
        index = one.item.position.index if one.item is not None else 0
        data = told.source(one.file, index)
        if get(data, one.path, ABSENT) is ABSENT:
            yield f"{name}: {one.file} has no {to_field(one.path)}"
            continue
        after = _after(told.edited(one.file, index, put(data, one.path, None, ABSENT)), into, skipped)
        left = after.values.get(name) if after is not None else None
        if left is None:
            yield ""
            continue
        named = [_content(after, ref) for found in left.cells if _identity(found) == _identity(cell) for ref in found.because]
        is_there = _content(told, one) in named
        yield f"{name}: {_identity(cell)} is there without {one.file} {to_field(one.path)}" if is_there else ""


def _content(told: Told, one: Reference) -> Any:
    """What a reference is, without its line and index."""
    index = one.item.position.index if one.item is not None else 0
    return one.kind, one.file, repr(get(told.source(one.file, index), one.path, ABSENT))


def _identity(cell: Cell) -> Any:
    return place_of(cell) or (cell.layer, cell.origin, repr(cell.value))


# Order.


def order(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """The order of keys and documents changes no value; that of files and the hash seed no byte."""
    files = dict(told.files)
    for file in told.done.loaded.documents:
        documents = told.documents(file)
        if documents and not file.endswith("Kptfile"):
            shuffled = [text_of(_shuffled(decode.data(text), chance)) for text in documents]
            chance.shuffle(shuffled)
            files[file] = "---\n".join(shuffled)
    after = _after(files, into, skipped)
    if after is not None:
        one, two = (invariants.facts(each.explanation) for each in (told, after))
        wrong = [
            f"shuffled: {name}:\n  {one.get(name)}\n  {two.get(name)}"
            for name in sorted({*one, *two})
            if one.get(name) != two.get(name)
        ]
        yield from wrong or [""]
    if chance.random() < SEEDED:
        expected = command("explain", "--json", ".", cwd=told.directory).stdout
        for seed in ("1", "2", "3"):
            names = [*told.files]
            chance.shuffle(names)
            directory = write(into / f"seed-{seed}", {name: told.files[name] for name in names})
            found = started("explain", "--json", ".", cwd=directory, PYTHONHASHSEED=seed).stdout
            yield "" if found == expected else f"another output with hash seed {seed}"


SEEDED = 0.1
"""The part of the packages that are explained by processes with other hash seeds."""


def _shuffled(data: Any, chance: random.Random) -> Any:
    if isinstance(data, dict):
        keys = list(data)
        chance.shuffle(keys)
        return {key: _shuffled(data[key], chance) for key in keys}
    return [_shuffled(one, chance) for one in data] if isinstance(data, list) else data


# Secrets.


def secrets(told: Told, chance: random.Random, into: Path, skipped: Counter[str]) -> Verdict:
    """Two packages that differ in Secrets give equal bytes of every answer; also where one has the values that stand in the targets."""
    sides = [write(into / str(number) / "package", _side(told.files, values)) for number, values in enumerate(_VALUES)]
    if told.files == _with_values(told.files, _VALUES[0]):
        skipped["no Secret"] += 1
        return
    lines = [(file, number) for file in told.files for number in range(1, told.files[file].count("\n") + 1)]
    objects = [
        f"{value.item.data['kind']}/{value.item.data['metadata']['name']}"
        for value in told.values.values()
        if isinstance(value.item, New)
    ]
    asked = [["explain", ".", *more] for more in ([], ["--json"], ["--all"], ["--patch"], ["--html", "../page.html"])]
    asked += [["values", ".", one] for one in dict.fromkeys(objects)]
    asked += [["why", f"{file}:{line}"] for file, line in chance.sample(lines, min(8, len(lines)))]
    edits = [["impact", f"{file}:{line}"] for file, line in chance.sample(lines, min(4, len(lines)))]
    yield from _alike(sides, [*asked, *edits, ["render", "--diff", "."]])
    if command("render", ".", cwd=sides[0]).returncode:
        return
    rendered = _files(sides[0])
    sides[1] = write(into / "2" / "package", _side(rendered, _VALUES[1]))
    yield from _alike(sides, [words for words in asked if words[0] == "explain"])
    sides = [write(into / f"left-{number}" / "package", _side(told.files, values)) for number, values in enumerate(_VALUES)]
    if any(command("render", ".", cwd=side).returncode for side in sides):
        return
    seed = chance.random()
    for side in sides:
        write(side, _without_a_step(_files(side), random.Random(seed)))
    yield from _alike(sides, [words for words in asked if words[0] == "explain"])


_VALUES = (("Xabcdefgh",), ("another-much-longer-text", "q3"))
_MARKED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: zz-marked
  annotations:
    held: {value}
    krm-values.dev/from-secret: '["/metadata/annotations/held","/data/held"]'
    kubectl.kubernetes.io/last-applied-configuration: |
      {{"data":{{"held":"{value}"}}}}
data:
  held: {value}
"""
"""An object into which an earlier run has written a Secret's value, also into an annotation, and with a copy of itself as it was applied."""


def _with_values(files: dict[str, str], values: tuple[str, ...]) -> dict[str, str]:
    """The files with these values in their Secrets, but in those that a run wrote into."""
    return {file: _filled(text, values) if re.search("kind: *Secret", text) else text for file, text in files.items()}


def _side(files: dict[str, str], values: tuple[str, ...]) -> dict[str, str]:
    """The same, with an object that holds one of the values already."""
    return _with_values(files, values) | {"marked.yaml": _MARKED.format(value=values[0])}


def _filled(text: str, values: tuple[str, ...]) -> str:
    try:
        found = [decode.data(one) for one in re.split(r"(?m)^---\n", text) if one.strip()]
    except UserError:
        return text
    if not any(isinstance(one, dict) and one.get("kind") == "Secret" and "krm-values.dev/" not in str(one) for one in found):
        return text
    return "---\n".join(text_of(one if "krm-values.dev/" in str(one) else filled(one, values)) for one in found)


def _alike(sides: list[Path], asked: list[list[str]]) -> Verdict:
    for words in asked:
        found = []
        for side in sides:
            done = command(*words, cwd=side, NO_COLOR="1", COLUMNS="160")
            page = side.parent / "page.html"
            found.append((done.returncode, done.stdout, done.stderr, page.read_text() if page.exists() else ""))
            page.unlink(missing_ok=True)
        one, two = found
        yield "" if one == two else f"{' '.join(words)} in {sides[1].parent.name}:\n{one[1]}{one[2]}\n{two[1]}{two[2]}"


Law = Callable[[Told, random.Random, Path, Counter[str]], Verdict]
OF_PACKAGES: dict[str, Law] = {
    "edit": edit,
    "removal": removal,
    "before": before,
    "completeness": completeness,
    "left": left,
    "references": references,
    "order": order,
    "secrets": secrets,
}
LAWS = (*OF_PACKAGES, "traced")
"""The law of the traced tree is tried on trees, all others on packages."""
