"""Encrypted credentials: values that Fernet has encrypted, and files that sops has. What cannot be opened is never handed on."""

from __future__ import annotations

import os

from krm_values._data.errors import InputError
from krm_values._yaml import decode
from krm_values.envgene_sd.artifacts.faults import fault
from krm_values.envgene_sd.web import sops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._data.values import JSON

_RULE = "95"
_FERNET = "[encrypted:AES256_Fernet]"
_CIPHERTEXTS = ("[encrypted:", "ENC[")
_WAY_OUT = "or give credentials in plain text with `--credentials FILE`"


def opened(text: str, file: str, identifier: str) -> str:
    """Return the value in plain text. FaultsError that name file and id if it cannot be opened."""
    if text.startswith(_FERNET):
        return _decrypted(text.removeprefix(_FERNET), file, identifier)
    if text.startswith(_CIPHERTEXTS):
        raise _fault(file, identifier, f"is encrypted in a way that is not known; encrypt it with Fernet or sops, {_WAY_OUT}")
    return text


def opened_by_sops(path: Path, metadata: JSON, named: tuple[str, ...], file: str, identifier: str) -> JSON:
    """Return the data of a file that sops has encrypted. metadata: its `sops` map; named: the variables that sops gets beside its own.

    The file says which services sops asks for keys, and sops presents the credentials that it finds to them: only who names
    variables for sops allows any.
    """
    key = os.environ.get("ENVGENE_AGE_PRIVATE_KEY", "")
    program = sops.program()
    services = sops.key_services(metadata)
    if services and not named:
        text = f"asks a key service ({', '.join(services)}); name the variables that sops needs for it with `--sops-env NAME`"
        raise _fault(file, identifier, f"{text}, {_WAY_OUT}")
    if not key and not named:
        raise _fault(file, identifier, f"is encrypted by sops and ENVGENE_AGE_PRIVATE_KEY is not set; set it, {_WAY_OUT}")
    if program is None:
        raise _fault(file, identifier, f"is encrypted by sops and no `sops` is on PATH; install it, {_WAY_OUT}")
    try:
        return decode.to_data(decode.parse(sops.decrypted(program, str(path), sops.environment(key, named))))
    except sops.SopsError as error:
        raise _fault(file, identifier, f"{error}; {_given(key, named)}, {_WAY_OUT}") from None
    except InputError:
        raise _fault(file, identifier, f"is decrypted by sops to something that is not YAML; {_WAY_OUT}") from None


def _given(key: str, named: tuple[str, ...]) -> str:
    """Return what to look at when sops fails: the key, and the named variables that are not set."""
    missing = [name for name in named if name not in os.environ]
    told = [f"set {', '.join(missing)} (`--sops-env`)"] if missing else []
    return ", ".join(
        [*told, "set ENVGENE_AGE_PRIVATE_KEY to the key that fits" if key or not named else "check the credentials of sops"]
    )


def _decrypted(token: str, file: str, identifier: str) -> str:
    key = os.environ.get("SECRET_KEY", "")
    if not key:
        raise _fault(file, identifier, f"is encrypted and SECRET_KEY is not set; set it, {_WAY_OUT}")
    try:
        from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415 - only for those who encrypt so
    except ImportError:
        needs = "is encrypted and the library for it is missing; `pip install 'krm-values[envgene]'`"
        raise _fault(file, identifier, f"{needs}, {_WAY_OUT}") from None
    try:
        return Fernet(key.encode()).decrypt(token.encode()).decode()
    except (InvalidToken, ValueError):
        raise _fault(file, identifier, f"cannot be decrypted with SECRET_KEY; set the key that fits, {_WAY_OUT}") from None


def _fault(file: str, identifier: str, text: str) -> Exception:
    return fault(_RULE, f"{file}: credential `{identifier}`: {text}", "fetch")
