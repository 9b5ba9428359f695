"""The pipeline's parameters: source, mode, environments, and the findings about them; `SD_DATA` as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.scalars import Float, Int
from krm_values._data.shown import described
from krm_values._krm.findings import Report
from krm_values._yaml import emit
from krm_values.envgene_sd.environments import is_environment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._krm.plan import Finding
    from krm_values.envgene_sd.config import EnvgeneSd

BASIC, EXCLUSION, EXTENDED, REPLACE = MODES = ("basic-merge", "basic-exclusion-merge", "extended-merge", "replace")
TEXTS = {
    "SD_SOURCE_TYPE": "`artifact` or `json`",
    "SD_VERSION": "the artifacts to merge, as APPLICATION:VERSION",
    "SD_REPO_MERGE_MODE": "`basic-merge` (the default), `basic-exclusion-merge`, `extended-merge` or `replace`",
    "SD_DELTA": "deprecated",
}
"""The parameters that commands take as text, with their help."""
_DELTAS = {"true": EXTENDED, "false": REPLACE}
_OTHER = {"artifact": "SD_DATA", "json": "SD_VERSION"}
_SEPARATORS = {"line breaks": "\n", "commas": ",", "semicolons": ";", "spaces": " "}
_LEVELS = 199  # of collections in collections; an item, of which it becomes a part, is read with 200
_DEEP = f"it must not nest deeper than {_LEVELS} levels"


@record
class Parameters:
    """What a run does. `source` is `artifact`, `json` or, for nothing to do, ""; `environments` is empty for the default choice.

    chosen_by: the parameter that selected the mode, "" for the default. versions: the entries of SD_VERSION.
    data: SD_DATA, its text or the structure.
    """

    source: str
    mode: str
    chosen_by: str
    versions: tuple[str, ...]
    data: JSON
    environments: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def is_fit(self) -> bool:
        """Whether they hold no error."""
        return all(finding.severity != "error" for finding in self.findings)


@record
class Given:
    """The parameters as strings, "" if not given; `data` may be a structure."""

    source_type: str
    version: str
    data: JSON
    mode: str
    delta: str
    env_names: str


def read(config: EnvgeneSd) -> Parameters:
    """Return the parameters of a functionConfig."""
    report = Report()
    found = given(config)
    source = _source(found, report)
    mode, chosen_by = _mode(found, report)
    versions = _versions(found, report) if source == "artifact" else ()
    environments = _environments(found, report)
    if source:
        if _is_given(found.data if source == "artifact" else found.version):
            _warn(report, "ignored-param", "4", f"`{_OTHER[source]}` is ignored: `SD_SOURCE_TYPE` is `{source}`")
        if _is_given(found.mode) and _is_given(found.delta):
            _warn(report, "ignored-param", "9", "`SD_DELTA` is ignored: `SD_REPO_MERGE_MODE` decides")
    elif not any(map(_is_given, (found.source_type, found.version, found.data))):
        for name, value in (("SD_REPO_MERGE_MODE", found.mode), ("SD_DELTA", found.delta)):
            if _is_given(value):
                text = f"`{name}` is ignored: there is no `SD_SOURCE_TYPE`, so no SD is merged"
                _warn(report, "ignored-param", "5", text)
        report.info("no-parameters", "5", "no `SD_SOURCE_TYPE` is given: every SD stays as it is", config=())
    return Parameters(source, mode, chosen_by, versions, found.data, environments, tuple(report.findings))


def given(config: EnvgeneSd) -> Given:
    """Return the parameters as strings, whatever their form."""
    delta = str(config.sd_delta).lower() if isinstance(config.sd_delta, bool) else config.sd_delta
    return Given(
        config.sd_source_type or "",
        _joined(config.sd_version),
        "" if config.sd_data is None else config.sd_data,
        config.sd_repo_merge_mode or "",
        delta or "",
        _joined(config.env_names),
    )


def _joined(value: str | list[str] | None) -> str:
    return "\n".join(value) if isinstance(value, list) else value or ""


def _source(given: Given, report: Report) -> str:
    """Return the source if its own data is given, else ""."""
    written = given.source_type.strip()
    source = written.lower()
    if not written:
        given_data = [name for name, text in (("SD_VERSION", given.version), ("SD_DATA", given.data)) if _is_given(text)]
        if given_data:
            text = f"`SD_SOURCE_TYPE` must be given with `{given_data[0]}`: `artifact` or `json`"
            _refuse(report, "source-type", "1", text)
        return ""
    if source not in _OTHER:
        _refuse(report, "source-type", "1", f"`SD_SOURCE_TYPE` must be `artifact` or `json`{_found(written, _OTHER)}")
        return ""
    if source == "json" and not _is_given(given.data):
        advice = "; `SD_VERSION` does not replace it" if _is_given(given.version) else ""
        _refuse(report, "no-data", "3", f"`SD_DATA` must be given for the source `json`{advice}")
        return ""
    return source


def _mode(given: Given, report: Report) -> tuple[str, str]:
    """Return the mode and the parameter that selected it."""
    mode, delta = given.mode.strip().lower(), given.delta.strip().lower()
    if delta:
        advice = f"; write `SD_REPO_MERGE_MODE: {_DELTAS[delta]}`" if delta in _DELTAS and not mode else "; leave it out"
        _warn(report, "deprecated-param", "12", f"`SD_DELTA` is deprecated{advice}")
        if delta not in _DELTAS:
            text = f"`SD_DELTA` must be `true` or `false`{_found(given.delta.strip(), _DELTAS)}"
            _refuse(report, "delta", "10", text)
    if mode and mode not in MODES:
        listed = ", ".join(f"`{known}`" for known in MODES)
        text = f"`SD_REPO_MERGE_MODE` must be one of {listed}{_found(given.mode.strip(), MODES)}"
        _refuse(report, "mode", "6", text)
        return BASIC, ""
    if mode:
        return mode, "SD_REPO_MERGE_MODE"
    return (_DELTAS[delta], "SD_DELTA") if delta in _DELTAS else (BASIC, "")


def _versions(given: Given, report: Report) -> tuple[str, ...]:
    found = _split("SD_VERSION", given.version, report)
    if found is None:
        return ()
    if not found:
        advice = "; `SD_DATA` does not replace it" if _is_given(given.data) else ""
        text = f"`SD_VERSION` must name an artifact, as `application:version`, for the source `artifact`{advice}"
        _refuse(report, "no-version", "2", text)
    for entry in dict.fromkeys(found):
        application, _, version = entry.partition(":")
        if not application or not version:
            text = f"`SD_VERSION` must have entries as `application:version`; found {described(entry)}"
            _refuse(report, "version", "17", text)
        elif "SNAPSHOT" in version:
            text = f"`SD_VERSION` must not name a snapshot; found {described(entry)}: give the version of a build"
            _refuse(report, "snapshot", "18", text)
    return tuple(found)


def _environments(given: Given, report: Report) -> tuple[str, ...]:
    if not _is_given(given.env_names):
        return ()
    found = _split("ENV_NAMES", given.env_names, report)
    if found is not None and not found:
        _refuse(report, "environment", "16", "`ENV_NAMES` must name an environment, as `CLUSTER/ENV`")
    names = tuple(dict.fromkeys(found or ()))
    for name in names:
        if not is_environment(name):
            text = f"`ENV_NAMES` must have entries as `CLUSTER/ENV`, two folders whose names do not begin with a dot; found {described(name)}"
            _refuse(report, "environment", "16", text)
    return names


def _split(name: str, text: str, report: Report) -> list[str] | None:
    try:
        return split(text)
    except MixedError as error:
        _refuse(report, "separators", "16", f"`{name}` must have one kind of separator; found {error}")
        return None


def _is_given(value: JSON) -> bool:
    """Return whether a parameter is a string with more than white space, or a structure."""
    return not isinstance(value, str) or bool(value.strip())


def _found(text: str, known: Iterable[str]) -> str:
    return f"; found {described(text)}{suggest.hint(text, known)}"


def _refuse(report: Report, kind: str, rule: str, text: str) -> None:
    """Report an error at the parameter that the message names first."""
    report.error(kind, rule, text, config=(text.split("`")[1],))


def _warn(report: Report, kind: str, rule: str, text: str) -> None:
    """Report a warning at the parameter that the message names first."""
    report.warning(kind, rule, text, config=(text.split("`")[1],))


class MixedError(ValueError):
    """More than one kind of separator; the message lists them."""


def split(text: str) -> list[str]:
    """Return the entries of a parameter without empty ones. A line break may be typed as backslash and n. MixedError for mixed separators.

    Source: `split_multi_value_param` of EnvGene's `collections_helper.py`.
    """
    whole = text.replace("\\n", "\n").replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").strip()
    kinds = [kind for kind, separator in _SEPARATORS.items() if separator in whole]
    if len(kinds) > 1:
        raise MixedError(" and ".join(kinds))
    parts = whole.split(_SEPARATORS[kinds[0]]) if kinds else [whole]
    return [part for part in map(str.strip, parts) if part]


class DataError(ValueError):
    """A string that is not JSON. `line` and `column` count from 1 and are 0 where unknown."""

    line = column = 0


def parse(text: str) -> JSON:
    """Return the value of JSON text; numbers keep their text. DataError if it is not JSON, repeats a key, or has a number that JSON does not know."""
    import json  # noqa: PLC0415 - only where there is such a text

    try:
        found: JSON = json.loads(text, parse_float=Float, parse_int=_whole, parse_constant=_refused, object_pairs_hook=_object)
    except RecursionError:
        raise DataError(_DEEP) from None
    except json.JSONDecodeError as error:
        refused = DataError(error.msg)
        refused.line, refused.column = error.lineno, error.colno
        raise refused from None
    if text.count("[") + text.count("{") > _LEVELS and _depth(found) > _LEVELS:
        raise DataError(_DEEP)
    if "\\u" in text:
        _check_characters(json.dumps(found, ensure_ascii=False))
    return found


def checked(value: JSON) -> JSON:
    """Return a structure given instead of the text. DataError if it has a number that JSON does not know."""
    try:
        emit.as_json(value)
    except EditError as error:
        raise DataError(error.message) from None
    return value


def _check_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"it holds \\u{ord(text[error.start]):04x}, half of a character") from None


def _depth(value: JSON) -> int:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, below), default=0) if isinstance(value, (dict, list)) else 0


def _whole(text: str) -> int | Float:
    try:
        value = int(text)
    except ValueError:  # more digits than Python converts
        return Float(text)
    return value if str(value) == text else Int(value, text)


def _refused(word: str) -> JSON:
    raise DataError(f"it holds {word}")


def _object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise DataError(f'it repeats the key "{repeated}"')
    return found
