"""How objects are built: every field of upstream's types misspelt once in each way, and every field of another shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from krm_values._data import suggest
from krm_values._data.pointer import to_field
from krm_values._krm import documents
from krm_values._krm.findings import Report
from krm_values._run import invoke
from krm_values.tekton_params.objects import check_structure
from krm_values.tekton_params.pipelines import Manifest
from krm_values.tekton_params.upstream_fields import MOVED, OBJECTS
from tests.functions.tekton_params.support import from_data

Shape = Any
FREE = "*"


def maps(shape: Shape, above: tuple[dict[str, Any], ...] = ()) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Each closed map of a shape with a path that leads to it; a pipeline in a pipeline once."""
    if isinstance(shape, tuple):
        for one in shape:
            yield from maps(one, above)
    elif isinstance(shape, list):
        yield from (((0, *path), found) for path, found in maps(shape[0], above))
    elif isinstance(shape, dict) and sum(one is shape for one in above) < 2:
        if FREE not in shape:
            yield (), shape
        for key, inside in shape.items():
            if key != FREE:
                yield from (((key, *path), found) for path, found in maps(inside, (*above, shape)))


def typos(word: str) -> Iterator[str]:
    """A letter dropped, two swapped, one doubled, one in the other case."""
    for at, letter in enumerate(word):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + letter + word[at:]
        yield word[:at] + letter.swapcase() + word[at + 1 :]
        yield word[:at] + word[at + 1 : at + 2] + letter + word[at + 2 :]


def built(path: tuple[str | int, ...], value: Any) -> Any:
    """A value at a path, and nothing else."""
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def said(version: str, kind: str, path: tuple[str | int, ...], value: Any) -> list[tuple[str, str, str]]:
    """(severity, field, message) of what is built wrong in an object that has a value at a path."""
    data = {"apiVersion": f"tekton.dev/{version}", "kind": kind, "metadata": {"name": "n"}} | built(path, value)
    suggest.begin()
    report = Report()
    check_structure(Manifest(from_data(0, data), kind, version, data), report)
    return [(one.severity, to_field(one.path), one.message) for one in report.findings]


DISTINCT = {
    id(shape): (version, kind, path, shape) for (version, kind), whole in OBJECTS.items() for path, shape in maps(whole)
}


@pytest.mark.parametrize(
    ("version", "kind", "path", "shape"),
    [pytest.param(*one, id=f"{one[0]} {one[1]} {to_field(one[2])}") for one in DISTINCT.values()],
)
def test_every_field_misspelt_in_every_way_is_named_with_the_field(version, kind, path, shape):
    for field in shape:
        wrong = dict.fromkeys({*typos(field)} - {*shape})
        found = {field: message for severity, field, message in said(version, kind, path, wrong) if severity == "warning"}
        assert set(found) == {to_field((*path, typo)) for typo in wrong}
        for typo in wrong:
            hint = found[to_field((*path, typo))].removeprefix(f"`{typo}` is not a field of this object and has no effect; ")
            assert any(f"`{right}`" in hint for right in (field, MOVED[version].get(typo), *as_near(typo, field, shape))), hint


def test_there_are_fields():
    assert sum(len(shape) for *_, shape in DISTINCT.values()) > 300


def as_near(typo: str, field: str, shape: dict[str, Any]) -> list[str]:
    """Other fields that are no further from a misspelt one."""
    far = suggest._edits(typo.lower(), field.lower())
    return [other for other in shape if other != field and suggest._edits(typo.lower(), other.lower()) <= far]


@pytest.mark.parametrize(("version", "kind"), OBJECTS)
def test_every_field_is_known_and_one_of_another_shape_is_an_error(version, kind):
    wrong: dict[type, Any] = {dict: ["x"], list: {"x": "y"}, str: {"x": "y"}}
    for path, shape in maps(OBJECTS[version, kind]):
        for field, inside in shape.items():
            at = (*path, field)
            if at[0] == "spec":
                assert not any("not a field" in message for _, _, message in said(version, kind, at, None))
            if at[0] == "spec" and type(inside) in wrong:
                value = wrong[type(inside)]
                expected = f"found {'array' if isinstance(value, list) else 'object'}"
                found = said(version, kind, at, value)
                assert any(one[:2] == ("error", to_field(at)) and one[2].endswith(expected) for one in found), found


@pytest.mark.parametrize("line", ["default: !!int abc", "{{params.version}}"])
def test_nothing_but_the_reason_is_said_of_an_object_that_cannot_be_read(line):
    text = f"apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {{name: lumen}}\nspec:\n  params:\n  - name: level\n    {line}\n"
    _, outcome = invoke.run_function("tekton-params", None, documents.read(text.encode(), "run.yaml"))
    assert len([one for one in outcome.findings if one.severity == "error"]) == 1


@pytest.mark.parametrize("found", [{}, "v", {"name": "v"}])
def test_volumes_that_are_not_a_list_are_an_error(found):
    ((severity, field, message),) = said("v1", "Task", ("spec", "volumes"), found)
    assert (severity, field) == ("error", "spec.volumes")
    assert message.startswith("`volumes` must be a list, found ")
