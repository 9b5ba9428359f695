"""A matrix: the instances that Tekton makes of it, as far as the values are written out, and what is wrong with it.

That is values of a wrong type, names that another layer gives as well, and names that some instances lack.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values.tekton_params.params import as_text, exact, first, has_result, may_become, type_of, values, with_article

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.params import ParamValue
    from krm_values.tekton_params.passing import Passed
    from krm_values.tekton_params.pipelines import Task

    Instance = dict[str, str | None]  # None: a value that nothing is compared with

_MOST = 250_000  # comparisons; Tekton makes at most 256 instances


def names_some_lack(matrix: JSON) -> dict[str, Instance]:
    """Return the names that some instances do not get, each with the first of these; none where that depends on values that are not known."""
    found: dict[str, Instance] = {}
    instances = (_instances(matrix) if isinstance(matrix, dict) and isinstance(matrix.get("include"), list) else None) or ()
    every = dict.fromkeys(name for instance in instances for name in instance)
    for instance in instances:
        for name in every.keys() - instance.keys():
            found.setdefault(name, instance)
    return found


def names_some_may_lack(matrix: JSON) -> frozenset[str]:
    """Return the names that some instances may not get, because which rows of `include` fit them depends on values that are not known."""
    include = matrix.get("include") if isinstance(matrix, dict) else None
    if not isinstance(matrix, dict) or not isinstance(include, list) or _instances(matrix) is not None:
        return frozenset()
    own = frozenset(value.name for value in values(matrix.get("params"), ()))
    rows = [frozenset(value.name for value in values(row.get("params"), ())) for row in include if isinstance(row, dict)]
    return own.union(*rows) - own.intersection(*rows)


def _instances(matrix: dict[str, JSON]) -> list[Instance] | None:
    """Return the instances that Tekton makes; None if a comparison depends on a reference, or there would be too many.

    They are every combination of the params, to which each row of `include` is added where all shared names are equal. Only names that a row
    compares have texts.
    """
    include = matrix["include"]
    entries = [
        first(values(row.get("params"), ())) for row in (include if isinstance(include, list) else ()) if isinstance(row, dict)
    ]
    rows: list[Instance] = [{value.name: as_text(value.value) for value in row} for row in entries]
    in_rows = [name for row in rows for name in row]
    params = first(values(matrix.get("params"), ()))
    compared = {name for name in in_rows if in_rows.count(name) > 1} if len(in_rows) < 1_000 else set(in_rows)
    compared.update(value.name for value in params if value.name in in_rows)
    written: dict[str, list[str]] = {name: [row[name] or "" for row in rows if name in row] for name in compared}
    choices: list[list[tuple[str, str | None]]] = []
    for value in params:
        members = value.value if isinstance(value.value, list) and type_of(value.value) == "array" else None
        if value.name not in compared:
            choices.append([(value.name, None)])
        elif members is None:
            return None
        else:
            choices.append([(value.name, as_text(member)) for member in members])
            written[value.name].extend(as_text(member) for member in members)
    if any(_is_open(found) for found in written.values()):
        return None
    count = prod(map(len, choices)) + len(rows)
    if count * max(len(in_rows), 1) > _MOST:
        return None
    return _combined([dict(choice) for choice in product(*choices)], rows) if params else rows


def _is_open(written: list[str]) -> bool:
    """Return whether two of these texts are different and may be equal once their references are replaced."""
    distinct = dict.fromkeys(written)
    patterns = [found for found in distinct if "$(" in found]
    return len(patterns) * len(distinct) > _MOST or any(
        one is not other and may_become(one, other) for one in patterns for other in distinct
    )


def _combined(instances: list[Instance], rows: list[Instance]) -> list[Instance]:
    """Return the instances of the params, to which each row is added where it fits, and those rows that share no value with any."""
    for instance in instances:
        for row in rows:
            if all(instance[name] == written for name, written in row.items() if name in instance):
                instance.update(row)
    for row in rows:
        if row and not any(instance.get(name) == written for instance in instances for name, written in row.items()):
            instances.append(dict(row))
    return instances


def check(reporter: Reporter, passed: Passed) -> None:
    """Check the matrix of a task: its values, and the names of its instances."""
    _check_values(reporter, passed)
    _check_instances(reporter, passed)


def _check_values(reporter: Reporter, passed: Passed) -> None:
    """Report values of a wrong type and names that a matrix and another layer give."""
    task = passed.task
    own = {value.name: value for value in task.values}
    for value in task.matrix:
        _type(reporter, passed, value)
    for value in first(task.matrix):
        if value.name in own:
            message = f"given by both matrix and params of {reporter.task}; remove one"
            reporter.error("matrix-and-params", "34", own[value.name].path, value.name, message)
        elif task.kind == "embedded" and value.name in passed.outer:
            message = (
                f"an outer layer has the name that the matrix of {reporter.task} gives: every instance would run with the outer value;"
                " rename one"
            )
            reporter.error("matrix-shadowed", "34", value.path, value.name, message)


def _type(reporter: Reporter, passed: Passed, value: ParamValue) -> None:
    """Report a value of `params` that is no array, or one of `include` that is no string, once its references are replaced."""
    kind, path = type_of(value.value), (*value.path, "value")
    if not value.written or "$(tt.params." in as_text(value.value):
        return
    if _is_included(passed.task, value):
        if kind != "string":
            message = f"is {with_article(kind)}, and a value of a matrix's `include` is a string; give one"
            reporter.error("matrix-type", "34", path, value.name, message, found=value.value)
    elif kind == "object" or (kind == "string" and not _becomes_array(passed, value.value)):
        advice = (
            "quote its members, because Tekton reads a list with numbers as a string"
            if isinstance(value.value, list)
            else "write a list"
        )
        message = f"is {with_article(kind)}, and a value of a matrix's `params` is an array; {advice}"
        reporter.error("matrix-type", "34", path, value.name, message, found=value.value)


def _is_included(task: Task, value: ParamValue) -> bool:
    """Return whether a value of a matrix is one of a row of `include`."""
    return value.path[len(task.path) + 1] == "include"


def _becomes_array(passed: Passed, value: JSON) -> bool:
    ref = exact(value)
    if ref is None or not ref.whole:
        return ref is None and has_result(value)
    known = passed.outer.get(ref.name)
    return known is None or (known.type in ("array", "object", "") and not (ref.bracket or ref.old))


def _check_instances(reporter: Reporter, passed: Passed) -> None:
    """Report names without a default that only some instances of a matrix get."""
    task, scoped = passed.task, passed.scoped
    declared = scoped.pipeline.declarations if scoped else passed.declarations
    required = {one.name for one in declared if one.is_required}.union(scoped.added if scoped else passed.added)
    given = {value.name for value in task.values}.union(passed.outer if task.kind == "embedded" else ())
    partial, uncertain = names_some_lack(task.data.get("matrix")), names_some_may_lack(task.data.get("matrix"))
    for value in first(task.matrix):
        if value.name not in required or value.name in given:
            continue
        if value.name in uncertain:
            message = (
                "an instance of the matrix may not get it, and it has no default: whether a row of `include` fits one depends on"
                " values that are not written out; write them out, or give it a default"
            )
            reporter.warning("matrix-partial", "34", value.path, value.name, message)
        elif value.name in partial:
            known = [f"{name}: {written}" for name, written in partial[value.name].items() if written is not None]
            message = (
                f"the matrix's instance {{{suggest.listed(known)}}} does not get it, and it has no default;"
                " add it to a row of `include` for that instance, or give it a default"
            )
            reporter.error("matrix-partial", "34", value.path, value.name, message)
