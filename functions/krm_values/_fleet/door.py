"""The way to a scheduler of Dask, as options say it: mutual TLS, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, UserError
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._krm.files import read_named
from krm_values._run import arguments

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._data.limits import Limits

SCHEME = "tls://"
_FILES = ("--tls-ca", "--tls-cert", "--tls-key")


@record
class Door:
    """Where the scheduler is, and the PEM files that say whom we trust and who we are."""

    address: str
    ca: str
    certificate: str
    key: str


def door_of(options: Namespace) -> Door | None:
    """Return the way to the scheduler, None if none is named. UsageError for one without TLS, InputError for a file that cannot be used."""
    if not options.scheduler:
        arguments.refuse(options, "with `--scheduler`", *_FILES)
        return None
    arguments.refuse(options, "without `--scheduler`, whose workers are not ours", "--jobs", "--timeout")
    host, _, port = options.scheduler.removeprefix(SCHEME).rpartition(":")
    if not options.scheduler.startswith(SCHEME) or not host or not port.isdecimal():
        raise UsageError(
            f"`--scheduler` must be `tls://HOST:PORT`, found {described(options.scheduler)}: there is no way without TLS"
        )
    files = [options.tls_ca, options.tls_cert, options.tls_key]
    if missing := [name for name, file in zip(_FILES, files, strict=True) if not file]:
        text = "the scheduler and we show each other a certificate"
        raise UsageError(f"`--scheduler` needs {' and '.join(f'`{name} FILE`' for name in missing)} as well: {text}")
    found = Door(options.scheduler, *files)
    _check(found, options.limits)
    return found


def _check(door: Door, limits: Limits) -> None:
    """Raise InputError for a file that cannot be read, or that is not what it must be."""
    import ssl  # noqa: PLC0415 - only where a scheduler is named

    for file in (door.ca, door.certificate, door.key):
        read_named(file, limits)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(door.ca)
    except ssl.SSLError:
        raise InputError("holds no certificate of an authority in PEM (`--tls-ca`)", file=door.ca) from None
    try:
        context.load_cert_chain(door.certificate, door.key, password=_none)
    except (ssl.SSLError, UserError):
        text = (
            f"is no certificate in PEM (`--tls-cert`) for the key {described(door.key)} (`--tls-key`), which has no passphrase"
        )
        raise InputError(text, file=door.certificate) from None


def _none() -> str:
    raise UserError("the key has a passphrase")
