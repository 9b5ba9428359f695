"""`envgene fetch`: read the SDs that SD_VERSION names from the registries of the repository's definitions, as items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner import names
from krm_values._kit.planner.findings import in_order
from krm_values._kit.planner.report import Report
from krm_values._yaml import emit
from krm_values.envgene_sd import parameters
from krm_values.envgene_sd.repository import checksums, coordinates, definitions
from krm_values.envgene_sd.repository.credentials import Credentials
from krm_values.envgene_sd.repository.faults import FaultsError, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values.envgene_sd.repository.access import Access
    from krm_values.envgene_sd.repository.client import Answer, Client
    from krm_values.envgene_sd.repository.coordinates import Entry
    from krm_values.envgene_sd.repository.definitions import Application, Registry

KIND = "SolutionDescriptorArtifact"
_MISSING, _BODY, _DENIED = "97", "96", "95"


@record
class Wanted:
    """One SD to fetch. environment: whose definitions are used, "" for those of the root, which serve all."""

    entry: Entry
    environment: str
    application: Application
    registry: Registry


@record
class Fetched:
    """An SD and the address that it was read from. environment: "" if it serves all."""

    entry: Entry
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
                each = _wanted(root, coordinates.entry(text), environment)
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
    return "---\n".join("".join(f"{line}\n" for line in emit.block(item(each))) for each in found).encode()


def item(found: Fetched) -> dict[str, JSON]:
    """Return the item of a fetched SD."""
    place = f"{found.environment.replace('/', '.')}." if found.environment else ""
    annotations: dict[str, JSON] = {"config.kubernetes.io/local-config": "true"}
    if found.environment:
        annotations[f"{names.GROUP}/environment"] = found.environment
    return {
        "apiVersion": names.API_VERSION,
        "kind": KIND,
        "metadata": {"name": f"{place}{found.entry.application}-{found.entry.version}", "annotations": annotations},
        "spec": {"version": found.entry.text, "source": found.address, "descriptor": found.descriptor},
    }


def _wanted(root: Path, entry: Entry, environment: str) -> Wanted:
    application = definitions.application(root, entry.application, environment)
    registry = definitions.registry(root, application, environment)
    return Wanted(entry, "" if application.common and registry.common else environment, application, registry)


def _check_scheme(registry: Registry) -> None:
    """Refuse credentials over plain http."""
    if registry.credential and registry.base.startswith("http:"):
        text = f"`{registry.field}` is plain http, and registry {registry.name} wants credential `{registry.credential}`"
        advice = "use https, or accept that anyone on the network can read it with `--allow-http`"
        raise fault(_DENIED, f"{registry.place}: {text}: {advice}", "fetch")


def _found(each: Wanted, client: Client, login: str) -> tuple[str, Answer]:
    """Return the first address that has the SD, and its answer."""
    tried: list[str] = []
    denied: list[str] = []
    for address in coordinates.addresses(each.application, each.registry, each.entry.version):
        answer = _answer(each, client, address, login)
        if answer.status == 200:
            return address, answer
        (tried if answer.status == 404 else denied).append(address)
    if denied:
        text = f"registry {each.registry.name} denies access: {', '.join(denied)}; correct `credentialsId` or the credential"
        raise fault(_DENIED, f"{each.entry.text}: {text}", "fetch")
    if not tried:
        raise fault(_MISSING, f"{each.entry.text}: registry {each.registry.name} names no repository", "fetch")
    raise fault(_MISSING, f"{each.entry.text}: was not found; tried: {', '.join(tried)}", "fetch")


def _answer(each: Wanted, client: Client, address: str, login: str) -> Answer:
    try:
        return client.get(address, login)
    except FaultsError as error:
        finding = error.findings[0]
        raise fault(str(finding.rule), f"{each.entry.text}: could not be read: {finding.message}", "fetch") from None


def _check_body(each: Wanted, client: Client, login: str, address: str, answer: Answer, *, ask: bool) -> None:
    """Raise FaultsError for a body that differs from an announced checksum or, if `ask` is set, from that of a file beside it."""
    try:
        for name, wanted in answer.checksums.items():
            checksums.check(name, wanted, answer.body)
        if ask and (beside := _beside(each, client, login, address)):
            checksums.check(*beside, answer.body)
    except checksums.ChecksumError as error:
        raise fault(
            _BODY, f"{each.entry.text}: {address} {error}; publish it again, or compare it with its origin", "fetch"
        ) from None


def _beside(each: Wanted, client: Client, login: str, address: str) -> tuple[str, str] | None:
    """Return the best checksum in a file beside an artifact: its name and digits; None if there is no file. Any status but 200 and 404 is an error."""
    for name in checksums.NAMES:
        file = f"{address}.{name}"
        answer = _answer(each, client, file, login)
        if answer.status == 200:
            try:
                return name, checksums.of_file(name, answer.body)
            except checksums.ChecksumError as error:
                raise fault(_BODY, f"{each.entry.text}: {file} {error}", "fetch") from None
        if answer.status != 404:
            text = f"{file} cannot be read: registry {each.registry.name} denies access; leave out `--verify-checksums`, or allow it"
            raise fault(_DENIED, f"{each.entry.text}: {text}", "fetch")
    return None


def _descriptor(entry: Entry, address: str, body: bytes) -> dict[str, JSON]:
    """Return the SD in a body; numbers keep their text."""
    try:
        data = parameters.parse(body.decode("utf-8-sig"))
    except (UnicodeDecodeError, parameters.DataError):
        raise fault(_BODY, f"{entry.text}: {address} is not JSON", "fetch") from None
    if not isinstance(data, dict):
        raise fault(_BODY, f"{entry.text}: {address} is JSON but not an SD: it must be an object", "fetch")
    return data
