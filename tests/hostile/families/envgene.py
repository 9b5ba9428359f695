"""Instance repositories, and lists that go back into them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.parts import listed

if TYPE_CHECKING:
    from pathlib import Path

SD = "applications:\n- version: ledger:3.1.0\n  deployPostfix: finance\n"
DATA = '{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}'
FOLDER = "package/environments/east/prod/Inventory/solution-descriptor"
REPOSITORY = {f"{FOLDER}/sd.yaml": SD}
PROCESS = ("krm-values", "envgene", "process", "package", "--sd-source-type", "json", "--sd-data", DATA)
SINK = ("krm-values", "envgene", "sink", "package")
WRITES = ("package",)


def _process(environment: str, says: str, code: int = 1, **more: str) -> Attack:
    shown = environment if len(environment) < 30 else f"{environment[:12]}... ({len(environment)} characters)"
    return Attack(
        f"an environment named `{shown.encode('unicode_escape').decode()}`",
        "have an SD written elsewhere",
        (*PROCESS, "--create", "--environment", environment),
        says,
        code,
        {**REPOSITORY, **more},
    )


def _sunk(environment: str, name: str = "sd", **annotations: str) -> str:
    return listed(
        {
            "apiVersion": "krm-values.dev/v1alpha1",
            "kind": "SolutionDescriptor",
            "metadata": {"name": name, "annotations": {"krm-values.dev/environment": environment, **annotations}},
            "spec": {"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]},
        }
    )


def _sink(environment: str, says: str, **annotations: str) -> Attack:
    shown = (
        (environment if len(environment) < 30 else f"{environment[:12]}... ({len(environment)} characters)")
        .encode("unicode_escape")
        .decode()
    )
    more = "".join(f", {key.rpartition('/')[2]} {value[:30]}" for key, value in annotations.items())
    return Attack(
        f"a list for `{shown}`{more}",
        "have an SD written elsewhere",
        SINK,
        says,
        1,
        REPOSITORY,
        stdin=_sunk(environment, **annotations),
    )


def _fifo(root: Path) -> None:
    (root / FOLDER / "sd.yaml").unlink()
    os.mkfifo(root / FOLDER / "sd.yaml")


def linked(place: str, target: str) -> object:
    def prepare(root: Path) -> None:
        path = root / place
        if path.exists() and not path.is_symlink():
            path.unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    return prepare


ATTACKS = [
    _process(".git/hooks", "CLUSTER/ENV"),
    _process("../..", "CLUSTER/ENV"),
    _process("a/../../b", "CLUSTER/ENV"),
    _process("/etc", "CLUSTER/ENV"),
    _process("east/.ssh", "CLUSTER/ENV"),
    _process("east/\x1b]0;x\x07", "\\x1b"),
    _process("east/a\nb", "two folders"),
    _process("east/\u202edorp", "\\u202e"),
    _process(f"east/{'x' * 300}", "too long"),
    Attack(
        "an environment named `-rf`",
        "be an option",
        (*PROCESS, "--create", "--environment=-rf/x"),
        "-rf/x",
        0,
        REPOSITORY,
        writes=WRITES,
        changed=True,
    ),
    Attack(
        "ENV_NAMES of 100,000 environments",
        "take quadratic time",
        (*PROCESS, "--create"),
        "",
        1,
        REPOSITORY,
        environment={"ENV_NAMES": "\n".join(f"a/e{n}" for n in range(8_000)) + "\n../x"},
    ),
    _sink("../..", "CLUSTER/ENV"),
    _sink(".git/hooks", "CLUSTER/ENV"),
    _sink("east/..", "CLUSTER/ENV"),
    _sink("east/a\0b", "CLUSTER/ENV"),
    _sink("east/prod", "", **{"config.kubernetes.io/path": "../../../home/.bashrc"}),
    _sink("east/prod", "", **{"config.kubernetes.io/path": ".git/hooks/pre-commit"}),
    _sink("east/prod", "", **{"config.kubernetes.io/index": "9" * 5000, "config.kubernetes.io/path": "x.yaml"}),
    Attack(
        "an SD that is a link out",
        "overwrite a file outside",
        (*PROCESS, "--all"),
        "sd.yaml",
        1,
        {"outside/sd.yaml": SD},
        linked(f"{FOLDER}/sd.yaml", "../../../../../../outside/sd.yaml"),
    ),
    Attack(
        "an SD's folder that is a link out",
        "write into a directory outside",
        (*PROCESS, "--all"),
        "solution-descriptor",
        1,
        {"outside/sd.yaml": SD},
        linked(FOLDER, "../../../../../outside"),
    ),
    Attack(
        "an environment that is a link out",
        "write into a directory outside",
        (*PROCESS, "--all"),
        "",
        1,
        {"outside/prod/Inventory/solution-descriptor/sd.yaml": SD},
        linked("package/environments/east", "../../outside"),
    ),
    Attack(
        "an SD that is a FIFO",
        "hang for ever",
        (*PROCESS, "--environment", "east/prod"),
        "",
        1,
        REPOSITORY,
        _fifo,
    ),
    Attack(
        "a Delta SD's place that is a link",
        "overwrite a file outside",
        (*PROCESS, "--all"),
        "delta_sd.yaml",
        1,
        REPOSITORY,
        linked(f"{FOLDER}/delta_sd.yaml", "../../../../../../home/.bashrc"),
    ),
    Attack(
        "--delta-dir that is a link out",
        "write into a directory outside",
        (*PROCESS, "--all", "--delta-dir", "package/deltas"),
        "package/deltas",
        1,
        REPOSITORY,
        linked("package/deltas", "../home"),
    ),
    Attack(
        "SD_DATA of 100,000 brackets",
        "overflow the stack",
        ("krm-values", "envgene", "process", "package", "--all", "--sd-source-type", "json"),
        "SD_DATA",
        1,
        REPOSITORY,
        environment={"SD_DATA": "[" * 100_000},
    ),
    Attack(
        "SD_DATA of 10^5000",
        "use Python's limit of digits",
        ("krm-values", "envgene", "process", "package", "--all", "--sd-source-type", "json"),
        "",
        1,
        REPOSITORY,
        environment={"SD_DATA": '{"version": ' + "9" * 5001 + ', "applications": 5}'},
    ),
    Attack(
        "an SD of billion laughs",
        "expand 9^20 texts",
        (*PROCESS, "--all"),
        "sd.yaml",
        1,
        {
            f"{FOLDER}/sd.yaml": "a0: &a0 [x]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20))
        },
    ),
    Attack("an SD that is no UTF-8", "break decoding", (*PROCESS, "--all"), "sd.yaml", 1, {f"{FOLDER}/sd.yaml": b"\xff\xfe\0"}),
    Attack(
        "an SD with escapes",
        "write to the terminal",
        (*PROCESS, "--all"),
        "",
        1,
        {f"{FOLDER}/sd.yaml": 'applications:\n- version: "\\e]0;x\\a"\n  deployPostfix: {a: b}\n'},
    ),
]
