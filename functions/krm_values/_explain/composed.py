"""`krm-values values`: the values that a function composes as YAML, as `helm get values` prints them, each leaf with its origin on request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError, address
from krm_values._data.pointer import get, to_field
from krm_values._data.record import replace
from krm_values._data.shown import printable
from krm_values._explain import query
from krm_values._explain.explain import explanation_of
from krm_values._explain.ledger import Ledger
from krm_values._explain.masking import Masking
from krm_values._explain.query import Pattern, Query
from krm_values._explain.steps import report_findings
from krm_values._krm.item import Item, is_secret
from krm_values._run import report
from krm_values._run.terminal import say
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.values import FinalValue, Resource

    _Tree = dict[str | int, "_Tree | _Leaf"]
    _Leaf = tuple[str, str]  # a value as it is shown, and its origin


def run(options: Namespace) -> int:
    """Run `values` and return its exit code: that of `run`, or 1 if there are no values."""
    asked = query.words_of(options.files, options.config)
    names = [word for word in asked.patterns if "/" in word]
    explanation = explanation_of(asked, options)
    report_findings(explanation.steps, verbose=options.verbose)
    ledger = Ledger(explanation)
    resources = ledger.resources()
    named = _named(resources, [query.of_resource(word) for word in names])
    failed = any(entry.outcome.failed for entry in explanation.steps)
    patterns = [Pattern(word) for word in asked.patterns if "/" not in word]
    wrong = query.unfitting(patterns, named)
    kept = (replace(one, values=tuple(filter(_is_composed, one.values))) for one in Query(tuple(patterns)).of(named, ledger))
    wanted = [one for one in kept if one.values]
    if named and wrong:
        say(*(f"error: {query.no_path(one, named)}" for one in wrong))
    if not wanted:
        if (not named or not wrong) and (resources or not failed):
            say(f"error: no function composes such values{_near(names[0], resources) if names else ''}")
        return 1
    if report.shows_infos(verbose=options.verbose):
        say(*_composed_for(wanted, resources))
    masks = [Masking(entry.outcome, show_secrets=options.show_secrets) for entry in explanation.steps]
    pieces = [_lines(one, masks, comments=options.comments) for one in wanted]
    for number, lines in enumerate(pieces):
        head = [] if len(pieces) == 1 else ["---"] * bool(number) + [f"# {printable(wanted[number].title)}"]
        sys.stdout.writelines(f"{line}\n" for line in (*head, *lines))
    return int(bool(wrong) or failed)


def _is_composed(value: FinalValue) -> bool:
    """Return whether there is a value that is no constant of a template, and no name that derives from one."""
    leaf = value.decision.leaf
    is_name = leaf is not None and leaf.kind == "derived" and leaf.path == ("metadata", "name")
    return not value.is_removed and not is_name and (leaf is None or leaf.kind != "literal")


def _composed_for(wanted: Sequence[Resource], resources: Sequence[Resource]) -> Iterator[str]:
    """Yield where the values are that are generated for an object which has been answered by its own."""
    for one in wanted:
        made = [
            other.title.replace(" ", "/") for other in _texts(resources) if other.source == one.title and other not in wanted
        ]
        if made:
            yield f"info: what is composed for {printable(one.title)} is in {printable(', '.join(made))}"


def _near(name: str, resources: Sequence[Resource]) -> str:
    """Return the title of the nearest resource, with its namespace if the requested name has one."""
    titles = dict.fromkeys(title for one in resources for title in (one.source, one.title) if title)
    parts = [(kind, *rest.split("/")) for kind, _, rest in (title.partition(" ") for title in titles)]
    size = len(name.split("/"))
    return suggest.hint(name, ["/".join((kind, *rest[-(size - 1) :])) for kind, *rest in parts])


def _named(resources: Sequence[Resource], names: Sequence[tuple[str, ...]]) -> list[Resource]:
    """Return the resources that are asked for: for each name those that are called so, and only if none has values those generated for it.

    Of several, those with values composed in a text precede those with single fields.
    """
    composed = [one for one in resources if any(not value.is_removed for value in one.values)]
    if not names:
        return _texts(composed) or composed
    found: list[Resource] = []
    for name in names:
        made = [one for one in composed if query.is_title(one.source, name)]
        found += [one for one in composed if query.is_title(one.title, name)] or _texts(made) or made
    return found


def _texts(resources: Sequence[Resource]) -> list[Resource]:
    return [one for one in resources if any(value.inner is not None for value in one.values)]


def _lines(resource: Resource, masks: Sequence[Masking], *, comments: bool) -> Iterator[str]:
    """Yield the lines of the document. comments: put its origin behind each leaf. Several texts and fields become documents with a heading each."""
    groups: dict[Path | None, list[FinalValue]] = {}
    read: dict[str, JSON] = {}
    for value in resource.values:
        groups.setdefault(value.path if value.inner is not None else None, []).append(value)
    for number, (text, group) in enumerate(groups.items()):
        if len(groups) > 1:
            yield from ["---"] * bool(number)
            yield f"# {printable(to_field(text))}" if text is not None else "# fields"
        leaves = {path: (_safe(emit.flow(name), name), "") for value in group for path, name in _names(value, read)}
        for value in group:
            place = value.path if value.inner is None else value.inner
            leaves[place] = _leaf(value, masks[value.step], comments=comments)
        prefix = _common([*leaves]) if text is None else ()
        yield from _block(_tree({path[len(prefix) :]: leaf for path, leaf in leaves.items()}), "")


def _names(value: FinalValue, read: dict[str, JSON]) -> Iterator[tuple[Path, str]]:
    """Yield the names of the list elements around a field, which identify it. read: the parsed resources as steps leave them, by text."""
    item, at = value.item, value.decision.path
    sizes = [size for size in range(1, len(at)) if isinstance(at[size - 1], int)]
    if not sizes or value.inner is not None or (is_secret(item) if isinstance(item, Item) else item.is_secret):
        return
    text = value.edited
    if text and text not in read:
        read[text] = decode.to_data(decode.parse(text))
    data = read[text] if text else value.came if isinstance(item, Item) else item.data
    for size in sizes:
        name = get(data, (*at[:size], "name"))
        if isinstance(name, str):
            yield (*value.path[:size], "name"), name


def _leaf(value: FinalValue, masking: Masking, *, comments: bool) -> _Leaf:
    shown, _ = masking.after(value.decision)
    return _safe(emit.flow(shown), shown), _origin(value) if comments else ""


def _safe(text: str, value: JSON) -> str:
    """Return a value as it is written, with escapes for characters that a terminal or a CI host would interpret."""
    if text.isprintable() and not text.startswith("::"):
        return text
    try:
        return printable(emit.as_json(value))
    except EditError:  # with a number that JSON does not have
        return printable(text)


def _origin(value: FinalValue) -> str:
    """Return layer and place of the winner: `userConfig layers/user.yaml:8`."""
    if value.way is None:
        return ""
    end = next(value.way.ends())
    place = address(end.file, end.line) if end.line else ""
    return printable(" ".join(filter(None, (value.way.origin.layer, place))))


def _common(paths: Sequence[Path]) -> Path:
    """Return the leading keys that all paths share, not counting their last parts."""
    shared: Path = ()
    for size in range(1, min(map(len, paths))):
        if len({path[:size] for path in paths}) != 1 or not isinstance(paths[0][size - 1], str):
            break
        shared = paths[0][:size]
    return shared


def _tree(leaves: dict[Path, _Leaf]) -> _Tree | _Leaf:
    if () in leaves:
        return leaves[()]
    below: dict[str | int, dict[Path, _Leaf]] = {}
    for path, leaf in leaves.items():
        below.setdefault(path[0], {})[path[1:]] = leaf
    return {key: _tree(inner) for key, inner in below.items()}


def _block(node: _Tree | _Leaf, indent: str) -> Iterator[str]:
    if isinstance(node, tuple):
        yield _written(indent, node)
        return
    for key, below in sorted(node.items(), key=lambda one: one[0]) if _is_list(node) else node.items():
        head = "- " if isinstance(key, int) else f"{_safe(emit.scalar(key), key)}:"
        if isinstance(below, tuple):
            yield _written(f"{indent}{head}" + " " * (not isinstance(key, int)), below)
        elif isinstance(key, int):
            first, *rest = _block(below, f"{indent}  ")
            yield f"{indent}- {first[len(indent) + 2 :]}"
            yield from rest
        else:
            yield f"{indent}{head}"
            yield from _block(below, indent if _is_list(below) else f"{indent}  ")


def _is_list(node: _Tree) -> bool:
    return all(isinstance(key, int) for key in node)


def _written(head: str, leaf: _Leaf) -> str:
    text, comment = leaf
    return f"{head}{text}" + (f"  # {comment}" if comment else "")
