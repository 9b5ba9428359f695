"""Names and texts that a terminal or a log would act on, wherever they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.packages import kptfile, run
from tests.hostile.attack import Attack
from tests.hostile.families.parts import (
    BUILD,
    DIFF,
    EXPLAIN,
    RENDER,
    config,
    config_map,
    listed,
    pipeline_run,
    release,
    tekton,
    text,
    values,
)

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "\x1b]0;x\x07"
ALL = "\x1b]0;x\x07\r\u202e\x7f\u2028x"
SEEN = "\\x1b]0;x\\x07\\r\\u202e\\x7f\\u2028x"
WRITES = ("package",)


def _named(**more: str) -> dict[str, str | bytes]:
    """A package with a file whose name holds all of it."""
    return {**BUILD, f"package/{ALL}.yaml": run("other"), **more}


def _forged(root: Path) -> None:
    (root / "package/a\nerror: all is lost.yaml").write_text("kind: X\n")


ATTACKS = [
    Attack("a file's name, summary", "write to the terminal", RENDER, SEEN, 1, _named()),
    Attack("a file's name, diff", "write to the terminal", DIFF, "\\033]0;x\\007", 1, _named()),
    Attack("a file's name, explain", "write to the terminal", EXPLAIN, SEEN, 0, _named()),
    Attack("a file's name, explain on a terminal", "write to the terminal", EXPLAIN, "\\x1b", 0, _named(), tty=True),
    Attack("a file's name, error", "write to the terminal", RENDER, SEEN, 1, tekton({f"{ALL}.yaml": "kind: X\n"})),
    Attack(
        "a file's name, usage",
        "write to the terminal",
        ("krm-values", "explain", "tekton-params", "--no-such", f"package/{ALL}.yaml"),
        "\\x1b",
        2,
        _named(),
    ),
    Attack(
        "a file's name with a line feed", "forge a line of the log", RENDER, "a\\nerror: all is lost.yaml", 1, BUILD, _forged
    ),
    Attack("a folder's name", "write to the terminal", RENDER, SEEN, 1, tekton({f"{ALL}/Kptfile": "x: y\n"})),
    Attack(
        "a resource's name",
        "write to the terminal",
        ("krm-tekton-params",),
        SEEN,
        1,
        stdin=listed({**pipeline_run(), "metadata": {"name": ALL}, "spec": {"params": "x"}}),
    ),
    Attack(
        "a resource's kind and namespace",
        "write to the terminal",
        ("krm-flux-values",),
        "\\x1b",
        1,
        stdin=listed(
            {**release(values("gone")), "metadata": {"name": "x", "namespace": ALL}}, function_config=config("FluxValues")
        ),
    ),
    Attack(
        "a key",
        "write to the terminal",
        ("krm-flux-values",),
        "\\u001b",
        0,
        stdin=listed(
            release(values(), **{ALL: 1}), config_map(data={"values.yaml": "a: 1"}), function_config=config("FluxValues")
        ),
    ),
    Attack(
        "a value",
        "write to the terminal",
        ("krm-tekton-params",),
        "\\x1b",
        1,
        stdin=listed({**pipeline_run(), "spec": {"params": ALL}}),
    ),
    Attack(
        "a value in explain",
        "write to the terminal",
        ("krm-values", "explain", "flux-values"),
        "x1b",
        0,
        stdin=listed(
            release(values()),
            config_map(data={"values.yaml": 'a: "\\e]0;x\\a\\r\\u202e\\x7f\\u2028"'}),
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "a value in explain --json",
        "write to the terminal",
        ("krm-values", "explain", "flux-values", "--json"),
        "\\u202e",
        0,
        stdin=listed(
            release(values()),
            config_map(data={"values.yaml": 'a: "\\e]0;x\\a\\r\\u202e\\x7f\\u2028"'}),
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "a value in a diff on a terminal",
        "write to the terminal",
        DIFF,
        "\\u202e",
        1,
        tekton({"run.yaml": run().replace("of the clone", "of \u202ethe\u2066 clone\x85")}),
        tty=True,
    ),
    Attack(
        "resources on a terminal",
        "write to the terminal",
        ("krm-values", "run", "tekton-params", "package/run.yaml"),
        "\\u202e",
        0,
        tekton({"run.yaml": run().replace("of the clone", "of \u202ethe clone")}),
        tty=True,
    ),
    Attack(
        "a step's name",
        "write to the terminal",
        RENDER,
        "\\x1b",
        1,
        tekton({"Kptfile": kptfile('exec: "\\e]0;x\\a\\r\\u202e", name: "\\e"')}),
    ),
    Attack(
        "a link's target",
        "write to the terminal",
        RENDER,
        "odd",
        1,
        BUILD,
        lambda root: (root / "package/odd.yaml").symlink_to(TITLE),
    ),
    Attack(
        "a path annotation",
        "write to the terminal",
        ("krm-tekton-params",),
        "\\x1b",
        1,
        stdin=listed({**pipeline_run(**{"config.kubernetes.io/path": f"{ALL}.yaml"}), "spec": {"params": "x"}}),
    ),
    Attack(
        "a config's name",
        "write to the terminal",
        ("krm-values", "run", "tekton-params", "package/run.yaml", "--config", f"package/{ALL}.yaml"),
        SEEN,
        1,
        tekton({f"{ALL}.yaml": "kind: X\n"}),
    ),
    Attack("a directory's name", "write to the terminal", ("krm-values", "render", TITLE), "\\x1b", 1, BUILD),
    Attack("a function's name", "write to the terminal", ("krm-values", "run", TITLE, "package"), "\\x1b", 2, BUILD),
    Attack(
        "a manifest, linted",
        "write to the terminal",
        ("krm-values", "lint", "glasskube-values", "package"),
        "\\x1b",
        1,
        {"package/package.yaml": text({"name": ALL, "valueDefinitions": {ALL: {"type": ALL}}})},
    ),
    Attack(
        "a manifest's schema",
        "write to the terminal",
        ("krm-values", "schema", "glasskube-values", "--manifest", "package/package.yaml"),
        "\\u202e",
        0,
        {
            "package/package.yaml": text(
                {
                    "name": "lumen",
                    "valueDefinitions": {"level": {"type": "text", "targets": [], "metadata": {"description": ALL}}},
                }
            )
        },
    ),
]
