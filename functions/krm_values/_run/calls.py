"""Recognizes the steps of a pipeline that call one of our functions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._krm import names
from krm_values._run import registry

if TYPE_CHECKING:
    from krm_values._krm.kptfile import Step

_COMMANDS = ("krm-values", "kubectl-krm_values")


@record
class Call:
    """The call of a step. function: "" if the functionConfig names it. hermetic: in a container, which does not get the environment."""

    function: str
    hermetic: bool


def call_of(step: Step) -> Call | None:
    """Return the call of a step, None if it runs another program. InputError if our command is called with invalid arguments."""
    return _image(step.image) if step.image else _exec(step)


def foreign_step(step: Step) -> str:
    """Return the message about a step that runs another program, or one of ours under a wrong name."""
    if step.image:
        near = suggest.nearest(_repository(step.image), (_COMMANDS[0], *registry.functions()))
    else:
        near = _near_command(shlex.split(step.exec) or [""])
    hint = f"did you mean `{near}`? If not, " if near else ""
    flag = "--allow-images" if step.image else "--allow-exec"
    return f"{title(step)} is not a function of krm-values: {hint}run it with `{flag}` or kpt, or pass `--skip-foreign`"


def title(step: Step) -> str:
    """Return the name of what the step runs, as the Kptfile has it."""
    return f'image "{step.image}"' if step.image else f'exec "{step.exec}"'


def _near_command(words: list[str]) -> str:
    """Return our command that is nearest to another program's name, "" if none is."""
    program = words[0].rpartition("/")[2]
    near = suggest.nearest(program, (*_COMMANDS, *map(names.script, registry.functions())))
    return " ".join((near, *words[1:])) if near in _COMMANDS else near


def _repository(image: str) -> str:
    return image.rpartition("/")[2].partition("@")[0].partition(":")[0]


def _image(image: str) -> Call | None:
    name = _repository(image)
    if name == _COMMANDS[0]:
        return Call("", hermetic=True)
    return Call(name, hermetic=True) if name in registry.functions() else None


def _exec(step: Step) -> Call | None:
    try:
        words = shlex.split(step.exec) or [""]
    except ValueError as error:
        raise InputError(f"`{step.field}.exec`: must be a command line; found {described(step.exec)} ({error})") from None
    program, arguments = words[0].rpartition("/")[2], words[1:]
    function = next((name for name in registry.functions() if names.script(name) == program), "")
    if function and not arguments:
        return Call(function, hermetic=False)
    if program in _COMMANDS and arguments[:1] == ["run"] and _is_function(arguments[1:]):
        return Call("".join(arguments[1:]), hermetic=False)
    if function or program in _COMMANDS:
        must = f"`{program}`" if function else f"`{program} run [FUNCTION]`"
        raise InputError(f"`{step.field}.exec`: must be {must} in a pipeline; found {described(step.exec)}")
    return None


def _is_function(arguments: list[str]) -> bool:
    return not arguments or (len(arguments) == 1 and not arguments[0].startswith("-"))
