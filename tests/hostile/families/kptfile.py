"""Kptfiles and pipelines."""

from __future__ import annotations

from tests.cli.packages import kptfile
from tests.hostile.attack import Attack
from tests.hostile.families.parts import DIFF, RENDER, tekton

WRITES = ("package",)


def _step(*steps: str) -> dict[str, str | bytes]:
    return tekton({"Kptfile": kptfile(*steps)})


ATTACKS = [
    Attack("exec of a shell", "run a program", RENDER, "touch made", 1, _step("exec: \"sh -c 'touch made'\"")),
    Attack(
        "exec of a shell, foreign skipped",
        "run a program",
        ("krm-values", "render", "--skip-foreign", "package"),
        "0 steps run",
        0,
        _step("exec: \"sh -c 'touch made'\""),
    ),
    Attack(
        "exec of our command elsewhere",
        "run another program of our name",
        RENDER,
        "1 step run",
        0,
        {**_step("exec: ./krm-tekton-params"), "package/krm-tekton-params": "#!/bin/sh\ntouch made\n"},
        writes=WRITES,
    ),
    Attack(
        "exec with an option of ours",
        "let a pipeline choose programs",
        RENDER,
        "exec",
        1,
        _step('exec: "krm-values run --ytt ./evil cartographer-params"'),
    ),
    Attack(
        "exec with broken quotes", "break the reader of command lines", RENDER, "exec", 1, _step("exec: 'krm-values \"run'")
    ),
    Attack("exec of blanks", "break the reader of command lines", RENDER, "exec", 1, _step('exec: "   "')),
    Attack("image of somebody else", "pull and run an image", RENDER, "evil", 1, _step("image: example.com/evil:latest")),
    Attack("image and exec", "run what is not shown", RENDER, "must not have both", 1, _step("image: krm-values, exec: sh")),
    Attack(
        "`source` of a newer kpt",
        "hide a script in the Kptfile",
        RENDER,
        "source",
        1,
        _step("image: krm-values, source: 'import os'"),
    ),
    Attack(
        "configPath of `..`",
        "read a file outside",
        RENDER,
        "configPath",
        1,
        _step("exec: krm-tekton-params, configPath: ../outside/values.yaml"),
    ),
    Attack(
        "configPath that is absolute",
        "read a file outside",
        RENDER,
        "configPath",
        1,
        _step("exec: krm-tekton-params, configPath: /etc/passwd"),
        hides=("root:",),
    ),
    Attack(
        "configPath with `..` inside",
        "read a file outside",
        RENDER,
        "configPath",
        1,
        _step("exec: krm-tekton-params, configPath: a/b/../../../outside/values.yaml"),
    ),
    Attack(
        "a pipeline of 500 steps",
        "run for ever",
        RENDER,
        "500 steps run",
        0,
        _step(*["exec: krm-tekton-params"] * 500),
        writes=WRITES,
    ),
    Attack(
        "a field that is none",
        "be read as something else",
        RENDER,
        "Kptfile:",
        1,
        tekton({"Kptfile": kptfile() + "hooks: [x]\n"}),
    ),
    Attack("a Kptfile that is a list", "break the reader", RENDER, "Kptfile:1:1", 1, tekton({"Kptfile": "- a\n"})),
    Attack("an empty Kptfile", "break the reader", RENDER, "Kptfile", 1, tekton({"Kptfile": ""})),
    Attack(
        "kustomization that names programs",
        "run generators, transformers and validators",
        DIFF,
        "+",
        1,
        tekton(
            {
                "kustomization.yaml": "generators: [../outside/evil.yaml]\ntransformers: [https://example.com/x]\nhelmCharts: [{name: x, repo: 'http://127.0.0.1:1'}]\nopenapi: {path: /etc/passwd}\n"
            }
        ),
        hides=("root:",),
    ),
    Attack(
        "a functionConfig with `exec`",
        "run a program by the annotation of kustomize",
        DIFF,
        "+",
        1,
        tekton(
            {
                "odd.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./evil}\n"
            }
        ),
    ),
    Attack(
        "sub-packages 300 deep",
        "overflow the stack",
        RENDER,
        "1 step run",
        0,
        tekton({f"{'s/' * depth}Kptfile": kptfile() for depth in range(1, 300)}),
        writes=WRITES,
    ),
    Attack(
        "selectors of 20,000 labels",
        "take quadratic time",
        RENDER,
        "1 step run",
        0,
        _step("exec: krm-tekton-params, selectors: [{labels: {" + ", ".join(f"a{n}: b" for n in range(20_000)) + "}}]"),
    ),
]
