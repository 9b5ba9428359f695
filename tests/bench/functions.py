"""G7 to G9, G11 and G16: what each function does with many resources, and what `explain` of layers adds."""

from __future__ import annotations

import functools
import random
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import yaml

from tests.bench import data, layered, setting
from tests.bench.figures import Figure
from tests.bench.processes import Command, Row, measure
from tests.bench.setting import Bench

_HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
_CONFIG = "functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: {kind}\n  metadata:\n    name: bench\n"
MANY, FEW = 1_000, 100
_LOCAL = {"config.kubernetes.io/local-config": "true"}


def runs(bench: Bench) -> Iterator[Figure]:
    """Yield G7."""
    count, mark = _size(bench)
    name, what = f"G7{mark}", f"{count:,} PipelineRuns of 10 tasks"
    yield _figure(name, what, "krm-tekton-params", bench, _runs(bench, count), dump=True)


def releases(bench: Bench) -> Iterator[Figure]:
    """Yield G8 of HelmReleases."""
    yield from _layers("flux", "krm-flux-values", bench, layered.write_releases)


def apps(bench: Bench) -> Iterator[Figure]:
    """Yield G8 of Apps."""
    yield from _layers("giantswarm", "krm-giantswarm-config", bench, layered.write_apps)


def workloads(bench: Bench) -> Iterator[Figure]:
    """Yield G11; a quick run takes half of what the others take, as it lasts twice as long."""
    count, mark = (FEW // 2, "-quick") if bench.quick else (MANY, "")
    file = _workloads(bench, count)
    yield _figure(f"G11{mark}", f"{count:,} Workloads of 8 steps", "krm-cartographer-params", bench, file, both=True)


def _size(bench: Bench) -> tuple[int, str]:
    """How many: a quick run takes a tenth, of which the rows have names of their own."""
    return (FEW, "-quick") if bench.quick else (MANY, "")


def _figure(name: str, what: str, command: str, bench: Bench, file: Path, *, dump: bool = False, both: bool = False) -> Figure:
    """Measure a function against the load, or the load and dump, of its input, or of input and output."""
    ours = bench.ours(command)
    second = bench.folder / f"{name}.out"
    if both:
        second.write_bytes(setting.output(ours, file))
    load = Command(setting.load(dump=dump or both, second=second if both else None), file)
    found = measure({"ours": Command(ours, file), "load": load}, bench.rounds)
    yardstick = "C load and dump of input and output" if both else "C load and dump"
    return _row(name, what, found["ours"], yardstick, found["load"])


def _layers(kind: str, command: str, bench: Bench, write: Callable[..., None]) -> Iterator[Figure]:
    """Measure a run against the load of list and layers; in a quick run also explanations of few."""
    count, mark = _size(bench)
    file = bench.file(f"{kind}-{count}.yaml", functools.partial(write, count=count))
    found = measure({"ours": Command(bench.ours(command), file), "load": Command(setting.load(texts=True), file)}, bench.rounds)
    what = f"{command}, {count:,} of 5 layers of 200 keys"
    yield _row(f"G8-{kind}{mark}", what, found["ours"], "C load of input and layers", found["load"])
    if bench.quick:
        yield from _explained(kind, command, bench, file, count)


def _explained(kind: str, command: str, bench: Bench, file: Path, count: int) -> Iterator[Figure]:
    """Measure an explanation of a list against the render of a package of it, and one that is asked for one path."""
    package = _package(bench.folder / f"{kind}-package", command, file)
    commands = {
        "json": Command(bench.ours("krm-values", "explain", "--json"), file),
        "render": Command(bench.ours("krm-values", "render", str(package), "-o", "stdout")),
        "pattern": Command(bench.ours("krm-values", "explain", str(package), "group0.key0")),
    }
    found = measure(commands, rounds=3)
    yield _row(f"explain-{kind}-json-quick", f"explain --json of {count}", found["json"], "render -o stdout", found["render"])
    yield _row(
        f"explain-{kind}-path-quick", f"explain DIR PATTERN of {count}", found["pattern"], "render -o stdout", found["render"]
    )


def _package(folder: Path, command: str, file: Path) -> Path:
    """Return a package of the items of a list, one document after another, and its functionConfig."""
    if not folder.exists():
        folder.mkdir()
        listed = yaml.load(file.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        config = {**listed["functionConfig"], "metadata": {"name": "bench", "annotations": _LOCAL}}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        (folder / "items.yaml").write_text("---\n".join(_document(item) for item in listed["items"]))
        step = {"exec": command, "configPath": "config.yaml"}
        head = {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": "bench"}}
        (folder / "Kptfile").write_text(yaml.safe_dump({**head, "pipeline": {"mutators": [step]}}))
    return folder


def _document(item: Any) -> str:
    """Return an item with its texts as literal blocks, as people write them."""
    if "data" not in item:
        return yaml.safe_dump(item)
    head = yaml.safe_dump({key: value for key, value in item.items() if key != "data"})
    return head + "data:\n" + "".join(f"  {key}: |\n{textwrap.indent(text, '    ')}" for key, text in item["data"].items())


def deployments(bench: Bench) -> Iterator[Figure]:
    """Yield G16: layers into as many Deployments against the load of the list, of list and layers, and of structured layers."""
    count, mark = _size(bench)
    file = bench.file(f"deployments-{count}.yaml", functools.partial(layered.write_deployments, count=count))
    ours = Command(bench.ours("krm-layered-values"), file)
    loads = {"list": Command(setting.load(), file), "layers": Command(setting.load(texts=True), file)}
    found = measure({"ours": ours, **loads}, bench.rounds)
    what = f"krm-layered-values, {count:,} layers of 200 keys into {count:,} Deployments"
    yield _row(f"G16{mark}", what, found["ours"], "C load of input, layers as strings", found["list"])
    yield _row(f"G16-layers{mark}", what, found["ours"], "C load of input and layers", found["layers"])
    for form, said in ((layered.FIELD, "fields"), (layered.KEYS, "keys")):
        yield _structured(bench, ours.argv, count, form, f"G16-{said}{mark}", f"{what}, layers as {said}")


def _structured(bench: Bench, ours: list[str], count: int, form: str, name: str, what: str) -> Figure:
    """Measure layers whose keys are keys of the list, too."""
    write = functools.partial(layered.write_deployments, count=count, form=form)
    file = bench.file(f"deployments-{form}-{count}.yaml", write)
    found = measure({"ours": Command(ours, file), "load": Command(setting.load(), file)}, bench.rounds)
    return _row(name, what, found["ours"], "C load of input", found["load"])


def packages(bench: Bench) -> Iterator[Figure]:
    """Yield G9."""
    count, mark = _size(bench)
    ours = bench.ours("krm-glasskube-values")
    few, many = (
        bench.file(f"packages-{size}.yaml", functools.partial(_write_packages, count=size)) for size in (count // 4, count)
    )
    found = measure({"many": Command(ours, many), "few": Command(ours, few)}, bench.rounds)
    yield _row(f"G9{mark}", f"{count:,} Packages of 20 targets", found["many"], f"{count // 4} of them", found["few"])


def _row(name: str, what: str, ours: Row, yardstick: str, other: Row) -> Figure:
    return Figure(name, what, ours.cpu, yardstick, other.cpu, median=ours.cpu_median, wall=ours.wall, runs=ours.runs)


def _runs(bench: Bench, count: int) -> Path:
    return bench.file(f"runs-{count}.yaml", functools.partial(_write_runs, count=count))


def _write_runs(out: TextIO, count: int) -> None:
    out.write(_HEAD)
    for number in range(count):
        out.write(data.RUN_HEAD.format(number=number))
        out.writelines(data.TASK.format(task=index) for index in range(10))
    out.write(_CONFIG.format(kind="TektonParams"))


def _dumped(out: TextIO, kind: str, items: Iterator[dict[str, Any]]) -> None:
    out.write(_HEAD)
    out.writelines(yaml.dump([item], Dumper=yaml.CSafeDumper, sort_keys=False) for item in items)
    out.write(_CONFIG.format(kind=kind))


def _write_packages(out: TextIO, count: int) -> None:
    _dumped(out, "GlasskubeValues", _package_items(count))


def _package_items(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        names = [f"c{number}-{target}" for target in range(20)]
        targets = [
            {"resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": name}, "patch": {"op": "add", "path": "/data/HOST"}}
            for name in names
        ]
        manifest = {"name": f"foo{number}", "scope": "Cluster", "defaultNamespace": "team",
                    "valueDefinitions": {"host": {"type": "text", "targets": targets}}}  # fmt: skip
        yield _object("krm-values.dev/v1alpha1", "PackageManifest", f"foo{number}", spec={"manifest": manifest})
        package = {"packageInfo": {"name": f"foo{number}", "version": "v1.0.0"}, "values": {"host": {"value": "h"}}}
        yield _object("packages.glasskube.dev/v1alpha1", "ClusterPackage", f"p{number}", spec=package)
        for name in names:
            yield _object("v1", "ConfigMap", name, "team", data={"A": "b"})


def _workloads(bench: Bench, count: int) -> Path:
    return bench.file(f"workloads-{count}.yaml", functools.partial(_write_workloads, count=count))


def _write_workloads(out: TextIO, count: int) -> None:
    _dumped(out, "CartographerParams", _supply_chain(count))


def _supply_chain(count: int) -> Iterator[dict[str, Any]]:
    api, dice = "carto.run/v1alpha1", random.Random(1)
    for step in range(8):
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"$(workload.metadata.name)$-{step}"},
                "data": {f"key-{key}": f"$(params.param-{key})$" for key in range(10)}}  # fmt: skip
        defaults = [{"name": f"param-{key}", "default": f"{key}"} for key in range(10)]
        yield _object(api, "ClusterTemplate", f"t{step}", spec={"params": defaults, "template": body})
    steps = [{"name": f"s{step}", "templateRef": {"kind": "ClusterTemplate", "name": f"t{step}"}} for step in range(8)]
    yield _object(api, "ClusterSupplyChain", "chain", spec={"selector": {"lane": "chain"}, "resources": steps})
    for number in range(count):
        given = [{"name": f"param-{key}", "value": dice.choice(("a", "b c", "true", "8080"))} for key in range(5)]
        item = _object(api, "Workload", f"w{number}", "team", spec={"params": given})
        item["metadata"]["labels"] = {"lane": "chain"}
        yield item


def _object(version: str, kind: str, name: str, namespace: str = "", **fields: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}
