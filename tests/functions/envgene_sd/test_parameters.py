"""What the functionConfig may say, and what is said of it."""

from __future__ import annotations

import pytest

from krm_values._data.scalars import text_of
from krm_values._krm import config
from krm_values._krm.config import ConfigError
from krm_values._run import registry
from krm_values._yaml import decode
from krm_values.envgene_sd import parameters
from krm_values.envgene_sd.environments import is_environment
from tests.functions.envgene_sd.support import findings_of, item, run, sd, spec

FULL = item(sd("ledger:1@finance"))
DATA = '{"applications": [{"version": "ledger:2", "deployPostfix": "finance"}]}'


def read(spec=None, data=None):
    function = registry.load("envgene-sd")
    found = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "EnvgeneSd", "metadata": {}, "spec": spec}
    if data is not None:
        found = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}, "data": data}
    return config.read(function.form(), function.name, found)


SPLIT = [
    ("a:1", ["a:1"]),
    ("a:1\nb:2", ["a:1", "b:2"]),
    ("a:1\r\nb:2\r\n", ["a:1", "b:2"]),
    ("a:1\rb:2", ["a:1", "b:2"]),
    ("a:1\\nb:2", ["a:1", "b:2"]),
    ("a:1\\nb:2\nc:3", ["a:1", "b:2", "c:3"]),
    ("a:1,b:2", ["a:1", "b:2"]),
    ("a:1;b:2;;", ["a:1", "b:2"]),
    ("a:1 b:2", ["a:1", "b:2"]),
    ("a:1  \t b:2", ["a:1", "b:2"]),
    (" \n a:1,b:2 \n", ["a:1", "b:2"]),
    ("\n\na:1\n\n\nb:2\n", ["a:1", "b:2"]),
    (" ", []),
    (",", []),
    ("", []),
]
MIXED = ["a:1, b:2", "a:1 \nb:2", "a:1\n b:2", "a:1,b:2;c:3", "a:1;\nb:2", "a:1\\n b:2"]


@pytest.mark.parametrize(("text", "found"), SPLIT)
def test_entries_have_one_kind_of_separator(text, found):
    assert parameters.split(text) == found


@pytest.mark.parametrize("text", MIXED)
def test_separators_are_not_mixed(text):
    with pytest.raises(parameters.MixedError):
        parameters.split(text)


ENVIRONMENTS = [
    ("east/prod-7", True),
    ("a.b/c_d", True),
    ("east", False),
    ("east/", False),
    ("/east", False),
    ("east/prod/7", False),
    ("east/..", False),
    ("east/a..b", False),
    ("../prod", False),
    ("east/.", False),
    ("ea\x01st/prod", False),
    ("east/pr\x7fod", False),
    ("east/\x85", False),
    ("east/\\server", False),
    ("C:east/prod", False),
    ("a\\..\\x/prod", False),
]


@pytest.mark.parametrize(("name", "good"), ENVIRONMENTS)
def test_an_environment_is_two_path_segments(name, good):
    assert is_environment(name) is good


FORMS = [
    ({"SD_VERSION": ["a:1", "b:2"]}, "version", "a:1\nb:2"),
    ({"SD_VERSION": None}, "version", ""),
    ({"ENV_NAMES": ["a/b"]}, "env_names", "a/b"),
    ({"SD_DELTA": True}, "delta", "true"),
    ({"SD_DELTA": "False"}, "delta", "False"),
    ({"SD_DATA": {"applications": []}}, "data", {"applications": []}),
    ({"SD_DATA": []}, "data", []),
    ({"SD_DATA": 5}, "data", 5),
    ({"SD_DATA": None}, "data", ""),
    ({"SD_DATA": "applications: []"}, "data", "applications: []"),
]


@pytest.mark.parametrize(("given", "name", "value"), FORMS)
def test_a_parameter_is_text_in_the_end(given, name, value):
    assert getattr(parameters.given(read(given)), name) == value


TEXTS = [
    ({"SD_DATA": '{"applications": []}'}, "data", '{"applications": []}'),
    ({"SD_VERSION": "a:1, b: 2"}, "version", "a:1, b: 2"),
    ({"SD_DELTA": "true"}, "delta", "true"),
    ({"SD_REPO_MERGE_MODE": ""}, "mode", ""),
]


@pytest.mark.parametrize(("given", "name", "value"), TEXTS)
def test_a_config_maps_text_stands_as_it_is(given, name, value):
    assert getattr(parameters.given(read(data=given)), name) == value


WRONG = [
    ({"SD_SOURCE_TYPE": 5}, "functionConfig `spec.SD_SOURCE_TYPE`: must be text; found number 5"),
    ({"SD_VERSION": {"a": 1}}, "functionConfig `spec.SD_VERSION`: must be text or a list; found object"),
    ({"SD_VERSION": [1]}, "functionConfig `spec.SD_VERSION[0]`: must be text; found number 1"),
    ({"SD_DELTA": 1}, "functionConfig `spec.SD_DELTA`: must be text or true or false; found number 1"),
    ({"SD_DTA": ""}, "functionConfig `spec.SD_DTA`: "),
    ({"profile": "upstream"}, "functionConfig `spec.profile`: "),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_a_parameter_of_another_kind_is_refused(given, message):
    with pytest.raises(ConfigError) as error:
        read(given)
    assert str(error.value).startswith(message)


JSON = {"SD_SOURCE_TYPE": "json", "SD_DATA": DATA}
MODES = [
    ({}, "basic-merge", ""),
    ({"SD_REPO_MERGE_MODE": " Extended-MERGE "}, "extended-merge", "SD_REPO_MERGE_MODE"),
    ({"SD_DELTA": " TRUE"}, "extended-merge", "SD_DELTA"),
    ({"SD_DELTA": "false"}, "replace", "SD_DELTA"),
    ({"SD_DELTA": "true", "SD_REPO_MERGE_MODE": "replace"}, "replace", "SD_REPO_MERGE_MODE"),
    ({"SD_DELTA": " ", "SD_REPO_MERGE_MODE": ""}, "basic-merge", ""),
]


@pytest.mark.parametrize(("given", "mode", "by"), MODES)
def test_the_mode_is_that_of_the_parameter_that_counts(given, mode, by):
    found = parameters.read(read({**JSON, **given}))
    assert (found.mode, found.chosen_by, found.is_fit) == (mode, by, True)


FINDINGS = [
    ({}, [("info", "no-parameters", "5")]),
    ({"ENV_NAMES": "east/prod-7"}, [("info", "no-parameters", "5")]),
    ({"ENV_NAMES": "east"}, [("error", "environment", "16"), ("info", "no-parameters", "5")]),
    ({"ENV_NAMES": ","}, [("error", "environment", "16"), ("info", "no-parameters", "5")]),
    ({"SD_REPO_MERGE_MODE": "replace"}, [("warning", "ignored-param", "5"), ("info", "no-parameters", "5")]),
    (
        {"SD_DELTA": "true"},
        [("warning", "deprecated-param", "12"), ("warning", "ignored-param", "5"), ("info", "no-parameters", "5")],
    ),
    ({"SD_SOURCE_TYPE": "JSON", "SD_DATA": DATA}, []),
    ({"SD_SOURCE_TYPE": "xml"}, [("error", "source-type", "1")]),
    ({"SD_DATA": DATA}, [("error", "source-type", "1")]),
    ({"SD_VERSION": "a:1"}, [("error", "source-type", "1")]),
    ({"SD_SOURCE_TYPE": "artifact"}, [("error", "no-version", "2")]),
    ({"SD_SOURCE_TYPE": "artifact", "SD_VERSION": ";"}, [("error", "no-version", "2")]),
    ({"SD_SOURCE_TYPE": "json", "SD_DATA": " "}, [("error", "no-data", "3")]),
    ({**JSON, "SD_VERSION": "a:1"}, [("warning", "ignored-param", "4")]),
    ({"SD_SOURCE_TYPE": "artifact", "SD_VERSION": "a:1", "SD_DATA": DATA}, [("warning", "ignored-param", "4")]),
    (
        {**JSON, "SD_DELTA": "no", "SD_REPO_MERGE_MODE": "merge"},
        [
            ("warning", "deprecated-param", "12"),
            ("error", "delta", "10"),
            ("error", "mode", "6"),
            ("warning", "ignored-param", "9"),
        ],
    ),
    ({"SD_SOURCE_TYPE": "artifact", "SD_VERSION": "a:1, b:2"}, [("error", "separators", "16")]),
    (
        {"SD_SOURCE_TYPE": "artifact", "SD_VERSION": "a,:1,b:,c:1-SNAPSHOT"},
        [("error", "version", "17")] * 3 + [("error", "snapshot", "18")],
    ),
    ({"SD_SOURCE_TYPE": "artifact", "SD_VERSION": "a:1-20240131.101112-7,b:1-snapshot"}, []),
]


@pytest.mark.parametrize(("given", "findings"), FINDINGS)
def test_what_is_said_of_parameters(given, findings):
    found = parameters.read(read(given)).findings
    assert [(finding.severity, finding.kind, finding.rule) for finding in found] == findings


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ("applications: []", "14"),
        ('{"applications": [}', "14"),
        ('{"applications": [], "applications": []}', "14"),
        ('{"applications": [NaN]}', "14"),
        ('{"applications": [], "owner": "\\ud800"}', "14"),
        ("[" * 10_000 + "]" * 10_000, "14"),
        ('{"applications": [], "deep": ' + "[" * 220 + "]" * 220 + "}", "14"),
        ("[]", "13"),
        ("{}", "13"),
        ("[{}]", "13"),
        ('["a:1"]', "13"),
        ("5", "13"),
        ("null", "13"),
        ('"applications"', "13"),
        ("[{}, {}]", "15"),
        ('{"applications": {}}', "15"),
        ('{"applications": ["a"]}', "21"),
        ('{"applications": [null, 5, {"version": 1.5}, {}, {"version": "a:"}, {"version": ":1"}]}', "21"),
    ],
)
def test_data_that_is_no_sd_is_refused(data, rule):
    state = run(FULL, data=data)
    assert {found for _, found in findings_of(state, "error")} == {rule}
    assert spec(state) == FULL["spec"]


def test_all_mistakes_come_at_once():
    state = run(FULL, SD_SOURCE_TYPE="artifact", SD_VERSION="a", SD_REPO_MERGE_MODE="x", SD_DELTA="x", ENV_NAMES="east")
    assert {rule for _, rule in findings_of(state, "error")} == {"6", "10", "16", "17"}


def test_numbers_keep_their_text():
    data = '{"version": 2.10, "big": 12345678901234567890, "small": 1E-7, "applications": []}'
    state = run(FULL, data=data, SD_REPO_MERGE_MODE="replace")
    assert b"\n    version: 2.10\n    big: 12345678901234567890\n    small: 1E-7\n" in state.out
    same = run(*state.items, data=data.replace("2.10", "2.1"), SD_REPO_MERGE_MODE="replace")
    assert b"\n    version: 2.1\n" in same.out


@pytest.mark.parametrize("number", ["0775", "1_000", "0b11", "0x1F", "012.5", "2.10", "1e3", "+5"])
def test_numbers_of_a_structure_keep_their_text(number):
    given = decode.to_data(decode.parse(f"{{version: {number}, applications: []}}\n"))
    assert text_of(read({"SD_DATA": given}).sd_data["version"]) == number
