"""Configs of one name in a package and in one within it: what each generates and writes stays its own."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, snapshot, write

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\npipeline: {mutators: [{exec: krm-layered-values, configPath: config.yaml}]}\n"


INPUT = {"Kptfile", "config.yaml", "base/Kptfile", "base/config.yaml"}


def config(made, fields=""):
    return (
        "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: web}\n"
        f"spec: {{layers: [{{values: {{a: {made}}}}}], targets: [{{configMap: {made}}}{fields}]}}\n"
    )


@pytest.fixture
def package(tmp_path):
    return write(
        tmp_path,
        {
            "Kptfile": KPTFILE,
            "config.yaml": config("outer"),
            "base/Kptfile": KPTFILE,
            "base/config.yaml": config("inner"),
        },
    )


def test_each_generates_its_own_objects_and_a_second_run_changes_nothing(package):
    assert command("render", package).returncode == 0
    once = snapshot(package)
    assert once.keys() - INPUT == {"outer.yaml", "base/inner.yaml"}
    done = command("render", package)
    assert (done.stderr, snapshot(package)) == ("2 steps run, changed: nothing\n", once)


def test_what_one_does_not_generate_any_more_is_removed_and_the_others_stays(package):
    command("render", package)
    (package / "config.yaml").write_text(config("other"))
    assert command("render", package).returncode == 0
    assert snapshot(package).keys() - INPUT == {"other.yaml", "base/inner.yaml"}
    (package / "base/config.yaml").write_text(config("second"))
    assert command("render", package).returncode == 0
    assert snapshot(package).keys() - INPUT == {"other.yaml", "base/second.yaml"}


def test_two_steps_of_one_name_in_one_package_that_write_one_resource_are_an_error(tmp_path):
    step = "{exec: krm-layered-values, configPath: FILE}"
    two = f"[{step.replace('FILE', 'one.yaml')}, {step.replace('FILE', 'two.yaml')}]"
    fields = "layers: [{values: {n: N}}], targets: [{kind: Thing, fields: {spec.n: n}}]"
    head = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: web}\n"
    package = write(
        tmp_path,
        {
            "Kptfile": f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {{name: x}}\npipeline: {{mutators: {two}}}\n",
            "one.yaml": f"{head}spec: {{{fields.replace('N', '2')}}}\n",
            "two.yaml": f"{head}spec: {{{fields.replace('N', '3')}}}\n",
            "thing.yaml": "apiVersion: x.test/v1\nkind: Thing\nmetadata: {name: t}\nspec: {n: 1}\n",
        },
    )
    before = snapshot(package)
    done = command("render", package)
    assert done.returncode == 1
    assert "`pipeline.mutators[0]` and by `pipeline.mutators[1]`, both LayeredValues web" in done.stderr
    assert "give their functionConfigs different names" in done.stderr
    assert snapshot(package) == before
