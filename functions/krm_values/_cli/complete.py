"""`krm-values __complete WORD...`: what the last word may become, one candidate a line, with its meaning behind a tab.

The scripts of the shells and kubectl call it. Whatever it cannot find out, such as the values of a package that cannot be rendered, it leaves out.
"""

# ruff: noqa: PLC0415 - most words are completed without a package

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli import manual
from krm_values._cli.arguments import completion as kinds
from krm_values._cli.arguments import grammar, table
from krm_values._data.errors import UserError
from krm_values._data.pointer import to_field
from krm_values._krm import packages
from krm_values._run import kinds as entries
from krm_values._run import registry, tools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from krm_values._data.limits import Limits

    Candidate = tuple[str, str]
    """A word, and what it means."""

_FILES_ONLY, _OPEN = 4, 6
"""kubectl's directives: no files beside the candidates; nor a blank behind the only one."""


def run(words: Sequence[str], out: TextIO, limits: Limits, *, kubectl: bool = False) -> None:
    """Print the candidates for the last word. kubectl: with the directive that it expects behind them."""
    *before, word = words or [""]
    found = {text: says for text, says in candidates(before, word, limits) if text.startswith(word) and text.isprintable()}
    out.writelines(f"{text}\t{says}\n" if says else f"{text}\n" for text, says in sorted(found.items()))
    if kubectl:
        is_open = len(found) == 1 and next(iter(found)).endswith(("/", ":"))
        out.write(f":{_OPEN if is_open else _FILES_ONLY}\n")


def candidates(before: Sequence[str], word: str, limits: Limits) -> Iterator[Candidate]:
    """Yield what a word may become behind others, and more."""
    parser = _grammar()
    command, rest = "", [*before]
    while rest and (inner := _commands(parser)) and rest[0] in inner:
        command, parser = command or rest[0], inner[rest.pop(0)]
    if inner := _commands(parser):
        yield from () if rest else _tasks(parser)
        if not word.startswith("-"):
            return
    if command == "help":
        yield from _of_help(rest)
        return
    options = {text: action for action in parser._actions for text in action.option_strings}  # noqa: SLF001 - argparse has no other way
    if rest and _takes_value(options.get(rest[-1])):
        yield from _of(options[rest[-1]], word, [], limits)
    elif word.startswith("-") and "--" not in rest:
        yield from ((text, (action.help or "").partition("\n")[0]) for text, action in options.items() if text.startswith("--"))
    else:
        given = [
            one
            for number, one in enumerate(rest)
            if not (one.startswith("-") and one != "-") and not _is_value(rest, number, options)
        ]
        if positional := _positional(parser, len(given)):
            yield from _of(positional, word, given, limits)


def _of_help(before: Sequence[str]) -> Iterator[Candidate]:
    """Yield the commands that may stand behind `help` and others."""
    parser = _grammar()
    for word in before:
        inner = _commands(parser)
        if word not in inner:
            return
        parser = inner[word]
    yield from _tasks(parser)


def _grammar() -> argparse.ArgumentParser:
    return grammar.build(registry.functions(), "", extensions=registry.extensions(), tools=tools.known())


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    inner = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001 - as above
    return next((dict(action.choices) for action in inner), {})


def _tasks(parser: argparse.ArgumentParser) -> Iterator[Candidate]:
    """Yield the commands of a parser with their texts in its help."""
    for action in parser._actions:  # noqa: SLF001 - as above
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            yield from ((one.dest, one.help or "") for one in action._choices_actions)  # noqa: SLF001 - as above


def _takes_value(action: argparse.Action | None) -> bool:
    return action is not None and action.nargs != 0


def _is_value(words: Sequence[str], number: int, options: dict[str, argparse.Action]) -> bool:
    return number > 0 and _takes_value(options.get(words[number - 1]))


def _positional(parser: argparse.ArgumentParser, number: int) -> argparse.Action | None:
    """Return the positional argument that a word of this number, from 0, belongs to."""
    every = [action for action in parser._actions if not action.option_strings]  # noqa: SLF001 - as above
    return every[number] if number < len(every) else every[-1] if every and every[-1].nargs in ("*", "+") else None


def _of(action: argparse.Action, word: str, given: Sequence[str], limits: Limits) -> Iterator[Candidate]:
    """Yield the candidates for an argument. given: the words before it."""
    if action.choices:
        yield from ((str(one), "") for one in action.choices)
        return
    kind = getattr(action, "complete", "")
    if kind == kinds.TOPIC and word:  # without a beginning there are hundreds
        yield from ((entry.kind, "finding") for entry in entries.every())
    if kind == kinds.SCHEMA:
        yield from ((name, "answer") for name in table.ANSWER_SCHEMAS)
    if kind in (kinds.FUNCTION, kinds.TOPIC, kinds.SCHEMA):
        yield from _functions()
    if kind in (kinds.FILE, kinds.DIRECTORY, kinds.INPUT):
        yield from _paths(word, folders=kind == kinds.DIRECTORY)
    if kind == kinds.INPUT and not given:
        yield from _functions()
    if kind in (kinds.RESOURCE, kinds.LAYER, kinds.PATTERN, kinds.INPUT):
        package = given[0] if given and os.path.isdir(given[0]) else "."
        yield from _of_values(Path(package), kind, limits)


def _functions() -> Iterator[Candidate]:
    return ((name, manual.summary(name)) for name in registry.functions())


def _paths(word: str, *, folders: bool) -> Iterator[Candidate]:
    """Yield the files and directories that begin with a word; hidden ones if it says so."""
    folder, _, name = word.rpartition("/")
    try:
        entries = [*os.scandir(f"{folder}/" if "/" in word else ".")]
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(name) and (name.startswith(".") or not entry.name.startswith(".")):
            path = f"{folder}/{entry.name}" if "/" in word else entry.name
            if entry.is_dir():
                yield f"{path}/", ""
            elif not folders:
                yield path, ""


def _of_values(package: Path, kind: str, limits: Limits) -> Iterable[Candidate]:
    """Yield the resources, layers or paths of the values of a package."""
    if not packages.is_package(package):
        return ()
    from krm_values._explain import steps
    from krm_values._explain.ledger import Ledger
    from krm_values._run import pipeline

    try:
        done = pipeline.rendered(package, skip_foreign=True, follow_links=False, limits=limits)
    except (UserError, OSError):
        return ()
    ledger = Ledger(steps.of_package(done))
    found: dict[Candidate, None] = {}
    for one in ledger.resources():
        if kind in (kinds.RESOURCE, kinds.INPUT):
            found[one.title.replace(" ", "/"), "resource"] = None
        for value in one.values:
            if kind in (kinds.PATTERN, kinds.INPUT):
                found[to_field(value.path if value.inner is None else value.inner), one.title] = None
            elif kind == kinds.LAYER:
                found.update(((cell.layer, "layer"), None) for cell in ledger.value(value).cells if cell.layer)
    return found
