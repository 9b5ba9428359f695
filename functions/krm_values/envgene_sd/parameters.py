"""The pipeline's parameters: source, mode, environments, and the findings about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.envgene_sd import entries

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.envgene_sd.config import EnvgeneSd

BASIC, EXCLUSION, EXTENDED, REPLACE = MODES = ("basic-merge", "basic-exclusion-merge", "extended-merge", "replace")
_DELTAS = {"true": EXTENDED, "false": REPLACE}
_OTHER = {"artifact": "SD_DATA", "json": "SD_VERSION"}


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
        _ignored(found, source, report)
    elif not any(map(_is_given, (found.source_type, found.version, found.data))):
        _idle(found, report)
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
            report.add(_error("source-type", "1", text))
        return ""
    if source not in _OTHER:
        report.add(_error("source-type", "1", f"`SD_SOURCE_TYPE` must be `artifact` or `json`{_found(written, _OTHER)}"))
        return ""
    if source == "json" and not _is_given(given.data):
        report.add(_error("no-data", "3", f"`SD_DATA` must be given for the source `json`{_no_replacement(given.version)}"))
        return ""
    return source


def _no_replacement(version: str) -> str:
    return "; `SD_VERSION` does not replace it" if _is_given(version) else ""


def _mode(given: Given, report: Report) -> tuple[str, str]:
    """Return the mode and the parameter that selected it."""
    mode, delta = given.mode.strip().lower(), given.delta.strip().lower()
    if delta:
        advice = f"; write `SD_REPO_MERGE_MODE: {_DELTAS[delta]}`" if delta in _DELTAS and not mode else "; leave it out"
        report.add(_warning("deprecated-param", "12", f"`SD_DELTA` is deprecated{advice}"))
        if delta not in _DELTAS:
            text = f"`SD_DELTA` must be `true` or `false`{_found(given.delta.strip(), _DELTAS)}"
            report.add(_error("delta", "10", text))
    if mode and mode not in MODES:
        text = f"`SD_REPO_MERGE_MODE` must be one of {_listed(MODES)}{_found(given.mode.strip(), MODES)}"
        report.add(_error("mode", "6", text))
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
        report.add(_error("no-version", "2", text))
    for entry in entries.distinct(found):
        if not entries.is_version(entry):
            report.add(
                _error("version", "17", f"`SD_VERSION` must have entries as `application:version`; found {described(entry)}")
            )
        elif "SNAPSHOT" in entry.partition(":")[2]:
            text = f"`SD_VERSION` must not name a snapshot; found {described(entry)}: give the version of a build"
            report.add(_error("snapshot", "18", text))
    return tuple(found)


def _environments(given: Given, report: Report) -> tuple[str, ...]:
    if not _is_given(given.env_names):
        return ()
    found = _split("ENV_NAMES", given.env_names, report)
    if found is not None and not found:
        report.add(_error("environment", "16", "`ENV_NAMES` must name an environment, as `CLUSTER/ENV`"))
    for name in entries.distinct(found or ()):
        if not entries.is_environment(name):
            text = f"`ENV_NAMES` must have entries as `CLUSTER/ENV`, two folders whose names do not begin with a dot; found {described(name)}"
            report.add(_error("environment", "16", text))
    return entries.distinct(found or ())


def _split(name: str, text: str, report: Report) -> list[str] | None:
    try:
        return entries.split(text)
    except entries.MixedError as error:
        report.add(_error("separators", "16", f"`{name}` must have one kind of separator; found {error}"))
        return None


def _ignored(given: Given, source: str, report: Report) -> None:
    other = given.data if source == "artifact" else given.version
    if _is_given(other):
        text = f"`{_OTHER[source]}` is ignored: `SD_SOURCE_TYPE` is `{source}`"
        report.add(_warning("ignored-param", "4", text))
    if _is_given(given.mode) and _is_given(given.delta):
        report.add(_warning("ignored-param", "9", "`SD_DELTA` is ignored: `SD_REPO_MERGE_MODE` decides"))


def _idle(given: Given, report: Report) -> None:
    """Report that nothing is processed, and the parameters that are therefore ignored."""
    for name, value in (("SD_REPO_MERGE_MODE", given.mode), ("SD_DELTA", given.delta)):
        if _is_given(value):
            text = f"`{name}` is ignored: there is no `SD_SOURCE_TYPE`, so no SD is merged"
            report.add(_warning("ignored-param", "5", text))
    report.info("no-parameters", "5", "no `SD_SOURCE_TYPE` is given: every SD stays as it is", config=())


def _is_given(value: JSON) -> bool:
    """Return whether a parameter is a string with more than white space, or a structure."""
    return not isinstance(value, str) or bool(value.strip())


def _found(text: str, known: tuple[str, ...] | dict[str, str]) -> str:
    return f"; found {described(text)}{suggest.hint(text, known)}"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _error(kind: str, rule: str, text: str) -> Finding:
    return Finding("error", kind, rule, text, config=_parameter(text))


def _warning(kind: str, rule: str, text: str) -> Finding:
    return Finding("warning", kind, rule, text, config=_parameter(text))


def _parameter(text: str) -> Path:
    """Return the parameter that a message names first."""
    return (text.split("`")[1],)
