"""functionConfigs: who may write one may choose what is computed, and nothing else."""

from __future__ import annotations

from tests.hostile.attack import Attack
from tests.hostile.families.parts import DIFF, RENDER, config, listed, pipeline_run, tekton, text

HEAD = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata:\n  name: c\n"
TEKTON = ("krm-tekton-params",)


def _of(spec: str) -> dict[str, str | bytes]:
    return tekton({"config.yaml": HEAD + spec})


def _sent(kind: str, **spec: object) -> str:
    return listed(pipeline_run(), function_config=config(kind, **spec))


ATTACKS = [
    Attack(
        "ytt named by a config",
        "run a program",
        ("krm-cartographer-params",),
        "ytt",
        1,
        stdin=_sent("CartographerParams", ytt="./evil"),
    ),
    Attack(
        "a limit raised by a config",
        "switch a limit off",
        TEKTON,
        "limits",
        1,
        stdin=_sent("TektonParams", limits={"file_bytes": 1 << 60}),
    ),
    Attack(
        "secrets shown by a config", "print Secrets", TEKTON, "showSecrets", 1, stdin=_sent("TektonParams", showSecrets=True)
    ),
    Attack(
        "a field of 1 MB",
        "take quadratic time to find the nearest",
        TEKTON,
        "stdin",
        1,
        stdin=_sent("TektonParams", **{"m" * (1 << 20): 1}),
    ),
    Attack(
        "5,000 unknown fields",
        "take quadratic time, print megabytes",
        TEKTON,
        "spec",
        1,
        stdin=_sent("TektonParams", **{f"mode{n}": 1 for n in range(5_000)}),
    ),
    Attack(
        "escapes in a field's name",
        "write to the terminal",
        TEKTON,
        "\\u001b]0;x",
        1,
        stdin=_sent("TektonParams", **{"\x1b]0;x\x07": 1}),
    ),
    Attack(
        "escapes in a value", "write to the terminal", TEKTON, "\\x1b]0;x", 1, stdin=_sent("TektonParams", mode="\x1b]0;x\x07")
    ),
    Attack("a config that is a list", "break the reader", DIFF, "config.yaml", 2, tekton({"config.yaml": "- a\n- b\n"})),
    Attack(
        "a config of another function",
        "run that function",
        RENDER,
        "FluxValues",
        1,
        tekton({"config.yaml": text(config("FluxValues"))}),
    ),
    Attack(
        "spec of 5,000 levels",
        "overflow the stack",
        RENDER,
        "config.yaml",
        1,
        _of("spec: " + "{a: " * 5_000 + "}" * 5_000 + "\n"),
    ),
    Attack(
        "a ConfigMap with YAML of 5,000 levels",
        "overflow the stack",
        RENDER,
        "config.yaml",
        1,
        tekton(
            {
                "config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  references: '"
                + "[" * 5_000
                + "'\n"
            }
        ),
    ),
    Attack(
        "KRM_FUNCTION of a path",
        "run a program",
        ("krm-values", "run"),
        "../../evil",
        2,
        stdin=listed(),
        environment={"KRM_FUNCTION": "../../evil"},
    ),
    Attack(
        "a config of 10^5000", "use Python's limit of digits", RENDER, "config.yaml", 1, _of(f"spec:\n  strict: {'9' * 5001}\n")
    ),
    Attack(
        "`__class__` as a field",
        "reach Python's own names",
        TEKTON,
        "__class__",
        1,
        stdin=_sent("TektonParams", __class__={"__init__": 1}),
    ),
]
