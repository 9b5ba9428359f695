"""Reads the SDs that SD_VERSION names: `application:version`, its Application Definition, the Registry Definition named there, addresses.

A definition is in the root's folder, where it serves every environment, or in that of an environment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._data.shown import described
from krm_values._krm import names
from krm_values._krm.findings import Report, in_order
from krm_values._yaml import emit
from krm_values.envgene_sd import parameters
from krm_values.envgene_sd.environments import ARTIFACT
from krm_values.envgene_sd.repository import files, web
from krm_values.envgene_sd.repository.credentials import Credentials
from krm_values.envgene_sd.repository.files import FaultsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values.envgene_sd.repository.client import Answer, Client
    from krm_values.envgene_sd.repository.files import Content

_APPLICATION, _REGISTRY, _FORM, _VERSION_TWO, _BASE, _PATH = "86", "88", "87", "89", "90", "92"
_DENIED, _BODY, _MISSING = "95", "96", "97"
_ADDRESSES = ("repositoryDomainName", "fullRepositoryUrl")
_TARGETS = ("targetSnapshot", "targetStaging", "targetRelease", "snapshotGroup", "releaseGroup")
_METHODS = ("anonymous", "user_pass")
_TIMESTAMP = re.compile(r"(?a)-\d{8}\.\d{6}-\d+\Z")


@record
class Access:
    """What the caller allows. credentials: a file instead of the repository's, "" for that; sops_env: names of further variables for sops."""

    credentials: str = ""
    sops_env: tuple[str, ...] = ()
    allow_http: bool = False
    verify_checksums: bool = False


@record
class VersionEntry:
    """One entry of SD_VERSION: its text, divided at the first colon."""

    text: str
    application: str
    version: str


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


@record
class Wanted:
    """One SD to fetch. environment: whose definitions are used, "" for those of the root, which serve all."""

    entry: VersionEntry
    environment: str
    application: Application
    registry: Registry


@record
class Fetched:
    """An SD and the address that it was read from. environment: "" if it serves all."""

    entry: VersionEntry
    environment: str
    address: str
    descriptor: dict[str, JSON]


def wanted(root: Path, entries: Sequence[str], environments: Sequence[str], *, allow_http: bool = False) -> list[Wanted]:
    """Return what must be fetched for these environments ([""]: common definitions only), without any request. FaultsError with all errors.

    allow_http: whether credentials may be sent to a registry over plain http.
    """
    found: dict[tuple[str, str], Wanted] = {}
    report = Report()
    for environment in environments:
        for text in dict.fromkeys(entries):
            try:
                each = _wanted(root, entry(text), environment)
                if not allow_http:
                    _check_scheme(each.registry)
                found.setdefault((each.entry.text, each.environment), each)
            except FaultsError as error:
                report.extend(error.findings)
    if report.findings:
        raise FaultsError(in_order(report.findings))
    return list(found.values())


def fetch(root: Path, found: Iterable[Wanted], access: Access, advance: Callable[[], None] = lambda: None) -> list[Fetched]:
    """Read SDs in this order. FaultsError at the first one that cannot be read."""
    from krm_values.envgene_sd.repository.client import Client  # noqa: PLC0415 - nothing else needs the network's libraries

    client, credentials = Client(), Credentials(root, access.credentials, access.sops_env)
    fetched = []
    for each in found:
        login = credentials.header(each.registry.credential, each.registry.name) if each.registry.credential else ""
        address, answer = _found(each, client, login)
        _check_body(each, client, login, address, answer, ask=access.verify_checksums)
        fetched.append(Fetched(each.entry, each.environment, address, _descriptor(each.entry, address, answer.body)))
        advance()
    return fetched


def documents(found: Iterable[Fetched]) -> bytes:
    """Return the items as YAML documents."""
    return "---\n".join(map(item, found)).encode()


def item(found: Fetched) -> str:
    """Return the item of a fetched SD, as text."""
    place = f"{found.environment.replace('/', '.')}." if found.environment else ""
    annotations: dict[str, JSON] = {"config.kubernetes.io/local-config": "true"}
    if found.environment:
        annotations[f"{names.GROUP}/environment"] = found.environment
    data: dict[str, JSON] = {
        "apiVersion": names.API_VERSION,
        "kind": ARTIFACT,
        "metadata": {"name": f"{place}{found.entry.application}-{found.entry.version}", "annotations": annotations},
        "spec": {"version": found.entry.text, "source": found.address, "descriptor": found.descriptor},
    }
    return "".join(f"{line}\n" for line in emit.block(data))


def entry(text: str) -> VersionEntry:
    """Parse an entry that can be fetched. FaultsError of rules 17, 18 and 92."""
    application, colon, version = text.partition(":")
    if not colon or not application or not version:
        raise _fault("17", f"an artifact must be named APPLICATION:VERSION, found {described(text)}")
    if "SNAPSHOT" in version:
        raise _fault("18", f"a SNAPSHOT version is not supported for SDs, found {described(text)}; name a build")
    if not files.is_segment(version):
        raise _fault(_PATH, f"a version must be one path segment, found {described(text)}")
    return VersionEntry(text, application, version)


def _wanted(root: Path, entry: VersionEntry, environment: str) -> Wanted:
    found = application(root, entry.application, environment)
    where = registry(root, found, environment)
    return Wanted(entry, "" if found.common and where.common else environment, found, where)


def _check_scheme(registry: Registry) -> None:
    """Refuse credentials over plain http."""
    if registry.credential and registry.base.startswith("http:"):
        text = f"`{registry.field}` is plain http, and registry {registry.name} wants credential `{registry.credential}`"
        advice = "use https, or accept that anyone on the network can read it with `--allow-http`"
        raise _fault(_DENIED, f"{registry.place}: {text}: {advice}")


def application(root: Path, name: str, environment: str) -> Application:
    """Read the definition of an application. environment: whose definitions also count, "" for none. FaultsError of rules 86, 87 and 92."""
    if not files.is_segment(name):
        raise _fault(_APPLICATION, f"an application must be one path segment, found {described(name)}")
    title = f"Application Definition of {name}"
    file, data, common = _definition(root, ("appdefs", "AppDefs"), name, environment, title)
    registry, group, artifact = (_required(data, key, file) for key in ("registryName", "groupId", "artifactId"))
    _check_path(group, "groupId", file)
    _check_path(artifact, "artifactId", file, slash=False)
    return Application(name, registry, group, artifact, common)


def registry(root: Path, wanted: Application, environment: str) -> Registry:
    """Read the definition of an application's registry, version 1 or 2. FaultsError of rules 88 to 92 and 95."""
    name = wanted.registry
    if not files.is_segment(name):
        raise _fault(_REGISTRY, f"a registry must be one path segment, found {described(name)}")
    title = f"Registry Definition of {name} (wanted by application {wanted.name})"
    file, data, common = _definition(root, ("regdefs", "RegDefs"), name, environment, title)
    maven = data.get("mavenConfig")
    if not isinstance(maven, dict):
        raise _fault(_VERSION_TWO, f"{file.at('mavenConfig')}: `mavenConfig` must be a map; found {described(maven)}")
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
        for path in reversed(files.present(root, place, name)):
            file = files.read(root, path, rule)
            if not isinstance(file.data, dict):
                raise _fault(rule, f"{file.at()}: must be a map; found {described(file.data)}")
            return file, file.data, place == shared
    searched = ", ".join(f"{place}/{name}.yml" for place in places)
    known = [path.stem for place in places for path in sorted((root / place).glob("*.y*ml"))]
    raise _fault(rule, f"no {title}; searched: {searched} (or .yaml){suggest.hint(name, known)}")


def _base(maven: dict[str, JSON], file: Content) -> tuple[str, str]:
    """Return the key below `mavenConfig` that gives the registry's address, and the address."""
    given = {key: text_of(_scalar(maven.get(key))).strip() for key in _ADDRESSES}
    key = next((key for key, text in given.items() if text), _ADDRESSES[0])
    address = given[key] if "://" in given[key] else f"https://{given[key]}"
    place = file.at("mavenConfig", key)
    if _has_user(address):
        raise _fault(_BASE, f"{place}: `mavenConfig.{key}` must hold no user; use `credentialsId`")
    try:
        web.split(address)
    except ValueError:
        address = ""
    if not address or set(address) & set("?# "):
        raise _fault(_BASE, f"{place}: `mavenConfig.{key}` must be an http or https address")
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
        raise _fault(_DENIED, f"{place}: registry {name} has no `authConfig` block {wanted}{near}")
    method = _name(block, file, "authConfig", wanted, "authMethod")
    if method == "anonymous":
        return ""
    found = _name(block, file, "authConfig", wanted, "credentialsId")
    if method not in ("user_pass", ""):
        place = file.at("authConfig", wanted, "authMethod")
        text = f"must be `anonymous` or `user_pass`, found {described(method)}{suggest.hint(method, _METHODS)}"
        raise _fault(_DENIED, f"{place}: `authConfig.{wanted}.authMethod` {text}")
    if method and not found:
        place = file.at("authConfig", wanted)
        raise _fault(_DENIED, f"{place}: `authConfig.{wanted}.credentialsId` must be given for `user_pass`")
    return found


def _name(data: dict[str, JSON], file: Content, *path: str) -> str:
    """Return the name at the end of a path that is in `data`; "" if there is none."""
    found = text_of(_scalar(data.get(path[-1]))).strip()
    if not found.isprintable():
        text = f"`{'.'.join(path)}` must hold neither line breaks nor other control characters"
        raise _fault(_DENIED, f"{file.at(*path)}: {text}")
    return found


def _required(data: dict[str, JSON], key: str, file: Content) -> str:
    value = text_of(_scalar(data.get(key))).strip()
    if not value:
        raise _fault(_FORM, f"{file.at(key)}: `{key}` must be given")
    return value


def _scalar(value: JSON) -> JSON:
    return None if isinstance(value, (dict, list)) else value


def _check_path(text: str, key: str, file: Content, *, slash: bool = True) -> None:
    """Raise FaultsError for a string that would leave the repository's folder."""
    if ".." in text or text == "." or any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text):
        what = "neither `..` nor control characters"
    elif not slash and "/" in text:
        what = "no slash"
    else:
        return
    raise _fault(_PATH, f"{file.at(key)}: `{key}` must hold {what}, found {described(text)}")


def addresses(application: Application, registry: Registry, version: str) -> Iterator[str]:
    """Yield the addresses at which the SD may be, in the order of the search: repositories outside, folders inside."""
    group = "/".join(map(_quoted, application.group.split(".")))
    artifact = _quoted(application.artifact)
    for repository in registry.repositories:
        for folder in folders(version):
            below = f"{registry.base}/{_quoted(repository)}/{group}/{artifact}/{_quoted(folder)}"
            yield f"{below}/{artifact}-{_quoted(version)}.json"


def folders(version: str) -> tuple[str, ...]:
    """Return the folders that may hold a version: for a timestamped build first that of its SNAPSHOT."""
    snapshot = _TIMESTAMP.sub("-SNAPSHOT", version)
    return (version,) if snapshot == version else (snapshot, version)


def _quoted(segment: str) -> str:
    return quote(segment, safe="")


def _found(each: Wanted, client: Client, login: str) -> tuple[str, Answer]:
    """Return the first address that has the SD, and its answer."""
    tried: list[str] = []
    denied: list[str] = []
    for address in addresses(each.application, each.registry, each.entry.version):
        answer = _answer(each, client, address, login)
        if answer.status == 200:
            return address, answer
        (tried if answer.status == 404 else denied).append(address)
    if denied:
        text = f"registry {each.registry.name} denies access: {', '.join(denied)}; correct `credentialsId` or the credential"
        raise _fault(_DENIED, f"{each.entry.text}: {text}")
    if not tried:
        raise _fault(_MISSING, f"{each.entry.text}: registry {each.registry.name} names no repository")
    raise _fault(_MISSING, f"{each.entry.text}: was not found; tried: {', '.join(tried)}")


def _answer(each: Wanted, client: Client, address: str, login: str) -> Answer:
    try:
        return client.get(address, login)
    except FaultsError as error:
        finding = error.findings[0]
        raise _fault(str(finding.rule), f"{each.entry.text}: could not be read: {finding.message}") from None


def _check_body(each: Wanted, client: Client, login: str, address: str, answer: Answer, *, ask: bool) -> None:
    """Raise FaultsError for a body that differs from an announced checksum or, if `ask` is set, from that of a file beside it."""
    try:
        for name, wanted in answer.checksums.items():
            web.check(name, wanted, answer.body)
        if ask and (beside := _beside(each, client, login, address)):
            web.check(*beside, answer.body)
    except web.ChecksumError as error:
        text = f"{address} {error}; publish it again, or compare it with its origin"
        raise _fault(_BODY, f"{each.entry.text}: {text}") from None


def _beside(each: Wanted, client: Client, login: str, address: str) -> tuple[str, str] | None:
    """Return the best checksum in a file beside an artifact: its name and digits; None if there is no file. Any status but 200 and 404 is an error."""
    for name in web.CHECKSUMS:
        file = f"{address}.{name}"
        answer = _answer(each, client, file, login)
        if answer.status == 200:
            try:
                return name, web.checksum_in(name, answer.body)
            except web.ChecksumError as error:
                raise _fault(_BODY, f"{each.entry.text}: {file} {error}") from None
        if answer.status != 404:
            text = f"{file} cannot be read: registry {each.registry.name} denies access; leave out `--verify-checksums`, or allow it"
            raise _fault(_DENIED, f"{each.entry.text}: {text}")
    return None


def _descriptor(entry: VersionEntry, address: str, body: bytes) -> dict[str, JSON]:
    """Return the SD in a body; numbers keep their text."""
    try:
        data = parameters.parse(body.decode("utf-8-sig"))
    except (UnicodeDecodeError, parameters.DataError):
        raise _fault(_BODY, f"{entry.text}: {address} is not JSON") from None
    if not isinstance(data, dict):
        raise _fault(_BODY, f"{entry.text}: {address} is JSON but not an SD: it must be an object")
    if not isinstance(data.get("applications"), list):
        raise _fault(_BODY, f"{entry.text}: {address} is JSON but not an SD: it must have a list `applications`")
    return data


def _fault(rule: str, message: str) -> FaultsError:
    return files.fault(rule, message, "fetch")
