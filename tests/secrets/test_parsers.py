"""What PyYAML and libyaml say of a text, without what they quote of it."""

from __future__ import annotations

import inspect

import pytest
import yaml.composer
import yaml.constructor
import yaml.parser
import yaml.scanner

from krm_values._data.errors import InputError
from krm_values._yaml.decode import data, parse, to_data
from krm_values._yaml.parser import _unquoted
from tests.secrets.broken import SPELLINGS
from tests.secrets.judge import silent
from tests.secrets.markers import Marker

A = Marker("first")
QUOTING = {
    "found character '%' that cannot start any token": "found character that cannot start any token",
    'found character "\'" that cannot start any token': "found character that cannot start any token",
    "found character '\\t' that cannot start any token": "found character that cannot start any token",
    "found unknown escape character 'q'": "found unknown escape character",
    "found undefined tag handle '!secret!'": "found undefined tag handle",
    "expected alphabetic or numeric character, but found 'x'": "expected alphabetic or numeric character",
    "expected ',' or ']', but got '<scalar>'": "expected ',' or ']'",
    "expected a digit or '.', but found 'x'": "expected a digit or '.'",
    "did not find expected ',' or ']'": "did not find expected ',' or ']'",
    "could not determine a constructor for the tag '!secret'": "could not determine a constructor for the tag",
}


@pytest.mark.parametrize(("problem", "told"), QUOTING.items())
def test_what_is_quoted_is_taken_out(problem, told):
    assert _unquoted(problem) == told


def test_every_message_of_pyyaml_that_quotes_is_told_without():
    """The library's own formats, each with a marker in the place of what it quotes."""
    modules = (yaml.scanner, yaml.parser, yaml.composer, yaml.constructor)
    found = [line for module in modules for line in inspect.getsource(module).split("\n") if "%r" in line and '"' in line]
    assert len(found) > 15
    for line in found:
        format_of = line[line.index('"') + 1 : line.rindex('"')]
        for text in (A.text, f"{A.text}'", "\\x1b" + A.text):
            silent([A], line, _unquoted(format_of.replace("%r", repr(text)).replace("%s", "x").replace("%d", "2")).encode())


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "around", ["kind: Secret\nstringData:\n  a: @@\n", "a: @@\n", "@@\n", "- @@\n", '{"kind": "Secret", "a": @@}\n']
)
def test_no_reader_shows_a_value(spelling, around):
    text = around.replace("@@", spelling.replace("@@", A.text))
    for read in (parse, data, lambda text: to_data(parse(text))):
        try:
            read(text)
        except InputError as error:
            told = error.unnamed() if hasattr(error, "unnamed") else error  # which keys are structure their reader knows
            silent([A], text, str(told).encode())
