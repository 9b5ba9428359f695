"""How calls grow: a second doubling of a dimension adds at most 2.3 times what the first one adds."""

from __future__ import annotations

import random

import pytest

from krm_values._yaml import decode
from tests.growth import commands, dimensions, fields
from tests.growth.lists import listed, whole
from tests.growth.measure import MOST, Dimension, growth
from tests.limited import ends

BOUNDED = {
    "flux-values: valuesFrom entries, inline": "an undo record has at most 64 KiB",
    "flux-values: valuesFrom entries with targetPath, inline": "an undo record has at most 64 KiB",
    "flux-values: inline entries on a second run": "an undo record has at most 64 KiB",
    "cartographer-params: tags that each look through one list": "2,000,000 steps of all paths of a run",
    "layered-values: layers for one target each, by a name with a star": "4,000,000 comparisons of selectors with stars",
    "layered-values: targets with a star": "4,000,000 comparisons of selectors with stars",
    "layered-values: layers for one target each, over as many layers": "5,000,000 steps of all targets; each is explained with all layers",
    "glasskube-values: patches that remove on a second run": "an undo record has at most 64 KiB",
    "glasskube-values: references from package to package": "400 references; each package is explained with all before it",
}
"""What grows with the square of a number that a limit keeps small."""
SQUARE = 4.3
FIELDS = 3
"""Of fields, which are grown in every way: names near to others are looked for among the first 1,000 only, which is no line but a bend."""


@pytest.fixture(scope="module", autouse=True)
def prepared():
    """Long texts are read by an expression that is compiled when the first one comes."""
    decode.data("".join(f"key{number}: value\n" for number in range(300)))


@pytest.mark.parametrize("name", [name for name, found in dimensions.ALL.items() if found not in commands.DIMENSIONS])
def test_calls_grow_as_their_dimension(name):
    """What is bounded needs it, too: its calls grow more than those of the others may."""
    found = growth(dimensions.ALL[name])
    least, most = (MOST, SQUARE) if name in BOUNDED else (float("-inf"), MOST)
    assert least < found.ratio <= most, "\n".join([f"calls at {found.sizes}: {found.calls}", *found.worst()])


def test_nothing_is_bounded_that_is_not_measured():
    assert dimensions.ALL.keys() >= BOUNDED.keys()


@pytest.mark.parametrize("command", commands.COMMANDS)
def test_calls_of_a_command_grow_as_its_package(command, request):
    """A way to grow a day."""
    ways = [*commands.GROWN]
    way = ways[(request.config.getoption("day") + [*commands.COMMANDS].index(command)) % len(ways)]
    found = growth(
        Dimension(way, lambda n: commands.prepared(commands.GROWN[way], commands.COMMANDS[command], n), commands.size(way))
    )
    most = SQUARE if way in commands.BOUNDED else MOST
    assert found.ratio <= most, "\n".join([f"{way}: calls at {found.sizes}: {found.calls}", *found.worst()])


@pytest.mark.parametrize("system", fields.ALL)
def test_calls_grow_as_a_field(system, request):
    """Three fields of the cases of each system a day: a list or map, and two strings."""
    day = random.Random(request.config.getoption("day"))
    known = fields.distinct(system)
    strings = [field for field in known if field.is_string]
    for field in (day.choice([field for field in known if not field.is_string]), *day.sample(strings, 2)):
        found = growth(Dimension(str(field), lambda n, field=field: fields.work(field, n), 300))
        assert found.ratio <= FIELDS, "\n".join([f"{field}: calls at {found.sizes}: {found.calls}", *found.worst()])


def test_the_lines_of_many_values_of_a_secret():
    """What is copied for each value is no call: the square of these keys would take many minutes."""
    text = "".join(f"    k{number}: v\n" for number in range(40_000))
    secret = f"- apiVersion: v1\n  kind: Secret\n  metadata: {{name: s}}\n  stringData:\n   values.yaml: |\n{text}"
    given = listed(secret, "layered-values", layers=[{"secret": "s"}], targets=[{"secret": "t"}])
    assert ends(whole("layered-values", given))
