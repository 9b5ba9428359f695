"""Checks of a matrix: the types of its values, names that another layer gives as well, and names that some of its instances lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values.tekton_params.matrix import names_some_lack, names_some_may_lack
from krm_values.tekton_params.params import as_text, exact, first, has_result, type_of, with_article

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.params import ParamValue
    from krm_values.tekton_params.passing import Passed
    from krm_values.tekton_params.pipelines import Task


def of_matrix(reporter: Reporter, passed: Passed) -> None:
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


def of_instances(reporter: Reporter, passed: Passed) -> None:
    """Report names without a default that only some instances of a matrix get."""
    task, scoped = passed.task, passed.scoped
    if not task.matrix:
        return
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
