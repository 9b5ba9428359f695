"""The commands of `krm-values envgene`, which work on an EnvGene instance repository, whose files are not Kubernetes resources."""

# ruff: noqa: PLC0415 - every command line is parsed with this grammar

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._run.arguments import LOCK_TIMEOUT, filled, seconds
from krm_values._run.function import Commands

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from krm_values._run.function import Group

_SOURCE = """\
Print the Full and Delta SDs and the Namespaces of DIR as a ResourceList: each file's own lines below `spec:`, with the
digest of the file, by which `sink` detects later changes.
"""
_SINK = """\
Read a list on stdin and write its SDs back into the files they came from: all or none, only SD files, and only those
whose data changed. Document marker, first comments, byte order mark and line breaks of the file stay.
"""
_FETCH = """\
Read SDs from the registries that the Application and Registry Definitions of DIR name, and print them as
SolutionDescriptorArtifact documents. Without --environment only the definitions in the root folders are used.
"""
_PROCESS = """\
Fetch, merge and write in one command, as the pipeline's step does. Parameters are options, or else environment
variables of the same names (SD_SOURCE_TYPE, SD_VERSION, SD_DATA, SD_REPO_MERGE_MODE, SD_DELTA, ENV_NAMES); what is
empty counts as not given. On an error every environment is still planned and every finding printed, but nothing is written.
"""
_PROCESSES = (
    "envgene process --all --sd-source-type json --sd-data @sd.json",
    "envgene process --environment east/prod-7 --diff",
)
_PIPES = ("envgene source . > sds.yaml", "envgene sink . < sds.yaml")
_DIFF = """\
exit codes with --diff:
  0  nothing would change
  1  something would change
  2  any failure
"""
_VARIABLES = """\
environment:
  SECRET_KEY               decrypts credentials encrypted by Fernet
  ENVGENE_AGE_PRIVATE_KEY  decrypts a credentials file encrypted by sops
  SOPS_*, GNUPGHOME        passed to sops beside PATH and HOME; others only with --sops-env
  SSL_CERT_FILE            further certificates to trust
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
"""


def grammar(group: Group) -> None:
    """Add the commands."""
    from krm_values.envgene_sd.parameters import TEXTS

    command = group("envgene", "work on an EnvGene repository", (*_PROCESSES, *_PIPES))
    source = command("source", "print an instance repository as a ResourceList", _SOURCE, _VARIABLES, examples=_PIPES[:1])
    source.add_argument("directory", nargs="?", metavar="DIR", help="the instance repository")
    _environments(source)
    text = "add these artifacts, APPLICATION:VERSION (default: SD_VERSION)"
    source.add_argument("--fetch", nargs="*", metavar="ARTIFACT", help=text)
    _access(source)

    sink = command("sink", "write the SDs of a list into an instance repository", _SINK, examples=_PIPES[1:])
    sink.add_argument("directory", metavar="DIR", help="the instance repository")
    _writing(sink)

    calls = ("envgene fetch suite:1.4.0 --repository .",)
    fetch = command("fetch", "print the SDs of artifacts", _FETCH, _VARIABLES, examples=calls)
    fetch.add_argument("artifacts", nargs="+", metavar="APP:VERSION", help="an artifact")
    fetch.add_argument("--repository", required=True, metavar="DIR", help="the instance repository with the definitions")
    fetch.add_argument("--environment", metavar="CLUSTER/ENV", default="", help="use this environment's definitions as well")
    _access(fetch)

    text = "fetch, merge and write in one command"
    process = command("process", text, _PROCESS, f"{_DIFF}\n{_VARIABLES}", examples=_PROCESSES)
    process.add_argument(
        "directory", nargs="?", metavar="DIR", help="the instance repository (default: CI_PROJECT_DIR, else .)"
    )
    _environments(process)
    process.add_argument("--all", action="store_true", help="every environment that has an SD or a Namespace")
    process.add_argument("--create", action="store_true", help="create the folder of an environment that does not exist")
    for name, text in TEXTS.items():
        process.add_argument(f"--{name.lower().replace('_', '-')}", metavar="TEXT", help=f"{text} (default: {name})")
    text = "the SDs to merge, as JSON; @FILE for a file, - for stdin (default: SD_DATA)"
    process.add_argument("--sd-data", metavar="JSON", help=text)
    process.add_argument("--strict", action="store_true", help="report warnings as errors")
    _access(process)
    form = process.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="write nothing, print the changes as a unified diff")
    form.add_argument("--json", action="store_true", help="print the summary and all findings as JSON")
    _writing(process)
    process.add_argument("-v", "--verbose", action="store_true", help="show informational messages, as on a terminal")


def run(options: Namespace) -> int:
    """Run the command that was given. Return the exit code."""
    from krm_values.envgene_sd.repository import run as runner  # only these commands need it

    directory = Path(_directory(options))
    task: Callable[[Namespace, Path], int] = getattr(runner, f"run_{options.task}")
    return task(options, directory)


def _directory(options: Namespace) -> str:
    """Return the repository: as given, or taken back from an option with many arguments, or the command's default."""
    if options.task == "fetch":
        return str(options.repository)
    found = (
        options.directory or _stray(getattr(options, "fetch", None), ":") or _stray(getattr(options, "environment", None), "/")
    )
    if not found and options.task != "process":
        raise UsageError("no directory is given: name the instance repository")
    return found or os.environ.get("CI_PROJECT_DIR") or "."


def _stray(words: list[str] | None, mark: str) -> str:
    """Remove and return the last word if it is a directory and has not the form of the others; else ""."""
    if words and os.path.isdir(words[-1]) and (words[-1].count(mark) != 1 or words[-1].strip("./") != words[-1]):
        return words.pop()
    return ""


def _environments(parser: ArgumentParser) -> None:
    text = "an environment; may be repeated, or take several names after DIR"
    parser.add_argument("--environment", nargs="+", action="extend", metavar="CLUSTER/ENV", help=text)


def _writing(parser: ArgumentParser) -> None:
    text = f"seconds to wait for another writer (default {LOCK_TIMEOUT:.0f})"
    parser.add_argument("--delta-dir", type=filled, metavar="DIR", help="write Delta SDs below this directory instead")
    parser.add_argument("--lock-timeout", type=seconds, metavar="S", help=text)


def _access(parser: ArgumentParser) -> None:
    """Add what a caller allows for fetching."""
    text = "credentials in place of the repository's configuration/credentials/credentials.yml"
    parser.add_argument("--credentials", metavar="FILE", default="", help=text)
    text = "pass this environment variable to sops, for example VAULT_TOKEN; may be repeated"
    parser.add_argument("--sops-env", action="append", default=[], type=_variable, metavar="NAME", help=text)
    text = "send credentials to registries over plain http, where anyone on the network can read them"
    parser.add_argument("--allow-http", action="store_true", help=text)
    text = "request the .sha256 or .sha1 file beside each artifact, even if the server announces no checksum"
    parser.add_argument("--verify-checksums", action="store_true", help=text)


def _variable(text: str) -> str:
    """Check the name of a variable. It is not shown in the error: a value beside it may be a secret."""
    from argparse import ArgumentTypeError

    if not text or not text.isprintable() or "=" in text:
        raise ArgumentTypeError("must be the name of a variable of the environment, without its value")
    return text


commands = Commands(grammar=grammar, run=run)
