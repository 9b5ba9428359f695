"""`python -m tests.oracles.tekton.record JUDGE`: record what Tekton's own code makes of 2,000 random runs, and of what `tekton-params` makes of them.

JUDGE is a program that is not part of this project: it reads a JSON list of objects per line and writes what becomes of them. It is built
inside of a copy of tektoncd/pipeline at `COMMIT`, with its vendored libraries, and calls of it, over stand-ins in memory for the API server:

- on admission of every object, also of those that the controllers create: strict decoding, SetDefaults, Validate;
- for PipelineRuns: `reconcile` of pkg/reconciler/pipelinerun, until nothing is left to do; each task succeeds with made-up results;
- for TaskRuns: `prepare`, ApplyParametersToWorkspaceBindings, `applyParamsContextsResultsAndWorkspaces`,
  ValidateUsageOfDeclaredParameters and Validate as `createPod` calls them, ApplyPodTemplateReplacements, MergeStepsWithStepTemplate.

Flags: enable-api-fields alpha, enable-param-enum, enable-cel-in-whenexpression.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.functions.tekton_params.support import resolve
from tests.oracles.tekton.differences import digest
from tests.oracles.tekton.made import Maker

COMMIT = "3ee1745ae5b2"
"""Of 2026-08-20, after v1.15.0; docs/upstream.md names it."""
ANSWERS = Path(__file__).with_name("answers.jsonl.gz")
COUNT = 2_000


def main(judge: str) -> None:
    makers = [Maker(seed) for seed in range(COUNT)]
    given = [maker.items() for maker in makers]
    found = [resolve(items, **maker.config) for maker, items in zip(makers, given, strict=True)]
    before, after = _ask(judge, given), _ask(judge, [one.items for one in found])
    lines = []
    for maker, items, one, answer, then in zip(makers, given, found, before, after, strict=True):
        recorded: dict[str, Any] = {"config": maker.config, "given": items, "answer": answer}
        if not one.errors:
            recorded["after"] = {"digest": digest(one.items)} | ({} if then == answer else {"answer": then})
        lines.append(json.dumps(recorded, separators=(",", ":"), ensure_ascii=False))
    ANSWERS.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


def _ask(judge: str, lists: list[Any]) -> list[Any]:
    lines = "".join(json.dumps(items) + "\n" for items in lists)
    done = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    main(sys.argv[1])
