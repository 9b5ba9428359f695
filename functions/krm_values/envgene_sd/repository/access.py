"""Options for fetching: credentials, variables for sops, plain http, checksum files."""

from __future__ import annotations

import argparse

from krm_values._data.record import record

_OPTIONS = ("credentials", "sops_env", "allow_http", "verify_checksums")


@record
class Access:
    """credentials: a file instead of the repository's, "" for that; sops_env: names of further variables that sops gets."""

    credentials: str = ""
    sops_env: tuple[str, ...] = ()
    allow_http: bool = False
    verify_checksums: bool = False


NOTHING = Access()


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    text = "credentials in place of the repository's configuration/credentials/credentials.yml"
    parser.add_argument("--credentials", metavar="FILE", default="", help=text)
    text = "pass this environment variable to sops, for example VAULT_TOKEN; may be repeated"
    parser.add_argument("--sops-env", action="append", default=[], type=_name, metavar="NAME", help=text)
    text = "send credentials to registries over plain http, where anyone on the network can read them"
    parser.add_argument("--allow-http", action="store_true", help=text)
    text = "request the .sha256 or .sha1 file beside each artifact, even if the server announces no checksum"
    parser.add_argument("--verify-checksums", action="store_true", help=text)


def of(options: argparse.Namespace) -> Access:
    """Return what the options allow."""
    return Access(options.credentials, tuple(options.sops_env), options.allow_http, options.verify_checksums)


def given(options: argparse.Namespace) -> list[str]:
    """Return the names of these options that were given, as they are typed."""
    return [f"--{name.replace('_', '-')}" for name in _OPTIONS if getattr(options, name)]


def _name(text: str) -> str:
    """Check the name of a variable. It is not shown in the error: a value beside it may be a secret."""
    if not text or not text.isprintable() or "=" in text:
        raise argparse.ArgumentTypeError("must be the name of a variable of the environment, without its value")
    return text
