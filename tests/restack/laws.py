"""What holds for a package that is rendered again and again: the laws, and the program that a fall is found with."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import krm_values
from krm_values._data import data_edits
from krm_values._data.pointer import ABSENT, get
from krm_values._krm import names
from krm_values._yaml import decode
from tests.answers import decided, facts
from tests.commands import called
from tests.restack.packages import Package, changed, described, package

if TYPE_CHECKING:
    from collections.abc import Callable

    Renderer = Callable[[Path, Package], "Done"]

HISTORY = 3
"""The changes of a package."""
_GENERATED = re.compile(r"-(folded|chart)-values$|^(stamp|workload)-workload-")
"""The names of objects that steps generate, which have no file before the first render."""
_FROM_AROUND = re.compile(r"no Stamp \S+ .*matches")
"""The error of a step of a sub-package, on the pristine package, for want of what a step of the package around it generates later.

Under kpt and in a pipe the step sees what an earlier render generated, and not which steps there are around it (docs/undo.md).
"""
_REVERT = re.compile(r"`krm-values revert ([^`\s]+)`")


@dataclass
class Done:
    """A render: its messages, and whether it failed. skipped: why it was not tried."""

    failed: bool
    said: list[str]
    skipped: str = ""


@dataclass
class Count:
    """What was done for one package or many. falls: a law, the seed and a description each."""

    packages: int = 0
    renders: int = 0
    changes: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    falls: list[tuple[str, str, str]] = field(default_factory=list)


class Fall(Exception):
    """A law that does not hold: its name, and what was found."""


def rendered(directory: Path, _: Package) -> Done:
    """Render by the library, in this process."""
    try:
        done = krm_values.render(directory)
    except krm_values.UserError as error:
        return Done(failed=True, said=[f"error: {error}"])
    if not done.failed:
        done.write()
    return Done(done.failed, done.messages)


def tried(name: str, functions: list[str], into: Path, count: Count, render: Renderer = rendered) -> None:
    """Make the package of this seed, and try every law on it and on a history of changes. render: how the package is rendered; expected is what `rendered` gives."""
    chance = random.Random(name)
    now = package(chance, functions)
    count.packages += 1
    log = described(now)
    work, fresh = into / "work", into / "fresh"
    write_changed(work, {}, now.files())
    for law in (partial(_explain_law, work, now), partial(_history, now, chance, work, fresh, count, render, log)):
        try:
            law()
        except Fall as fall:
            count.falls.append((str(fall.args[0]), name, "\n".join([*log, *map(str, fall.args[1:])])))


def _history(
    now: Package, chance: random.Random, work: Path, fresh: Path, count: Count, render: Renderer, log: list[str]
) -> None:
    if not _agree(work, fresh, now, count, render, log):
        return
    for _ in range(HISTORY):
        what, after = changed(now, chance)
        log.append(f"then {what}")
        count.changes += 1
        write_changed(work, now.files(), after.files())
        revert_gone(work, now, after)
        shutil.rmtree(work.parent / "explained", ignore_errors=True)
        shutil.copytree(work, work.parent / "explained")
        _explain_law(work.parent / "explained", after)
        if _agree(work, fresh, after, count, render, log):
            now = after
        else:  # refused: the author takes the change back
            write_changed(work, after.files(), now.files())
            log.append("... which is refused, and taken back")
            if not _agree(work, fresh, now, count, render, log):
                raise Fall("refused after a refused change was taken back")


def _agree(work: Path, fresh: Path, now: Package, count: Count, render: Renderer, log: list[str]) -> bool:
    """Render, and compare with a render of the pristine package. Return whether it was not refused."""
    shutil.rmtree(fresh, ignore_errors=True)
    write_changed(fresh, {}, now.files())
    content = _bytes(work)
    done, expected = render(work, now), rendered(fresh, now)
    if done.skipped:
        count.refusals[done.skipped] += 1
        return False
    count.renders += 2
    if done.failed and _bytes(work) != content:
        raise Fall("a failed render changes nothing", *_errors(done))
    if expected.failed and not done.failed and render is not rendered and any(map(_FROM_AROUND.search, _errors(expected))):
        count.refusals["what a step of the package around generates later, which only `render` knows"] += 1
        _restore(work, content)
        return False
    if done.failed != expected.failed:
        raise Fall("a render fails as on the pristine package", *_errors(done), "pristine:", *_errors(expected))
    if done.failed:
        count.refusals[_kind(_errors(expected))] += 1
        return False
    if found := _differences(_data(work), _data(fresh)):
        raise Fall("equal to the pristine package", *found, *done.said)
    content = _bytes(work)
    again = render(work, now)
    count.renders += 1
    if again.failed or _bytes(work) != content:
        raise Fall("a second render changes no byte", *_errors(again), *_changed_lines(content, _bytes(work)), *again.said)
    return True


def revert_gone(work: Path, before: Package, after: Package) -> None:
    """Take back what steps wrote that have left, or do not get the resource any more, as the informations of a render say."""
    left = {(step["package"], step["function"], step["name"]) for step in after.steps}
    gone = [step for step in before.steps if (step["package"], step["function"], step["name"]) not in left]
    if not gone and [step["selects"] for step in before.in_order()] == [step["selects"] for step in after.in_order()]:
        return
    try:
        told = krm_values.render(work).messages
    except krm_values.UserError:
        told = []
    steps = {found[1]: "" for line in told for found in _REVERT.finditer(line)}
    steps |= {f"{step['function']}/{step['name']}": step["function"] for step in gone}
    for step, function in steps.items():
        done = called("krm-values", "revert", step, work)
        if done.code and function and f"undo records here: {function}" in done.stderr.decode():  # it names no config
            called("krm-values", "revert", function, work)


# What explain says.


def _explained(directory: Path) -> Any:
    done = called("krm-values", "explain", "--json", directory)
    if done.code == 3:
        raise Fall("explain has no defect", done.stderr.decode())
    if done.code != 0:
        return None
    files = json.loads(done.stdout)["documents"]
    values = [value for value in decided(done.stdout) if not _GENERATED.search(value["resource"]["name"])]
    return [{**value, "at": (files[value["document"]]["file"], files[value["document"]]["index"])} for value in values]


def _explain_law(directory: Path, now: Package) -> None:
    before = _explained(directory)
    if rendered(directory, now).failed:
        return
    after = _explained(directory)
    if before is None or after is None:
        raise Fall("explain answers for what can be rendered")
    told = facts(before), facts(after)
    if told[0] != told[1]:
        raise Fall("explain says the same before and after", "before:", *(told[0] - told[1]), "after:", *(told[1] - told[0]))
    for value in before:
        if value.get("removed") and isinstance(_path(value.get("inner", value["path"]))[-1], int):
            continue  # the next element is there now
        file, index = value["at"]
        found = get([*_resources(directory / file)][index], _path(value["path"]), ABSENT)
        if "inner" in value:
            found = decode.data(str(found))
            for part in _path(value["inner"]):  # which may lead on into a text within the text
                found = get(decode.data(found) if isinstance(found, str) else found, (part,), ABSENT)
        if not data_edits.same(found, value.get("value", ABSENT)):
            raise Fall("explain says what the file has", json.dumps(value), repr(found))


def _path(text: str) -> tuple[str | int, ...]:
    """The parts of a path such as `spec.l[0]["a.b"]`."""
    found = re.findall(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.\[\]]+)', text)
    return tuple(int(number) if number else quoted or key for quoted, number, key in found)


# Files.


def write_changed(directory: Path, before: dict[str, str], after: dict[str, str]) -> None:
    """Write the files that an author has changed."""
    for path in before.keys() - after.keys():
        (directory / path).unlink()
    for path, text in after.items():
        if before.get(path) != text:
            file = directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def _bytes(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def _restore(directory: Path, content: dict[str, bytes]) -> None:
    shutil.rmtree(directory)
    for path, text in content.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(text)


def _resources(file: Path) -> list[Any]:
    return [decode.data(text) for text in re.split(r"(?m)^---\n", file.read_text()) if text.strip()]


def _data(directory: Path) -> dict[str, Any]:
    """Every resource by its file, with undo records as data."""
    found = {}
    for path in _bytes(directory):
        resources = _resources(directory / path)
        for resource in resources:
            annotations = (resource.get("metadata") or {}).get("annotations") or {}
            for key in [key for key in annotations if key.startswith(names.RECORD)]:
                annotations[key] = json.loads(annotations[key])
        found[path] = resources
    return found


def _differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    return [
        f"{path}:\n  has      {json.dumps(found.get(path), default=str)}\n  expected {json.dumps(expected.get(path), default=str)}"
        for path in sorted(found.keys() | expected.keys())
        if not data_edits.same(_texts(found.get(path)), _texts(expected.get(path)))
    ]


def _texts(value: Any) -> Any:
    """The value with its YAML and JSON texts as data: comments and the order of keys do not count."""
    if isinstance(value, dict):
        return {key: _texts(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_texts(one) for one in value]
    if isinstance(value, str) and "cpu" in value:
        return decode.data(value)
    return value


def _changed_lines(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return [
        f"{path}:\n{before.get(path, b'').decode()}\nbecame:\n{after.get(path, b'').decode()}"
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]


def _errors(done: Done) -> list[str]:
    return [line for line in done.said if line.startswith("error")]


def _kind(errors: list[str]) -> str:
    """An error without its place and what it quotes."""
    text = errors[0].rpartition("`: ")[2] if "`: " in errors[0] else errors[0]
    return re.sub(r"`[^`]*`|\"[^\"]*\"|\d+", "_", text)[:100]
