"""The credentials of an instance repository: read when they are needed, kept in memory only."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import replace
from krm_values._data.scalars.text import text_of
from krm_values._data.shown import type_of
from krm_values.envgene_sd.repository import decryption
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository.faults import fault

if TYPE_CHECKING:
    from krm_values._data.values import JSON

RULE = "95"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_FOLDER, _NAME = "configuration/credentials", "credentials"


class Credentials:
    """The content of `configuration/credentials/credentials.yml` or of another file. Its repr shows no value."""

    __slots__ = ("_content", "_data", "_file", "_named", "_root", "_sops_env")

    def __init__(self, root: Path, file: str = "", sops_env: tuple[str, ...] = ()) -> None:
        self._root, self._named = root, bool(file)
        self._file, self._sops_env = file, sops_env
        self._data: dict[str, JSON] | None = None
        self._content: repository.Content | None = None

    def header(self, identifier: str, registry: str) -> str:
        """Return the value of an `Authorization` header. FaultsError of rule 95 with file and id."""
        entry = self._entries(registry, identifier).get(identifier)
        if entry is None:
            near = suggest.hint(identifier, self._entries(registry, identifier))
            raise self._fault(identifier, f"is not defined (registry {registry}){near}")
        data = entry.get("data") if isinstance(entry, dict) else None
        if not isinstance(data, dict) or not {"username", "password"} <= data.keys():
            near = _misspelt(entry)
            raise self._fault(identifier, f"must be of type `usernamePassword` with both in `data` (registry {registry}){near}")
        user, password = (self._plain(key, data[key], identifier) for key in ("username", "password"))
        if ":" in user:
            raise self._fault(identifier, "`data.username` must hold no colon, which ends it in an Authorization header")
        return "Basic " + b64encode(f"{user}:{password}".encode()).decode()

    def _entries(self, registry: str, identifier: str) -> dict[str, JSON]:
        if self._data is None:
            self._data = self._read(registry, identifier)
        return self._data

    def _read(self, registry: str, identifier: str) -> dict[str, JSON]:
        if not self._file:
            found = repository.present(self._root, _FOLDER, _NAME)
            self._file = found[-1] if found else f"{_FOLDER}/{_NAME}.yml"
        path = self._path()
        if not os.path.lexists(path):
            raise self._fault(identifier, f"is not defined (registry {registry}): there is no such file")
        root, name = (path.parent, path.name) if self._named else (self._root, self._file)
        content = repository.read(root, name, RULE, follow=self._named, secret=True)
        self._content, data = replace(content, shown=self._file), content.data
        if isinstance(data, dict) and "sops" in data:
            data = decryption.opened_by_sops(path, data["sops"], self._sops_env, self._file, identifier)
        if data is not None and not isinstance(data, dict):
            raise fault(RULE, f"{self._content.at()}: must be a map of credentials; found {type_of(data)}", "fetch")
        return data or {}

    def _path(self) -> Path:
        return Path(self._file) if self._named else self._root / self._file

    def _plain(self, key: str, value: JSON, identifier: str) -> str:
        """Return a user or password, which no message shows."""
        if value is None or isinstance(value, dict | list):
            raise self._fault(identifier, f"`data.{key}` must be a string; found {type_of(value)}")
        text = decryption.opened(text_of(value), self._content.at(identifier) if self._content else self._file, identifier)
        if _CONTROLS.search(text):
            raise self._fault(identifier, f"`data.{key}` must hold neither line breaks nor other control characters")
        return text

    def _fault(self, identifier: str, text: str) -> Exception:
        advice = "" if self._named else "; define it, or name a file with `--credentials FILE`"
        place = self._content.at(identifier) if self._content else self._file
        return fault(RULE, f"{place}: credential `{identifier}`: {text}{advice}", "fetch")


def _misspelt(entry: JSON) -> str:
    """Return a hint for the first key or type of a credential that is near to a missing one."""
    data = entry.get("data") if isinstance(entry, dict) else None
    for found, wanted in ((data, ("username", "password")), (entry, ("data", "type"))):
        others = [key for key in found if key not in wanted] if isinstance(found, dict) else []
        lacks = [key for key in wanted if isinstance(found, dict) and key not in found]
        near = next((f"; found `{one}`, did you mean `{key}`?" for key in lacks if (one := suggest.nearest(key, others))), "")
        if near:
            return near
    kind = entry.get("type") if isinstance(entry, dict) else None
    return suggest.hint(kind, ("usernamePassword",)) if isinstance(kind, str) and kind != "usernamePassword" else ""
