"""Lint of a target's template: it cannot be parsed, or its output is not JSON for values that the definition allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.template.parser import Branch, Dot, Field, Name, Pipeline, parse
from krm_values.glasskube_values import constraints, value_template
from krm_values.glasskube_values.manifest_fields import Fault
from krm_values.glasskube_values.value_template import TemplateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._golang.template.parser import Node, Operand
    from krm_values.glasskube_values.manifest import Definition
    from krm_values.glasskube_values.manifest_targets import Target

_LOGIC = (Name("not"), Name("and"), Name("or"))
_DOT = (Dot(), Field(("value",)))


class Samples:
    """The budget for trying the templates of one manifest, in characters of templates and values."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = 4_000_000

    def allow(self, characters: int) -> bool:
        """Charge for characters; return whether the budget suffices."""
        self._left -= characters
        return self._left >= 0


def check(target: Target, definition: Definition, tried: Samples, *, sound: bool) -> Iterator[Fault]:
    """Yield the faults of the template of a value. tried: the budget. sound: whether the default may be tried."""
    if not target.template:
        return
    broken = tuple(parses(target))
    if broken:
        yield from broken
        return
    if definition.type == "boolean" and any(_tests_emptiness(node) for node in parse(target.template)):
        text = 'tests whether the string is empty, which neither "true" nor "false" is: write `if eq . "true"`'
        yield Fault("warning", "if-boolean", "48", (*target.path, "valueTemplate"), text)
    for sample in samples(definition, sound=sound):
        if not tried.allow(len(target.template) + len(sample)):
            return
        try:
            value_template.render(target.template, sample, alias=True)
        except TemplateError as error:
            yield _failed(target, sample, error)
            return


def parses(target: Target) -> Iterator[Fault]:
    """Yield an error if the template cannot be parsed, or uses what is not supported."""
    try:
        value_template.check(target.template)
    except TemplateError as error:
        yield Fault(
            "error", "template", "47", (*target.path, "valueTemplate"), f"{error.message}; found {{found}}", target.template
        )


def samples(definition: Definition, *, sound: bool) -> list[str]:
    """Return sample values that the definition probably allows."""
    kinds = {"options": list(definition.options), "boolean": ["true", "false"], "number": ["1"], "text": [_text(definition)]}
    found = kinds.get(definition.type, [])
    return [*found, definition.default] if sound and definition.default and definition.default not in found else found


def _text(definition: Definition) -> str:
    """Return `a`, or `1` if only that matches the pattern."""
    pattern = {"pattern": definition.constraints.get("pattern")}
    fits = [text for text in ("a", "1") if not constraints.check({"type": "text", "constraints": pattern}, text)]
    return fits[0] if fits else "a"


def _failed(target: Target, sample: str, error: TemplateError) -> Fault:
    path = (*target.path, "valueTemplate")
    if error.construct:
        return Fault("error", "template", "47", path, f"{error.message}; found {{found}}", target.template)
    shown = "; the output is {found}" if error.rendered is not None else ""
    text = f'does not give JSON for the value "{sample}": {error.message}{shown}'
    return Fault("error", "template-json", "46" if error.stage == "execute" else "50", path, text, error.rendered)


def _tests_emptiness(node: Node) -> bool:
    """Return whether a condition, here or below, depends only on whether the dot is empty."""
    if not isinstance(node, Branch):
        return False
    below: Sequence[Node] = (*node.then, *node.otherwise) if node.word == "if" else node.otherwise
    return _is_test(node.pipeline) or any(map(_tests_emptiness, below))


def _is_test(operand: Operand) -> bool:
    """Return whether the operand depends only on whether the dot is empty."""
    if not isinstance(operand, Pipeline):
        return operand in _DOT
    first, *others = operand.commands
    words = first[1:] if first[0] in _LOGIC else first if len(first) == 1 else ()
    joined = all if first[0] == Name("and") else any
    return bool(words) and joined(map(_is_test, words)) and all(command[0] in _LOGIC for command in others)
