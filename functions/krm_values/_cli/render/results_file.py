"""`--results-dir`: the findings of each step in a file as kpt writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._krm import findings as results
from krm_values._krm.write import put_file, refuse_link_out
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.kptfile import Step
    from krm_values._krm.plan import Finding
    from krm_values._run.pipeline import Ran

_ORDER = ("message", "severity", "resourceRef", "field", "file", "tags")
_REFERENCE = ("apiVersion", "kind", "name", "namespace")


def write(directory: str, ran: Sequence[Ran], package: Path) -> None:
    """Write `results.yaml`, creating the directory if missing. InputError if a link of the package leads out of it there."""
    folder = Path(directory)
    refuse_link_out(package, folder)
    put_file(folder / "results.yaml", text([(entry.task.step, entry.outcome.findings) for entry in ran]).encode())


def text(steps: Sequence[tuple[Step, Sequence[Finding]]]) -> str:
    """Return a FunctionResultList."""
    items: list[JSON] = [_item(step, findings) for step, findings in steps]
    failed = any(finding.severity == "error" for _, findings in steps for finding in findings)
    data: dict[str, JSON] = {"apiVersion": "kpt.dev/v1", "kind": "FunctionResultList", "metadata": {"name": "fnresults"}}
    data |= {"exitCode": int(failed), **({"items": items} if items else {})}
    return "\n".join(emit.block(data, wide=True)) + "\n"


def _item(step: Step, findings: Sequence[Finding]) -> JSON:
    entry: dict[str, JSON] = {"image": step.image} if step.image else {"exec": step.exec}
    entry["exitCode"] = int(any(finding.severity == "error" for finding in findings))
    if findings:
        entry["results"] = [_result(results.as_result(finding, named=False)) for finding in findings]
    return entry


def _result(found: dict[str, JSON]) -> JSON:
    """Return a result with kpt's order of fields, and without an index 0, which kpt leaves out."""
    result = {key: found[key] for key in _ORDER if key in found}
    reference, file = result.get("resourceRef"), result.get("file")
    if isinstance(reference, dict):
        result["resourceRef"] = {key: reference[key] for key in _REFERENCE if reference.get(key)}
    if isinstance(file, dict) and not file.get("index"):
        result["file"] = {key: value for key, value in file.items() if key != "index"}
    return result
