"""YAML and JSON that takes memory, time or the stack, or asks for objects."""

from __future__ import annotations

import json

from tests.hostile.attack import Attack
from tests.hostile.families.parts import DIFF, RENDER, config, config_map, listed, release, secret, tekton, values

WRITES = ("package",)
FLUX = ("krm-flux-values",)
TEKTON = ("krm-tekton-params",)
_ITEM = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: odd\n  namespace: team\ndata:\n"
_RUN = "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata:\n  name: odd\nspec:\n  params:\n"


def _stream(text: str) -> str:
    """A list with this text as its only item."""
    indented = "".join(f"  {line}\n" for line in text.splitlines())
    return f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {indented[2:]}"


def _laughs(levels: int, width: int = 9) -> str:
    """Aliases of aliases: width ** levels texts."""
    lines = ["  a0: &a0 [x, x, x]"]
    lines += [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def _composed(text: str, **more: object) -> str:
    """A release whose values come from this text."""
    return listed(release(values(**more)), config_map(data={"values.yaml": text}), function_config=config("FluxValues"))


def _nested(levels: int) -> str:
    """YAML in YAML in YAML: each text doubles the one in it."""
    text = "x: y"
    for _ in range(levels):
        text = f"a: {json.dumps(text)}\nb: {json.dumps(text)}"
    return text


def _merges(count: int) -> str:
    return "".join(
        f"m{n}: &m{n}\n  <<: [{', '.join([f'*m{n - 1}'] * 9) if n else '{x: y}'}]\n  k{n}: v\n" for n in range(count)
    )


ATTACKS = [
    Attack("billion laughs in a resource", "expand 9^20 texts", DIFF, "odd.yaml", 2, tekton({"odd.yaml": _RUN + _laughs(20)})),
    Attack(
        "billion laughs in a Kptfile",
        "expand 9^20 texts",
        DIFF,
        "",
        0,
        tekton({"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\nstatus:\n" + _laughs(20)}),
    ),
    Attack(
        "billion laughs in a functionConfig",
        "expand 9^20 texts",
        DIFF,
        "config.yaml",
        2,
        tekton(
            {
                "config.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec:\n"
                + _laughs(20)
            }
        ),
    ),
    Attack(
        "billion laughs in values", "expand 9^20 texts in a ConfigMap's text", FLUX, "alias", 1, stdin=_composed(_laughs(20))
    ),
    Attack("billion laughs of merge keys", "expand 9^20 maps", FLUX, "alias", 1, stdin=_composed(_merges(20))),
    Attack("YAML in YAML in YAML", "double a text 8 times", FLUX, "", 0, stdin=_composed(_nested(8))),
    Attack(
        "an anchor that holds itself",
        "never end",
        TEKTON,
        "stdin:",
        1,
        stdin=_stream(_RUN + "  - &a\n    name: x\n    value: [*a]\n"),
    ),
    Attack("an anchor in values that holds itself", "never end", FLUX, "base", 1, stdin=_composed("a: &a [*a]\n")),
    Attack("a merge key of its own map", "never end", FLUX, "base", 1, stdin=_composed("a: &a\n  <<: *a\n")),
    Attack(
        "100,000 brackets",
        "overflow the stack",
        TEKTON,
        "stdin:",
        1,
        stdin=_stream(_RUN + "  - name: x\n    value: " + "[" * 100_000 + "]" * 100_000 + "\n"),
    ),
    Attack(
        "100,000 brackets in values",
        "overflow the stack",
        FLUX,
        "base",
        1,
        stdin=_composed("a: " + "[" * 100_000 + "]" * 100_000),
    ),
    Attack(
        "100,000 brackets as JSON",
        "overflow the stack",
        TEKTON,
        "stdin",
        1,
        stdin='{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": '
        + "[" * 100_000
        + "]" * 100_000
        + "}",
    ),
    Attack(
        "5,000 levels of maps",
        "overflow the stack",
        FLUX,
        "base",
        1,
        stdin=_composed("".join(" " * n + "a:\n" for n in range(5_000))),
    ),
    Attack("5,000 dashes on a line", "overflow the stack", FLUX, "base", 1, stdin=_composed("- " * 5_000)),
    Attack(
        "10^5000 as a number",
        "use Python's limit of digits",
        TEKTON,
        "",
        0,
        stdin=_stream(_RUN + f"  - name: x\n    value: {'9' * 5001}\n"),
    ),
    Attack(
        "10^5000 as a number of values",
        "use Python's limit of digits",
        FLUX,
        "",
        0,
        stdin=_composed(f"a: {'9' * 5001}\nb: -{'9' * 5001}\nc: 0x{'f' * 5001}\nd: 1e{'9' * 400}\n"),
    ),
    Attack("10^5000 as JSON", "use Python's limit of digits", FLUX, "", 0, stdin=_composed('{"a": ' + "9" * 5001 + "}")),
    Attack(
        "10^5000 in octal, binary and sixties",
        "use Python's limit of digits",
        FLUX,
        "",
        0,
        stdin=_composed(f"a: 0{'7' * 5001}\nb: 0b{'1' * 5001}\nc: 1:{'59:' * 2000}59\nd: 0o{'7' * 5001}\n"),
    ),
    Attack(
        "10^5000 as !!int",
        "use Python's limit of digits",
        TEKTON,
        "!!int",
        1,
        stdin=_stream(_RUN + f'  - name: x\n    value: !!int "{"9" * 5001}"\n'),
    ),
    Attack(
        "10^5000 as a priority",
        "use Python's limit of digits",
        ("krm-giantswarm-config",),
        "priority",
        1,
        stdin=listed(
            {
                "apiVersion": "application.giantswarm.io/v1alpha1",
                "kind": "App",
                "metadata": {"name": "a", "namespace": "o"},
                "spec": {
                    "catalog": "c",
                    "name": "a",
                    "namespace": "n",
                    "version": "1",
                    "extraConfigs": [{"kind": "configMap", "name": "x", "namespace": "o", "priority": 0}],
                },
            }
        ).replace('"priority": 0', '"priority": ' + "9" * 5001),
    ),
    Attack(
        "!!python/object",
        "run a program by reading YAML",
        TEKTON,
        "",
        0,
        stdin=_stream(_RUN + '  - name: x\n    value: !!python/object/apply:os.system ["touch made"]\n'),
    ),
    Attack(
        "!!python/object in a Kptfile",
        "run a program by reading YAML",
        RENDER,
        "Kptfile",
        1,
        tekton({"Kptfile": 'apiVersion: kpt.dev/v1\nkind: !!python/object/apply:os.system ["touch made"]\n'}),
    ),
    Attack(
        "!!python/object in values",
        "run a program by reading YAML",
        FLUX,
        "",
        0,
        stdin=_composed('a: !!python/object/apply:os.system ["touch made"]\n'),
    ),
    Attack(
        "!!binary of nonsense",
        "break decoding",
        TEKTON,
        "!!binary",
        1,
        stdin=_stream(_RUN + "  - name: x\n    value: !!binary '%%%'\n"),
    ),
    Attack(
        "!!timestamp of the year 99999",
        "break the calendar",
        FLUX,
        "tag",
        1,
        stdin=_composed("a: 99999-13-45\nb: 0000-00-00T99:99:99Z\nc: 2024-02-30\nd: !!timestamp x\n"),
    ),
    Attack(
        "lone surrogates in JSON",
        "break encoding",
        TEKTON,
        "stdin:",
        1,
        stdin=listed(config_map(data={"a": "SUR"})).replace("SUR", "\\ud800"),
    ),
    Attack(
        "U+110000 in YAML",
        "break chr()",
        TEKTON,
        "stdin:",
        1,
        stdin=_stream(_RUN + '  - name: x\n    value: "\\U00110000 \\UFFFFFFFF"\n'),
    ),
    Attack(
        "a key of 1 MB",
        "take quadratic time",
        DIFF,
        "is not YAML",
        2,
        tekton({"odd.yaml": _ITEM + "  " + "k" * (1 << 20) + ": v\n"}),
    ),
    Attack("a text of 8 MB of spaces", "take quadratic time", FLUX, "", 0, stdin=_composed(" " * (8 << 20))),
    Attack(
        "2 MB of an open quote",
        "take quadratic time",
        DIFF,
        "is not YAML",
        2,
        tekton({"odd.yaml": _ITEM + '  a: "' + "x\n" * (1 << 20)}),
    ),
    Attack(
        "a Secret in broken YAML",
        "print its value in the error",
        DIFF,
        "+",
        1,
        tekton({"odd.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: *Hs6dPq9w\n"}),
        hides=("Hs6dPq9w",),
    ),
    Attack(
        "a Secret in an open quote",
        "print its value in the error",
        DIFF,
        "is not YAML",
        2,
        tekton({"odd.yaml": 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: "Hs6dPq9w\n'}),
        hides=("Hs6dPq9w",),
    ),
    Attack(
        "a Secret with values in broken YAML",
        "print its value in the error",
        FLUX,
        "login",
        1,
        stdin=listed(
            release(values("login", kind="Secret")),
            secret(**{"values.yaml": "password: *Hs6dPq9w\n"}),
            function_config=config("FluxValues"),
        ),
        hides=("Hs6dPq9w",),
    ),
    Attack(
        "base64 of 12 MB that is none",
        "take memory",
        FLUX,
        "big",
        1,
        stdin=listed(
            release(values("big", kind="Secret")),
            {**config_map("big"), "kind": "Secret", "data": {"values.yaml": "A" * (12 << 20) + "!"}},
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "base64 that is no UTF-8",
        "break decoding",
        FLUX,
        "login",
        1,
        stdin=listed(
            release(values("login", kind="Secret")),
            {**config_map("login"), "kind": "Secret", "data": {"values.yaml": "//79/Pv6"}},
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "base64 of billion laughs",
        "expand 9^20 texts",
        FLUX,
        "login",
        1,
        stdin=listed(
            release(values("login", kind="Secret")),
            secret(**{"values.yaml": _laughs(20)}),
            function_config=config("FluxValues"),
        ),
    ),
    Attack(
        "NUL in a resource",
        "end the text",
        DIFF,
        "odd.yaml",
        2,
        tekton({"odd.yaml": b'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "a\0b"\n'}),
    ),
    Attack(
        "a thousand documents in a file of a config",
        "be taken for one",
        DIFF,
        "configPath",
        2,
        tekton({"config.yaml": "---\n".join(["apiVersion: v1\nkind: X\nmetadata: {name: x}\n"] * 1000)}),
    ),
    Attack("UTF-16", "break reading", DIFF, "odd.yaml", 2, tekton({"odd.yaml": _ITEM.encode("utf-16")})),
    Attack(
        "UTF-8 with overlong slashes",
        "break decoding",
        DIFF,
        "odd.yaml",
        2,
        tekton({"odd.yaml": _ITEM.encode() + b"  a: \xc0\xaf\n"}),
    ),
    Attack(
        "nothing but directives", "break reading", DIFF, "+", 1, tekton({"odd.yaml": "%YAML 9.9\n%TAG ! tag:x,2000:\n" * 50})
    ),
]
