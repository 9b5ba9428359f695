"""The targets by name: one module each, imported when it is asked for; the functions share one."""

from __future__ import annotations

from importlib import import_module

from krm_values._run import registry
from tests.fuzz.target import Target

MODULES = (
    "cutter",
    "editor",
    "template",
    "strvals",
    "jsonpath",
    "krmignore",
    "undo",
    "render",
    "sequences",
    "schemas",
    "program",
)
NAMES = [*MODULES, *registry.functions()]


def target(name: str) -> Target:
    """The target of this name."""
    if name in MODULES:
        found: Target = import_module(f"tests.fuzz.targets.{name}").TARGET
        return found
    from tests.fuzz.targets import functions  # noqa: PLC0415 - it reads every case

    return functions.target(name)
