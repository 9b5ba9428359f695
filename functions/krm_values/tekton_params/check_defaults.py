"""Checks of references in defaults: Tekton inserts some of them, refuses others, and leaves the rest as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values.tekton_params.params import as_text, find, find_in, type_of, with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.layers import Known, Scope
    from krm_values.tekton_params.params import Declaration, Ref

_KIND = "reference-in-default"


def of_pipeline(reporter: Reporter, declared: Iterable[Declaration], given: Scope, scope: Scope, *, stored: bool) -> None:
    """Report references in the defaults of a pipeline that fail or stay text. given: what the run gives. stored: runs may give more."""
    own = {one.name: one for one in declared}
    for one in own.values():
        if not one.has_default or one.name in given:
            continue
        path, kind = (*one.path, "default"), type_of(one.default)
        for ref in dict.fromkeys(find_in(one.default)):
            if ref.name not in scope and ref.label not in scope:
                message = (
                    f"its default reads {ref.name}, which the pipeline's params do not have{suggest.hint(ref.name, scope)}"
                )
                add = reporter.error if kind == "string" and not (stored or ref.bracket or ref.old) else reporter.warning
                add("default-reads-nothing", "45", path, one.name, message, found=one.default, part=ref.text)
            elif kind == "string" and (ref.bracket or ref.old):
                message = f"`{ref.text}` in this default stays text; write `$(params.{ref.label})`, or pass a value"
                reporter.warning(_KIND, "45", path, one.name, message, found=one.default, part=ref.text)
            elif fault := _unread(ref, own, given, scope, kind):
                if kind == "string":
                    message = f"`{ref.text}` in this default fails at run time: {fault}; write its value here"
                    reporter.error("default-reads-part", "45", path, one.name, message, found=one.default, part=ref.text)
                else:
                    message = f"`{ref.text}` in this default stays text: {fault}; write its value here"
                    reporter.warning(_KIND, "45", path, one.name, message, found=one.default, part=ref.text)


def _unread(ref: Ref, own: dict[str, Declaration], given: Scope, scope: Scope, into: str) -> str:
    """Return why Tekton does not insert a reference into a default of this type, or ""."""
    if ref.whole or ref.label in scope:
        kind = (scope.get(ref.label) or scope[ref.name]).type
        is_text = kind in ("string", "") and ref.index != "*"
        return "" if is_text else f"{ref.name} is {with_article(kind or 'array')}, and a default takes strings only"
    known = given.get(ref.name)
    if known is not None:
        return "" if _has(known, ref) else "the value that is given does not have it"
    if not own[ref.name].has_default or (into == "object" and ref.index):
        return ""
    part = "an element" if ref.index else "a key"
    return f"Tekton does not read {part} of another default there"


def _has(known: Known, ref: Ref) -> bool:
    if ref.key:
        return known.type == "object" and (known.shape.keys is None or ref.key in known.shape.keys)
    length = known.shape.length
    return known.type == "array" and (length is None or ref.is_in(length))


def of_task(reporter: Reporter, declared: Iterable[Declaration], given: Scope) -> None:
    """Report references in the used defaults of a task that stay text, and those that become a default although a value is given."""
    for one, ref, reason in _in_task(tuple(declared), given):
        message = f"`{ref.text}` in this default {reason}; pass a value"
        reporter.warning(_KIND, "36", (*one.path, "default"), one.name, message, found=one.default, part=ref.text)


def of_referenced(reporter: Reporter, declared: Iterable[Declaration], given: Scope, label: str, path: Path) -> None:
    """Report the defaults of a referenced Task that read another default although a value is given. path: the reference to it."""
    for one, ref, reason in _in_task(tuple(declared), given):
        if ref.name in given:
            reporter.warning(_KIND, "36", path, one.name, f"`{ref.text}` in the default of {label} {reason}; pass a value")


def _in_task(declared: tuple[Declaration, ...], given: Scope) -> Iterator[tuple[Declaration, Ref, str]]:
    """Yield the used defaults with the first reference that does not become the value, and why.

    Tekton collects the defaults without a reference, then replaces in each other one, in their order, one reference: the last that it has.
    """
    available = {label for one in declared if one.has_default and not _has_reference(one) for label in _labels(one)}
    inserted: list[
        list[Ref]
    ] = []  # of each declaration: the references for which Tekton has a default when it comes to this one
    for one in declared:
        refs = dict.fromkeys(find(as_text(one.default))) if _has_reference(one) else ()
        inserted.append([ref for ref in refs if ref.label in available and not (ref.bracket or ref.old)])
        if inserted[-1]:
            available.add(one.name)
    for one, found in zip(declared, inserted, strict=True):
        for ref in find_in(one.default) if one.name not in given else ():
            if ref not in found:
                yield one, ref, f"stays text: {_why_text(one, ref, is_default=ref.label in available)}"
                break
            if ref != found[-1]:
                yield one, ref, "stays text: Tekton inserts one reference of a default, the last"
                break
            if ref.name in given:
                yield one, ref, "becomes the default of that param, not the value that is given"
                break


def _why_text(one: Declaration, ref: Ref, *, is_default: bool) -> str:
    """Return why a reference stays text. is_default: whether it is to a default of the task that Tekton inserts elsewhere."""
    if type_of(one.default) != "string":
        return "Tekton inserts nothing into the members of a task's default"
    if is_default:
        return f"Tekton does not read {'brackets' if ref.bracket else 'a default that is declared later and reads another one'} there"
    return "Tekton inserts other defaults of the same task only"


def _has_reference(one: Declaration) -> bool:
    """Return whether a default is a string in which Tekton looks for references, after it has collected the other defaults."""
    return type_of(one.default) == "string" and "$(params." in as_text(one.default)


def _labels(one: Declaration) -> Iterator[str]:
    """Yield what a default supplies, as references name it."""
    kind, default = type_of(one.default), one.default
    if kind == "array" and isinstance(default, list):
        yield from (f"{one.name}[{index}]" for index in range(len(default)))
    elif kind == "object" and isinstance(default, dict):
        yield from (f"{one.name}.{key}" for key in default)
    else:
        yield one.name


def of_step_action(reporter: Reporter, declared: Iterable[Declaration], given: frozenset[str], label: str, path: Path) -> None:
    """Report the used defaults of a StepAction that read what is no param of it. given: the names that the step gives."""
    declared = tuple(declared)
    names = {one.name: None for one in declared}
    for one in declared:
        if one.name in given or not _has_reference(one):
            continue
        for ref in find(as_text(one.default)):
            if not ref.old and (ref.bracket or ref.label not in names):
                message = f"`{ref.text}` in its default fails at run time: {label} has no param of that name; pass a value"
                reporter.error("default-reads-nothing", "58", path, one.name, message)
                break
