"""The parameters of the pipeline step: each an option of the command line, or else a variable of the environment."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._kit.process.below import read_named
from krm_values._yaml.encoding import check_utf8
from krm_values.envgene_sd import parameters

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from krm_values._data.values import JSON

_PLAIN = {
    "SD_SOURCE_TYPE": "`artifact` or `json`",
    "SD_VERSION": "the artifacts to merge, as APPLICATION:VERSION",
    "SD_REPO_MERGE_MODE": "`basic-merge` (the default), `basic-exclusion-merge`, `extended-merge` or `replace`",
    "SD_DELTA": "deprecated",
}


def add(parser: ArgumentParser) -> None:
    """Add the options of all parameters but `ENV_NAMES`."""
    for name, text in _PLAIN.items():
        parser.add_argument(f"--{name.lower().replace('_', '-')}", metavar="TEXT", help=f"{text} (default: {name})")
    text = "the SDs to merge, as JSON; @FILE for a file, - for stdin (default: SD_DATA)"
    parser.add_argument("--sd-data", metavar="JSON", help=text)
    parser.add_argument("--strict", action="store_true", help="report warnings as errors")


def spec(options: Namespace) -> dict[str, JSON]:
    """Return the functionConfig's spec. UsageError if no environment is selected by `--environment`, `--all` or ENV_NAMES."""
    given = {name: _given(getattr(options, name.lower()), name) for name in _PLAIN}
    given["SD_DATA"] = _given(_data(options.sd_data), "SD_DATA")
    given["ENV_NAMES"] = _environments(options)
    found: dict[str, JSON] = {name: text for name, text in given.items() if text}
    return {**found, "strict": options.strict}


def data_file(options: Namespace) -> str | None:
    """Return the file of SD_DATA, "" for stdin; None if it is the value of an option or a variable."""
    given = options.sd_data or ""
    if given == "-":
        return ""
    return given[1:] if given.startswith("@") else None


def _environments(options: Namespace) -> str:
    if options.all and options.environment:
        raise UsageError("`--all` and `--environment` exclude each other: leave one out")
    if options.all:
        return ""
    given = "\n".join(options.environment or ()) or _given(None, "ENV_NAMES")
    if not given:
        raise UsageError("no environment is named: give `--environment CLUSTER/ENV`, set ENV_NAMES, or ask for `--all`")
    return given


def _given(option: str | None, name: str) -> str:
    """Return the option, else the variable; an empty one counts as not given."""
    return next((text for text in (option or "", os.environ.get(name, "")) if text.strip()), "")


def _data(option: str | None) -> str | None:
    if option == "-":
        return _json("stdin", sys.stdin.buffer.read())
    if option and option.startswith("@"):
        return _json(option[1:], _read(option[1:]))
    return option


def _json(name: str, data: bytes) -> str:
    """Return the text of a file. InputError with its place if it is not JSON."""
    text = _text(name, data)
    try:
        parameters.parse(text)
    except parameters.DataError as error:
        if error.line and text.strip():
            raise InputError(f"`SD_DATA` must be JSON: {error}", error.line, error.column, name) from None
    return text


def _read(name: str) -> bytes:
    try:
        return read_named(name)
    except OSError as error:
        text = f"`--sd-data` must name a file that can be read after its @: {(error.strerror or str(error)).lower()}"
        raise InputError(text, file=name) from None


def _text(name: str, data: bytes) -> str:
    try:
        check_utf8(data)
    except InputError as error:
        raise error.moved(name, 1) from None
    return data.decode("utf-8-sig")
