"""ResourceLists of any size, and what a host and a user have done with them."""

from __future__ import annotations

import json
from typing import Any

import yaml

from krm_values._explain import as_json
from krm_values._explain.ledger import Ledger
from krm_values._explain.steps import Explained, Explanation
from krm_values._krm import findings
from krm_values._krm.names import kind
from krm_values._run import invoke, report
from tests.growth.measure import Work

Object = dict[str, Any]


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, _: object) -> bool:
        return True


def dumped(value: object) -> str:
    """A value as YAML."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=1000)


def listed(items: list[Object] | str, function: str, **config: Any) -> str:
    """A ResourceList; items may be text, each with its dash in column 0."""
    text = items if isinstance(items, str) else dumped(items) if items else ""
    spec = json.dumps(config)
    return (
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
        f"functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: {kind(function)}\n  metadata: {{name: c}}\n  spec: {spec}\n"
        f"items:\n{text}"
    )


def whole(function: str, text: str, *, fails: bool = False) -> Work:
    """A run, its lines on stderr, the list that leaves, and its explanation as JSON."""
    data = text.encode()

    def work() -> bytes:
        return answered(function, data, fails=fails)

    return work


def answered(function: str, data: bytes, *, fails: bool = False) -> bytes:
    source, outcome = invoke.answer(data, function)
    assert outcome.failed == fails, [findings.line(found) for found in outcome.findings[:3]]
    added = [new.data for new in outcome.added]
    written = b"".join(source.write(outcome.edited, outcome.removed, added, invoke.entries(outcome, source)))
    [findings.line(found) for found in outcome.findings]
    explained(Explanation((Explained(function, report.with_storage_warnings(outcome), items=source.items),)))
    return written


def explained(explanation: Explanation) -> None:
    """Explain all values as `explain --json` does."""
    ledger = Ledger(explanation)
    listed = ledger.listed(ledger.resources(), complete=True, authored=False)
    for _ in as_json.document(ledger, listed, show_secrets=False):
        pass


def again(function: str, text: str, *, fails: bool = False) -> Work:
    """The same on what a first run has written: generated objects and undo records."""
    return whole(function, answered(function, text.encode()).decode(), fails=fails)


def config_map(name: str, data: dict[str, str], namespace: str = "team", kind: str = "ConfigMap") -> Object:
    field = "data" if kind == "ConfigMap" else "stringData"
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, field: data}
