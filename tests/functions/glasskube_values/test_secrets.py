"""What comes out of a Secret: where it may go, and where it is never shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from krm_values._explain import steps
from krm_values._krm import findings
from tests.answers import of_steps
from tests.functions.glasskube_values.packages import FROM_VAULT, helm, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map, secret
from tests.functions.glasskube_values.runs import found, level, run, told

TEXT = "kelp-moss"
BOX = target("/stringData/key", kind="Secret", name="box")


def configured(*places: Any, **more: Any) -> Any:
    definition = value("level", *places, **more)
    items = [package(values={"level": FROM_VAULT}), secret(), secret("box", a="b"), config_map()]
    return run(*items, manifests=[manifest(definition, helm=helm("nest"))])


def shown(state: Any) -> str:
    """All that anybody reads of a run but the fields that targets write."""
    texts = [json.dumps(findings.as_result(finding)) + findings.line(finding) for finding in state.outcome.findings]
    texts.append(of_steps([steps.Explained("", state.outcome)]))
    texts += [json.dumps(item["metadata"]) for item in state.items]
    return "\n".join(texts)


@pytest.mark.parametrize(
    ("place", "warned"),
    [
        (BOX, None),
        (target("/metadata/labels", template='{"a": "{{ . }}"}', kind="Secret", name="box"), None),
        (target(), "ConfigMap aviary/env"),
        (target("/tone", chart="nest"), 'the values of chart "nest"'),
        (target("/data/MODE", "remove"), None),
    ],
)
def test_a_target_that_writes_it_into_anything_but_a_secret_is_a_warning(place, warned):
    state = configured(place)
    assert told(state) == []
    said = [warning for warning in told(state, "warning") if "comes from a Secret" in warning]
    assert len(said) == (warned is not None)
    assert warned is None or f'value "level" comes from a Secret and is written into {warned}' in said[0]


def test_it_is_never_shown():
    state = configured(BOX, target(), target("/tone", chart="nest"), target("/data/B", template='"{{ . | base64 }}"'))
    assert level(state) == TEXT
    assert found(state, "box", "Secret")["stringData"]["key"] == TEXT
    assert TEXT not in shown(state)
    assert "a2VscC1tb3Nz" not in shown(state)


@pytest.mark.parametrize(
    "change",
    [
        {"constraints": {"maxLength": 2}},
        {"constraints": {"pattern": "^q"}},
        {"kind": "number"},
        {"kind": "boolean"},
        {"kind": "options", "options": ["a"]},
    ],
)
def test_a_violation_does_not_show_it(change):
    state = configured(BOX, **change)
    assert told(state) != []
    assert all(error.endswith('found "<hidden>"') or "<hidden>" in error for error in told(state))
    assert TEXT not in shown(state)


@pytest.mark.parametrize(
    "place",
    [
        target(template="{{ . }}"),
        target("/data/MODE", "test"),
        target("/data/MODE/x"),
        target(template='{"a": {{ printf "%q" . }} {{ . }}'),
    ],
)
def test_a_failing_template_or_patch_does_not_show_it(place):
    state = configured(place)
    assert told(state) != []
    assert TEXT not in shown(state)


@pytest.mark.parametrize("held", ["bm90IQ=", "/w==", "not base64"])
def test_what_is_no_text_is_an_error(held):
    vault = {**secret(), "data": {"token": held}}
    del vault["stringData"]
    state = run(package(values={"level": FROM_VAULT}), vault, config_map(), manifests=[manifest(value("level", target()))])
    (error,) = told(state)
    assert 'cannot resolve "level": key "token" of Secret aviary/vault must be base64' in error
    assert held not in error


def test_a_test_of_an_overwritten_value_is_an_error_in_the_first_run():
    places = [target("/stringData/a", "test", kind="Secret", name="box"), target("/stringData/a", kind="Secret", name="box")]
    given = manifest(value("level", places[0]), value("tone", places[1]))
    state = run(package(values={"level": "b", "tone": "c"}), secret("box", a="b"), manifests=[given])
    (error,) = told(state)
    assert "tests a value that is also overwritten in Secret aviary/box, whose earlier values are not kept" in error


def test_a_value_read_and_overwritten_is_an_error_in_the_first_run():
    given = manifest(value("level", target("/stringData/token", template='"{{ . }}2"', kind="Secret", name="vault")))
    state = run(package(values={"level": FROM_VAULT}), secret(), config_map(), manifests=[given])
    assert any("is read and also overwritten" in error for error in told(state))


def test_a_value_that_no_target_writes_is_read_all_the_same():
    """A second run would have to check it, and could not."""
    given = manifest(value("level"), value("tone", target("/stringData/token", kind="Secret", name="vault")))
    state = run(package(values={"level": FROM_VAULT, "tone": "new"}), secret(), manifests=[given])
    (error,) = told(state)
    assert "is read and also overwritten" in error
    assert not told(run(package(values={"level": FROM_VAULT, "tone": "new"}), secret(), manifests=[given], record=False))


def test_what_was_overwritten_is_not_read_as_empty():
    """The value before the first run is not known: a reader is told so rather than given nothing."""
    place = target("/stringData/token", kind="Secret", name="vault")
    first = run(package(values={"level": "new"}), secret(), config_map(), manifests=[manifest(value("level", place))])
    assert told(first) == []
    reader = package(values={"tone": FROM_VAULT})
    state = run(reader, *first.items[1:], manifests=[manifest(value("tone", target()))])
    (error,) = told(state)
    assert 'cannot resolve "tone": the value of "token" in Secret aviary/vault before it was overwritten is not known' in error


def test_a_secret_whose_data_is_no_map_is_an_error_that_says_so():
    """It was exit 3: what such a Secret held cannot be kept, and not be left either."""
    box = {**secret("box"), "stringData": "by hand"}
    state = run(
        package(values={"level": "x"}),
        box,
        manifests=[manifest(value("level", target("/stringData", kind="Secret", name="box", template='{"key": "{{.}}"}')))],
    )
    assert told(state) == [
        "stdin:16:3: Secret aviary/box: has `stringData` that is not a map of strings, so what it holds could not be undone: make it one"
    ]
    assert found(state, "box", "Secret") == box


def test_what_is_decided_does_not_depend_on_what_a_secret_s_value_equals():
    def decided(held: str) -> list[tuple[Any, ...]]:
        places = [target("/data/list/0", apiGroup="v1", kind="Thing", name="t"), target("/data/MODE")]
        thing = {
            "apiVersion": "v1",
            "kind": "Thing",
            "metadata": {"name": "t", "namespace": "aviary"},
            "data": {"list": [TEXT, "b", TEXT]},
        }
        items = [package(values={"level": FROM_VAULT}), secret(token=held), thing, config_map(MODE=TEXT)]
        state = run(*items, manifests=[manifest(value("level", *places))])
        assert told(state) == []
        return [(decision.item.name, decision.path) for decision in state.outcome.decisions]

    assert decided(TEXT) == decided("other")


def test_the_record_does_not_depend_on_whether_a_secret_had_the_value_and_stays_in_a_second_run():
    def written(held: str) -> Any:
        made = manifest(value("level", target("/stringData/key", kind="Secret", name="box")))
        once = run(package(values={"level": {"value": TEXT}}), secret("box", key=held), manifests=[made])
        again = run(*once.items, manifests=[made])
        assert told(once) == told(again) == []
        assert again.items == once.items
        return found(once, "box", "Secret")

    assert written(TEXT) == written("other")
