"""The API groups that are read, with their kinds and versions.

Sources: github.com/tektoncd/pipeline (`pkg/apis/pipeline`) and github.com/tektoncd/triggers (`pkg/apis/triggers`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.served import MISSPELT, Served, fault, incomplete
from krm_values.tekton_params.lookup import GROUP, KINDS, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item

TRIGGERS = "triggers.tekton.dev"
TEMPLATE = "TriggerTemplate"
_UNREAD_VERSIONS = ("v1alpha1",)
_OTHERS = ("ClusterTask", "StepAction", "CustomRun", "Run", "VerificationPolicy", "PipelineResource", "Condition")
_TRIGGERS = ("TriggerBinding", "ClusterTriggerBinding", "EventListener", "Trigger", "Interceptor", "ClusterInterceptor")

PIPELINES = Served(GROUP, VERSIONS, KINDS, _OTHERS, _UNREAD_VERSIONS)
SERVED = (PIPELINES, Served(TRIGGERS, ("v1beta1", "v1alpha1"), (TEMPLATE,), _TRIGGERS))


def unread_version(item: Item, version: str, path: Path = ()) -> Iterator[Finding]:
    """Warn of an object of a kind that is read, at `path` of an item, in a version that exists and is not read."""
    if version in _UNREAD_VERSIONS:
        text = f'has the version "{version}", which is not read; known are {", ".join(VERSIONS)}'
        yield Finding("warning", "version", "1", text, item, (*path, "apiVersion"))


def header_faults(item: Item, element: dict[str, Any], path: Path) -> Iterator[Finding]:
    """Warn of an object inside an item that is not read because of its `apiVersion` or `kind`, or of how it spells these keys."""
    api_version, kind = (value if isinstance(value := element.get(key), str) else "" for key in ("apiVersion", "kind"))
    group, _, version = api_version.rpartition("/")
    is_whole = kind and api_version
    field, text = (
        fault((PIPELINES,), group, version, kind) if is_whole else incomplete((PIPELINES,), element, api_version, kind)
    )
    if text:
        yield Finding("warning", MISSPELT, "S7", text, item, (*path, field))
    elif group == GROUP and kind in KINDS:
        yield from unread_version(item, version, path)
