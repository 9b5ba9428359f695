"""What a worker answers about one package: the rows of `explain`, `impact` or `compare`, each as JSON and as lines for people."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.limits import Limits, as_data
from krm_values._explain import compare, differences, git, impact, query, text
from krm_values._explain.as_json import document
from krm_values._explain.ledger import Ledger
from krm_values._explain.steps import of_package
from krm_values._fleet import reach
from krm_values._krm import findings
from krm_values._run import library, pipeline, planned

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._explain.compare import Comparison
    from krm_values._explain.differences import Difference
    from krm_values._krm.packages import Package
    from krm_values._run.pipeline import Rendered

ANSWERED, UNREACHED, NEW = "answered", "same", "new"
"""How a task ends, beside the failures of `worker`: with rows; without a look, since nothing can reach it; with a package that was none."""
_PLAIN = (str, int, float, bool, type(None), list)


def settings_of(options: Namespace, **more: Any) -> dict[str, Any]:
    """Return the options of a command as a task gets them: JSON."""
    found = {name: value for name, value in vars(options).items() if isinstance(value, _PLAIN)}
    return {**found, **more, "limits": as_data(options.limits)}


def options_of(data: dict[str, Any]) -> Namespace:
    """Return the options that `settings_of` was made of."""
    return Namespace(**{**data, "limits": Limits(**data["limits"])})


def explained(_: str, directory: str, __: None, data: dict[str, Any]) -> dict[str, Any]:
    """Answer which values of a package fit the pattern."""
    options = options_of(data)
    wanted = query.Query((query.Pattern(options.pattern),))
    done = _rendered(directory, options)[1]
    if done.failed:
        return _failed(done, options)
    ledger = Ledger(of_package(done))
    resources = ledger.resources(None if options.is_data else wanted.fits)
    found = wanted.of(resources, ledger)
    beside = wanted.beside(resources, found) if options.is_data else ()
    listed = ledger.listed(found, wanted.takes, complete=options.is_data, authored=False, beside=beside, takes=wanted.names)
    show = options.show_secrets
    rows: list[dict[str, Any]]
    if options.is_data:
        rows = [{"row": row} for row in _values(json.loads("".join(document(ledger, listed, show_secrets=show))))]
    else:
        made = text.blocks(ledger, listed, options.room - len(compare.INDENT), show_secrets=show)
        rows = [{"title": one.title, "lines": lines} for one, _, lines in made]
    near = [] if rows else [*_paths(ledger)]
    return {"status": ANSWERED, "rows": rows, "near": near}


def _paths(ledger: Ledger) -> Iterator[str]:
    """Yield the paths of the decided values, for what is near a pattern that fits none."""
    for one in ledger.resources():
        for value in one.values:
            yield text.path_of(value.path, value.inner, names_text=False)


def _values(explanation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the values of an Explanation with what stands in its tables in place of the numbers there."""
    steps = [{key: one[key] for key in ("function", "package", "step") if key in one} for one in explanation["steps"]]
    references = [{key: value for key, value in one.items() if key != "parent"} for one in explanation["references"]]

    def cell(one: dict[str, Any]) -> dict[str, Any]:
        way = [{**hop, "step": steps[hop["step"]]} for hop in one["way"]]
        found = {**one, "because": [references[number] for number in one["because"]], "way": way}
        return {**found, "parts": [*map(cell, one["parts"])]} if "parts" in one else found

    for value in explanation["values"]:
        found = {**value, "file": explanation["documents"][value["document"]]["file"]}
        del found["document"]
        if "step" in found:
            found["step"] = steps[found["step"]]
        for name in ("winner", "effective"):
            if name in found:
                found[name] = cell(found[name])
        if "overridden" in found:
            found["overridden"] = [*map(cell, found["overridden"])]
        yield found


def edited(_: str, directory: str, file: str, data: dict[str, Any]) -> dict[str, Any]:
    """Answer what the edit changes in a package. file: its path there."""
    options = options_of(data)
    asked = impact.question(options.question)
    root, before = _rendered(directory, options)
    if before.failed:
        return _failed(before, options)
    found = impact.of_edit(impact.Question(file, asked.line, asked.path, asked.value), root, file, before, options)
    if found.comparison is not None:
        return {"status": ANSWERED, "rows": _differences(found.comparison, options, names_winner=True)}
    errors = [*(found.errors.lines if found.errors else ())]
    errors += _errors(found.after, options) if found.after else []
    return {"status": ANSWERED, "rows": [{"fails": [found.failed, *errors]}]}


def compared(_: str, directory: str, before: str | None, data: dict[str, Any]) -> dict[str, Any]:
    """Answer how a package differs from a git revision. before: the digest of its files there, None if it was no package."""
    options = options_of(data)
    if before is None:
        return {"status": NEW}
    if not reach.may_differ(directory, before, options.limits):
        return {"status": UNREACHED, "rows": []}
    with git.folder() as folder:
        found = compare.compared(*compare.at_revision(Path(directory), folder, options), options)
    if found.comparison is None:
        return _failed(next(done for done in found.done if done.failed), options)
    return {"status": ANSWERED, "rows": _differences(found.comparison, options)}


def _differences(found: Comparison, options: Namespace, *, names_winner: bool = False) -> list[dict[str, Any]]:
    """Return the differences, each with whether its data are equal; a cause has its edit in place of the edit's number."""
    if not options.is_data:
        room = options.room - len(compare.INDENT)
        return [
            {"title": one.title, "lines": _lines(one, field, room, names_winner=names_winner), "equal": one.is_equal}
            for one, field in differences.named(compare.told(found))
        ]
    edits = [*map(compare.change_as_json, found.changes)]
    rows: list[dict[str, Any]] = [compare.as_json(one) for one in found.differences]
    for row in rows:
        row["causes"] = [{**cause, "changed": edits[cause["changed"]]} for cause in row["causes"]]
    return [{"row": row, "equal": one.is_equal} for row, one in zip(rows, found.differences, strict=True)]


def _lines(one: Difference, field: str, room: int, *, names_winner: bool) -> list[str]:
    return [line.removeprefix(compare.INDENT) for line in compare.lines_of(one, field, room, names_winner=names_winner)]


def _rendered(directory: str, options: Namespace) -> tuple[Package, Rendered]:
    """Read and render a package, which answers name: files are named as they are in it."""
    root = pipeline.read_package(Path(directory), follow_links=options.follow_links, limits=options.limits)
    return root, planned.planned(root, planned.manner_of(options))


def _failed(done: Rendered, options: Namespace) -> dict[str, Any]:
    return {"status": "failed", "findings": [{"message": one, "severity": "error"} for one in _errors(done, options)]}


def _errors(done: Rendered, options: Namespace) -> list[str]:
    found = library.findings_of(done, skip_foreign=options.skip_foreign, infos=False)
    return [findings.message(one) for one in found if one.severity == "error"]
