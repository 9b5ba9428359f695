"""Annotations by which hosts place items, and what else a list may hold."""

from __future__ import annotations

from tests.hostile.attack import Attack
from tests.hostile.families.parts import (
    BUILD,
    DIFF,
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

TEKTON, FLUX = ("krm-tekton-params",), ("krm-flux-values",)
PATH, INDEX = "config.kubernetes.io/path", "config.kubernetes.io/index"
INTERNAL = "internal.config.kubernetes.io/"
WRITES = ("package",)


def _flux(**annotations: str) -> str:
    return listed(
        {**release(values()), "metadata": {"name": "web", "namespace": "team", "annotations": annotations}},
        config_map(data={"values.yaml": "a: 1"}),
        function_config=config("FluxValues"),
    )


def _tekton(**annotations: str) -> str:
    return listed(pipeline_run(**annotations), pipeline_run("second", **annotations))


ATTACKS = [
    Attack(
        "index of 5,000 digits",
        "use Python's limit of digits",
        TEKTON,
        "",
        0,
        stdin=_tekton(**{INDEX: "9" * 5000, PATH: "a.yaml"}),
    ),
    Attack(
        "index of 5,000 digits, generated",
        "use Python's limit of digits",
        FLUX,
        "",
        0,
        stdin=_flux(**{INDEX: "9" * 5000, PATH: "a.yaml"}),
    ),
    Attack("index in other digits", "break int()", TEKTON, "", 0, stdin=_tekton(**{INDEX: "²٣", PATH: "a.yaml"})),
    Attack("index below zero", "count from the end", TEKTON, "", 0, stdin=_tekton(**{INDEX: "-1", PATH: "a.yaml"})),
    Attack(
        "internal index of 5,000 digits",
        "use Python's limit of digits",
        TEKTON,
        "",
        0,
        stdin=_tekton(**{INTERNAL + "index": "9" * 5000, INTERNAL + "path": "a.yaml", INTERNAL + "seqindent": "compact"}),
    ),
    Attack(
        "path of `..`",
        "let a host write a generated object outside",
        FLUX,
        "inside the package",
        1,
        stdin=_flux(**{PATH: "../../x.yaml"}),
    ),
    Attack(
        "path that is absolute",
        "let a host write a generated object outside",
        FLUX,
        "/etc",
        1,
        stdin=_flux(**{PATH: "/etc/cron.d/x.yaml"}),
    ),
    Attack(
        "path of `..` for Windows",
        "let a clone of the result write outside",
        FLUX,
        "elsewhere on Windows",
        1,
        stdin=_flux(**{PATH: "a\\..\\..\\b/x.yaml"}),
    ),
    Attack(
        "path of a drive",
        "let a clone of the result write outside",
        FLUX,
        "elsewhere on Windows",
        1,
        stdin=_flux(**{PATH: "C:x/y.yaml"}),
    ),
    Attack("path into .git", "let a host write a hook", FLUX, ".git", 1, stdin=_flux(**{PATH: ".git/hooks/pre-commit"})),
    Attack(
        "path into .github",
        "let a host write a workflow",
        FLUX,
        ".github",
        1,
        stdin=_flux(**{PATH: ".github/workflows/x.yaml"}),
    ),
    Attack(
        "path with line feeds",
        "let a host write lines into a log",
        FLUX,
        "a\\nerror",
        1,
        stdin=_flux(**{PATH: "a\nerror: b/x.yaml"}),
    ),
    Attack("path with escapes", "write to the terminal", FLUX, "\\x1b", 1, stdin=_flux(**{PATH: "\x1b]0;x\x07/x.yaml"})),
    Attack(
        "path with a direction mark",
        "show another name than there is",
        FLUX,
        "\\u202e",
        1,
        stdin=_flux(**{PATH: "\u202elmay/x.yaml"}),
    ),
    Attack("path with NUL", "end the name", FLUX, "\\x00", 1, stdin=_flux(**{PATH: "a\0b/x.yaml"})),
    Attack(
        "path of 5,000 characters",
        "have a name that no file system takes",
        FLUX,
        "255",
        1,
        stdin=_flux(**{PATH: "a" * 5000 + "/x.yaml"}),
    ),
    Attack(
        "package path of `..`",
        "let a host write outside",
        FLUX,
        "",
        0,
        stdin=_flux(**{PATH: "x.yaml", INTERNAL + "package-path": "../../other"}),
    ),
    Attack(
        "origin path of `..`",
        "let a host write outside",
        FLUX,
        "",
        0,
        stdin=_flux(**{"config.kubernetes.io/origin": "path: ../../x.yaml\nrepo: y"}),
    ),
    Attack(
        "path annotation in a package",
        "let render write outside",
        RENDER,
        "1 step run",
        0,
        tekton({"run.yaml": text(pipeline_run(**{PATH: "../home/.bashrc", INTERNAL + "path": "../home/.bashrc"}))}),
        writes=WRITES,
    ),
    Attack(
        "an annotation that is a map",
        "break the reader",
        TEKTON,
        "",
        0,
        stdin=listed({**pipeline_run(), "metadata": {"name": "x", "annotations": {PATH: {"a": "b"}, INDEX: [1]}}}),
    ),
    Attack(
        "annotations that are a list",
        "break the reader",
        TEKTON,
        "",
        0,
        stdin=listed({**pipeline_run(), "metadata": {"name": "x", "annotations": ["a"]}}),
    ),
    Attack("the same item 1,000 times", "take quadratic time", TEKTON, "", 0, stdin=listed(*[pipeline_run()] * 1000)),
    Attack(
        "the same layer twice",
        "choose by chance",
        FLUX,
        "base",
        1,
        stdin=listed(
            release(values()),
            config_map(data={"values.yaml": "a: 1"}),
            config_map(data={"values.yaml": "a: 2"}),
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "items that are texts and numbers", "break the reader", TEKTON, "must be a resource", 1, stdin=listed("a", 5, None, [])
    ),
    Attack(
        "items that are a map",
        "break the reader",
        TEKTON,
        "stdin",
        1,
        stdin='{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": {"a": 1}}',
    ),
    Attack(
        "results of somebody",
        "be printed as ours",
        TEKTON,
        "",
        0,
        stdin=listed(pipeline_run())[:-1] + ', "results": [{"message": "\\u001b]0;x\\u0007", "severity": "error"}]}',
    ),
    Attack(
        "kinds and names that are lists",
        "break the reader",
        TEKTON,
        "`kind`: must be there",
        1,
        stdin=listed({"apiVersion": ["tekton.dev/v1"], "kind": {"a": 1}, "metadata": {"name": ["x"], "namespace": 5}}),
    ),
    Attack(
        "previous names of 2,000 items",
        "take quadratic time",
        FLUX,
        "base",
        1,
        stdin=listed(
            release(values("base9")),
            *[
                config_map(
                    f"base{n}x",
                    {"values.yaml": "a: 1"},
                    **{
                        "internal.config.kubernetes.io/previousNames": "base9",
                        "internal.config.kubernetes.io/previousKinds": "ConfigMap",
                        "internal.config.kubernetes.io/previousNamespaces": "team",
                    },
                )
                for n in range(2_000)
            ],
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "a package that says it is rendered",
        "keep its own values as ours",
        DIFF,
        "+",
        1,
        {
            **BUILD,
            "package/run.yaml": BUILD["package/run.yaml"].replace(
                "  name: build\n",
                "  name: build\n  annotations:\n    krm-values.dev/generated-by: flux-values\n    krm-values.dev/rendered: 'true'\n",
            ),
        },
    ),
]
