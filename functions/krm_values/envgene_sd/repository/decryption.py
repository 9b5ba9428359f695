"""Encrypted credentials: single values encrypted by Fernet, and files encrypted by sops. An encrypted value is never sent."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._yaml import decode
from krm_values.envgene_sd.repository import sops
from krm_values.envgene_sd.repository.faults import fault

if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._data.values import JSON

_RULE = "95"
_FERNET = "[encrypted:AES256_Fernet]"
_CIPHERTEXTS = ("[encrypted:", "ENC[")
_ADVICE = "or give credentials in plain text with `--credentials FILE`"


def opened(text: str, file: str, identifier: str) -> str:
    """Return the value in plain text. FaultsError with file and id if it cannot be decrypted."""
    if text.startswith(_FERNET):
        return _decrypted(text.removeprefix(_FERNET), file, identifier)
    if text.startswith(_CIPHERTEXTS):
        raise _fault(file, identifier, f"is encrypted in a way that is not known; encrypt it with Fernet or sops, {_ADVICE}")
    return text


def opened_by_sops(path: Path, metadata: JSON, named: tuple[str, ...], file: str, identifier: str) -> JSON:
    """Return the data of a file that sops has encrypted. metadata: its `sops` map; named: further variables that sops gets.

    The file names the key services, and sops presents the credentials that it finds to them; so no service is allowed unless the caller
    names variables for sops.
    """
    key = os.environ.get("ENVGENE_AGE_PRIVATE_KEY", "")
    program = sops.program()
    services = sops.key_services(metadata)
    if services and not named:
        text = f"asks a key service ({', '.join(services)}); name the variables that sops needs for it with `--sops-env NAME`"
        raise _fault(file, identifier, f"{text}, {_ADVICE}")
    if not key and not named:
        raise _fault(file, identifier, f"is encrypted by sops and ENVGENE_AGE_PRIVATE_KEY is not set; set it, {_ADVICE}")
    if program is None:
        raise _fault(file, identifier, f"is encrypted by sops and no `sops` is on PATH; install it, {_ADVICE}")
    try:
        return decode.to_data(decode.parse(sops.decrypted(program, str(path), sops.environment(key, named))))
    except sops.SopsError as error:
        raise _fault(file, identifier, f"{error}; {_given(key, named)}, {_ADVICE}") from None
    except InputError:
        raise _fault(file, identifier, f"is decrypted by sops to something that is not YAML; {_ADVICE}") from None


def _given(key: str, named: tuple[str, ...]) -> str:
    """Return what to check when sops fails: the key, and named variables that are not set."""
    missing = [name for name in named if name not in os.environ]
    advice = [f"set {', '.join(missing)} (`--sops-env`)"] if missing else []
    return ", ".join(
        [*advice, "set ENVGENE_AGE_PRIVATE_KEY to the key that fits" if key or not named else "check the credentials of sops"]
    )


def _decrypted(token: str, file: str, identifier: str) -> str:
    key = os.environ.get("SECRET_KEY", "")
    if not key:
        raise _fault(file, identifier, f"is encrypted and SECRET_KEY is not set; set it, {_ADVICE}")
    try:
        from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415 - only for those who encrypt so
    except ImportError:
        needs = "is encrypted and the library for it is missing; `pip install 'krm-values[envgene]'`"
        raise _fault(file, identifier, f"{needs}, {_ADVICE}") from None
    try:
        return Fernet(key.encode()).decrypt(token.encode()).decode()
    except (InvalidToken, ValueError):
        raise _fault(file, identifier, f"cannot be decrypted with SECRET_KEY; set the key that fits, {_ADVICE}") from None


def _fault(file: str, identifier: str, text: str) -> Exception:
    return fault(_RULE, f"{file}: credential `{identifier}`: {text}", "fetch")
