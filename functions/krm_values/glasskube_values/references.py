"""The text of each configured value: a literal, a key of a ConfigMap or Secret, or another package's value to any depth."""

from __future__ import annotations

from krm_values._kit.allowance import allows
from krm_values._kit.item import Item
from krm_values._kit.objects import held, is_encrypted
from krm_values._kit.plan import Finding, Origin
from krm_values._kit.pointer import get
from krm_values._kit.record import record
from krm_values._kit.select import Several
from krm_values._kit.undo import Unkept
from krm_values.glasskube_values.packages import GROUP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.select import Missing, Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.packages import Package, Reference, ValueConfiguration


@record
class Value:
    """A value's text and who says so; `text` is None where it is only in the cluster, as `allowMissing` says."""

    name: str
    text: str | None
    origin: Origin


class _UnreadableError(Exception):
    """The object cannot be read, which is said already."""


class _UnresolvedError(Exception):
    """Why a value has no text, and by which rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message


class Resolver:
    """Resolves the values of all packages of a list."""

    __slots__ = ("_config", "_packages", "_resources")

    def __init__(self, config: GlasskubeValues, resources: Resources, packages: list[Package]) -> None:
        self._config, self._resources = config, resources
        self._packages = {package.item.number: package for package in packages}

    def value(self, package: Package, configured: ValueConfiguration, findings: list[Finding]) -> Value | None:
        """The value; None where it cannot be had, which is then said."""
        try:
            found = self._resolve(package, configured, ())
        except _UnreadableError:
            return None
        except _UnresolvedError as error:
            text = f'cannot resolve "{configured.name}": {error.message}'
            findings.append(Finding("error", "resolution", error.rule, text, package.item, configured.path))
            return None
        if found.text is None:
            text = f'"{configured.name}" waits for the cluster and its targets do not run: {_absent(found.origin)} is absent, as `allowMissing` says'
            findings.append(Finding("info", "missing-allowed", "42", text, package.item, configured.path))
        return found

    def _resolve(self, package: Package, configured: ValueConfiguration, chain: tuple[tuple[Item, str], ...]) -> Value:
        step = (package.item, configured.name)
        if step in chain:
            ring = (*chain[chain.index(step) :], step)
            raise _UnresolvedError("25", f"cycle {' -> '.join(f'{item.label}.{name}' for item, name in ring)}")
        layer = f"value {configured.name}"
        if configured.reference is None:
            path = (*configured.path, "value")
            return Value(configured.name, configured.literal, Origin(layer, configured.literal, package.item, path))
        reference = configured.reference
        if reference.kind == "ClusterPackage":
            found = self._of_package(reference, (*chain, step))
        else:
            found = self._of_object(package, reference)
        origin = Origin(layer, found.text, package.item, reference.path, via=(found.origin,))
        return Value(configured.name, found.text, origin)

    def _of_package(self, reference: Reference, chain: tuple[tuple[Item, str], ...]) -> Value:
        item = _only(
            self._resources.find("ClusterPackage", GROUP, "", reference.name), f"ClusterPackage {reference.name}", "22"
        )
        if not isinstance(item, Item):
            spaced = [one for one in self._packages.values() if not one.is_cluster and one.item.name == reference.name]
            hint = "; only ClusterPackages can be referred to, and a Package has that name" if spaced else ""
            raise _UnresolvedError("22", f'ClusterPackage "{reference.name}" is not in the list{hint}')
        other = self._packages[item.number]
        configured = other.values.get(reference.key)
        if configured is None:
            broken = get(item.data, ("spec", "values", reference.key))
            why = "is configured wrongly" if broken is not None else "is not configured"
            raise _UnresolvedError("23", f'value "{reference.key}" of ClusterPackage {reference.name} {why}')
        return self._resolve(other, configured, chain)

    def _of_object(self, package: Package, reference: Reference) -> Value:
        namespace = reference.namespace
        if not namespace and (package.is_cluster or self._config.profile == "upstream"):
            raise _UnresolvedError("20", f'no namespace given for {reference.kind} "{reference.name}": add `namespace`')
        namespace = namespace or package.namespace
        named = f"{reference.kind} {namespace}/{reference.name}" if namespace else f"{reference.kind} {reference.name}"
        rule = "19" if reference.kind == "Secret" else "18"
        found = _only(self._resources.find(reference.kind, "", namespace, reference.name), named, rule)
        allowed = allows(self._config.allow_missing, reference.kind, namespace, reference.name)
        if not isinstance(found, Item):
            if allowed:
                return Value(reference.key, None, Origin(named, None))
            hint = near(found) or "; add it, or name it in `allowMissing`"
            raise _UnresolvedError(rule, f"{named} is not in the list{hint}")
        if found.data is None:
            raise _UnreadableError
        if is_encrypted(found):
            if allowed:
                return Value(reference.key, None, Origin(named, None))
            raise _UnresolvedError(rule, f"{named} is encrypted with SOPS: decrypt it first, or name it in `allowMissing`")
        return self._of_key(found, named, reference.key, rule)

    def _of_key(self, item: Item, named: str, key: str, rule: str) -> Value:
        texts = held(item)
        for path, text in texts.faults:
            if path[-1] == key or len(path) == 1:
                raise _UnresolvedError(rule, f'key "{key}" of {named} {text}')
        if key not in texts.texts:
            others = ", ".join(f"`{known}`" for known in sorted(texts.texts))
            raise _UnresolvedError(rule, f'{named} has no key "{key}"; it has {others or "none"}')
        path = texts.paths[key]
        if isinstance(get(item.data, path), Unkept):
            raise _UnresolvedError(
                rule, f'what {named} held as "{key}" before it was overwritten is not known: write the value there again'
            )
        return Value(key, texts.texts[key], Origin(named, texts.texts[key], item, path))


def differing(found: Several) -> str:
    """What is wrong with several objects of one identity that are not alike."""
    return f"stands in {' and in '.join(found.places)}, and they differ: keep one"


def near(missing: Missing) -> str:
    """What a message adds of an object that is not in the list; empty where nothing is like it."""
    if missing.own:
        return ": it is what this function itself writes"
    places = [item.namespace or "no namespace" for item in missing.near]
    return f"; one of that name stands in {' and in '.join(places)}" if places else ""


def _only(found: Item | Missing | Several, named: str, rule: str) -> Item | Missing:
    """The object, or the first of several that are alike."""
    if not isinstance(found, Several):
        return found
    if found.alike is None:
        raise _UnresolvedError(rule, f"{named} {differing(found)}")
    return found.alike


def _absent(origin: Origin) -> str:
    return _absent(origin.via[0]) if origin.via else origin.layer
