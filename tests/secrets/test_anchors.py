"""The names of anchors and tags in the text of a Secret are parts of its value: no command shows them."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.secrets.commands import krm

NAME = "Xk12Xw0j69JV60vJ"
TEXTS = {
    "a map": f"a: &{NAME} {{x: 1}}\nb: *{NAME}\n",
    "in braces": f"{{a: &{NAME} {{x: 1}}, b: *{NAME}}}\n",
    "merged": f"a: &{NAME}\n  x: 1\nb:\n  <<: *{NAME}\n  y: 2\n",
    "a scalar": f"a: &{NAME} v\nb: *{NAME}\n",
    "elements": f"a: [&{NAME} 1, *{NAME}]\nb: [*{NAME}]\n",
    "an anchor that stands twice": f"a: &{NAME} 1\nb: &{NAME} 2\nc: *{NAME}\n",
    "an unknown alias": f"a: *{NAME}\n",
    "a tag": f"a: !{NAME} x\n",
}
HELD = {
    "data": lambda text: f"data: {{values.yaml: {b64encode(text.encode()).decode()}}}\n",
    "stringData": lambda text: "stringData:\n  values.yaml: |\n" + "".join(f"    {line}\n" for line in text.splitlines()),
}
RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r, namespace: n}
spec: {interval: 10m, chartRef: {kind: OCIRepository, name: c}, valuesFrom: [{kind: Secret, name: s}], values: {z: 1}}
"""
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline: {mutators: [{exec: krm-flux-values}]}\n"


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_command_shows_them(text, held, tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "s.yaml").write_text(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: n}}\n{held(text)}")
    (package / "r.yaml").write_text(RELEASE)
    (package / "Kptfile").write_text(KPTFILE)
    lines = len((package / "s.yaml").read_text().splitlines())
    places = [f"{package}/s.yaml:{line}" for line in range(1, lines + 1)] + [
        f"{package}/s.yaml:{path}" for path in ("a", "b", "a.x", "b.x")
    ]
    calls = [[word, package] for word in ("explain", "values")] + [
        [word, place, package] for word in ("why", "impact") for place in places
    ]
    for call in (
        *calls,
        ["explain", "--json", package],
        ["render", "--diff", package],
        ["render", package, "-o", tmp_path / "out"],
    ):
        assert NAME.encode() not in krm(*call).said, call
