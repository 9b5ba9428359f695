"""How objects are built, and names given twice in the params of a reference [S6, S10]."""

from __future__ import annotations

from tests.reference.tekton.fields import names_of
from tests.reference.tekton.layers import Report, check_duplicates
from tests.reference.tekton.values import Json, mapping, maps

LISTS = ("params", "tasks", "finally", "steps", "sidecars", "results", "include")
FREE = ("value", "default", "spec", "metadata")


def check_built(spec: dict[str, Json], report: Report, *, old: bool) -> None:
    """Entries that are no map, properties that are none, a matrix that is a list in v1. They belong to no param."""
    for key, value in spec.items():
        if key in LISTS and isinstance(value, list) and any(not isinstance(entry, dict) for entry in value):
            report.error("?")
        if key == "matrix" and isinstance(value, list) and not old:
            report.error("?")
        if key == "properties" and not isinstance(value, (dict, type(None))):
            report.error("?")
        if key in ("taskRef", "pipelineRef"):
            check_duplicates(names_of(mapping(value).get("params")), report, str.casefold)
        for inside in (value, *maps(value)) if key not in FREE else ():
            check_built(mapping(inside), report, old=old)
