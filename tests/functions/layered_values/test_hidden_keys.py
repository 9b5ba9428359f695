"""What a Secret's string holds is one value: its keys are a part of it, and shown nowhere."""

from __future__ import annotations

import pytest

from tests.cli.packages import command, kptfile, write
from tests.secrets.looks import showing

CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: config}}\nspec: {{layers: [{layers}], targets: [{{kind: Thing, allowSecrets: true, missing: create, fields: {{{fields}}}}}]}}\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {k: '{s3cretA: s3cretB}', l: '[s3cretC, s3cretD]'}\n"
THING = "apiVersion: x/v1\nkind: Thing\nmetadata:\n  name: t\nspec: {own: {a: 1, b: 2}, list: [1, 2], text: 'm: {a: 1}'}\n"


@pytest.mark.parametrize(
    "fields",
    [
        "spec.own: k",
        "spec.list: l",
        "spec.own: k, spec.list: l",
        "metadata.labels: k",
        "spec.text.m: k",
        "spec.own: k, spec.n.b: l",
    ],
)
def test_no_key_is_shown_before_or_after_a_render(tmp_path, fields):
    config = CONFIG.format(layers="{secret: s, key: '*'}", fields=fields)
    package = write(
        tmp_path / "package",
        {
            "Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"),
            "config.yaml": config,
            "s.yaml": SECRET,
            "t.yaml": THING,
        },
    )
    assert showing(package, "s3cret") == []
    assert command("render", package).returncode == 0
    assert "s3cret" in (package / "t.yaml").read_text(encoding="utf-8")
    records = [line for line in (package / "t.yaml").read_text(encoding="utf-8").splitlines() if "krm-values.dev/" in line]
    assert not [line for line in records if "s3cret" in line]
    assert showing(package, "s3cret") == []
    (package / "config.yaml").write_text(
        CONFIG.format(layers="{name: own, values: {x: 1}}", fields="spec.own: {value: k, optional: true}")
    )
    assert showing(package, "s3cret") == []
    assert command("render", package).returncode == 0
    assert (package / "t.yaml").read_text(encoding="utf-8") == THING
