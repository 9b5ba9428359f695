"""`krm-values values`: the values that a function composes as YAML, as `helm get values` prints them, each leaf with its origin on request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError, address
from krm_values._data.pointer import get, to_field
from krm_values._data.record import replace
from krm_values._data.shown import printable
from krm_values._explain import forms, query
from krm_values._explain.as_json import finite
from krm_values._explain.explain import explanation_of
from krm_values._explain.ledger import Ledger
from krm_values._explain.model import AUTHORED, Value
from krm_values._explain.query import Pattern, Query
from krm_values._explain.shown import HIDDEN, HiddenKeys, Shown, hides_key, up_to_hidden
from krm_values._explain.steps import report_findings
from krm_values._krm import findings
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import New
from krm_values._run import report, texts
from krm_values._run.terminal import plain, say
from krm_values._run.texts import values_at
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.model import Cell
    from krm_values._explain.values import FinalValue, Resource

    _Tree = dict[str | int, "_Tree | _Leaf"]
    _Leaf = tuple[list[str], int | None, str]
    """The lines of a value, how far they are indented below a key (None: they begin behind it), and its origin."""


def run(options: Namespace) -> int:
    """Run `values` and return its exit code: that of `run`, or 1 if there are no values."""
    asked = query.words_of(options.files, options.config)
    names = [query.of_resource(word) for word in asked.patterns if "/" in word]
    explanation = explanation_of(asked, options)
    ledger = Ledger(explanation)
    resources = ledger.resources()
    named = _named(resources, names)
    failed = any(entry.outcome.failed for entry in explanation.steps)
    patterns = [Pattern(word) for word in asked.patterns if "/" not in word]
    wrong = query.unfitting(patterns, [one for one, _ in named])
    wanted = [(found, source) for one, source in named for found in _present(Query(tuple(patterns)).of([one], ledger))]
    subject = {title for one, _ in wanted for title in (one.title, one.source) if title} if asked.patterns else None
    folder, verbose = report.folder_of(asked.package), options.verbose
    report_findings(explanation.steps, verbose=verbose, beside=explanation.beside, folder=folder, subject=subject)
    if named and wrong:
        say(*(f"error: {query.no_path(one, [one for one, _ in named])}" for one in wrong))
    if not wanted:
        if (not named or not wrong) and (resources or not failed):
            say(f"error: {_nothing(names, ledger, resources)}")
        return 1
    if report.shows_infos(verbose=options.verbose):
        say(*_composed_for([one for one, _ in wanted], resources))
    documents = _Documents(ledger, show_secrets=options.show_secrets, comments=options.comments, whole=not patterns)
    if options.output == forms.JSON_FORM:
        _put_json([document for one, _ in wanted for document in _split(documents.lines(one))])
        return int(bool(wrong) or failed)
    for number, (one, source) in enumerate(wanted):
        between = ["---"] if number else []
        heading = [_heading(one, source)] if source or len(wanted) > 1 else []
        sys.stdout.writelines(f"{line}\n" for line in (*between, *heading, *documents.lines(one)))
    return int(bool(wrong) or failed)


def _split(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines of each document."""
    out: list[str] = []
    for line in lines:
        if line == "---":
            yield out
            out = []
        else:
            out.append(line)
    yield out


def _put_json(found: Sequence[list[str]]) -> None:
    """Print each document as JSON, one after the other, as `jq` and `yq` read them."""
    for lines in found:
        forms.put_data(finite(decode.to_data(decode.parse("\n".join(lines) + "\n"))), forms.JSON_FORM)


def _present(resources: Iterable[Resource]) -> list[Resource]:
    """Return the resources without the values that steps remove, without those of which nothing is left."""
    left = (replace(one, values=tuple(_together([*filter(_is_composed, one.values)]))) for one in resources)
    return [one for one in left if one.values]


def _together(values: Sequence[FinalValue]) -> Iterator[FinalValue]:
    """Yield the values of an object without what a generated one copies from its source elsewhere, such as the chart of a HelmRelease."""
    ranked = [one.path[:-1] for one in values if one.inner is None and not _is_copied(one)]
    around = ranked[0] if ranked else ()
    while any(path[: len(around)] != around for path in ranked):
        around = around[:-1]
    yield from (one for one in values if not _is_copied(one) or (ranked and one.path[: len(around)] == around))


def _is_copied(value: FinalValue) -> bool:
    leaf = value.decision.leaf
    return leaf is not None and leaf.kind == "copied" and isinstance(value.item, New)


def _heading(one: Resource, source: str) -> str:
    """Return the comment that names a resource. source: the one that it is generated for, if that was asked for."""
    if not source:
        return f"# {plain(one.title)}"
    keys = dict.fromkeys(to_field(value.path) for value in one.values if value.inner is not None)
    return plain(f"# {' '.join([one.title, *keys])}, generated for {source}")


def _nothing(names: Sequence[tuple[str, ...]], ledger: Ledger, resources: Sequence[Resource]) -> str:
    """Return the message that there are no such values: for a layer with the objects that it goes into, else with the nearest name."""
    for name in names:
        titles, reached = _reached(name, ledger, resources)
        if reached:
            named = suggest.several([_word(title) for title in reached])
            return f"no function composes values of {_word(titles[0])}: it is a layer of {named}"
    return f"no function composes such values{query.near_resource('/'.join(names[0]), resources) if names else ''}"


def _reached(name: tuple[str, ...], ledger: Ledger, resources: Iterable[Resource]) -> tuple[list[str], list[str]]:
    """Return the titles of the objects of a name that are layers, and of those that they go into."""
    titles: dict[str, None] = {}
    reached: dict[str, None] = {}
    for one in resources:
        layers = (layer for value in one.values for cell in ledger.value(value).cells for layer in _layers(cell))
        found = [title for title in layers if title != one.title and query.is_title(title, name)]
        titles |= dict.fromkeys(found)
        reached |= {one.title: None} if found else {}
    return [*titles], [*reached]


def _layers(cell: Cell) -> Iterator[str]:
    """Yield the titles of the objects that a cell was written in and read from."""
    yield from (findings.title(item) for item in (cell.item, *(hop.item for hop in cell.way)) if item is not None)
    for part in cell.parts:
        yield from _layers(part)


def _word(title: str) -> str:
    """Return how a resource is named on the command line."""
    return printable(title.replace(" ", "/"))


def _is_composed(value: FinalValue) -> bool:
    """Return whether there is a value that is no constant of a template, and no name that derives from one."""
    leaf = value.decision.leaf
    is_name = leaf is not None and leaf.kind == "derived" and leaf.path == ("metadata", "name")
    return not value.is_removed and not is_name and (leaf is None or leaf.kind != "literal")


def _composed_for(wanted: Sequence[Resource], resources: Sequence[Resource]) -> Iterator[str]:
    """Yield where the values are that are generated for an object which has been answered by its own."""
    for one in wanted:
        made = [_word(other.title) for other in _texts(resources) if other.source == one.title and other not in wanted]
        if made:
            yield f"info: what is composed for {printable(one.title)} is in {', '.join(made)}"


def _named(resources: Sequence[Resource], names: Sequence[tuple[str, ...]]) -> list[tuple[Resource, str]]:
    """Return the resources that are asked for: for each name those that are called so, and only if none has values those generated for it.

    With each of the latter the title of its source. Of several, those with values composed in a text precede those with single fields.
    """
    composed = [one for one in resources if any(not value.is_removed for value in one.values)]
    if not names:
        return [(one, "") for one in _texts(composed) or composed]
    found: list[tuple[Resource, str]] = []
    for name in names:
        made = [one for one in composed if query.is_title(one.source, name) and _is_for_its_source(one)]
        own = [(one, "") for one in composed if query.is_title(one.title, name)]
        found += own or [(one, one.source) for one in _texts(made) or made]
    return found


def _is_for_its_source(one: Resource) -> bool:
    """Return whether an object is generated for its source; one of layered-values is for the config, and its source is a layer."""
    return any(isinstance(value.item, New) and not value.item.named for value in one.values)


def _texts(resources: Sequence[Resource]) -> list[Resource]:
    return [one for one in resources if any(value.inner is not None for value in one.values)]


class _Documents:
    """The documents of resources, without what must not be shown.

    comments: put its origin behind each leaf. whole: print also the values of a text that no step decides.
    """

    __slots__ = ("_comments", "_ledger", "_read", "_shown", "_whole")

    def __init__(self, ledger: Ledger, *, show_secrets: bool, comments: bool, whole: bool) -> None:
        self._ledger, self._shown = ledger, Shown(ledger, show_secrets=show_secrets)
        self._comments, self._whole = comments, whole
        self._read: dict[str, JSON] = {}  # the parsed resources as steps leave them, by text

    def lines(self, resource: Resource) -> Iterator[str]:
        """Yield the lines of a resource. Several texts and fields become documents with a heading each."""
        groups: dict[Path | None, list[FinalValue]] = {}
        for value in resource.values:
            groups.setdefault(value.path if value.inner is not None else None, []).append(value)
        for number, (text, group) in enumerate(groups.items()):
            if len(groups) > 1:
                yield from ["---"] * bool(number)
                yield f"# {plain(to_field(text))}" if text is not None else "# fields"
            yield from self._fields(group) if text is None else self._text(text, group)

    def _text(self, text: Path, group: Sequence[FinalValue]) -> Iterator[str]:
        """Yield the lines of a text as functions write it."""
        last = max(group, key=lambda value: value.step)
        if self._shown.shows_all and self._whole:  # the text has the keys that decisions do not tell
            group = [value for value in group if not hides_key(value.inner or ())]
        hidden = HiddenKeys(value.inner or () for value in group)
        leaves: dict[Path, _Leaf] = {}
        for found in group:
            leaves.setdefault(up_to_hidden(found.inner or ()), self._leaf(found, is_text=True))
        for path, value in _leaves(values_at(self._data(last), text)) if self._whole else ():
            if any(path[:size] in leaves for size in range(len(path) + 1)) or hidden.told(path) != path:
                continue
            within = [
                one for one in group if (one.inner or ())[: len(path)] == path
            ]  # the value is a text of which steps decide parts
            hides = any(self._shown.value(self._ledger.value(one)) is HIDDEN for one in within)
            shown = HIDDEN if hides else self._shown.value(Value(last.item, text, path, value, AUTHORED, -1, ()))
            for one in within:
                leaves.pop(one.inner or (), None)
            leaves[path] = _written(shown, "", is_text=True)
        yield from _document(_block(_tree(leaves), texts.one_line))

    def _fields(self, group: Sequence[FinalValue]) -> Iterator[str]:
        """Yield the lines of fields, from the map or list on that has them all."""
        leaves = {path: _written(name, "", is_text=False) for value in group for path, name in self._names(value)}
        leaves |= {value.path: self._leaf(value, is_text=False) for value in group}
        size = len(_common([*leaves]))
        tree = _tree({path[size:]: leaf for path, leaf in leaves.items()})
        yield from _document(_block(tree, emit.scalar))

    def _names(self, value: FinalValue) -> Iterator[tuple[Path, str]]:
        """Yield the names of the list elements around a field, which identify it."""
        item, at = value.item, value.decision.path
        sizes = [size for size in range(1, len(at)) if isinstance(at[size - 1], int)]
        if not sizes or (is_secret(item) if isinstance(item, Item) else item.is_secret):
            return
        data = self._data(value)
        for size in sizes:
            name = get(data, (*at[:size], "name"))
            if isinstance(name, str):
                yield (*value.path[:size], "name"), name

    def _data(self, value: FinalValue) -> JSON:
        """Return the resource as the step of a value leaves it."""
        text = value.edited
        if text and text not in self._read:
            self._read[text] = decode.to_data(decode.parse(text))
        return self._read[text] if text else value.came if isinstance(value.item, Item) else value.item.data

    def _leaf(self, found: FinalValue, *, is_text: bool) -> _Leaf:
        value = self._ledger.value(found)
        return _written(self._shown.value(value), self._origin(value) if self._comments else "", is_text=is_text)

    def _origin(self, value: Value) -> str:
        """Return layer and place of the winner: `userConfig layers/user.yaml:8`; of a composed value those of its parts."""
        cells = value.cells[:1]
        while any(cell.parts for cell in cells):
            cells = tuple(part for cell in cells for part in cell.parts or (cell,))
        return plain(", ".join(dict.fromkeys(filter(None, map(self._place, cells)))))

    def _place(self, cell: Cell) -> str:
        line, _ = self._ledger.line(cell)
        place = address(cell.item.position.source, line) if line and isinstance(cell.item, Item) else ""
        return " ".join(filter(None, (cell.layer, place)))


def _leaves(data: JSON, path: Path = ()) -> Iterator[tuple[Path, JSON]]:
    """Yield each scalar and each empty map or list at any depth, with its path."""
    if not data or not isinstance(data, (dict, list)):
        yield path, data
        return
    for key, below in data.items() if isinstance(data, dict) else enumerate(data):
        yield from _leaves(below, (*path, key))


def _written(value: JSON, comment: str, *, is_text: bool) -> _Leaf:
    """Return the lines of a value: in a text as functions write it, in a field on one line."""
    if not is_text:
        return _safe([emit.flow(value)], value), None, comment
    lines = texts.block(value)
    shown = _safe(lines, value)
    return shown, texts.indent_of(value) if shown is lines else None, comment


def _document(leaf: _Leaf) -> Iterator[str]:
    """Yield the lines of a document; the comment of its only value is behind the first."""
    lines, _, comment = leaf
    yield lines[0] + (f"  # {comment}" if comment else "")
    yield from lines[1:]


def _safe(lines: list[str], value: JSON) -> list[str]:
    """Return a value as it is written, with escapes for characters that a terminal or a CI host would interpret."""
    if all(line.isprintable() and not line.lstrip().startswith("::") for line in lines):
        return lines
    try:
        return [printable(emit.as_json(value))]
    except EditError:  # with a number that JSON does not have
        return [*map(printable, lines)]


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


def _block(node: _Tree | _Leaf, write: Callable[[str], str]) -> _Leaf:
    """Return the lines of a tree, the first without indentation. write: writes a key. Keys are sorted: the order of decisions tells what was there."""
    if isinstance(node, tuple):
        return node
    out: list[str] = []
    is_list = _is_list(node)
    for key, below in sorted(node.items(), key=lambda one: one[0]):
        lines, indent, comment = _block(below, write)
        if isinstance(key, int):
            found = texts.element(lines, indent)
        else:
            found = texts.entry(_safe([write(key)], key)[0], lines, indent)
        out += [f"{found[0]}  # {comment}", *found[1:]] if comment else found
    return out, 0 if is_list else 2, ""


def _is_list(node: _Tree) -> bool:
    return all(isinstance(key, int) for key in node)
