"""Plain resources in, plain resources out: files and directories, and kustomize's legacy exec plugins."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from krm_values._cli import package, pipe
from krm_values._kit import documents, reading, results
from krm_values._kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._kit.documents import Documents
    from krm_values._kit.function import Outcome
    from krm_values._kit.plan import JSON


def run(function: str | None, config: str | None, files: Sequence[str]) -> int:
    """Resolve the resources of files and directories onto stdout. Returns the exit code."""
    source, _, outcome = settle(function, config, files)
    return _answer(source, outcome)


def legacy(function: str, config: str) -> int:
    """Serve kustomize's legacy plugin protocol: the config in a file, the resources as documents on stdin and stdout."""
    source = documents.read([("", pipe.received())])
    return _answer(source, pipe.settle(function, _config(config), source)[1])


def settle(function: str | None, config: str | None, files: Sequence[str]) -> tuple[Documents, str, Outcome]:
    """Read files, directories and `-`, and resolve them: the resources, the function's name and what came of it."""
    source = documents.read(list(_inputs(files)))
    name, outcome = pipe.settle(function or os.environ.get("KRM_FUNCTION", ""), _config(config) if config else None, source)
    return source, name, outcome


def _answer(source: Documents, outcome: Outcome) -> int:
    pipe.send(source.write(outcome.edited, outcome.removed, [added.data for added in outcome.added]))
    for finding in outcome.findings:
        if finding.severity != "info":
            print(results.line(finding), file=sys.stderr)
    return int(outcome.failed)


def _config(file: str) -> JSON:
    try:
        return reading.read(Path(file).read_bytes().decode("utf-8-sig")).data
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 at byte {error.start}", file=file) from None
    except InputError as error:
        raise InputError(error.message, error.line, error.column, file) from None


def _inputs(files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(path as the user named it, content); of a directory all YAML and JSON files below it."""
    for name in files:
        if name == "-":
            yield "", pipe.received()
        elif os.path.isdir(name):
            yield from ((str(path), path.read_bytes()) for path in package.files_below(Path(name)))
        else:
            yield name, Path(name).read_bytes()
