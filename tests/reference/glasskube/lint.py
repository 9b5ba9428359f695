"""What is odd about a manifest, whether or not any Package sets its values: the kinds of lint, by definition.

Unknown keys and resources that nobody has are not read here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from krm_values._go import regexp
from krm_values._go.regexp import PatternError
from krm_values._go.template_parser import TemplateError
from krm_values.glasskube_values.patches import render
from tests.reference.glasskube.manifests import APPLY, Definition, Manifest, Target, read
from tests.reference.glasskube.values import is_valid

Json = Any
KINDS = "pattern template template-json op pointer bounds default options slash duplicate if-boolean text-boolean api-group dead-target"
OPS = ("add", "replace", "remove", "test")
VERSION = re.compile(r"v\d+((alpha|beta)\d+)?")


def odd(data: Json, *, typed: bool) -> set[tuple[str, str]]:
    """Every defect as (kind, definition); `template` stands for `template-json`, too. Typed values are no text."""
    manifest, found = read(data), set()
    for name, definition in manifest.definitions.items():
        kinds = of_definition(definition)
        kinds += of_templates(definition if "default" not in kinds else replace(definition, default=""))
        kinds += [kind for target in definition.targets for kind in of_target(target, definition.type, manifest)]
        places = [place(target) for target in definition.targets]
        if any(places.count(one) > 1 for one in places):
            kinds.append("duplicate")
        found |= {(kind, name) for kind in kinds if not (typed and kind == "text-boolean")}
    for number, transformation in enumerate(manifest.transformations):
        kinds = [kind for target in transformation.targets for kind in of_target(target, "", manifest)]
        if transformation.source and not is_group_and_version(group_of(transformation.source)):
            kinds.append("api-group")  # [84]
        found |= {(kind, f"transformation {number + 1}") for kind in kinds}
    return found


def place(target: Target) -> Target:
    """What two targets share that are one: the template counts where both insert."""
    last = target.path.rpartition("/")[2]
    return target if target.op == "add" and (last == "-" or last.isdigit()) else replace(target, template="")


def applying(definition: Definition) -> Definition:
    """With the constraints alone that its type has [S31]."""
    known = APPLY.get(definition.type, ())
    bounds = {name: bound for name, bound in definition.bounds.items() if name in known}
    return replace(definition, bounds=bounds, pattern=definition.pattern if "pattern" in known else None)


def of_definition(definition: Definition) -> list[str]:
    definition = applying(definition)
    kinds, bounds = [], definition.bounds
    if definition.pattern and not compiles(definition.pattern):
        kinds.append("pattern")
    if any(
        bounds.get(low, 0) > bounds[high]
        for low, high in (("min", "max"), ("minLength", "maxLength"))
        if {low, high} <= {*bounds}
    ):
        kinds.append("bounds")
    if bounds.get("maxLength", 0) < 0:
        kinds.append("bounds")
    if definition.type == "options" and not definition.options:
        kinds.append("options")
    sound = replace(
        definition,
        pattern=None if "pattern" in kinds else definition.pattern,
        bounds={} if "bounds" in kinds else bounds,
        options=definition.options or [definition.default],
    )
    if definition.default and not is_valid(definition.default, sound):
        kinds.append("default")
    return kinds


def compiles(expression: str) -> bool:
    try:
        regexp.matches(expression, "")
    except PatternError:
        return False
    return True


def of_templates(definition: Definition) -> list[str]:
    samples = {"boolean": ["true", "false"], "number": ["1"], "options": definition.options}.get(
        definition.type, [a_text(definition)]
    )
    kinds = []
    for target in definition.targets:
        if definition.type == "boolean" and re.search(r"\{\{-?\s*if\s+\.\s*-?\}\}", target.template):
            kinds.append("if-boolean")
        for sample in [*samples, *([definition.default] if definition.default else [])] if target.template else []:
            try:
                render(target.template, sample, alias=True)
            except TemplateError:
                kinds.append("template")
    return kinds


def a_text(definition: Definition) -> str:
    """`a`, or `1` where the pattern wants digits."""
    if definition.pattern is None or not compiles(definition.pattern):
        return "a"
    return next((text for text in ("a", "1") if regexp.matches(definition.pattern, text)), "a")


def of_target(target: Target, kind: str, manifest: Manifest) -> list[str]:
    kinds = []
    if target.op not in OPS:
        kinds.append("op")
    if target.path and (not target.path.startswith("/") or target.path.startswith("//")):
        kinds.append("slash")
    if re.search(r"~(?![01])|/(-\d+|\+\d+|0\d+)(/|$)", target.path):
        kinds.append("pointer")
    charts = [one["chartName"] for one in manifest.helm.get("releases") or []] or [manifest.helm.get("chartName")]
    if target.chart:
        kinds += [] if target.chart in charts else ["dead-target"]
        kinds += ["text-boolean"] if kind in ("boolean", "number") and not target.template else []
        return kinds
    if not is_group_and_version(target.apigroup or ""):
        kinds.append("api-group")
    return kinds


def is_group_and_version(text: str) -> bool:
    """[72]"""
    group, slash, version = text.partition("/")
    return bool(group and version and "/" not in version if slash else VERSION.fullmatch(group))


def group_of(resource: Json) -> str:
    """[D5]"""
    return resource["apiGroup"] if resource.get("apiGroup") is not None else resource.get("apiVersion") or ""
