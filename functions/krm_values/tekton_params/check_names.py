"""Checks of names: their characters, that none is given twice, and params that nothing declares or uses, which are likely misspelt."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import KEPT, SHORT
from krm_values.tekton_params.layers import is_copy
from krm_values.tekton_params.params import (
    find,
    first,
    is_added_form,
    key_reference,
    lookalikes,
    misspelt,
    named,
    strings_of,
    type_of,
)
from krm_values.tekton_params.passing import Scoped
from krm_values.tekton_params.pipelines import strings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.layers import Scope
    from krm_values.tekton_params.params import Declaration, ParamValue
    from krm_values.tekton_params.passing import Passed, Setting
    from krm_values.tekton_params.pipelines import Manifest, Task

_NAME = re.compile(r"[_a-zA-Z][_a-zA-Z0-9.-]*")
_OBJECT = re.compile(r"[_a-zA-Z][_a-zA-Z0-9-]*")
_READ_AS = r"params\s*(?:\.\s*((\w[\w-]*)[\w.-]*)|\[\s*[\"']?(\w[\w.-]*))"
_READ: dict[str, frozenset[str]] = {}
_SHORTEST = 3  # of shorter names any other is near


def of_values(reporter: Reporter, values: Iterable[ParamValue]) -> None:
    """Check the characters of the names of values and of the keys of objects."""
    for value in values:
        kind = type_of(value.value)
        _spelling(reporter, value.name, kind, value.path)
        _spelling_of_keys(reporter, value.name, value.value if kind == "object" else None, value.path)


def of_declarations(reporter: Reporter, declared: Iterable[Declaration]) -> None:
    """Check the characters of the names of declarations and of the keys of objects; and names declared twice."""
    declared = tuple(declared)
    for one in declared:
        _spelling(reporter, one.name, one.type, one.path)
        _spelling_of_keys(reporter, one.name, one.properties if one.type == "object" else None, one.path)
    twice(reporter, declared)


def of_unquoted(reporter: Reporter, entries: JSON, path: Path) -> None:
    """Report names that are not strings."""
    for name, entry, at in named(entries, path):
        if not isinstance(entry["name"], str):
            text = f"a name must be a string; quote it: `'{name}'`"
            reporter.error("bad-name", "43", (*at, "name"), name, text, found=entry["name"])


def twice(reporter: Reporter, entries: Iterable[ParamValue | Declaration]) -> None:
    """Report names that one list has twice."""
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen:
            reporter.error("duplicate-name", "42", entry.path, entry.name, "appears more than once in this list; remove one")
        seen.add(entry.name)


def twice_in_matrix(reporter: Reporter, values: Iterable[ParamValue]) -> None:
    """Report names that the params of a matrix, or one row of it, have twice."""
    lists: dict[Path, list[ParamValue]] = {}
    for value in values:
        lists.setdefault(value.path[:-1], []).append(value)
    for entries in lists.values():
        twice(reporter, entries)


def twice_ignoring_case(reporter: Reporter, values: Sequence[ParamValue]) -> None:
    """Report names that one list of params gives twice, compared without case."""
    seen: dict[str, str] = {}
    for value in values:
        other = seen.setdefault(value.name.lower(), value.name)
        if other != value.name:
            text = f"differs from {other} by case only, which is the same name for Tekton; rename one"
            reporter.error("duplicate-name", "42", value.path, value.name, text)
    twice(reporter, values)


def twice_in_task(reporter: Reporter, passed: Passed, doubled: frozenset[str]) -> None:
    """Report names of a task's final values that differ by case only. doubled: those reported before, in lower case."""
    task = passed.task
    seen: dict[str, str] = {}
    paths = {value.name: value.path for value in first((*task.values, *task.matrix))}
    for name in dict.fromkeys((*paths, *passed.added_values)):
        other = seen.setdefault(name.lower(), name)
        if other != name and name.lower() not in doubled:
            text = f"{reporter.task} gets it beside {other}, which differs by case only and is the same name for Tekton; rename one"
            reporter.error("duplicate-name", "42", paths.get(name, task.path), name, text)


def by_case(values: Iterable[ParamValue]) -> frozenset[str]:
    """Return the names, in lower case, that are given in more than one spelling."""
    spellings: dict[str, set[str]] = {}
    for value in values:
        spellings.setdefault(value.name.lower(), set()).add(value.name)
    return frozenset(name for name, found in spellings.items() if len(found) > 1)


def of_shared_references(reporter: Reporter, scope: Scope, outer: Scope, path: Path) -> None:
    """Report a param `a.b` beside an object `a` with the key `b`, since `$(params.a.b)` is the spelling of both.

    outer: the layer around, which has reported those that it has. path: the place of a finding whose param is of another item.
    """
    for name, known in scope.items():
        head, _, key = name.partition(".")
        above = scope.get(head) if key else None
        if above is None or above.type != "object" or (name in outer and head in outer):
            continue
        if key in (*(above.shape.keys or ()), *(above.filled or ())):
            source = known.origins[0]
            at = source.path if source.item is reporter.item else path
            text = (
                f"`$(params.{name})` is also the key {key} of the object {head}, and Tekton may read either; rename one of them"
            )
            reporter.error("shared-reference", "43", at, name, text)


def _spelling(reporter: Reporter, name: str, kind: str, path: Path) -> None:
    if kind == "object" and not _OBJECT.fullmatch(name):
        text = "the name of an object may have letters, digits, `-` and `_` and begins with a letter or `_`; rename it"
        reporter.error("bad-name", "43", path, name, text)
    elif not _NAME.fullmatch(name):
        text = "a name may have letters, digits, `-`, `_` and `.` and begins with a letter or `_`; rename it"
        reporter.error("bad-name", "43", path, name, text)


def _spelling_of_keys(reporter: Reporter, name: str, value: JSON, path: Path) -> None:
    for key in value if isinstance(value, dict) else ():
        if not _OBJECT.fullmatch(key):
            text = "a key may have letters, digits, `-` and `_` and begins with a letter or `_`; rename it"
            reporter.error("bad-name", "43", path, f"{name}.{key}", text)


def unused_in_run(
    reporter: Reporter, texts: Iterable[str], values: Iterable[ParamValue], within: Scoped | Passed, setting: Setting
) -> None:
    """Report params of a run that none of its layers declares and none of its strings reads. within: its pipeline or task.

    In `implicit` mode every name is passed on, used or not, so only names near to one that the run does not give are reported; what the
    function itself adds, declarations included, is no use there: the next run reports the same names.
    """
    declared = (
        _declared_in(within, reporter, setting) if isinstance(within, Scoped) else _declared_by(within, reporter, setting)
    )
    tasks = within.pipeline.tasks if isinstance(within, Scoped) else ()
    _unused(reporter, values, declared | _used(texts, _pass_through_strings(tasks) if setting.implicit else ()), setting)


def unused_by_target(
    reporter: Reporter, texts: Iterable[str], values: Iterable[ParamValue], declared: frozenset[str], setting: Setting
) -> None:
    """Report params of a run that neither the referenced object declares nor a string of the run reads."""
    _unused(reporter, values, declared | _used(texts), setting)


def _unused(reporter: Reporter, values: Iterable[ParamValue], known: frozenset[str], setting: Setting) -> None:
    values = first(values)
    candidates = sorted(known.difference(value.name for value in values) if setting.implicit else known)
    for value in values:
        if value.name in known:
            continue
        near = suggest.nearest(value.name, candidates) if len(value.name) >= _SHORTEST else ""
        if near and _is_suggested(reporter, value.name, near, values):
            continue
        if near or not setting.implicit:
            hint = f"did you mean `{near}`?" if near else "remove it, or declare it where it is needed"
            text = f"nothing declares or uses this param of the run; {hint}"
            reporter.warning("unused-param", "S9", value.path, value.name, text)


def unused_in_task(reporter: Reporter, passed: Passed, setting: Setting) -> None:
    """Report values of a pipeline task whose name is near to one that its task declares or reads and does not get."""
    task = passed.task
    known = _declared_by(passed, reporter, setting)
    authored = _authored_values(task)
    values = first(authored if setting.implicit else (*task.values, *task.matrix))
    if all(value.name in known for value in values):
        return
    if not passed.target:
        inner = task.inner.tasks if task.inner and setting.implicit else ()
        known |= _used(strings_of(task.data.get("pipelineSpec" if task.inner else "taskSpec")), _pass_through_strings(inner))
    candidates = sorted(known.difference(value.name for value in authored))
    for value in values:
        is_sought = value.name not in known and len(value.name) >= _SHORTEST
        near = suggest.nearest(value.name, candidates) if is_sought else ""
        if near and not _is_suggested(reporter, value.name, near, task.values):
            text = f"{reporter.task} neither declares nor uses this param; did you mean `{near}`?"
            reporter.warning("unused-param", "S9", value.path, value.name, text)


def _authored_values(task: Task) -> list[ParamValue]:
    """Return the values of a task without those at the end that pass on the outer param, which an earlier run may have added."""
    values = list(task.values)
    while values and is_added_form(values[-1].value, values[-1].name):
        values.pop()
    return [*values, *task.matrix]


def _is_suggested(reporter: Reporter, name: str, near: str, values: Iterable[ParamValue]) -> bool:
    """Return whether the error on an unknown reference `near` suggests this name: one typo is named once."""
    return near in (reporter.unknown or ()) and suggest.nearest(near, [one.name for one in values]) == name


def _declared_in(scoped: Scoped, reporter: Reporter, setting: Setting) -> frozenset[str]:
    """Return the names that a pipeline and its tasks declare; with `references` also those of the objects of the list that they refer to."""
    declared = _authored(scoped.pipeline.declarations, scoped.given, "pipeline", setting)
    return declared.union(*(_declared_by(passed, reporter, setting) for passed in scoped.tasks))


def _declared_by(passed: Passed, reporter: Reporter, setting: Setting) -> frozenset[str]:
    """Return the names that a task and its StepActions declare."""
    if passed.scoped:
        return _declared_in(passed.scoped, reporter, setting)
    if passed.target:
        return frozenset(one.name for one in passed.target.declarations)
    declared = _authored(passed.task.declarations, passed.given, "taskSpec", setting)
    return declared.union(one.name for step in setting.steps(passed.task, reporter.item) for one in step.target.declarations)


def _authored(declared: Iterable[Declaration], given: Scope, layer: str, setting: Setting) -> frozenset[str]:
    """Return the names of declarations, in `implicit` mode without those that an earlier run may have added for what is given."""
    return frozenset(
        one.name for one in declared if not (setting.implicit and one.name in given and is_copy(one, given[one.name], layer))
    )


def _pass_through_strings(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield the strings that pass on a param to the tasks to which `implicit` mode passes every param."""
    for task in tasks:
        if task.kind in ("embedded", "custom", "pipeline"):
            for value in task.values:
                own = value.value
                if is_added_form(own, value.name):
                    yield from strings_of(own)
                elif isinstance(own, dict):
                    yield from (text for key, text in own.items() if text == key_reference(value.name, key))
        if task.inner:
            yield from _pass_through_strings(task.inner.tasks)


def strings_read(run: Manifest, never_read: frozenset[Path]) -> Iterable[str]:
    """Return the strings of a run that may read a param. never_read: the places of those that cannot."""
    if not never_read:
        return strings_of(run.spec)
    return (field.text for field in strings(run.spec, run.spec_path, "text") if field.path not in never_read)


def _used(texts: Iterable[str], passed_on: Iterable[str] = ()) -> frozenset[str]:
    """Return the names that any of the strings reads, or tries to read, apart from those that only pass one on."""
    counts = Counter(texts)
    counts.subtract(passed_on)  # each of which is among `texts` for every value or key that passes a param on
    return frozenset().union(*(_read_in(text) for text, count in counts.items() if count > 0))


def _read_in(text: str) -> frozenset[str]:
    """Return the names that a string reads, or tries to read. The result for short strings is cached, because most of them repeat."""
    known = _READ.get(text)
    if known is None:
        found = {name for ref in find(text) for name in (ref.name, ref.label)}
        found.update(name for one in misspelt(text) for name in one.names)
        found.update(
            name for one in lookalikes(text) for match in re.finditer(_READ_AS, one) for name in match.groups() if name
        )
        known = frozenset(found)
        if len(text) <= SHORT and len(_READ) < KEPT:
            _READ[text] = known
    return known
