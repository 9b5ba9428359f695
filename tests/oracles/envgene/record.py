"""`python -m tests.oracles.envgene.record REPOSITORY`: record what EnvGene's own code makes of random SDs, 2,000 of each mode.

REPOSITORY is a clone of Netcracker/qubership-envgene. Its `sd_helper.py`, and from `process_sd.py` the functions that a run with SD_DATA
calls, are executed as they stand; files, the logger and the Namespace folders are stand-ins in memory.
"""

from __future__ import annotations

import ast
import enum
import gzip
import itertools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

from ruamel.yaml.comments import CommentedMap

from tests.oracles.envgene import made

COMMIT = "dae2862f"
"""Of 2026-08-08; the manual names it."""
HELPER, SCRIPT = "python/envgene/envgenehelper/sd_helper.py", "scripts/build_env/process_sd.py"
ANSWERS = Path(__file__).with_name("answers.jsonl.gz")
COUNT = 2_000


class Upstream:
    """EnvGene's functions, over files in memory."""

    def __init__(self, repository: str) -> None:
        self.files: dict[str, Any] = {}
        logger = SimpleNamespace(info=_ignored, warning=_ignored, error=_ignored)
        names: dict[str, Any] = {
            "logger": logger,
            "ruyaml": SimpleNamespace(CommentedMap=CommentedMap),
            "Enum": enum.Enum,
            "Path": Path,
        }
        helper = _text(repository, HELPER).replace("from envgenehelper import *\n", "")
        exec(compile(helper, HELPER, "exec"), names)
        script = ast.parse(_text(repository, SCRIPT))
        script.body = [one for one in script.body if _is_wanted(one)]
        for one in script.body:
            if isinstance(one, ast.FunctionDef):
                one.decorator_list = []
        files = SimpleNamespace(
            check_file_exists=lambda path: str(path) in self.files,
            openYaml=lambda path: self.files[str(path)],
            writeYamlToFile=lambda path, data: self.files.__setitem__(str(path), _commented(data)),
            deleteFile=lambda path: self.files.pop(str(path)),
            check_dir_exist_and_create=_ignored,
            **{name: names[name] for name in ("basic_merge", "basic_exclusion_merge", "extended_merge")},
        )
        names |= {"helper": files, "json": json, "path": SimpleNamespace(dirname=_ignored)}
        names |= {"Counter": Counter, "build_namespace_dict": lambda _: {}}
        exec(compile(script, SCRIPT, "exec"), names)
        self.run, self.mode = names["extract_sds_from_json"], names["MergeType"]

    def answer(self, given: dict[str, Any]) -> dict[str, Any]:
        """The SDs after a run, or the words of its error."""
        self.files.clear()
        if given["full"] is not None:
            self.files["sd.yaml"] = _commented(deepcopy(given["full"]))
        try:
            self.run(None, PurePosixPath("."), json.dumps(given["sds"]), self.mode.from_value(given["mode"]))
        except (ValueError, KeyError, AttributeError, TypeError, IndexError) as error:
            return {"error": f"{type(error).__name__}: {error}".partition("\n")[0][:100]}
        return {"full": self.files["sd.yaml"], "delta": self.files.get("delta_sd.yaml")}


def _ignored(*_: Any) -> None:
    pass


def _text(repository: str, path: str) -> str:
    return subprocess.run(
        ["git", "-C", repository, "show", f"{COMMIT}:{path}"], capture_output=True, text=True, check=True
    ).stdout


def _is_wanted(node: ast.stmt) -> bool:
    """Functions that read no environment, and the table of merges."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "MERGE_METHODS"
    wanted = "extract_sds_from_json merge_sd multiply_sds_to_single handle_deploy_postfix_namespace_transformation collect_duplicate_apps"
    return isinstance(node, ast.FunctionDef) and node.name in (*wanted.split(), *_CHECKS)


_CHECKS = ("validate_applications", "validate_input_sd_no_duplicates", "validate_full_sd_no_duplicates")


def _commented(value: Any) -> Any:
    """The value as EnvGene reads it from a file."""
    if isinstance(value, dict):
        return CommentedMap((key, _commented(entry)) for key, entry in value.items())
    return [_commented(entry) for entry in value] if isinstance(value, list) else value


def _given(mode: str) -> Iterator[dict[str, Any]]:
    """Runs without postfixes that name namespaces: those are not merged otherwise."""
    for seed in itertools.count():
        given = made.run(seed, mode)
        if not any("userData" in sd for sd in given["sds"]):
            del given["namespaces"]
            yield given


def main(repository: str) -> None:
    """Write the answers, a line for each."""
    upstream = Upstream(repository)
    runs = [given for mode in made.MODES for given in itertools.islice(_given(mode), COUNT)]
    lines = [json.dumps({"given": given, **upstream.answer(given)}, default=dict) for given in runs]
    ANSWERS.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
