"""`envgene source`: the SDs and Namespaces of an instance repository as a ResourceList, each SD with the text of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.scalars.text import text_of
from krm_values._kit.planner import names
from krm_values._kit.planner.report import Report
from krm_values._kit.process.write import digest
from krm_values._yaml import decode, emit
from krm_values.envgene_sd.repository import fetch, file_format
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository.faults import DESCRIPTOR, FaultsError, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values.envgene_sd.repository.fetch import Fetched

SD, NAMESPACE = "SolutionDescriptor", "EnvironmentNamespace"
DIGEST = f"{names.GROUP}/source-digest"
_HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
_NAMES = {repository.FULL: "sd", repository.DELTA: "delta-sd"}
_LOCAL: dict[str, JSON] = {"config.kubernetes.io/local-config": "true"}


def listed(items: Iterable[str], fetched: Iterable[Fetched] = ()) -> bytes:
    """Return the ResourceList of these items and of fetched artifacts."""
    artifacts = ("".join(f"{line}\n" for line in emit.block(fetch.item(each))) for each in fetched)
    elements = [_element(text) for text in (*items, *artifacts)]
    return (_HEAD + ("items:\n" if elements else "items: []\n") + "".join(elements)).encode()


def items(
    root: Path, environments: Sequence[str], report: Report, advance: Callable[[], None] = lambda: None
) -> dict[str, list[str]]:
    """Read the items of each environment; report what cannot be read: rules 16 and 70, 77 for a Namespace."""
    found: dict[str, list[str]] = {}
    for environment in environments:
        try:
            repository.check_environment(environment)
            found[environment] = list(_items(root, environment))
        except FaultsError as error:
            report.extend(error.findings)
        advance()
    return found


def _items(root: Path, environment: str) -> Iterator[str]:
    for name in (repository.FULL, repository.DELTA):
        if path := repository.descriptor(root, environment, name):
            yield _descriptor(root, environment, name, path)
    for path in repository.namespaces(root, environment):
        yield _namespace(root, environment, path)


def _descriptor(root: Path, environment: str, name: str, path: str) -> str:
    """Return the item of an SD's file, whose own lines are below `spec:`."""
    content = repository.read(root, path, DESCRIPTOR)
    parts = file_format.divide(file_format.text(content.raw))
    body = file_format.below(file_format.comments(parts.head) + parts.body, 2)
    further: dict[str, JSON] = {DIGEST: f"sha256:{digest(content.raw)}"}
    text = _header(SD, f"{environment.replace('/', '.')}.{_NAMES[name]}", environment, path, further) + "spec:\n" + body
    data = {"applications": []} if content.data is None else content.data
    try:
        carried = decode.to_data(decode.parse(text))
    except InputError:
        carried = None
    if not same(get(carried, ("spec",)), data):
        raise fault(DESCRIPTOR, f"{content.at()}: cannot be carried in an item as it is written; write it in block style")
    return text


def _namespace(root: Path, environment: str, path: str) -> str:
    """Return the item of a Namespace's file: its name and its folder."""
    data = repository.read(root, path, "77").data
    found = data.get("name") if isinstance(data, dict) else None
    named = text_of(found) if not isinstance(found, dict | list) else ""
    folder = path.split("/")[-2]
    spec: dict[str, JSON] = {"name": named, "folder": folder} if named else {"folder": folder}
    name = f"{environment.replace('/', '.')}.{folder}"
    return _header(NAMESPACE, name, environment, path, {}) + "\n".join(emit.block({"spec": spec})) + "\n"


def _header(kind: str, name: str, environment: str, path: str, further: dict[str, JSON]) -> str:
    annotations: dict[str, JSON] = {
        "config.kubernetes.io/index": "0",
        **_LOCAL,
        "config.kubernetes.io/path": path,
        f"{names.GROUP}/environment": environment,
        **further,
    }
    metadata: dict[str, JSON] = {"name": name, "annotations": annotations}
    return "".join(f"{line}\n" for line in emit.block({"apiVersion": names.API_VERSION, "kind": kind, "metadata": metadata}))


def _element(text: str) -> str:
    """Return the text as an element of a list whose dashes are at column 0."""
    return "- " + file_format.below(text, 2)[2:]
