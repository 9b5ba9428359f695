"""Which params a body written for ytt names, as far as its text tells."""

from __future__ import annotations

import pytest

from krm_values.cartographer_params import tags
from tests.functions.cartographer_params.support import chain, findings, plan, step, template, told, workload
from tests.limited import ends


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("v: 1\n", []),
        ("params: [{name: x}]\n#! data.values.params.y\n", []),
        ("v: #@ data.values.params.x\n", ["x"]),
        ('v: #@ data.values.params["disk-space"]\n', ["disk-space"]),
        ("v: #@ data.values.params['a.b'].c\n", ["a.b"]),
        ('#@ if hasattr(data.values.params, "x"):\n#@ end\n', ["x"]),
        ('v: #@ getattr(data.values.params, "x", "y")\n', ["x"]),
        ("v: https://(@= data.values.params.host @):(@= str(data.values.params.port) @)/\n", ["host", "port"]),
        ("#@ p = data.values.params\nv: #@ p.x\nw: #@ p['y']\n", ["x", "y"]),
        ("#@ p = data.values.params\nv: #@ json.encode(p)\n", [""]),
        ("#@ for k in data.values.params:\n#@ end\n", [""]),
        ("v: #@ data.values.params[name]\n", [""]),
        ("v: #@ getattr(data.values.params, name)\n", [""]),
        ("v: #@ json.encode(data.values)\n", [""]),
        ('v: #@ data.values["params"].x\n', [""]),
        ('v: #@ has(data.values, "params")\n', []),
        ("#@ v = data.values\nw: #@ v.params.x\n", ["", "x"]),
        ("v: #@ data.values.workload.spec.params[0].value\n", []),
        ("v: #@ url.query_params_encode(data.values.params.q)\n", ["q"]),
    ],
)
def test_names(text, names):
    assert sorted(tags.ytt_params(text)) == names


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("v: #@ data.values.workload.spec.params[0].value\n", True),
        ("#@ w = data.values.workload\nv: #@ w.spec.params[0].value\n", True),
        ("v: #@ json.encode(data.values.workload)\n", True),
        ("v: #@ json.encode(data.values.deliverable.spec)\n", True),
        ("v: #@ data.values.workload.metadata.name\n", False),
        ("v: spec.params\n", False),
    ],
)
def test_the_owners_own_list(text, takes):
    assert tags.ytt_takes_owner_params(text) is takes


@pytest.mark.parametrize(
    "piece", ["(@", '#@ params["', "#@ a{} = data.values.params\nv: #@ a{}.x\n", "#@ values   ", "(@ params, '"]
)
def test_a_long_text_takes_no_time(piece):
    text = "".join(piece.replace("{}", str(number)) for number in range(50_000))

    def named() -> None:
        assert tags.ytt_params(text) is not None

    assert ends(named)


def test_a_name_inside_another_is_not_used():
    ytt = "v: #@ data.values.params.version\n"
    planned = plan(workload(params={"version": 1}), chain(step()), template(template=..., ytt=ytt))
    assert [one.kind for one in findings(planned, "warning")] == ["not-rendered"]
    planned = plan(workload(params={"versio": 1}), chain(step()), template(template=..., ytt=ytt))
    assert any(
        "`versio` is used by no template" in text and "did you mean `version`?" in text for text in told(planned, "warning")
    )
