"""`krm-values fleet explain`, `fleet impact` and `fleet compare`: one question to all packages, and what they answer alike said once."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError, UserError, from_os
from krm_values._data.record import record
from krm_values._data.shown import inert, printable
from krm_values._explain import forms, impact, query
from krm_values._explain.as_json import finite
from krm_values._explain.compare import DIFFERS, EQUAL, FAILED, INDENT
from krm_values._explain.model import API_VERSION
from krm_values._explain.text import width
from krm_values._fleet import answers, pool, reach, roots
from krm_values._fleet.groups import Group, Groups, named
from krm_values._fleet.render import INTERRUPTED, Stop, interruptible
from krm_values._fleet.results import OURS, with_others
from krm_values._run.planned import manner_of
from krm_values._run.terminal import progress, say, say_error, tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._fleet.roots import Member
    from krm_values._fleet.worker import Answer, Task

_SHOWN = 20
_DEFECT = 3
_NEAR = 1000


@record
class Asked:
    """What the packages have answered. asked: the numbers of those that were. gone: names of packages that are no more.

    failures: number and findings of those that have no answer. new: numbers of those that were no packages before. near: paths of values.
    """

    members: Sequence[Member]
    asked: Sequence[int]
    groups: Sequence[Group]
    failures: dict[int, Answer]
    new: list[int]
    gone: Sequence[str]
    near: dict[str, None]


def explain(options: Namespace) -> int:
    """Run `fleet explain` and return its exit code: 0, or 1 if a package fails, or no package has a value that fits."""
    names, options.pattern = _last(options, "PATTERN", "spec.replicas")
    query.Pattern(options.pattern)
    manner_of(options)
    members = roots.find(names, options.select or (), options.limits).members
    stop = Stop()
    with interruptible(stop):
        found = _ask(options, members, answers.explained, stop, title="explaining", extra=dict.fromkeys(range(len(members))))
        if not found.groups and len(found.failures) < len(members):
            near = query.near_path(options.pattern, [*found.near])
            say(f"error: no package has a value with the path `{printable(options.pattern)}`{near}")
        _put(found, options, "FleetExplanation", "values", "have the value")
        return _code(found, stop, failed=1) or int(not found.groups)


def change(options: Namespace) -> int:
    """Run `fleet impact` and return its exit code: 0 if nothing would change, 1 if something would, 2 on any failure."""
    return _answered(_impact, options)


def compare(options: Namespace) -> int:
    """Run `fleet compare` and return its exit code: 0 if the packages are what they were, 1 if they differ, 2 on any failure."""
    return _answered(_compare, options)


def _answered(command: Callable[[Namespace], int], options: Namespace) -> int:
    try:
        manner_of(options)  # so that options that do not fit are refused once
        return command(options)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return FAILED


def _impact(options: Namespace) -> int:
    names, options.question = _last(options, "FILE[:LINE][:PATH][=VALUE]", "base/layers.yaml:12")
    asked = impact.question(options.question)
    members = roots.find(names, options.select or (), options.limits).members
    files = reach.with_file(members, asked.file)
    path, others = reach.copies(members, files) if os.path.exists(asked.file) else ("", 0)
    if others:
        tell(f"{others:,} other packages have a file {printable(path)}: to ask about all, name it by that path")
    stop = Stop()
    with interruptible(stop):
        found = _ask(options, members, answers.edited, stop, title="asking", extra=files)
        _put(found, options, "FleetComparison", "differences", "would change")
        return _code(found, stop, failed=FAILED) or (DIFFERS if any(map(_differs, found.groups)) else EQUAL)


def _compare(options: Namespace) -> int:
    names = options.files or ["."]
    fleet = roots.find(names, options.select or (), options.limits)
    members = fleet.members
    before = reach.Revision(names, options.against, options.limits, "--against")
    extra = {number: before.digest(one.directory) for number, one in enumerate(members)}
    gone = [*before.gone(fleet)]
    stop = Stop()
    with interruptible(stop):
        found = _ask(options, members, answers.compared, stop, title="comparing", extra=extra, gone=gone)
        _put(found, options, "FleetComparison", "differences", "differ")
        differs = any(map(_differs, found.groups)) or found.new or found.gone
        return _code(found, stop, failed=FAILED) or (DIFFERS if differs else EQUAL)


def _last(options: Namespace, word: str, example: str) -> tuple[list[str], str]:
    """Return the directories and the last word. UsageError if it is none of its kind."""
    if not options.files:
        raise UsageError(f"takes the directories of a fleet, and {word} as the last word, as `{example}`")
    *names, last = options.files
    if os.path.isdir(last):
        raise UsageError(f"must end with {word}, as `{example}`: {printable(last)} is a directory")
    return names or ["."], last


def _ask(
    options: Namespace,
    members: Sequence[Member],
    task: Task,
    stop: Stop,
    *,
    title: str,
    extra: Mapping[int, Any],
    gone: Sequence[str] = (),
) -> Asked:
    """Put a question to packages in worker processes. extra: the packages that are asked, each with what only it is told."""
    numbers = [*extra]
    groups = Groups()
    near: dict[str, None] = {}
    new: list[int] = []
    failures: dict[int, Answer] = {}
    is_data = options.output != forms.TEXT
    settings = answers.settings_of(options, room=width(sys.stdout), is_data=is_data)
    with progress(title, len(numbers), unit="packages") as advance:
        for at, answer in pool.run(
            [members[number] for number in numbers],
            task,
            settings,
            jobs=options.jobs or 0,
            extra=lambda at: extra[numbers[at]],
            is_stopped=stop,
            limits=options.limits,
        ):
            number = numbers[at]
            match answer["status"]:
                case answers.ANSWERED | answers.UNREACHED:
                    groups.add(number, answer["rows"])
                    if len(near) < _NEAR:
                        near.update(dict.fromkeys(answer.get("near", ())))
                case answers.NEW:
                    new.append(number)
                case _:
                    failures[number] = answer
            advance()
    return Asked(members, numbers, groups.found(), failures, new, gone, near)


def _code(found: Asked, stop: Stop, *, failed: int) -> int:
    """Return the exit code of what went wrong, 0 if nothing did."""
    if stop.is_interrupted:
        return INTERRUPTED
    if any(answer["status"] in OURS for answer in found.failures.values()):
        return _DEFECT
    return failed if found.failures else 0


def _put(found: Asked, options: Namespace, kind: str, rows: str, verb: str) -> None:
    """Print the groups and, on stderr, what went wrong."""
    failed: dict[str, list[str]] = {}
    for number in sorted(found.failures):
        for one in found.failures[number]["findings"]:
            if one["severity"] == "error":
                failed.setdefault(one["message"], []).append(printable(found.members[number].name))
    for message, names in failed.items():
        say(f"error: {', '.join(names) if options.all else with_others(names[0], len(names))}: {message}")
    if options.output != forms.TEXT:
        forms.put(_as_json(found, kind, rows), options.output)
    else:
        sys.stdout.writelines(f"{inert(line)}\n" for line in _plain(found, verb, is_whole=options.all))


def _plain(found: Asked, verb: str, *, is_whole: bool) -> Iterator[str]:
    """Yield the groups for people: the packages, then what they have in common."""
    groups, names = found.groups, [printable(one.name) for one in found.members]
    for group in groups if is_whole else groups[:_SHOWN]:
        yield named(group.packages, names, found.asked, all_names=is_whole)
        title = None
        for row in group.rows:
            if "fails" in row:
                yield from (f"{INDENT}{printable(line)}" for line in row["fails"])
                continue
            if row["title"] != title:
                title = row["title"]
                yield f"{INDENT}{printable(title)}"
            yield from (f"{INDENT * 2}{line}" for line in row["lines"])
        yield ""
    if len(groups) > _SHOWN and not is_whole:
        yield f"{len(groups) - _SHOWN:,} more groups: `--all` prints them"
    for what, listed in (("new", [names[number] for number in sorted(found.new)]), ("gone", [*map(printable, found.gone)])):
        if listed:
            yield f"{what}: {named(range(len(listed)), listed, (), all_names=is_whole)}"
    different = [group for group in groups if _differs(group)]
    having = {number for group in different for number in group.packages}
    total = f"{len(having):,} of {len(found.members):,} packages {verb}"
    yield total + (f", in {len(different):,} group{'' if len(different) == 1 else 's'}" if different else "")


def _differs(group: Group) -> bool:
    """Return whether anything in a group differs as data: not only from where it comes."""
    return any(not row.get("equal") for row in group.rows)


def _as_json(found: Asked, kind: str, rows: str) -> Iterator[str]:
    """Yield one document, each group on its line."""
    edits: dict[str, int] = {}
    groups = [_group(found, one.packages, one.rows, rows, edits) for one in found.groups]
    groups += [
        {"packages": listed, "change": change, rows: []}
        for change, listed in (
            ("added", [found.members[number].name for number in sorted(found.new)]),
            ("removed", [*found.gone]),
        )
        if listed
    ]
    failures = [
        {"package": found.members[number].name, "status": answer["status"], "findings": answer["findings"]}
        for number, answer in sorted(found.failures.items())
    ]
    head: dict[str, Any] = {"apiVersion": API_VERSION, "kind": kind, "packages": len(found.members), "asked": len(found.asked)}
    if rows == "differences":
        is_equal = not (any(map(_differs, found.groups)) or found.new or found.gone or failures)
        head |= {"equal": is_equal, "changed": [*map(json.loads, edits)]}
    yield json.dumps(finite(head), ensure_ascii=False)[:-1]
    for name, entries in (("groups", groups), ("failures", failures)):
        yield f', "{name}": ['
        yield ",".join(f"\n{json.dumps(finite(one), ensure_ascii=False)}" for one in entries)
        yield "]"
    yield "}\n"


def _group(
    found: Asked, packages: Sequence[int], listed: Sequence[dict[str, Any]], rows: str, edits: dict[str, int]
) -> dict[str, Any]:
    """Return a group as JSON. edits: the number of each edit, which gets those of its causes."""
    group: dict[str, Any] = {"packages": [found.members[number].name for number in packages]}
    group[rows] = [row["row"] for row in listed if "row" in row]
    if fails := [line for row in listed for line in row.get("fails", ())]:
        group["fails"] = fails
    for cause in (cause for row in group[rows] for cause in row.get("causes", ())):
        cause["changed"] = edits.setdefault(json.dumps(cause["changed"], sort_keys=True), len(edits))
    return group
