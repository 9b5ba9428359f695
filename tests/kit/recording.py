"""A small function that edits and keeps undo records, and how tests run it."""

from __future__ import annotations

import json

import jsonpatch

from krm_values._krm import findings, resourcelist
from krm_values._krm.plan import Origin, drop, put
from krm_values._run.function import Function
from krm_values._run.resolve import resolve
from krm_values._yaml import decode

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
SOURCE = """- apiVersion: example.org/v1
  kind: Source
  metadata:
    name: {name}
  set: {set}
"""
TARGET = """- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: d # the name
  spec:
    replicas: 1 # few
    containers:
    - name: a
      image: x # the image
    - name: b
"""


def targets(resources):
    return [item for item in resources if item.kind in ("Deployment", "Secret")]


def plan(config, resources, tools):
    """Each Source says what is set where: `path=value`, `path+=value` appends, `path-` drops."""
    for source in resources.select("Source", group="example.org"):
        for target in targets(resources):
            for step in source.data["set"] or ():
                origin = Origin("source", step, source)
                where, _, value = step.partition("=")
                path = tuple(int(part) if part.isdigit() else part for part in where.rstrip("+-").split("."))
                if where.endswith("+"):
                    elements = target.data
                    for part in path:
                        elements = elements[part]
                    yield put(target, (*path, len(elements)), value, origin)
                elif where.endswith("-"):
                    yield drop(target, path, origin)
                else:
                    yield put(target, path, value, origin)


def run(text, plan=plan, config=None, name="demo_values", record=lambda _: True):
    """(outcome, output) of a function over a ResourceList."""
    source = resourcelist.read(text.encode())
    outcome = resolve(Function(f"krm_values.{name}", "config:X", plan, record), config, source)
    entries = [findings.as_result(finding) for finding in outcome.findings]
    written = source.apply(outcome, entries)
    output = b"".join(written).decode().partition("results:")[0]
    patched = jsonpatch.apply_patch(items(text), list(without_items(outcome.operations)))
    assert plainly(patched) == plainly(items(output))
    return outcome, output


def without_items(operations):
    return [
        {key: value.removeprefix("/items") if key in ("path", "from") else value for key, value in op.items()}
        for op in operations
    ]


def plainly(value):
    return json.loads(json.dumps(value))


def items(text):
    return decode.to_data(decode.parse(text))["items"]


def source(*steps, name="s"):
    return SOURCE.format(name=name, set=json.dumps(list(steps)))


def listed(*texts):
    return HEAD + "".join(texts)


def said(outcome):
    return [(finding.severity, findings.message(finding)) for finding in outcome.findings]


def kept(output, kind="Deployment", name="demo-values"):
    item = next(item for item in items(output) if item["kind"] == kind)
    text = item["metadata"].get("annotations", {}).get(f"krm-values.dev/undo.{name}")
    return json.loads(text) if text else None


STEPS = ["spec.replicas=5", "spec.new=1", "spec.containers.0.image=v", "spec.containers.1.image=w", "spec.containers-"]
