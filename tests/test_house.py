"""What a run loads, what functions declare, and what the package exports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from krm_values._krm.names import module
from krm_values._run import registry

LOADED = {
    *(
        "atexit",
        "bisect",
        "collections",
        "copyreg",
        "enum",
        "fcntl",
        "functools",
        "gc",
        "itertools",
        "json",
        "keyword",
        "math",
        "operator",
        "re",
    ),
    *("collections.abc", "contextlib", "reprlib", "struct", "types", "typing", "typing.io", "typing.re", "_typing", "warnings"),
    *("_bisect", "_collections", "_functools", "_operator", "_sre", "_struct", "cython_runtime", "__future__"),
    *("yaml.error", "yaml.events", "yaml.nodes", "yaml.tokens", "yaml._yaml"),
    *("json.decoder", "json.encoder", "json.scanner", "_json", "re._casefix", "re._compiler", "re._constants", "re._parser"),
}
"""What a run may load that a bare interpreter has not: all else costs each run its import."""
HASHES = {"hashlib", "_hashlib", "_blake2"}
ALSO = {
    "cartographer-params": HASHES,
    "envgene-sd": set(),
    "flux-values": HASHES,
    "giantswarm-config": HASHES,
    "glasskube-values": HASHES | {"base64", "binascii"},
    "layered-values": HASHES,
    "tekton-params": set(),
}
"""What a function may load beyond that; one that is not listed may keep undo records, which need hashes."""
LISTED = (
    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n"
)
CONFIGS = {
    "layered-values": (
        "functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: LayeredValues\n  metadata: {name: a}\n"
        "  spec: {layers: [{values: {a: 1}}], targets: [{configMap: b}]}\n"
    )
}
"""The configs of functions that have no defaults for all fields."""


def _bare() -> set[str]:
    """Return what an interpreter loads that executes nothing."""
    program = "import sys; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {*done.stdout.splitlines()}


@pytest.mark.parametrize("name", registry.functions())
def test_a_run_loads_no_other_function_nor_what_other_commands_need(name):
    program = (
        f"import sys; sys.argv = ['krm-{name}']; from krm_values._cli.main import main; code = main([]);"
        "print(code, *sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=LISTED + CONFIGS.get(name, ""), capture_output=True, text=True, check=True
    )
    code, *loaded = done.stderr.splitlines()
    assert code in ("0", "1")
    functions = {
        entry.split(".")[1] for entry in loaded if entry.startswith("krm_values.") and not entry.startswith("krm_values._")
    }
    assert functions == {module(name)}
    foreign = {entry for entry in loaded if not entry.startswith(("krm_values", "_cython_"))}
    assert foreign - _bare() <= LOADED | ALSO.get(name, HASHES)
    assert "krm_values._krm.write" not in loaded, "nothing is written"
    assert f"krm_values.{module(name)}.tools" not in loaded, "nobody has named a program"


@pytest.mark.parametrize("name", registry.functions())
def test_the_tools_that_a_function_declares_are_those_that_it_makes(name):
    assert set(registry.load(name).tools) == set(getattr(registry.tools().get(name), "names", ()))


def test_commands_and_tools_are_found_without_a_planner():
    program = "from krm_values._run import registry; registry.extensions(), registry.tools(); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "krm_values.glasskube_values.commands" in done.stdout.split()
    assert [name for name in done.stdout.split() if name.startswith("krm_values.") and name.endswith(".plan")] == [
        "krm_values._krm.plan"
    ]


def test_a_third_party_can_write_a_function_with_what_the_package_exports():
    import krm_values  # noqa: PLC0415

    planning = {"Function", "Finding", "Origin", "put", "drop", "move", "new", "mark", "note"}
    config = {"Field", "FunctionConfig", "Resources"}
    assert set(krm_values.__all__) == planning | config | {"main", "render", "render_fleet", "UserError"}
    assert all(getattr(krm_values, name) for name in krm_values.__all__)
