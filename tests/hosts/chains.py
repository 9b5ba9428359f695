"""Packages whose pipeline runs several functions, each of which reads what others write: one set of resources for every order."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from krm_values._krm import documents, names, resourcelist
from krm_values._krm.item import Item
from krm_values._run import state
from krm_values._yaml import emit
from tests.answers import decided, facts
from tests.commands import called
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package

ALL = (
    "layered-values",
    "glasskube-values",
    "cartographer-params",
    "giantswarm-config",
    "flux-values",
    "tekton-params",
    "envgene-sd",
)
"""Every function, writers before readers: the order of the example."""
_STAMPED, _AUTHORED = "suite:2.10", "base:1.0"
_READ = [
    {"from": {"kind": "HelmRelease", "name": "web"}, "path": "spec.interval", "at": "interval"},  # written by glasskube-values
    {"configMap": "stamped", "at": "stamped", "optional": True},  # written by cartographer-params
]
"""What layered-values reads that others write, where it does not come first."""
_CONFIGS: dict[str, dict[str, Any]] = {
    "layered-values": {
        "layers": [{"configMap": "every-stage"}, {"configMap": "prod"}],
        "targets": [
            {"kind": "Package", "name": "cart", "fields": {"spec.values.host.value": "hosts.cart"}},
            {"configMap": "layered", "namespace": "shop", "key": "values"},
            {"kind": "HelmRelease", "name": "zoned", "missing": "create", "fields": {"spec.values.region": "region"}},
        ],
    },
    "glasskube-values": {"allowMissing": [{"kind": "ConfigMap", "name": "web-*"}]},
    "cartographer-params": {},
    "giantswarm-config": {
        "outputs": ["configMap"],
        "chartNamespace": "",
        "allowMissing": [
            {"kind": "ConfigMap", "name": "*-flux-values"},
            {"kind": "ConfigMap", "name": "stamped"},
            {"kind": "ConfigMap", "name": "layered"},
        ],
    },
    "flux-values": {"allowMissing": [{"kind": "ConfigMap", "name": "*-chart-values"}]},
    "tekton-params": {"mode": "propagate"},
    "envgene-sd": {"SD_SOURCE_TYPE": "artifact", "SD_VERSION": [_AUTHORED], "ENV_NAMES": ["east/prod-7"]},
}
_LEFT_OUT = (*(f"{name}*.yaml" for name in ALL), "Kptfile", "kustomization.yaml", "README.md", ".expected", ".krmignore")
_LOCAL = ("Kptfile", "Kustomization", "ResolvedParams", "PackageManifest")  # kustomize leaves these out of what it builds
_CONFIG_BLOCK = re.compile(r"(?m)^functionConfig:\n(?:[ #].*\n|\n)*")


def configs(order: tuple[str, ...], output: str = "object") -> dict[str, dict[str, Any]]:
    """The functionConfig's spec of each function. An artifact that nothing has stamped yet would be an error."""
    found = {name: dict(_CONFIGS[name]) for name in order}
    if "flux-values" in found:
        found["flux-values"]["output"] = output
    if "layered-values" in order[1:]:
        found["layered-values"]["layers"] = [*found["layered-values"]["layers"], *_READ]
    if "envgene-sd" in found and "cartographer-params" in order[: order.index("envgene-sd")]:
        found["envgene-sd"]["SD_VERSION"] = [_AUTHORED, _STAMPED]
    return found


def write(target: Path, order: tuple[str, ...], output: str = "object") -> Path:
    """A kpt package whose pipeline runs these functions."""
    shutil.copytree(EXAMPLES / "pipelines" / "all-seven", target, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    shutil.copytree(PACKAGES / "chains", target, dirs_exist_ok=True)
    for name, spec in configs(order, output).items():
        _write(target / f"{name}.yaml", _config(name, spec))
    steps = [{"exec": names.script(name), "configPath": f"{name}.yaml"} for name in order]
    kptfile = {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": "chain"}, "pipeline": {"mutators": steps}}
    _write(target / "Kptfile", kptfile)
    return target


def of_one_function(target: Path, name: str) -> Package:
    """A package of one function, for every host: with a Kptfile and a kustomization, and no Solution Descriptor that kustomize leaves out."""
    write(target, (name,))
    for path in target.glob("environments/**/*.yaml"):
        path.write_text(re.sub(r".*/local-config: .*\n", "", path.read_text("utf-8")), "utf-8")
    _write(target / "kustomization.yaml", _kustomization(target, (name,)))
    return Package(target, name)


def ours(command: str, *arguments: str | Path, stdin: str = "") -> str:
    """What one of our commands prints; no host is asked, and no process is needed."""
    done = called(command, *arguments, stdin=stdin.encode())
    assert done.code == 0, done.stderr.decode()
    return done.stdout.decode()


def render(package: Path) -> Path:
    ours("krm-values", "render", package)
    return package


def kpt(machine: Machine, package: Path) -> Path:
    machine.needs("kpt")
    machine.run("kpt", "fn", "render", package, "--allow-exec")
    return package


def pipe(package: Path, order: tuple[str, ...], source: str = "") -> str:
    """`run A | run B`: the list that leaves the last function. source: the list to begin with, for a package that of its files."""
    text = source or _listed(package)
    for name in order:
        config = (package / f"{name}.yaml").read_text("utf-8").strip().replace("\n", "\n  ")
        text = ours(names.script(name), stdin=f"{_CONFIG_BLOCK.sub('', text)}functionConfig:\n  {config}\n")
    return text


def kustomize(machine: Machine, package: Path, order: tuple[str, ...]) -> str:
    """What kustomize builds from the files of the package."""
    machine.needs("kustomize")
    build = machine.home / "build"
    shutil.rmtree(build, ignore_errors=True)
    shutil.copytree(package, build)
    for name in order:
        path = build / f"{name}.yaml"
        function = f"{{exec: {{path: {names.script(name)}}}}}"
        text = path.read_text("utf-8").replace(
            "annotations:\n", f"annotations:\n    config.kubernetes.io/function: '{function}'\n"
        )
        path.write_text(text, "utf-8")
    _write(build / "kustomization.yaml", _kustomization(build, order))
    return machine.run("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", build).stdout


def _kustomization(package: Path, order: tuple[str, ...]) -> dict[str, Any]:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [str(path.relative_to(package)) for path in _resources(package)],
        "transformers": [f"{name}.yaml" for name in order],
    }


def contents(package: Path) -> dict[str, bytes]:
    return {str(path.relative_to(package)): path.read_bytes() for path in sorted(package.rglob("*")) if path.is_file()}


def data(found: Path | str, *, annotated: bool = True) -> list[Any]:
    """The resources of a package, of a ResourceList or of a stream as data, without hosts' annotations and without what stays local.

    annotated: with our annotations, which kustomize's output does not have.
    """
    if isinstance(found, Path):
        items = [item for path in _resources(found) for item in documents.read(path.read_bytes(), path.name).items]
    elif "kind: ResourceList" in found[:200]:
        items = list(resourcelist.read(found.encode()).items)
    else:
        items = list(documents.read(found.encode(), "built").items)
    kept = [_whole(item, annotated) for item in items if item.kind not in _LOCAL and not _is_local(item.data)]
    return sorted(kept, key=lambda each: json.dumps([each["apiVersion"], each["kind"], each["metadata"]["name"]]))


def _whole(item: Item, annotated: bool) -> Any:
    ours = {key: text for key, text in item.reading.annotations.items() if key.startswith(names.GROUP)}
    return state.whole(item.data, ours if annotated else {})


def _is_local(resource: Any) -> bool:
    """Whether kustomize leaves it out of what it builds."""
    return (resource["metadata"].get("annotations") or {}).get("config.kubernetes.io/local-config") == "true"


def explained(package: Path) -> dict[str, set[str]]:
    """What is said of each value, by the function that decided it last; line numbers and what stood before may differ."""
    text = ours("krm-values", "explain", "--json", package)
    names_of = [step["function"] for step in json.loads(text)["steps"]]
    values = decided(text)
    return {name: facts(value for value in values if names_of[value["step"]] == name) for name in names_of}


def _config(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    metadata = {"name": name, "annotations": {"config.kubernetes.io/local-config": "true"}}
    return {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": metadata, "spec": spec}


def _write(path: Path, content: Any) -> None:
    path.write_text("\n".join(emit.block(content)) + "\n", "utf-8")


def _resources(package: Path) -> list[Path]:
    config = tuple(package / f"{name}{kind}.yaml" for name in ALL for kind in ("", "-build"))
    left_out = {*config, package / "kustomization.yaml"}
    return [path for path in sorted(package.rglob("*.yaml")) if path not in left_out and ".expected" not in path.parts]


def _listed(package: Path) -> str:
    texts = (text for path in _resources(package) for text in path.read_text("utf-8").split("---\n"))
    items = "".join(f"- {text.strip()}".replace("\n", "\n  ") + "\n" for text in texts)
    return f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{items}"
