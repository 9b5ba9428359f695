"""The texts of ConfigMaps and Secrets, SOPS, and what may be missing."""

from __future__ import annotations

from base64 import b64encode
from types import SimpleNamespace

import pytest

from krm_values._krm.resourcelist import read
from krm_values._krm.resources import Resources
from krm_values._run import objects
from krm_values._run.objects import Allowance
from krm_values._run.texts import values_at
from krm_values._yaml import emit


def item(kind="Secret", **fields):
    whole = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x"}, **fields}
    listed = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [whole]}
    return read(("\n".join(emit.block(listed)) + "\n").encode()).items[0]


def test_items_are_selected_by_kind_and_group():
    core, task, pipeline = item("Task"), item("Task", apiVersion="t.dev/v1"), item("Pipeline", apiVersion="t.dev/v1")
    resources = Resources([core, task, pipeline])
    assert resources.select("Task", group="t.dev") == [task]
    assert resources.select(group="t.dev") == [task, pipeline]
    assert resources.select("Task", "Pipeline", group="") == [core]


def b64(text, encoding="utf-8"):
    return b64encode(text.encode(encoding)).decode()


@pytest.mark.parametrize(
    ("found", "texts"),
    [
        (item("ConfigMap", data={"a": "x", "b": ""}), {"a": "x", "b": ""}),
        (item("ConfigMap"), {}),
        (item("ConfigMap", data=None, binaryData={"a": "eA=="}), {}),
        (item("ConfigMap", stringData={"a": "x"}), {}),
        (item(data={"a": b64("é\n")}), {"a": "é\n"}),
        (item(data={"a": b64("x")[:2] + "\n" + b64("x")[2:]}), {"a": "x"}),
        (item(data={"a": b64("\ufeffx", "utf-16-le")}), {"a": "x"}),
        (item(data={"a": b64("x"), "b": b64("y")}, stringData={"a": "z"}), {"a": "z", "b": "y"}),
    ],
)
def test_texts(found, texts):
    assert objects.read_data(found).texts == texts
    assert objects.read_data(found).faults == ()


def test_only_one_key_is_decoded_and_the_others_must_be_text():
    binary = item(data={"a": b64("x"), "key.p12": "/////w==", "b": b64("y")}, stringData={"b": "z"})
    assert objects.Objects().at(binary, "a").texts == {"a": "x"}
    assert objects.Objects().at(binary, "b").texts == {"b": "z"}
    assert objects.Objects().at(binary, "a").faults == ()
    assert [path for path, _ in objects.Objects().at(binary, "key.p12").faults] == [("data", "key.p12")]
    assert [path for path, _ in objects.Objects().at(item(data={"a": b64("x"), "n": 5}), "a").faults] == [("data", "n")]


@pytest.mark.parametrize(
    ("found", "path", "text"),
    [
        (
            item("ConfigMap", data={"a": 5}),
            ("data", "a"),
            "must be text, found number 5: quote it, or write it as a block (`|`)",
        ),
        (
            item("ConfigMap", data={"a": None}),
            ("data", "a"),
            "must be text, found null: quote it, or write it as a block (`|`)",
        ),
        (item("ConfigMap", data="x"), ("data",), "must be a map of strings; found string"),
        (item(data={"a": "x=y"}), ("data", "a"), "must be base64"),
        (item(data={"a": "YQ"}), ("data", "a"), "must be base64"),
        (item(data={"a": "/w=="}), ("data", "a"), "must be base64 of text in UTF-8"),
        (
            item(stringData={"a": True}),
            ("stringData", "a"),
            "must be text, found boolean: quote it, or write it as a block (`|`)",
        ),
    ],
)
def test_faults(found, path, text):
    assert objects.read_data(found).faults == ((path, text),)


@pytest.mark.parametrize(
    ("found", "encrypted"),
    [
        (item(sops={"mac": "x"}), True),
        (item(data={"a": "ENC[AES256_GCM,data:x]"}), True),
        (item("ConfigMap", data={"a": "ENC[x"}), True),
        (item(stringData={"a": "ENC[x"}), True),
        (item(stringData={"a": "x ENC["}, sops="no map"), False),
        (item(), False),
    ],
)
def test_encrypted(found, encrypted):
    assert objects.is_encrypted(found) == encrypted


def test_a_secrets_text_is_read_back():
    assert objects.decode(objects.encode("a: é\n")) == "a: é\n"


@pytest.mark.parametrize(
    ("namespace", "name", "asked", "fits"),
    [
        (None, "a", ("ConfigMap", "n", "a"), True),
        (None, "a", ("Secret", "n", "a"), False),
        ("n", "a", ("ConfigMap", "n", "a"), True),
        ("m", "a", ("ConfigMap", "n", "a"), False),
        ("", "a", ("ConfigMap", "n", "a"), False),
        (None, "*-values", ("ConfigMap", "n", "c7-values"), True),
        (None, "*-values", ("ConfigMap", "n", "c7-values-x"), False),
        (None, "a.b", ("ConfigMap", "n", "a-b"), False),
        (None, "a*b*c", ("ConfigMap", "n", "axxbc"), True),
        (None, "?", ("ConfigMap", "n", "a"), False),
    ],
)
def test_allowance(namespace, name, asked, fits):
    assert Allowance([SimpleNamespace(kind="ConfigMap", namespace=namespace, name=name)]).allows(*asked) == fits


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"kind": "ConfigMap", "data": {"v": "a: 08\n"}}, {"a": 8}),
        ({"kind": "Secret", "data": {"v": b64("a: 1\n")}}, {"a": 1}),
        ({"kind": "Secret", "data": {"v": "n0t=b"}}, {}),
        ({"kind": "ConfigMap", "data": {"v": "- 1\n"}}, {}),
        ({"kind": "ConfigMap"}, {}),
        (None, {}),
    ],
)
def test_the_values_that_stood_at_a_path(data, found):
    assert values_at(data, ("data", "v")) == found


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("*a" * 50 + "b", "a" * 5_000, False),
        ("*a" * 50 + "*", "a" * 5_000, True),
        ("a*a", "a", False),
        ("a*ba", "aba", True),
        ("a**a", "aa", True),
        ("*ab*ab*", "ab", False),
        ("*ab*ab", "abxab", True),
        ("ab*b*b", "abbb", True),
        ("ab*b*b", "abb", False),
        ("", "", True),
        ("*", "", True),
    ],
)
def test_stars_stand_for_any_run_of_characters(pattern, name, fits):
    assert Allowance([SimpleNamespace(kind="Secret", namespace=None, name=pattern)]).allows("Secret", "team-a", name) == fits
