"""Application and Registry Definitions: which registry has an application, and under which coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values._data.shown import described
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository import web
from krm_values.envgene_sd.repository.faults import fault

if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values.envgene_sd.repository.files import Content

_APPLICATION, _REGISTRY, _FORM, _VERSION_TWO, _BASE, _PATH, _LOGIN = "86", "88", "87", "89", "90", "92", "95"
_ADDRESSES = ("repositoryDomainName", "fullRepositoryUrl")
_TARGETS = ("targetSnapshot", "targetStaging", "targetRelease", "snapshotGroup", "releaseGroup")
_METHODS = ("anonymous", "user_pass")


@record
class Application:
    """An Application Definition. common: whether it is in the root folder and so serves every environment."""

    name: str
    registry: str
    group: str
    artifact: str
    common: bool


@record
class Registry:
    """A Registry Definition: the address without a trailing slash, the repositories in order, the credential's id ("" = anonymous).

    place, field: the file position and the field of the address, for messages.
    """

    name: str
    place: str
    field: str
    base: str
    repositories: tuple[str, ...]
    credential: str
    common: bool


def application(root: Path, name: str, environment: str) -> Application:
    """Read the definition of an application. environment: whose definitions also count, "" for none. FaultsError of rules 86, 87 and 92."""
    if not repository.is_segment(name):
        raise fault(_APPLICATION, f"an application must be one path segment, found {described(name)}", "fetch")
    file, data, common = _definition(root, ("appdefs", "AppDefs"), name, environment, f"Application Definition of {name}")
    registry_name, group, artifact = (_text(data, key, file, _FORM) for key in ("registryName", "groupId", "artifactId"))
    _check_path(group, "groupId", file)
    _check_path(artifact, "artifactId", file, slash=False)
    return Application(name, registry_name, group, artifact, common)


def registry(root: Path, wanted: Application, environment: str) -> Registry:
    """Read the definition of an application's registry, version 1 or 2. FaultsError of rules 88 to 92 and 95."""
    name = wanted.registry
    if not repository.is_segment(name):
        raise fault(_REGISTRY, f"a registry must be one path segment, found {described(name)}", "fetch")
    title = f"Registry Definition of {name} (wanted by application {wanted.name})"
    file, data, common = _definition(root, ("regdefs", "RegDefs"), name, environment, title)
    maven = data.get("mavenConfig")
    if not isinstance(maven, dict):
        raise fault(_VERSION_TWO, f"{file.at('mavenConfig')}: `mavenConfig` must be a map; found {described(maven)}", "fetch")
    repositories = dict.fromkeys(filter(None, (text_of(_scalar(maven.get(key))).strip() for key in _TARGETS)))
    for target in repositories:
        _check_path(target, "mavenConfig", file, slash=False)
    key, base = _base(maven, file)
    place, field = file.at("mavenConfig", key), f"mavenConfig.{key}"
    return Registry(name, place, field, base, tuple(repositories), _credential(data, maven, name, file), common)


def _definition(
    root: Path, folders: tuple[str, str], name: str, environment: str, title: str
) -> tuple[Content, dict[str, JSON], bool]:
    """Return file, data and whether the definition is common: the root's folder is searched first."""
    shared, own = folders
    rule = _APPLICATION if shared == "appdefs" else _REGISTRY
    places = [shared, *([f"environments/{environment}/{own}"] if environment else [])]
    for place in places:
        for path in reversed(repository.present(root, place, name)):
            file = repository.read(root, path, rule)
            if not isinstance(file.data, dict):
                raise fault(rule, f"{file.at()}: must be a map; found {described(file.data)}", "fetch")
            return file, file.data, place == shared
    searched = ", ".join(f"{place}/{name}.yml" for place in places)
    known = [path.stem for place in places for path in sorted((root / place).glob("*.y*ml"))]
    raise fault(rule, f"no {title}; searched: {searched} (or .yaml){suggest.hint(name, known)}", "fetch")


def _base(maven: dict[str, JSON], file: Content) -> tuple[str, str]:
    """Return the key below `mavenConfig` that gives the registry's address, and the address."""
    given = {key: text_of(_scalar(maven.get(key))).strip() for key in _ADDRESSES}
    key = next((key for key, text in given.items() if text), _ADDRESSES[0])
    address = given[key] if "://" in given[key] else f"https://{given[key]}"
    place = file.at("mavenConfig", key)
    if _has_user(address):
        raise fault(_BASE, f"{place}: `mavenConfig.{key}` must hold no user; use `credentialsId`", "fetch")
    try:
        web.split(address)
    except ValueError:
        address = ""
    if not address or set(address) & set("?# "):
        raise fault(_BASE, f"{place}: `mavenConfig.{key}` must be an http or https address", "fetch")
    return key, address.rstrip("/")


def _has_user(address: str) -> bool:
    try:
        return "@" in urlsplit(address).netloc
    except ValueError:
        return False


def _credential(data: dict[str, JSON], maven: dict[str, JSON], name: str, file: Content) -> str:
    """Return the credential's id, "" for anonymous access."""
    blocks = data.get("authConfig")
    if text_of(_scalar(data.get("version"))) != "2.0" and not blocks:
        return _name(data, file, "credentialsId")
    wanted = _name(maven, file, "mavenConfig", "authConfig")
    if not wanted:
        return ""
    block = blocks.get(wanted) if isinstance(blocks, dict) else None
    if not isinstance(block, dict):
        near = suggest.hint(wanted, blocks) if isinstance(blocks, dict) else ""
        place = file.at("mavenConfig", "authConfig")
        raise fault(_LOGIN, f"{place}: registry {name} has no `authConfig` block {wanted}{near}", "fetch")
    method = _name(block, file, "authConfig", wanted, "authMethod")
    if method == "anonymous":
        return ""
    found = _name(block, file, "authConfig", wanted, "credentialsId")
    if method not in ("user_pass", ""):
        place, text = file.at("authConfig", wanted, "authMethod"), "must be `anonymous` or `user_pass`"
        raise fault(
            _LOGIN,
            f"{place}: `authConfig.{wanted}.authMethod` {text}, found {described(method)}{suggest.hint(method, _METHODS)}",
            "fetch",
        )
    if method and not found:
        place = file.at("authConfig", wanted)
        raise fault(_LOGIN, f"{place}: `authConfig.{wanted}.credentialsId` must be given for `user_pass`", "fetch")
    return found


def _name(data: dict[str, JSON], file: Content, *path: str) -> str:
    """Return the name at the end of a path that is in `data`; "" if there is none."""
    found = text_of(_scalar(data.get(path[-1]))).strip()
    if not found.isprintable():
        text = f"`{'.'.join(path)}` must hold neither line breaks nor other control characters"
        raise fault(_LOGIN, f"{file.at(*path)}: {text}", "fetch")
    return found


def _text(data: dict[str, JSON], key: str, file: Content, rule: str) -> str:
    value = text_of(_scalar(data.get(key))).strip()
    if not value:
        raise fault(rule, f"{file.at(key)}: `{key}` must be given", "fetch")
    return value


def _scalar(value: JSON) -> JSON:
    return None if isinstance(value, dict | list) else value


def _check_path(text: str, key: str, file: Content, *, slash: bool = True) -> None:
    """Raise FaultsError for a string that would leave the repository's folder."""
    if ".." in text or text == "." or any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text):
        raise fault(
            _PATH,
            f"{file.at(key)}: `{key}` must hold neither `..` nor control characters, found {described(text)}",
            "fetch",
        )
    if not slash and "/" in text:
        raise fault(_PATH, f"{file.at(key)}: `{key}` must hold no slash, found {described(text)}", "fetch")
