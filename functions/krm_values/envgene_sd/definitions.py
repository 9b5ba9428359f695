"""Application and Registry Definitions: which registry serves an application, and under which coordinates."""

from __future__ import annotations

from urllib.parse import urlsplit

from krm_values._kit import names
from krm_values._kit.record import record
from krm_values._kit.scalars import text_of
from krm_values._kit.shown import described
from krm_values.envgene_sd import repository
from krm_values.envgene_sd.faults import fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._kit.data import JSON
    from krm_values.envgene_sd.repository import Content

_APPLICATION, _REGISTRY, _FORM, _VERSION_TWO, _BASE, _PATH, _LOGIN = "86", "88", "87", "89", "90", "92", "95"
_TARGETS = ("targetSnapshot", "targetStaging", "targetRelease", "snapshotGroup", "releaseGroup")


@record
class Application:
    """An AppDef. `common`: it stands in the root folder, so that it serves every environment."""

    name: str
    registry: str
    group: str
    artifact: str
    common: bool


@record
class Registry:
    """A RegDef: the address without a slash at its end, the repositories in their order, the credential's id ("" = anonymous)."""

    name: str
    base: str
    repositories: tuple[str, ...]
    credential: str
    common: bool


def application(root: Path, name: str, environment: str) -> Application:
    """The definition of an application; of an environment only if there is one, "" = none. FaultsError of rules 86, 87 and 92."""
    if not repository.is_segment(name):
        raise fault(_APPLICATION, f'an application must be one path segment, found "{repository.printable(name)}"', "fetch")
    file, data, common = _definition(root, ("appdefs", "AppDefs"), name, environment, f"Application Definition of {name}")
    registry_name, group, artifact = (_text(data, key, file, _FORM) for key in ("registryName", "groupId", "artifactId"))
    _check_path(group, "groupId", file)
    _check_path(artifact, "artifactId", file, slash=False)
    return Application(name, registry_name, group, artifact, common)


def registry(root: Path, wanted: Application, environment: str) -> Registry:
    """The definition of an application's registry, of version 1 or 2. FaultsError of rules 88 to 92 and 95."""
    name = wanted.registry
    if not repository.is_segment(name):
        raise fault(_REGISTRY, f'a registry must be one path segment, found "{repository.printable(name)}"', "fetch")
    title = f"Registry Definition of {name} (wanted by application {wanted.name})"
    file, data, common = _definition(root, ("regdefs", "RegDefs"), name, environment, title)
    maven = data.get("mavenConfig")
    if not isinstance(maven, dict):
        raise fault(_VERSION_TWO, f"{file.at('mavenConfig')}: `mavenConfig` must be a map; found {described(maven)}", "fetch")
    repositories = dict.fromkeys(filter(None, (text_of(_scalar(maven.get(key))).strip() for key in _TARGETS)))
    for target in repositories:
        _check_path(target, "mavenConfig", file, slash=False)
    return Registry(name, _base(maven, file), tuple(repositories), _credential(data, maven, name, file), common)


def _definition(
    root: Path, folders: tuple[str, str], name: str, environment: str, title: str
) -> tuple[Content, dict[str, JSON], bool]:
    """(file, data, whether it is common): the root's folder comes first."""
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
    raise fault(rule, f"no {title}; searched: {searched} (or .yaml)", "fetch")


def _base(maven: dict[str, JSON], file: Content) -> str:
    found = (
        text_of(_scalar(maven.get("repositoryDomainName"))).strip() or text_of(_scalar(maven.get("fullRepositoryUrl"))).strip()
    )
    address = found if "://" in found else f"https://{found}"
    try:
        parts = urlsplit(address)
        fit = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True) and found.isprintable()
    except ValueError:
        fit = False
        parts = urlsplit("")
    if not fit or parts.query or parts.fragment or " " in found:
        raise fault(
            _BASE, f"{file.at(*_address(maven))}: `mavenConfig.repositoryDomainName` must be an http or https address", "fetch"
        )
    if "@" in parts.netloc:
        raise fault(
            _BASE,
            f"{file.at(*_address(maven))}: `mavenConfig.repositoryDomainName` must hold no user; use `credentialsId`",
            "fetch",
        )
    return address.rstrip("/")


def _address(maven: dict[str, JSON]) -> tuple[str, str]:
    """The field that names the registry's address."""
    key = "repositoryDomainName" if text_of(_scalar(maven.get("repositoryDomainName"))).strip() else "fullRepositoryUrl"
    return "mavenConfig", key if key in maven else "repositoryDomainName"


def _credential(data: dict[str, JSON], maven: dict[str, JSON], name: str, file: Content) -> str:
    """The credential's id, "" for anonymous access."""
    blocks = data.get("authConfig")
    if text_of(_scalar(data.get("version"))) != "2.0" and not blocks:
        return text_of(_scalar(data.get("credentialsId"))).strip()
    wanted = text_of(_scalar(maven.get("authConfig"))).strip()
    if not wanted:
        return ""
    block = blocks.get(wanted) if isinstance(blocks, dict) else None
    if not isinstance(block, dict):
        near = names.hint(wanted, blocks) if isinstance(blocks, dict) else ""
        raise fault(
            _LOGIN, f"{file.at('mavenConfig', 'authConfig')}: registry {name} has no `authConfig` block {wanted}{near}", "fetch"
        )
    method = text_of(_scalar(block.get("authMethod"))).strip()
    if method == "anonymous":
        return ""
    found = text_of(_scalar(block.get("credentialsId"))).strip()
    if method not in ("user_pass", ""):
        raise fault(
            _LOGIN,
            f'{file.at("authConfig", wanted, "authMethod")}: `authConfig.{wanted}.authMethod` must be `anonymous` or `user_pass`, found "{method}"',
            "fetch",
        )
    if method and not found:
        raise fault(
            _LOGIN,
            f"{file.at('authConfig', wanted)}: `authConfig.{wanted}.credentialsId` must be given for `user_pass`",
            "fetch",
        )
    return found


def _text(data: dict[str, JSON], key: str, file: Content, rule: str) -> str:
    value = text_of(_scalar(data.get(key))).strip()
    if not value:
        raise fault(rule, f"{file.at(key)}: `{key}` must be given", "fetch")
    return value


def _scalar(value: JSON) -> JSON:
    return None if isinstance(value, dict | list) else value


def _check_path(text: str, key: str, file: Content, *, slash: bool = True) -> None:
    """Refuse what would leave the repository's folder."""
    if ".." in text or text == "." or any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text):
        raise fault(
            _PATH,
            f'{file.at(key)}: `{key}` must hold neither `..` nor control characters, found "{repository.printable(text)}"',
            "fetch",
        )
    if not slash and "/" in text:
        raise fault(_PATH, f'{file.at(key)}: `{key}` must hold no slash, found "{text}"', "fetch")
