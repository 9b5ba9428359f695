"""The query of `explain`: by path, resource, source file, and overriding layer."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._explain.patterns import Pattern
from krm_values._explain.values import Resource
from krm_values._kit.planner import findings
from krm_values._kit.process import registry

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path as FilePath

    from krm_values._data.pointer import Path
    from krm_values._explain.values import Value
    from krm_values._explain.ways import Way
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New

_PARTS = 3  # of KIND/NAMESPACE/NAME


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

    def of(self, resources: Iterable[Resource]) -> list[Resource]:
        """Return the resources with only the values that match, without resources of which none does."""
        if self.is_everything:
            return [*resources]
        found = (replace(one, values=tuple(filter(self._fits, one.values))) for one in self.named(resources))
        return [one for one in found if one.values]

    def fits(self, path: Path, inner: Path | None) -> bool:
        """Return whether a pattern matches a place: in its text, in its resource, or both paths joined."""
        whole = (path,) if inner is None else (inner, (*path, *inner))
        return any([pattern.fits(one) for pattern in self.patterns for one in whole])  # noqa: C419 - faster

    def named(self, resources: Iterable[Resource]) -> list[Resource]:
        """Return the resources with the requested name; if there are none, those generated for the resource of that name."""
        found = [*resources]
        if not self.resource:
            return found
        own = [one for one in found if any(is_named(value.item, self.resource) for value in one.values[:1])]
        return own or [one for one in found if is_title(one.source, self.resource)]

    def _fits(self, value: Value) -> bool:
        if self.patterns and not self.fits(value.path, value.inner):
            return False
        if self.contested and not value.overridden:
            return False
        if self.layer and not (value.overridden and value.way and is_layer(value.way, self.layer)):
            return False
        return not self.file or any(map(self._is_from, _layers(value)))

    def _is_from(self, way: Way) -> bool:
        return way.file == self.file and self.line in (0, way.line)


def read(options: Namespace, patterns: Sequence[str], directory: FilePath | None) -> Query:
    """Return the query of a command line. UsageError for an argument that cannot be parsed."""
    file, line = at(options.origin, directory) if options.origin else ("", 0)
    written = (*patterns, *(options.path or ()))
    resource = of_resource(options.resource) if options.resource else ()
    return Query(tuple(map(Pattern, written)), resource, file, line, options.contested, options.overridden_by or "")


def of_resource(text: str) -> tuple[str, ...]:
    """Split `KIND`, `KIND/NAME` or `KIND/NAMESPACE/NAME` into its parts."""
    parts = tuple(text.split("/"))
    if len(parts) > _PARTS or not all(parts):
        raise UsageError(f"must be KIND, KIND/NAME or KIND/NAMESPACE/NAME; found {described(text)}")
    return parts


def is_named(item: Item | New, wanted: tuple[str, ...]) -> bool:
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


def at(text: str, directory: FilePath | None) -> tuple[str, int]:
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
    if directory is None or (not os.path.isabs(name) and (directory / name).exists()):
        return name.replace(os.sep, "/")
    relative = os.path.relpath(os.path.abspath(name), os.path.abspath(directory))
    return (name if relative.startswith("..") else relative).replace(os.sep, "/")


def paths(value: Value) -> Iterator[Path]:
    """Yield the paths by which a value can be named: in its text, in its resource, and both joined."""
    if value.inner is not None:
        yield value.inner
        yield (*value.path, *value.inner)
    else:
        yield value.path


def is_layer(way: Way, name: str) -> bool:
    """Return whether a layer has this name, or has it with an index: `extraConfigs` matches each `extraConfigs[N]`."""
    layer = way.origin.layer
    return layer == name or layer.partition("[")[0] == name or layer.partition(" ")[0] == name


def unfitting(patterns: Iterable[Pattern], resources: Iterable[Resource]) -> list[Pattern]:
    """Return the patterns that match no value."""
    places = [(value.path, value.inner) for resource in resources for value in resource.values]
    asked = ((one, Query((one,))) for one in patterns)
    return [one for one, query in asked if not any(query.fits(*place) for place in places)]


def no_path(pattern: Pattern, resources: Iterable[Resource]) -> str:
    """Return the message that no value has such a path, with the nearest path."""
    known = dict.fromkeys(to_field(path) for one in resources for value in one.values for path in paths(value))
    return f"no value has the path `{pattern.text}`{_near(pattern.text, [*known])}"


def nothing(query: Query, resources: Sequence[Resource]) -> str:
    """Return the message that no value matches, with the nearest path, resource or layer."""
    values = [value for resource in resources for value in resource.values]
    if wrong := unfitting(query.patterns, resources):
        return no_path(wrong[0], resources)
    if not query.named(resources):
        named = {one.title.replace(" ", "/") for one in resources}
        return f"no function decides a value of `{'/'.join(query.resource)}`{suggest.hint('/'.join(query.resource), named)}"
    if query.file and not any(way.file == query.file for value in values for way in _layers(value)):
        known = {way.file for value in values for way in _layers(value) if way.file}
        return f"no value comes from the file `{query.file}`{suggest.hint(query.file, known)}"
    layers = dict.fromkeys(value.way.origin.layer for value in values if value.way)
    if query.layer and not any(is_layer(value.way, query.layer) for value in values if value.way):
        short = dict.fromkeys(layer.partition("[")[0] for layer in layers)
        return f"no layer that wins is called `{query.layer}`{suggest.hint(query.layer, [*short, *layers])}"
    return "no value matches"


def _near(text: str, known: Sequence[str]) -> str:
    below = [path for path in known if path.startswith((f"{text}.", f"{text}["))]
    if below:
        return f"; `{text}.**` fits the {len(below)} below it"
    above = max((path for path in known if text.startswith((f"{path}.", f"{path}["))), key=len, default="")
    if above:
        return f"; `{above}` is one value"
    end = max((path for path in known if text.endswith(f".{path}")), key=len, default="")
    if end:
        return f"; did you mean `{end}`?"
    longer = sorted((path for path in known if path.endswith(f".{text}")), key=len)
    if longer:
        is_one = all(path.endswith(longer[0]) for path in longer)  # with and without the path of the text that it is in
        return f"; did you mean `{longer[0]}`?" if is_one else f"; `**.{text}` matches every path that ends with it"
    return suggest.hint(text, [*known, *registry.functions()])


def _layers(value: Value) -> Iterator[Way]:
    for way in (value.way, *value.overridden):
        if way is not None:
            yield from way.all()
