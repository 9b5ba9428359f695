"""Encrypted credentials: values that Fernet has encrypted, and files that sops has. What cannot be opened is never handed on."""

from __future__ import annotations

import os
import shutil
import subprocess

from krm_values._kit import yaml
from krm_values._kit.errors import InputError
from krm_values.envgene_sd.faults import fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._kit.data import JSON

_RULE = "95"
_FERNET = "[encrypted:AES256_Fernet]"
_CIPHERTEXTS = ("[encrypted:", "ENC[")
_WAY_OUT = "or give credentials in plain text with `--credentials FILE`"
_SECONDS = 60


def opened(text: str, file: str, identifier: str) -> str:
    """The value in plain text. FaultsError that name file and id if it cannot be opened."""
    if text.startswith(_FERNET):
        return _decrypted(text.removeprefix(_FERNET), file, identifier)
    if text.startswith(_CIPHERTEXTS):
        raise _fault(file, identifier, f"is encrypted in a way that is not known; encrypt it with Fernet or sops, {_WAY_OUT}")
    return text


def sops(path: Path, file: str, identifier: str) -> JSON:
    """The data of a file that sops has encrypted."""
    key = os.environ.get("ENVGENE_AGE_PRIVATE_KEY", "")
    program = shutil.which("sops")
    if not key:
        raise _fault(file, identifier, f"is encrypted by sops and ENVGENE_AGE_PRIVATE_KEY is not set; set it, {_WAY_OUT}")
    if program is None:
        raise _fault(file, identifier, f"is encrypted by sops and no `sops` is on PATH; install it, {_WAY_OUT}")
    command = [program, "--decrypt", "--input-type", "yaml", "--output-type", "yaml", str(path)]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, no text of the file on the command line
            command,
            env={**os.environ, "SOPS_AGE_KEY": key},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_SECONDS,
        )
        return yaml.to_data(yaml.parse(done.stdout.decode()))
    except (subprocess.SubprocessError, OSError, UnicodeDecodeError, InputError):
        text = f"cannot be decrypted by sops with ENVGENE_AGE_PRIVATE_KEY; set the key that fits, {_WAY_OUT}"
        raise _fault(file, identifier, text) from None


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
