"""The values of a Package: resolved from literals, keys of ConfigMaps and Secrets, and values of other packages; then checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding, Origin
from krm_values._krm.resources import Several
from krm_values._krm.undo_record import WithheldSecret
from krm_values._run.objects import Allowance, Objects
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Missing, Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition, Manifest
    from krm_values.glasskube_values.packages import Candidate, CoveredLint, Package, ValueConfiguration, ValueReference

    _Step: TypeAlias = tuple[int, str]  # an item's number, a value's name
    _Outcome: TypeAlias = "ResolvedValue | _UnresolvedError | _UnreadableError"

_LONGEST = 400  # `explain` as JSON nests twice as deep, and readers of JSON accept about 1,000 levels
_SHOWN = 300  # values of a cycle that a message names
_VALUES = ("spec", "values")


@record
class ResolvedValue:
    """A resolved value.

    text: None if it is in the cluster only (`allowMissing`). steps: the number of references on the way: 0 for a literal, 1 for a ConfigMap's key.
    """

    name: str
    text: str | None
    origin: Origin
    steps: int = 0
    is_default: bool = False


class _UnreadableError(Exception):
    """The object cannot be read, which has been reported."""


class _UnresolvedError(Exception):
    """A reference that cannot be resolved, and the rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message


class Resolver:
    """The resolution of the values of all packages of a list. Results are cached, errors as well: whatever leads to one has it, too."""

    __slots__ = ("_keys", "_known", "_objects", "_packages", "_resources", "_spaced", "allowed")

    def __init__(self, config: GlasskubeValues, resources: Resources, packages: list[Package]) -> None:
        self._resources = resources
        self._packages = {package.item.number: package for package in packages}
        self._spaced = {package.item.name for package in packages if not package.is_cluster}
        self._known: dict[_Step, _Outcome] = {}
        self._objects, self.allowed = Objects(), Allowance(config.allow_missing)
        self._keys: dict[int, list[str]] = {}

    def value(self, package: Package, configured: ValueConfiguration, report: Report) -> ResolvedValue | None:
        """Return the value; None, with an error in the report, if it cannot be resolved."""
        found = self._resolve(package, configured, report)
        if isinstance(found, _UnreadableError):
            return None
        if isinstance(found, _UnresolvedError):
            text = f'cannot resolve "{configured.name}": {found.message}'
            report.error("resolution", found.rule, text, package.item, configured.path)
            return None
        if found.text is None:
            text = f'"{configured.name}" is known in the cluster only, and its targets are skipped: {_absent(found.origin)} is absent, which `allowMissing` allows'
            report.info("missing-allowed", "42", text, package.item, configured.path)
        return found

    def _resolve(self, package: Package, configured: ValueConfiguration, report: Report) -> _Outcome:
        """Follow the references from package to package to the end or to a cached result, then cache the result of each. report: gets warnings."""
        visited: dict[_Step, tuple[Package, ValueConfiguration]] = {}
        found: _Outcome | None = None
        while found is None:
            step = (package.item.number, configured.name)
            found = self._known.get(step)
            if found is None and step in visited:
                return self._cycle(visited, step)
            if found is None:
                visited[step] = package, configured
                try:
                    if configured.reference is None or configured.reference.kind != "ClusterPackage":
                        found = self._end(package, configured, report)
                    else:
                        package, configured = self._of_package(package, configured.reference)
                except (_UnresolvedError, _UnreadableError) as error:
                    found = error
        for step, (package, configured) in reversed(visited.items()):
            found = self._known[step] = _through(package, configured, found)
        return found

    def _cycle(self, visited: dict[_Step, tuple[Package, ValueConfiguration]], entry: _Step) -> _Outcome:
        """Cache an error for each visited value: those of the cycle, each from its own turn, and those that lead into it. Return that of the first.

        entry: the value of the cycle that was reached first.
        """
        steps = list(visited)
        start = steps.index(entry)
        cycle = [f"{package.item.label}.{configured.name}" for package, configured in list(visited.values())[start:]]
        for number, step in enumerate(steps):
            turn = max(number - start, 0)
            shown = [*cycle[turn : turn + _SHOWN], *cycle[: max(turn + _SHOWN - len(cycle), 0)]][: len(cycle)]
            more = [f"{len(cycle) - len(shown):,} more"] if len(cycle) > len(shown) else []
            self._known[step] = _UnresolvedError("25", f"cycle {' -> '.join([*shown, *more, cycle[turn]])}")
        return self._known[steps[0]]

    def _end(self, package: Package, configured: ValueConfiguration, report: Report) -> ResolvedValue:
        """Return the literal, or the value of a ConfigMap's or Secret's key. Raises _UnresolvedError or _UnreadableError."""
        if configured.reference is None:
            origin = Origin(f"value {configured.name}", configured.literal, package.item, (*configured.path, "value"))
            return ResolvedValue(configured.name, configured.literal, origin)
        return ResolvedValue(configured.name, *self._of_object(package, configured.reference, report))

    def _of_package(self, package: Package, reference: ValueReference) -> tuple[Package, ValueConfiguration]:
        """Return the ClusterPackage to which a reference leads, and its configuration of the value. Raises _UnresolvedError."""
        item = _only(
            self._resources.find("ClusterPackage", GROUP, "", reference.name, package.item),
            f"ClusterPackage {reference.name}",
            "22",
        )
        if not isinstance(item, Item):
            is_spaced = reference.name in self._spaced
            hint = "; only ClusterPackages can be referred to, and a Package has that name" if is_spaced else item.hint
            raise _UnresolvedError("22", f'ClusterPackage "{reference.name}" is not in the list{hint}')
        other = self._packages[item.number]
        configured = other.values.get(reference.key)
        if configured is None:
            broken = get(item.data, ("spec", "values", reference.key))
            why = "is configured wrongly" if broken is not None else "is not configured"
            hint = suggest.hint(reference.key, other.values, '"') if broken is None else ""
            raise _UnresolvedError("23", f'value "{reference.key}" of ClusterPackage {reference.name} {why}{hint}')
        return other, configured

    def _of_object(self, package: Package, reference: ValueReference, report: Report) -> tuple[str | None, Origin]:
        """Return the text of a ConfigMap's or Secret's key and its origin; None for the text if `allowMissing` allows that it is absent."""
        namespace = reference.namespace
        if not namespace and package.is_cluster:
            raise _UnresolvedError("20", f'no namespace given for {reference.kind} "{reference.name}": add `namespace`')
        namespace = namespace or package.namespace
        named = f"{reference.kind} {namespace}/{reference.name}" if namespace else f"{reference.kind} {reference.name}"
        rule = "19" if reference.kind == "Secret" else "18"
        found = _only(self._resources.find(reference.kind, "", namespace, reference.name, package.item), named, rule)
        allowed = self.allowed.allows(reference.kind, namespace, reference.name)
        if not isinstance(found, Item):
            if allowed:
                return None, Origin(named, None)
            hint = where_else(found) or "; add it, or name it in `allowMissing`"
            raise _UnresolvedError(rule, f"{named} is not in the list{hint}")
        if found.data is None:
            raise _UnreadableError
        if self._objects.is_encrypted(found):
            if allowed:
                return None, Origin(named, None)
            raise _UnresolvedError(rule, f"{named} is encrypted with SOPS: decrypt it first, or name it in `allowMissing`")
        report.extend(self._objects.unknown_keys(found, "S5"))
        return self._of_key(found, named, reference.key, rule)

    def _of_key(self, item: Item, named: str, key: str, rule: str) -> tuple[str, Origin]:
        entries = self._objects.content(item)
        for path, text in entries.faults:
            if path[-1] == key or len(path) == 1:
                raise _UnresolvedError(rule, f'key "{key}" of {named} {text}')
        if key not in entries.texts:
            if item.number not in self._keys:
                self._keys[item.number] = sorted(entries.texts)
            hint, others = suggest.hint(key, entries.texts), suggest.listed(self._keys[item.number], quote="`")
            raise _UnresolvedError(rule, f'{named} has no key "{key}"; it has {others or "none"}{hint}')
        path = entries.paths[key]
        if isinstance(get(item.data, path), WithheldSecret):
            raise _UnresolvedError(
                rule, f'the value of "{key}" in {named} before it was overwritten is not known: write it there again'
            )
        return entries.texts[key], Origin(named, entries.texts[key], item, path)


def _through(package: Package, configured: ValueConfiguration, found: _Outcome) -> _Outcome:
    """Return the outcome of a value; for a reference, with its own name and origin. found: the outcome to which it leads."""
    if configured.reference is None or not isinstance(found, ResolvedValue):
        return found
    if found.steps == _LONGEST:
        return _UnresolvedError("24", f"leads through more than {_LONGEST} references, from package to package")
    origin = Origin(f"value {configured.name}", found.text, package.item, configured.reference.path, via=(found.origin,))
    return ResolvedValue(configured.name, found.text, origin, found.steps + 1)


def _only(found: Item | Missing | Several, named: str, rule: str) -> Item | Missing:
    """Return the object, or the first of several that are equal. Raises _UnresolvedError if they differ."""
    if not isinstance(found, Several):
        return found
    if found.identical is None:
        raise _UnresolvedError(rule, f"{named} {differing(found)}")
    return found.identical


def differing(found: Several) -> str:
    """Return the message on several objects of one identity that differ."""
    return f"is in the list {len(found.items)} times, in {found.places}, and the objects differ: keep one"


def where_else(missing: Missing) -> str:
    """Return a hint on an object that is not in the list; "" if nothing similar is."""
    if missing.own:
        return ": this function itself writes it"
    places = [f"in namespace {item.namespace}" if item.namespace else "without a namespace" for item in missing.near]
    return f"; there is one {' and one '.join(places)}" if places else missing.hint


def _absent(origin: Origin) -> str:
    *_, last = origin.trail()
    return last.layer


def check(
    package: Package,
    candidate: Candidate,
    manifest: Manifest,
    values: dict[str, ResolvedValue],
    *,
    use_defaults: bool | list[str],
    covered: CoveredLint,
) -> Iterator[tuple[str, Finding]]:
    """Yield every violation of every value, with the value's name, sorted by name; a value that could not be resolved is not checked.

    They must be defined, configured if required, and within their constraints.
    """
    for name in sorted({*values, *manifest.definitions}, key=str.encode):
        if name not in manifest.definitions:
            hint = suggest.hint(name, manifest.definitions, '"')
            text = f'value "{name}" has no value definition{hint}'
            yield name, Finding("error", "validation", "30", text, package.item, (*_VALUES, name))
        elif name in values:
            for finding in _violations(package, candidate, manifest.definitions[name], values[name], covered):
                yield name, finding
        elif name not in package.names and manifest.definitions[name].required:
            about = _about_default(manifest.definitions[name], use_defaults=use_defaults)
            text = f'value "{name}" is required and not configured{about}'
            yield name, Finding("error", "validation", "31", text, package.item, _VALUES)


def _about_default(definition: Definition, *, use_defaults: bool | list[str]) -> str:
    """Return what an error on a missing value says of its default, which is used only if the config asks for it."""
    if definition.default:
        return f"; its `defaultValue` {described(definition.default)} is used only if `useDefaults` names it"
    is_named = isinstance(use_defaults, list) and definition.name in use_defaults
    how = "names it" if is_named else "is true"
    return f"; `useDefaults` {how}, but it has no `defaultValue`" if is_named or use_defaults is True else ""


def _violations(
    package: Package, candidate: Candidate, definition: Definition, value: ResolvedValue, covered: CoveredLint
) -> Iterator[Finding]:
    path = (*_VALUES, value.name)
    if value.text is None:
        return
    violations = definition.violations(value.text)
    written = value.origin if value.origin.item is package.item else None
    for violation in violations:
        for kind in (violation.constraint, *(["default"] if value.is_default else [])):
            covered.add(candidate, kind, definition.path)
        text = f'value "{value.name}" {violation.text(hidden=value.origin.secret)}; found {{found}}{_hint(definition, value)}'
        yield Finding("error", "validation", violation.rule, text, package.item, path, value.origin, at=written)
    if definition.required and not value.text and not violations:
        text = f'value "{value.name}" is required and empty, which counts as configured: is that intended?'
        yield Finding("warning", "validation", "31", text, package.item, path)


def _hint(definition: Definition, value: ResolvedValue) -> str:
    """Return a hint with the nearest allowed value of options and booleans; "" for a value from a Secret."""
    known = {"options": definition.options, "boolean": ("true", "false")}.get(definition.type, ())
    return "" if value.origin.secret else suggest.hint(value.text or "", filter(None, known), '"')
