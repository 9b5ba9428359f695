"""What a command line asks for: the input (`Words`), and of its values those of a path, resource, file or layer (`Query`).

A pattern is a path with wildcards: `controller.replicaCount`, `spec.values.*`, `**.image.tag`, `params[0].value`, `data["values.yaml"]`.
The path of a map or list asks for the values in it.
"""

from __future__ import annotations

import os
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, UsageError
from krm_values._data.go_numbers import key_text, resolve
from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import cut, described, printable
from krm_values._krm import findings, packages, places
from krm_values._krm.item import Item
from krm_values._run import registry

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.ledger import Ledger, Listed
    from krm_values._explain.model import Cell
    from krm_values._explain.steps import Place
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._krm.plan import New

_STDIN = "-"
_PARTS = 3  # of KIND/NAMESPACE/NAME
_ANY_DEPTH = "**"
_ENDS = ".["
_RESOURCE = re.compile(r"[A-Z]\w*(?:/[^/\[\]\"]+){1,2}")
_MATCH = re.compile(r"\[[^\[\]\"=]+=")


@record
class Words:
    """The parsed arguments: a package, or files with a function ("" where the config names it), and patterns.

    Without package and files, the input is the ResourceList on stdin.
    """

    package: FilePath | None
    function: str
    files: tuple[str, ...]
    patterns: tuple[str, ...]


def words_of(words: Sequence[str], config: str | None) -> Words:
    """Classify arguments as package, function, files and patterns. On a terminal, where no list comes from stdin, it is this directory without a word."""
    typed = sys.stdin is not None and sys.stdin.isatty()
    if not words:
        return _of_path(os.curdir, (), config) if typed else Words(None, "", (), ())
    first, *rest = words
    if first == _STDIN or _is_path(first):
        return _of_path(first, rest, config)
    if first in registry.functions():
        files, patterns = _files_and_patterns(rest)
        return Words(None, first, files or ((os.curdir,) if typed else ()), patterns)
    if not packages.is_package(FilePath()):
        check_files((first,) if first.startswith(".") else ())
        registry.load_beside_files(first)  # which says that there is none, and the nearest one
    return Words(FilePath(), "", (), tuple(words))


def _of_path(first: str, rest: Sequence[str], config: str | None) -> Words:
    if os.path.isdir(first):
        if config is None and packages.is_package(FilePath(first)):
            return Words(FilePath(first), "", (), tuple(rest))
        return Words(None, "", (first,), tuple(rest))
    return Words(None, "", *_files_and_patterns([first, *rest]))


def _files_and_patterns(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that are files, directories or `-`, and the others, which are patterns."""
    files = tuple(word for word in words if word == _STDIN or _is_path(word) or word.endswith(registry.SUFFIXES))
    return files, tuple(word for word in words if word not in files)


def check_files(files: Sequence[str]) -> None:
    """Raise InputError for a file that does not exist, with the nearest name in its directory."""
    for file in files:
        if file != _STDIN and not os.path.lexists(file):
            folder, name = os.path.split(file)
            try:
                near = suggest.nearest(name, sorted(os.listdir(folder or ".")))
            except OSError:
                near = ""
            raise InputError("does not exist" + (f"; did you mean `{os.path.join(folder, near)}`?" if near else ""), file=file)


def _is_path(word: str) -> bool:
    """Return whether a word exists, or can only be a path; `.a.b` is a path of values."""
    return word.startswith(("./", "../", "/")) or word in (".", "..") or os.path.lexists(word)


@record
class Query:
    """A query; an empty field matches every value. file, line: of any layer of a value; line 0 is every line."""

    patterns: tuple[Pattern, ...] = ()
    resource: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    contested: bool = False
    layer: str = ""

    @property
    def is_everything(self) -> bool:
        return self == Query()

    def of(self, resources: Iterable[Resource], ledger: Ledger) -> list[Resource]:
        """Return the resources with only the values that match, without resources of which none does."""
        if self.is_everything:
            return [*resources]
        named = self.named(resources)
        found = (replace(one, values=tuple([value for value in one.values if self._fits(value, ledger)])) for one in named)
        return [one for one in found if one.values]

    @property
    def of_layers(self) -> bool:
        """Whether it asks for what steps decided only."""
        return bool(self.contested or self.layer or self.file)

    def takes(self, path: Path, inner: Path | None) -> bool:
        """Return whether a value that no step decided is asked for."""
        return not self.of_layers and (not self.patterns or self.fits(path, inner))

    def fits(self, path: Path, inner: Path | None) -> bool:
        """Return whether a pattern matches a place, or a map or list that holds it: in its text, in its resource, or both paths joined."""
        whole = path if inner is None else (*path, *inner)
        return any([one.covers(whole) or (inner and one.covers(inner)) for one in self.patterns])  # noqa: C419 - faster

    def named(self, resources: Iterable[Resource]) -> list[Resource]:
        """Return the resources with the requested name; if there are none, those generated for the resource of that name."""
        found = [*resources]
        if not self.resource:
            return found
        own = [one for one in found if any(_is_named(value.item, self.resource) for value in one.values[:1])]
        return own or [one for one in found if is_title(one.source, self.resource)]

    def beside(self, resources: Iterable[Resource], found: Iterable[Resource]) -> list[Resource]:
        """Return the requested resources of which no decided value matches."""
        titles = {(one.file, one.title) for one in found}
        return [one for one in self.named(resources) if (one.file, one.title) not in titles]

    def names(self, item: Item | New) -> bool:
        """Return whether a resource without decided values has the requested name."""
        return not self.resource or _is_named(item, self.resource)

    def _fits(self, value: FinalValue, ledger: Ledger) -> bool:
        if self.patterns and not self.fits(value.path, value.inner):
            return False
        cells = ledger.value(value).cells if self.of_layers else ()
        if self.contested and len(cells) <= 1:
            return False
        if self.layer and not (len(cells) > 1 and _is_layer(cells[0], self.layer)):
            return False
        return not self.file or any(self._is_from(place) for place in _places(cells, ledger))

    def _is_from(self, place: tuple[str, int]) -> bool:
        return place[0] == self.file and self.line in (0, place[1])


def query_of(options: Namespace, patterns: Sequence[str], directory: FilePath | None) -> Query:
    """Return the query of a command line. UsageError for an argument that cannot be parsed."""
    file, line = _file_and_line(options.origin, directory) if options.origin else ("", 0)
    named = [word for word in patterns if _RESOURCE.fullmatch(word)] + ([options.resource] if options.resource else [])
    if len(named) > 1:
        raise UsageError(f"one resource can be asked for; found {suggest.several([described(word) for word in named])}")
    written = (*(word for word in patterns if word not in named), *(options.path or ()))
    resource = of_resource(named[0]) if named else ()
    return Query(tuple(map(Pattern, written)), resource, file, line, options.contested, options.overridden_by or "")


def of_resource(text: str) -> tuple[str, ...]:
    """Split `KIND`, `KIND/NAME` or `KIND/NAMESPACE/NAME` into its parts."""
    parts = tuple(text.split("/"))
    if len(parts) > _PARTS or not all(parts):
        raise UsageError(f"must be KIND, KIND/NAME or KIND/NAMESPACE/NAME; found {described(text)}")
    return parts


def _is_named(item: Item | New, wanted: tuple[str, ...]) -> bool:
    """Return whether a resource has this kind, name and namespace, as far as they are given. The case of the kind is ignored."""
    named = findings.reference(item)
    kind, *rest = wanted
    if str(named["kind"]).lower() != kind.lower():
        return False
    own = [str(named.get("namespace") or ""), str(named["name"])]
    return all(fnmatchcase(one, other) for one, other in zip(reversed(own), reversed(rest), strict=False))


def is_title(title: str, wanted: tuple[str, ...]) -> bool:
    """Return the same for a resource's title: `ConfigMap shop/cart`."""
    kind, _, name = title.partition(" ")
    own = ["", *name.split("/")][-2:]
    if not name or kind.lower() != wanted[0].lower():
        return False
    return all(fnmatchcase(one, other) for one, other in zip(reversed(own), reversed(wanted[1:]), strict=False))


def _file_and_line(text: str, directory: FilePath | None) -> tuple[str, int]:
    """Split `FILE[:LINE]` into a path relative to the package and a line, 0 if none is given."""
    file, colon, number = text.rpartition(":")
    if not (colon and number.isascii() and number.isdigit()):
        return below(text, directory), 0
    if not int(number):
        raise UsageError(f"must be FILE[:LINE], with a line from 1 on; found {described(text)}")
    return below(file, directory), int(number)


def below(file: str, directory: FilePath | None) -> str:
    """Return a file's path relative to the package, from a path relative to it or to the working directory."""
    name = os.path.normpath(file)
    if directory is None or (not os.path.isabs(name) and not name.startswith("..") and (directory / name).exists()):
        return name.replace(os.sep, "/")
    relative = os.path.relpath(os.path.abspath(name), os.path.abspath(directory))
    return (name if relative.startswith("..") else relative).replace(os.sep, "/")


def _paths(value: FinalValue) -> Iterator[Path]:
    """Yield the paths by which a value can be named: in its text, in its resource, and both joined."""
    if value.inner is not None:
        yield value.inner
        yield (*value.path, *value.inner)
    else:
        yield value.path


def _is_layer(cell: Cell, name: str) -> bool:
    """Return whether a layer has this name, or has it with an index or more words: `extraConfigs` matches each `extraConfigs[N]`."""
    return cell.layer == name or cell.layer.startswith((f"{name}[", f"{name} "))


def unfitting(patterns: Iterable[Pattern], resources: Iterable[Resource], listed: Iterable[Listed] = ()) -> list[Pattern]:
    """Return the patterns that match no value. listed: objects with values that no step decided."""
    decided = ((value.path, value.inner) for resource in resources for value in resource.values)
    found = _without_places([*patterns], decided)
    return _without_places(found, ((value.path, value.inner) for one in listed for value in one.values())) if found else []


def _without_places(patterns: list[Pattern], places: Iterable[Place]) -> list[Pattern]:
    """Return the patterns that fit none of the places, which are made as far as they are needed."""
    left = [(one, Query((one,))) for one in patterns]
    for place in places if left else ():
        left = [(one, query) for one, query in left if not query.fits(*place)]
        if not left:
            break
    return [one for one, _ in left]


def no_path(pattern: Pattern, resources: Iterable[Resource]) -> str:
    """Return the message that no value has such a path, with the nearest path."""
    known = dict.fromkeys(to_field(path) for one in resources for value in one.values for path in _paths(value))
    read = next((one for one in _as_go_reads(pattern.text) if one in known), "")
    hint = (
        f"; Go reads it as `{read}`" if read else near_path(pattern.text, [*known]) or _resource_hint(pattern.text, resources)
    )
    return f"no value has the path `{cut(pattern.text)}`{hint}"


def near_resource(name: str, resources: Iterable[Resource]) -> str:
    """Return a hint at the nearest resource, with its namespace if the requested name has one."""
    titles = dict.fromkeys(title for one in resources for title in (one.source, one.title) if title)
    parts = [(kind, *rest.split("/")) for kind, _, rest in (title.partition(" ") for title in titles)]
    size = len(name.split("/")) - 1
    names = ["/".join((kind, *(rest[-size:] if size else ()))) for kind, *rest in parts]
    holder = max((one for one in names if name.startswith((f"{one}.", f"{one}["))), key=len, default="")
    if holder:
        path = name[len(holder) :].removeprefix(".")
        return f"; a path is a word of its own: write `{printable(f'{holder} {path}')}`"
    return suggest.hint(name, names)


def _resource_hint(word: str, resources: Iterable[Resource]) -> str:
    """Return how a resource is named, if the word is its name or its kind."""
    titles = [one.title for one in resources]
    named = [title for title in titles if word == title.rpartition("/")[2].rpartition(" ")[2]]
    if named:
        return f"; it is a resource: write `{printable(named[0].replace(' ', '/'))}`"
    kind = next((kind for title in titles if (kind := title.partition(" ")[0]).lower() == word.lower()), "")
    return f"; it is a kind: write `--resource {printable(kind)}`" if kind else ""


def _as_go_reads(text: str) -> Iterator[str]:
    """Yield a path with its keys as Go reads them in YAML: each of them, and all of the text as one key."""
    for parts in ([part for part, _ in _parts(text)], [text]):
        yield to_field(tuple(part if part.isdigit() else key_text(resolve(part)) or part for part in parts))


def nothing(query: Query, resources: Sequence[Resource], ledger: Ledger) -> str:
    """Return the message that no value matches, with the nearest path, resource or layer."""
    values = [value for resource in resources for value in resource.values]
    if wrong := unfitting(query.patterns, resources):
        return no_path(wrong[0], resources)
    if not values:
        return "no function decides a value here"
    if not query.named(resources):
        word = "/".join(query.resource)
        return f"no function decides a value of `{cut(word)}`{near_resource(word, resources)}"
    found = [ledger.value(value).cells for value in values]
    files = dict.fromkeys(file for cells in found for file, _ in _places(cells, ledger) if file)
    if query.file and query.file not in files:
        return f"no value comes from the file `{cut(query.file)}`{suggest.hint(query.file, files)}"
    layers = dict.fromkeys(cells[0].layer for cells in found if cells)
    if query.layer and not any(_is_layer(cells[0], query.layer) for cells in found if cells):
        short = dict.fromkeys(layer.partition("[")[0] for layer in layers)
        return f"no layer that wins is called `{cut(query.layer)}`{suggest.hint(query.layer, [*short, *layers])}"
    return "no value matches"


def near_path(text: str, known: Sequence[str]) -> str:
    """Return `; did you mean ...?` for a pattern that fits none of the paths, or how it would fit some."""
    above = max((path for path in known if text.startswith((f"{path}.", f"{path}["))), key=len, default="")
    if above:
        return f"; `{above}` is one value"
    end = max((path for path in known if text.endswith(f".{path}")), key=len, default="")
    if end:
        return f"; did you mean `{end}`?"
    longer = sorted((path for path in known if path.endswith(f".{text}")), key=len)
    if longer:
        is_one = all(path.endswith(longer[0]) for path in longer)  # with and without the path of the text that it is in
        every = f"`**.{text}` matches every path that ends with it"
        return f"; did you mean `{longer[0]}`? {every}" if is_one else f"; {every}"
    return suggest.hint(text, [*known, *registry.functions()])


def _places(cells: Iterable[Cell], ledger: Ledger) -> Iterator[tuple[str, int]]:
    """Yield file and line of the cells, their parts and the places on their ways."""
    for cell in cells:
        if isinstance(cell.item, Item):
            yield cell.item.position.source, ledger.line(cell)[0]
        for hop in cell.way:
            if isinstance(hop.item, Item):
                yield hop.item.position.source, places.of_field(hop.item, hop.path)[0]
        yield from _places(cell.parts, ledger)


class Pattern:
    """A pattern and its source. `*` matches one part of a path, `**` any number of parts; within a name `*` matches any characters.

    A dot before the first part is ignored, as `jq` and `yq` write it.
    """

    __slots__ = ("_any_depth", "_last", "_parts", "_quoted", "text")

    def __init__(self, text: str) -> None:
        self.text = text[1:] if text[:1] == "." and text[1:2] not in ("", ".") else text
        found = _parts(self.text)
        self._parts = tuple(part for part, _ in found)
        self._quoted = tuple(quoted for _, quoted in found)
        last, quoted = found[-1]
        self._last = "" if not quoted and any(c in last for c in "*?") else last
        self._any_depth = (_ANY_DEPTH, False) in found

    def fits(self, path: Path) -> bool:
        """Return whether the pattern matches a whole path."""
        if not self._any_depth and len(path) != len(self._parts):
            return False
        if self._last and path and str(path[-1]) != self._last:  # nearly always
            return False
        return len(path) in self._reached(tuple(map(str, path)))

    def covers(self, path: Path) -> bool:
        """Return whether the pattern matches a whole path or, if its last part is a name or number, a map or list above it."""
        if not self._last:
            return self.fits(path)
        if self._last not in path and not self._last.isdigit():  # nearly always
            return False
        names = tuple(map(str, path))
        return self._last in names and bool(self._reached(names))

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def _reached(self, path: tuple[str, ...]) -> set[int]:
        """Return the lengths of the beginnings of a path that the parts match."""
        reached = {0}
        for part, quoted in zip(self._parts, self._quoted, strict=True):
            if part == _ANY_DEPTH and not quoted:
                reached = {*range(min(reached), len(path) + 1)}
            else:
                reached = {one + 1 for one in reached if one < len(path) and _is_one(part, path[one], quoted=quoted)}
            if not reached:
                break
        return reached


def _parts(text: str) -> list[tuple[str, bool]]:
    """Return the parts, each with whether it was quoted. UsageError if the text is not a path."""
    found, at = [], 0
    while at < len(text):
        part, quoted, at = _part(text, at)
        if at < 0:
            break
        found.append((part, quoted))
    if at < 0 or not found:
        advice = ": elements are addressed by number here, as `[0]`, or all, as `[*]`" if _MATCH.search(text) else ""
        must = "must be a path or a pattern of one, as `spec.values.*` or `**.image.tag`"
        raise UsageError(f"{must}; found {described(text)}{advice}")
    return found


def _part(text: str, at: int) -> tuple[str, bool, int]:
    """Return the part that begins at an offset, whether it is quoted, and where it ends (-1 if there is no part)."""
    if text.startswith('["', at):
        end = _quote(text, at + 2)
        return text[at + 2 : end].replace('\\"', '"').replace("\\\\", "\\"), True, end + 2 if text.startswith('"]', end) else -1
    if text[at] == "[":
        end = text.find("]", at)
        index = text[at + 1 : end]
        return index, False, end + 1 if end > 0 and (index == "*" or index.isdigit()) else -1
    at += bool(at and text[at] == ".")
    end = min((found for c in _ENDS if (found := text.find(c, at)) >= 0), default=len(text))
    return text[at:end], False, end if end > at and "]" not in text[at:end] else -1


def _quote(text: str, at: int) -> int:
    """Return the offset of the closing quote, -1 if there is none."""
    while at < len(text) and text[at] != '"':
        at += 1 + (text[at] == "\\")
    return at


def _is_one(part: str, name: str, *, quoted: bool) -> bool:
    if quoted or not any(c in part for c in "*?"):
        return part == name
    return part == "*" or fnmatchcase(name, part.replace("[", "[[]"))
