"""Solution Descriptor cases as instance repositories, through `envgene process`, and through `source --fetch`, `run` and `sink`.

Each case becomes files below a directory and answers of real HTTP servers; parameters are environment variables. The servers that
cases name `http://maven.test` and `http://other.test` are plain http, so a case that has a file of credentials is run with
`--allow-http`. One whose servers have files of checksums (`.sha256`, `.sha1`) is run with `--verify-checksums`; without it no other
address than the artifacts' own is asked for, and every request counts.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import jsonpatch

from krm_values._cli import commands
from krm_values._data.errors import InputError, UserError
from krm_values._krm import findings as results
from krm_values._yaml import decode, emit
from krm_values.envgene_sd.repository.files import FaultsError
from tests.conformance.descriptors import HOME, PROFILES, unmet
from tests.conformance.layered import same
from tests.conformance.maven import NAMES, Servers, as_text

NAMES_OF = {"full": "sd", "delta": "delta_sd"}
PARAMETERS = ("SD_SOURCE_TYPE", "SD_VERSION", "SD_DATA", "SD_REPO_MERGE_MODE", "SD_DELTA", "ENV_NAMES")
REGISTRY = {"name": "stub", "credentialsId": "", "mavenConfig": {"repositoryDomainName": NAMES[1], "targetRelease": "rel"}}


@dataclass
class Done:
    """What a command came to: its exit code, its streams and the findings it told."""

    code: int
    out: bytes = b""
    err: str = ""
    findings: list[dict[str, Any]] = field(default_factory=list)


class Instance:
    """A case's repository, and the servers that answer for it."""

    def __init__(self, case: dict[str, Any], root: Path, servers: Servers) -> None:
        self.case, self.root, self.servers = case, root, servers
        self.environments = case.get("environments", {HOME: case})
        for name, body in self.environments.items():
            self._lay(name, body)
        for path, data in {**case.get("files", {}), **_definitions(case)}.items():
            self._write(path, servers.real(as_text(data)))

    def folder(self, name: str) -> Path:
        return self.root / "environments" / name / "Inventory/solution-descriptor"

    def data(self, name: str, kind: str) -> Any:
        """What the Full or Delta SD of an environment holds, None if there is none; of two files, or of a text that is no
        single document, what they hold, so that a case can be judged by it."""
        found = [self.folder(name) / f"{NAMES_OF[kind]}{ending}" for ending in (".yaml", ".yml")]
        held = [_data(path.read_text("utf-8-sig")) for path in found if path.is_file()]
        return {"files": held} if len(held) > 1 else next(iter(held), None)

    def files(self) -> dict[str, bytes]:
        """Every file of the repository."""
        return {str(path.relative_to(self.root)): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}

    def change(self, later: dict[str, Any]) -> None:
        """The change of a later state, made to the files."""
        for reference in later.get("remove", []):
            for path in self.folder(HOME).glob(f"{reference['name'].replace('-', '_')}.y*ml"):
                path.unlink()
        for change in later.get("change", []):
            kind = "delta" if change["name"].endswith("delta-sd") else "full"
            after = jsonpatch.apply_patch({"spec": self.data(HOME, kind)}, change["patch"])
            self._write_sd(HOME, kind, after["spec"])

    def answers(self) -> dict[str, Any]:
        own = {address: {"json": sd} for address, sd in _served(self.case).items()}
        return {**own, **self.case.get("repository", {})}

    def _lay(self, name: str, body: dict[str, Any]) -> None:
        for file, text in body.get("raw", {}).items():
            self._write(f"environments/{name}/Inventory/solution-descriptor/{file}", text)
        for key, kind in (("full", "full"), ("delta_before", "delta")):
            if body.get(key) is not None and "raw" not in body:
                self._write_sd(name, kind, body[key])
        for namespace in body.get("namespaces", []):
            own = {key: value for key, value in namespace.items() if key != "folder"}
            self._write(f"environments/{name}/Namespaces/{namespace['folder']}/namespace.yml", as_text(own))

    def _write_sd(self, name: str, kind: str, data: Any) -> None:
        self._write(f"environments/{name}/Inventory/solution-descriptor/{NAMES_OF[kind]}.yaml", as_text(data))

    def _write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


@cache
def servers() -> Servers:
    """The servers of this process; they end with it."""
    return Servers(Path(tempfile.mkdtemp()))


def elsewhere(case: dict[str, Any]) -> str:
    """Why the case fails through `process`, or, with a server of its own, as a list through `source` and `sink`; or ""."""
    if "items" in case:
        return ""
    has_list = unmet(case) and not case.get("then") and case.get("create", True)  # a list has no `--create`
    for way in (process, listed) if has_list else (process,):
        with tempfile.TemporaryDirectory() as folder:
            if reason := _through(way, case, Instance(case, Path(folder), servers())):
                return f"{way.__name__}: {reason}"
    return ""


def _through(way: Any, case: dict[str, Any], instance: Instance) -> str:
    state = {"rule": case["rule"], **case, "config": {**PROFILES[case.get("profile")], **case.get("config", {})}}
    states = [state]
    for later in case.get("then", []):
        own = later.get("process", {})
        kept = {key: states[-1][key] for key in ("params", "config", "rule", "create") if key in states[-1]}
        shown = {
            key: value
            for key, value in later.items()
            if not own or key not in ("unchanged", "expected", "error", "environments")
        }
        states.append({**kept, **shown, **own})
    for number, each in enumerate(states):
        instance.change(each if number else {})
        before = instance.files()
        instance.servers.serve(instance.answers())
        told = {name: {kind: instance.data(name, kind) for kind in NAMES_OF} for name in instance.environments}
        done = way(instance, each)
        if reason := judged(instance, each, done, before, told) or repeated(way, instance, each, done):
            return f"state {number}: {reason}"
    return ""


def process(instance: Instance, state: dict[str, Any]) -> Done:
    """`envgene process`, parameters as environment variables."""
    config = state["config"]
    options = ["--strict"] if config.get("strict") else []
    chosen = ["--all"] if "environments" in instance.case else ["--environment", HOME]
    chosen = [] if "ENV_NAMES" in state["params"] else chosen
    chosen += ["--create"] if state.get("create", True) else []
    options += [] if str(state["params"].get("SD_SOURCE_TYPE")).strip().lower() == "json" else allowed(instance.case)
    done = call(["process", str(instance.root), *chosen, *options, "--json"], variables(instance, state))
    if done.out:
        done.findings = json.loads(done.out)["findings"]
    return done


def listed(instance: Instance, state: dict[str, Any]) -> Done:
    """`envgene source --fetch`, `run` with the parameters in a functionConfig, `envgene sink`."""
    environment = variables(instance, state)
    chosen = list(instance.environments)
    fetch = [*allowed(instance.case), "--fetch"] if "repository" in instance.case else []
    source = call(["source", str(instance.root), "--environment", *chosen, *fetch], environment)
    if source.code:
        return source
    spec = {**state["params"], **state["config"], "ENV_NAMES": state["params"].get("ENV_NAMES", chosen)}
    config = emit.flow({"apiVersion": "krm-values.dev/v1alpha1", "kind": "EnvgeneSd", "metadata": {"name": "x"}, "spec": spec})
    given = source.out + f"functionConfig: {config}\n".encode()
    run = call(["run", "envgene-sd"], environment, given, group=())
    after = decode.to_data(decode.parse(run.out.decode()))
    findings = after.get("results", [])  # type: ignore[union-attr]
    if run.code:
        return Done(run.code, run.out, run.err, findings)  # type: ignore[arg-type]
    sink = call(["sink", str(instance.root)], environment, run.out)
    return Done(sink.code, sink.out, sink.err, [*findings, *sink.findings])  # type: ignore[misc]


def allowed(case: dict[str, Any]) -> list[str]:
    """The options of fetching that a case needs."""
    has_credentials = any(path.startswith("configuration/credentials/") for path in case.get("files", {}))
    has_checksums = any(path.endswith((".sha256", ".sha1")) for path in case.get("repository", {}))
    return ["--allow-http"] * has_credentials + ["--verify-checksums"] * has_checksums


def variables(instance: Instance, state: dict[str, Any]) -> dict[str, str]:
    """The environment of a run: none of ours, the case's parameters, the test certificate."""
    found = {key: value for key, value in os.environ.items() if key not in PARAMETERS and "proxy" not in key.lower()}
    found["SSL_CERT_FILE"] = str(instance.servers.certificate)
    return {**found, **{key: _variable(key, value) for key, value in state["params"].items()}, **state.get("environ", {})}


def call(arguments: list[str], environment: dict[str, str], given: bytes = b"", group: tuple[str, ...] = ("envgene",)) -> Done:
    """One command line, in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    findings: list[dict[str, Any]] = []
    with (
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = commands.dispatch("", [*group, *arguments])
        except UserError as error:
            print(f"error: {error}", file=err)
            code = error.exit_code
            found = error.findings if isinstance(error, FaultsError) else ()
            findings = [results.as_result(finding) for finding in found]
    return Done(code, out.buffer.getvalue(), err.getvalue(), findings)  # type: ignore[attr-defined]


def judged(instance: Instance, state: dict[str, Any], done: Done, before: dict[str, bytes], told: dict[str, Any]) -> str:
    """Why a run did not come to what is expected, or ""."""
    if reason := _requests(instance, state):
        return reason
    if "error" in state:
        rules = {str(rule) for rule in state["rule"]}
        found = [(f["tags"].get("rule"), f["message"]) for f in done.findings if f["severity"] == "error"]
        if done.code != 1 or not any(rule in rules for rule, _ in found):
            return f"exit {done.code}, no error of the rules {sorted(rules)}: {found} {done.err}"
        return "" if instance.files() == before else "files changed in spite of the error"
    if done.code:
        return f"exit {done.code}: {done.err}"
    if state.get("unchanged") and instance.files() != before:
        return "a file changed"
    bodies = state.get("environments", {HOME: state})
    reasons = [reason for name, body in bodies.items() for reason in _environment(instance, name, body, done, told.get(name))]
    others = {
        str(path.parent.parent.parent.relative_to(instance.root / "environments"))
        for path in instance.root.glob("environments/*/*/Inventory/*/*")
    }
    return "; ".join(reasons + [f"{name} has an SD" for name in others - instance.environments.keys()])


def repeated(way: Any, instance: Instance, state: dict[str, Any], done: Done) -> str:
    """Rule 75: the same run again leaves the Full SD as it is, but for the exclusion mode."""
    excludes = "exclusion" in str(state["params"].get("SD_REPO_MERGE_MODE", ""))
    if way is not process or done.code or excludes or instance.case.get("then"):
        return ""
    before = {name: text for name, text in instance.files().items() if "delta_sd" not in name}
    instance.servers.serve(instance.answers())
    again = way(instance, state)
    after = {name: text for name, text in instance.files().items() if "delta_sd" not in name}
    return "" if not again.code and after == before else f"the same run again changes the Full SD: {again.err}"


def _environment(instance: Instance, name: str, body: dict[str, Any], done: Done, told: Any) -> list[str]:
    wanted = body.get("expected", {})
    if wanted.get("unchanged"):
        wanted = {**wanted, **told}
    held = {kind: instance.data(name, kind) for kind in NAMES_OF if kind in wanted}
    texts = {file: _text(instance.folder(name) / file) for file in wanted.get("raw", {})}
    missing = [each for each in wanted.get("warnings") or [] if not any(_is_told(each, found) for found in done.findings)]
    return [
        *(f"{name} {kind} is {held[kind]}, expected {wanted[kind]}" for kind in held if not same(held[kind], wanted[kind])),
        *(f"{name} {file} is {text!r}" for file, text in texts.items() if text != wanted["raw"][file]),
        *(f"no warning {warning}: {done.findings}" for warning in missing),
    ]


def _data(text: str) -> Any:
    try:
        return decode.to_data(decode.parse(text)) if text.strip() else None
    except InputError:
        return {"text": text}


def _text(path: Path) -> str | None:
    return path.read_bytes().decode() if path.is_file() else None


def _is_told(warning: dict[str, Any], finding: dict[str, Any]) -> bool:
    fits = (finding["severity"], finding["tags"]["kind"]) == ("warning", warning["kind"])
    return fits and all(word in finding["message"] for word in warning["mentions"])


def _requests(instance: Instance, state: dict[str, Any]) -> str:
    found = instance.servers.requests
    if "requests" in state:
        wanted = list(state["requests"])
        if "environments" in instance.case:
            found, wanted = (sorted(each, key=lambda request: request["get"]) for each in (found, wanted))
        if found != wanted:
            return f"asked for {found}, expected {wanted}"
    expected = state.get("expected") or {}
    for address in expected.get("fetched", {}).values():
        got = [request for request in found if request["get"] == address]
        if len(got) != 1:
            return f"{address} was asked for {len(got)} times: {found}"
        if "authorization" in expected and got[0].get("authorization", "none") != expected["authorization"]:
            return f"{address} was asked for with {got[0]}"
    return ""


def _variable(key: str, value: Any) -> str:
    if key == "SD_DATA" and not isinstance(value, str):
        return emit.as_json(value)
    return "\n".join(value) if isinstance(value, list) else str(value)


def _definitions(case: dict[str, Any]) -> dict[str, Any]:
    """What leads to the artifacts of a case that does not say how they are fetched."""
    names = {version.partition(":")[0] for version in case.get("artifacts", {})}
    files: dict[str, Any] = {"regdefs/stub.yml": deepcopy(REGISTRY)} if names else {}
    for name in names:
        files[f"appdefs/{name}.yml"] = {"name": name, "registryName": "stub", "artifactId": name, "groupId": "org"}
    return files


def _served(case: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for entry, descriptor in case.get("artifacts", {}).items():
        name, _, version = entry.partition(":")
        found[f"/rel/org/{name}/{version}/{name}-{version}.json"] = descriptor
    return found
