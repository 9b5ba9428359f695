"""What Helm makes of our composed text is what it makes of the entries, one `-f` each, and one `--set` for a `targetPath`."""

from __future__ import annotations

import pytest

from krm_values._run import objects
from tests.functions.flux_values.support import config_map, entry, inlined, release, run, secret, told, value
from tests.oracles import helm

BASE = "replicas: 2\nnested: {gone: x, port: 80}\nlist: [1, 2]\n"
SITE = "beam: null\nnested: {gone: null, new: 1e3}\nlist: [3]\n"
INLINE = {"replicas": 3, "nested": {"host": "h"}}
SETTINGS = ["s3cret", "42", "{a,1,true}", "1.5", "null", "x\\,y"]


@pytest.mark.parametrize("text", SETTINGS)
def test_helm_gives_the_same_for_the_composed_text_and_for_the_entries(tmp_path, text):
    helm.needed()
    web = release(entry(), entry("site"), value("v", "nested.auth.password", "login", kind="Secret"), values=INLINE)
    state = run(web, config_map("base", BASE), config_map("site", SITE), secret("login", v=text))
    assert told(state, "error") == []
    composed = objects.decode(state.items[-1]["data"]["values.yaml"])
    inline = "replicas: 3\nnested: {host: h}\n"
    found = helm.rendered(tmp_path, composed)
    assert found == helm.rendered(tmp_path, BASE, SITE, inline, settings=(f"nested.auth.password={text}",))
    assert "gone" not in found["nested"]
    assert "beam" not in found, "a null removes the chart's default"


def test_helm_gives_the_same_for_the_inlined_release(tmp_path):
    helm.needed()
    state = run(
        release(entry(), entry("site"), values=INLINE), config_map("base", BASE), config_map("site", SITE), output="inline"
    )
    objects_state = run(*state.items)
    text = objects_state.items[-1]["data"]["values.yaml"]
    assert inlined(state)[1]["beam"] is None
    assert helm.rendered(tmp_path, text) == helm.rendered(tmp_path, BASE, SITE, "replicas: 3\nnested: {host: h}\n")


def test_the_known_difference_a_large_integer_of_a_file_is_a_float_to_helm(tmp_path):
    helm.needed()
    state = run(release(value("v", "number")), config_map("base", v="9007199254740993"))
    text = state.items[-1]["data"]["values.yaml"]
    assert text == "number: 9007199254740993\n"
    assert helm.rendered(tmp_path, settings=("number=9007199254740993",))["number"] == 9007199254740993
    assert helm.rendered(tmp_path, text)["number"] == 9007199254740992
