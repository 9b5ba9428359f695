"""The credentials of an instance repository: read when they are needed, decrypted, and kept in memory only.

Single values may be encrypted by Fernet, a whole file by sops. An encrypted value is never sent, and no message shows a value.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.record import replace
from krm_values._data.scalars import text_of
from krm_values._data.shown import type_of
from krm_values._run import tools
from krm_values._yaml import decode
from krm_values.envgene_sd.repository import files
from krm_values.envgene_sd.repository.files import fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON

RULE = "95"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_FOLDER, _NAME = "configuration/credentials", "credentials"
_FERNET = "[encrypted:AES256_Fernet]"
_CIPHERTEXTS = ("[encrypted:", "ENC[")
_ADVICE = "or give credentials in plain text with `--credentials FILE`"
_VARIABLES, _PREFIX = ("HOME", "GNUPGHOME"), "SOPS_"
_LOCAL_KEYS = ("age", "pgp", "key_groups")
_SECONDS, _LONGEST = 60.0, 10 << 20


class Credentials:
    """The content of `configuration/credentials/credentials.yml` or of another file. Its repr shows no value."""

    __slots__ = ("_content", "_data", "_file", "_named", "_root", "_sops_env")

    def __init__(self, root: Path, file: str = "", sops_env: tuple[str, ...] = ()) -> None:
        self._root, self._named = root, bool(file)
        self._file, self._sops_env = file, sops_env
        self._data: dict[str, JSON] | None = None
        self._content: files.Content | None = None

    def header(self, identifier: str, registry: str) -> str:
        """Return the value of an `Authorization` header. FaultsError of rule 95 with file and id."""
        if self._data is None:
            self._data = self._read(registry, identifier)
        entry = self._data.get(identifier)
        if entry is None:
            near = suggest.hint(identifier, self._data)
            raise self._fault(identifier, f"is not defined (registry {registry}){near}")
        data = entry.get("data") if isinstance(entry, dict) else None
        if not isinstance(data, dict) or not {"username", "password"} <= data.keys():
            near = _misspelt(entry)
            raise self._fault(identifier, f"must be of type `usernamePassword` with both in `data` (registry {registry}){near}")
        user, password = (self._plain(key, data[key], identifier) for key in ("username", "password"))
        if ":" in user:
            raise self._fault(identifier, "`data.username` must hold no colon, which ends it in an Authorization header")
        return "Basic " + b64encode(f"{user}:{password}".encode()).decode()

    def _read(self, registry: str, identifier: str) -> dict[str, JSON]:
        if not self._file:
            found = files.present(self._root, _FOLDER, _NAME)
            self._file = found[-1] if found else f"{_FOLDER}/{_NAME}.yml"
        path = Path(self._file) if self._named else self._root / self._file
        if not os.path.lexists(path):
            raise self._fault(identifier, f"is not defined (registry {registry}): there is no such file")
        root, name = (path.parent, path.name) if self._named else (self._root, self._file)
        content = files.read(root, name, RULE, follow=self._named, secret=True)
        self._content, data = replace(content, shown=self._file), content.data
        if isinstance(data, dict) and "sops" in data:
            data = _opened_by_sops(path, data["sops"], self._sops_env, self._file, identifier)
        if data is not None and not isinstance(data, dict):
            raise fault(RULE, f"{self._content.at()}: must be a map of credentials; found {type_of(data)}", "fetch")
        return data or {}

    def _plain(self, key: str, value: JSON, identifier: str) -> str:
        if value is None or isinstance(value, (dict, list)):
            raise self._fault(identifier, f"`data.{key}` must be a string; found {type_of(value)}")
        text = _opened(text_of(value), self._content.at(identifier) if self._content else self._file, identifier)
        if _CONTROLS.search(text):
            raise self._fault(identifier, f"`data.{key}` must hold neither line breaks nor other control characters")
        return text

    def _fault(self, identifier: str, text: str) -> Exception:
        advice = "" if self._named else "; define it, or name a file with `--credentials FILE`"
        return _fault(self._content.at(identifier) if self._content else self._file, identifier, f"{text}{advice}")


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


def _opened(text: str, file: str, identifier: str) -> str:
    """Return the value in plain text. FaultsError with file and id if it cannot be decrypted."""
    if not text.startswith(_CIPHERTEXTS):
        return text
    if not text.startswith(_FERNET):
        raise _fault(file, identifier, f"is encrypted in a way that is not known; encrypt it with Fernet or sops, {_ADVICE}")
    key = os.environ.get("SECRET_KEY", "")
    if not key:
        raise _fault(file, identifier, f"is encrypted and SECRET_KEY is not set; set it, {_ADVICE}")
    try:
        from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415 - only for those who encrypt so
    except ImportError:
        needs = "is encrypted and the library for it is missing; `pip install 'krm-values[envgene]'`"
        raise _fault(file, identifier, f"{needs}, {_ADVICE}") from None
    try:
        return Fernet(key.encode()).decrypt(text.removeprefix(_FERNET).encode()).decode()
    except (InvalidToken, ValueError):
        raise _fault(file, identifier, f"cannot be decrypted with SECRET_KEY; set the key that fits, {_ADVICE}") from None


def _fault(file: str, identifier: str, text: str) -> Exception:
    return fault(RULE, f"{file}: credential `{identifier}`: {text}", "fetch")


def _opened_by_sops(path: Path, metadata: JSON, named: tuple[str, ...], file: str, identifier: str) -> JSON:
    """Return the data of a file that sops has encrypted. metadata: its `sops` map; named: further variables that sops gets.

    The file names the key services, and sops presents the credentials that it finds to them; so no service is allowed unless the caller
    names variables for sops.
    """
    key = os.environ.get("ENVGENE_AGE_PRIVATE_KEY", "")
    program = tools.find_program("sops")
    services = _key_services(metadata)
    if services and not named:
        text = f"asks a key service ({', '.join(services)}); name the variables that sops needs for it with `--sops-env NAME`"
        raise _fault(file, identifier, f"{text}, {_ADVICE}")
    if not key and not named:
        raise _fault(file, identifier, f"is encrypted by sops and ENVGENE_AGE_PRIVATE_KEY is not set; set it, {_ADVICE}")
    if program is None:
        raise _fault(file, identifier, f"is encrypted by sops and no `sops` is on PATH; install it, {_ADVICE}")
    try:
        return decode.to_data(decode.parse(_decrypted(program, str(path), _environment(key, named))))
    except SopsError as error:
        missing = [name for name in named if name not in os.environ]
        advice = [f"set {', '.join(missing)} (`--sops-env`)"] if missing else []
        advice.append("set ENVGENE_AGE_PRIVATE_KEY to the key that fits" if key else "check the credentials of sops")
        raise _fault(file, identifier, f"{error}; {', '.join(advice)}, {_ADVICE}") from None
    except InputError:
        raise _fault(file, identifier, f"is decrypted by sops to something that is not YAML; {_ADVICE}") from None


def _key_services(metadata: JSON) -> list[str]:
    """Return the key services of a file, by the name of their list in its `sops` map; age and PGP keys are local."""
    groups = metadata.get("key_groups") if isinstance(metadata, dict) else None
    maps = [metadata, *(groups if isinstance(groups, list) else ())]
    lists = (
        name for each in maps if isinstance(each, dict) for name, value in each.items() if value and isinstance(value, list)
    )
    return sorted({name for name in lists if name not in _LOCAL_KEYS})


def _environment(key: str, named: Iterable[str]) -> dict[str, str]:
    """Return all variables that sops gets: PATH with its absolute entries, its own variables, the named ones, and the age key."""
    kept = {name: text for name, text in os.environ.items() if name in {*_VARIABLES, *named} or name.startswith(_PREFIX)}
    return {**kept, "PATH": tools.search_path(), **({"SOPS_AGE_KEY": key} if key else {})}


class SopsError(Exception):
    """A failure of sops; its text contains nothing of the file or the environment."""


def _decrypted(program: str, path: str, variables: dict[str, str]) -> str:
    """Return the decrypted text of a file. SopsError if sops fails."""
    command = [program, "--decrypt", "--input-type", "yaml", "--output-type", "yaml", "--", os.path.abspath(path)]
    try:
        code, out, _ = tools.run(command, environment=variables, seconds=_SECONDS, most=_LONGEST)
    except tools.ProgramError as error:
        faults = {
            "start": f"sops does not start ({error.reason})",
            "time": f"sops does not end within {_SECONDS:.0f} seconds",
            "size": f"sops writes more than {_LONGEST >> 20} MiB",
        }
        raise SopsError(f"cannot be decrypted: {faults[error.kind]}") from None
    if code:
        raise SopsError("cannot be decrypted by sops")
    try:
        return out.decode()
    except UnicodeDecodeError:
        raise SopsError("is decrypted by sops to something that is not UTF-8") from None
