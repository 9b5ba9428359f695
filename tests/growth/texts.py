"""Dimensions of what every function reads and edits: lists, files, anchors, styles of scalars, names, undo records."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from krm_values._data.errors import InputError
from krm_values._krm import packages
from krm_values._krm.files import Reader
from krm_values._run import invoke
from krm_values._run.listing import wrapped
from krm_values._run.pipeline import rendered
from krm_values._run.tree import changes
from tests.growth.lists import answered, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "tekton-params"
_RUN = """\
- apiVersion: tekton.dev/v1
  kind: PipelineRun
  metadata: {name: run, namespace: ci}
  spec:
    params:
    - {name: p, value: v}
    pipelineSpec:
      tasks:
      - name: t
        taskSpec:
          steps:
          - {name: s, image: i, script: $(params.p)}
"""
_MAP = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: c{}}}\n"
_MANY = "".join(
    f"{_MAP.format(f'pad{i}')}  data: {{a: {'x' * 200}}}\n" for i in range(900)
)  # a list that is scanned, not parsed


def _list(items: str) -> str:
    return listed(items, NAME, mode="propagate")


def _work(items: str) -> Work:
    return whole(NAME, _list(items))


def _broken(items: str) -> Work:
    """A list that cannot be read."""
    data = _list(items).encode()

    def work() -> None:
        try:
            answered(NAME, data)
        except InputError:
            return
        raise AssertionError("can be read")

    return work


def _mistaken(n: int) -> Work:
    """Unknown fields of a functionConfig, and wrong elements of a field that may have several types."""
    unknown = whole(NAME, listed(_RUN, NAME, **{f"field{i}": 1 for i in range(n)}), fails=True)
    wrong = whole("glasskube-values", listed("", "glasskube-values", useDefaults=[1] * n), fails=True)
    return lambda: (unknown(), wrong())


def _edited(text: str, more: str = "") -> Work:
    """What stands in an item that is edited."""
    return _work(_RUN.replace("    params:\n", f"{text}    params:\n", 1) + more)


def _maps(n: int, data: str = "a: b") -> str:
    return "".join(f"{_MAP.format(i)}  data:\n    {data}\n" for i in range(n))


def _anchors(n: int) -> str:
    return "    x:\n" + "".join(f"    - &a{i} v\n" for i in range(n))


def _later_aliases(n: int) -> Work:
    """What looks like aliases of the anchors of an edited item."""
    later = "".join(f'{_MAP.format(f"l{i}")}  data: {{k: "*a{i} x"}}\n' for i in range(n))
    return _edited(_anchors(n), _MANY + later)


def _same_anchor(n: int) -> Work:
    """Edited items that all have an anchor of one name, and its alias."""
    one = _RUN.replace("    params:\n", "    x-a: &a v\n    x-b: *a\n    params:\n", 1)
    return _work("".join(one.replace("name: run,", f"name: run{i},") for i in range(n)) + _MANY)


def _chain(n: int) -> Work:
    """An alias that leads from item to item."""
    items = f"{_MAP.format('first')}  data: &a0 x\n"
    items += "".join(
        f"- apiVersion: v1\n  kind: Thing\n  metadata: {{name: z{i}}}\n  x: *a{i - 1}\n  y: &a{i} v\n" for i in range(1, n)
    )
    task = f"- apiVersion: tekton.dev/v1\n  kind: Task\n  metadata: {{name: last, annotations: {{x: *a{n - 1}}}}}\n  spec: {{steps: []}}\n"
    return _work(items + task + _RUN + _MANY)


def _repeats(n: int) -> Work:
    """Items that a host may have sent twice."""
    key = "internal.config.kubernetes.io/kpt-resource-id"
    return _work(
        _RUN
        + "".join(
            f"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: c, annotations: {{{key}: '{i}'}}}}\n" for i in range(n)
        )
    )


def _packages(n: int) -> Work:
    key = "internal.config.kubernetes.io/package-path"
    return _work(_RUN + "".join(f"{_MAP.format(i)[:-2]}, annotations: {{{key}: p{i}}}}}\n" for i in range(n)))


def _renamed(n: int) -> Work:
    """Tasks that kustomize has renamed, and references to their earlier names."""
    tasks = "".join(f"      - {{name: t{i}, taskRef: {{name: old{i}}}}}\n" for i in range(n))
    internal = "internal.config.kubernetes.io/previous"
    items = "".join(
        f"- apiVersion: tekton.dev/v1\n  kind: Task\n  metadata:\n    name: new{i}\n    namespace: ci\n    annotations:\n"
        f"      {internal}Kinds: Task\n      {internal}Names: old{i}\n      {internal}Namespaces: ci\n  spec: {{steps: [{{name: s, image: i}}]}}\n"
        for i in range(n)
    )
    return whole(NAME, listed(_RUN + tasks + items, NAME, mode="propagate", references=True))


def _tree(files: dict[str, str]) -> Work:
    """A package, read, rendered, and its changes and its list made."""
    folder = Path(tempfile.mkdtemp(prefix="growth-"))
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    def work() -> None:
        try:
            done = rendered(folder, skip_foreign=False, follow_links=False)
            assert not done.failed
            changes(done.loaded)
            wrapped(done.loaded.tree.documents)
        finally:
            shutil.rmtree(folder)

    return work


def _kptfile(steps: int = 1) -> str:
    head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n"
    return head + "  - {exec: krm-tekton-params, configMap: {mode: propagate}}\n" * steps


def _run_file(name: str = "run") -> str:
    return "".join(f"{line[2:]}\n" for line in _RUN.replace("name: run,", f"name: {name},").splitlines())


def _files(n: int) -> Work:
    return _tree({"Kptfile": _kptfile(), **{f"f{i}.yaml": _run_file(f"r{i}") for i in range(n)}})


def _generated(n: int) -> Work:
    """Releases of one file; for each an object is generated in a file of its own."""
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: r{0}, namespace: ci}}\nspec: {{values: {{a: {0}}}}}\n"
    kptfile = _kptfile().replace("krm-tekton-params, configMap: {mode: propagate}", "krm-flux-values")
    return _tree({"Kptfile": kptfile, "f.yaml": "---\n".join(release.format(i) for i in range(n))})


def _documents(n: int) -> Work:
    return _tree({"Kptfile": _kptfile(), "f.yaml": "---\n".join(_run_file(f"r{i}") for i in range(n))})


def _folders(n: int) -> Work:
    return _tree({"Kptfile": _kptfile(), **{f"d{i}/f.yaml": _run_file(f"r{i}") for i in range(n)}})


def _sub_packages(n: int) -> Work:
    own = {f"d{i}/{name}": text for i in range(n) for name, text in (("Kptfile", _kptfile()), ("f.yaml", _run_file(f"r{i}")))}
    return _tree({"Kptfile": _kptfile(), **own})


def _steps(n: int) -> Work:
    return _tree({"Kptfile": _kptfile(n), "f.yaml": _run_file()})


def _ignored(patterns: int, names: int) -> Work:
    folder = Path(tempfile.mkdtemp(prefix="growth-"))
    (folder / packages.IGNORE).write_text("".join(f"f{i}*a\n" for i in range(patterns)))

    def work() -> None:
        with Reader(folder) as reader:
            ignored = packages.ignored_below(folder, reader)
        assert not any(ignored(f"x{i}.yaml") for i in range(names))
        shutil.rmtree(folder)

    return work


def _record(n: int) -> Work:
    """The entries of an undo record that somebody has written."""
    entries = [{"op": "replace", "path": f"/spec/k{i}", "sha": "0" * 12, "value": 1} for i in range(n)]
    record = json.dumps({"by": ["ClusterPackage//p"], "undo": entries, "v": 2}, separators=(",", ":"))
    fields = "".join(f"    k{i}: 2\n" for i in range(n))
    item = f"- apiVersion: x.test/v1\n  kind: Thing\n  metadata:\n    name: t\n    annotations:\n      krm-values.dev/undo.glasskube-values: '{record}'\n  spec:\n{fields}"
    data = listed(item, "glasskube-values").encode()

    def work() -> None:
        source, outcome = invoke.answer(data, "glasskube-values")
        assert source.items
        assert outcome.findings

    return work


_LONG = 400
"""Lines from which on a text is read by lines at every size, not by one way at the first size and by another at the last."""

DIMENSIONS = [
    Dimension("mistakes in a functionConfig", _mistaken),
    Dimension("items", lambda n: _work(_RUN + _maps(n))),
    Dimension("items of a list that is scanned", lambda n: _work(_RUN + _MANY + _maps(n))),
    Dimension("edited items", lambda n: _work("".join(_RUN.replace("name: run,", f"name: run{i},") for i in range(n)))),
    Dimension("anchors of an edited item", lambda n: _edited(_anchors(n), _MANY)),
    Dimension("anchors of an edited item that later items seem to use", _later_aliases),
    Dimension("edited items with an anchor of the same name", _same_anchor, 20),
    Dimension("items through which an alias leads", _chain),
    Dimension("keys of an edited map", lambda n: _edited("".join(f"    k{i}: v\n" for i in range(n)))),
    Dimension("elements of a list in an edited item", lambda n: _edited("    x:\n" + "    - v\n" * n), _LONG),
    Dimension("comments in an edited item", lambda n: _edited("    # c\n" * n), _LONG),
    Dimension("blank lines in an edited item", lambda n: _edited("\n" * n)),
    Dimension("lines of a block scalar in an edited item", lambda n: _edited("    x: |\n" + "      y\n" * n), _LONG),
    Dimension("block scalars in an edited item", lambda n: _edited("".join(f"    x{i}: |+\n      y\n\n" for i in range(n)))),
    Dimension("lines of a plain scalar in an edited item", lambda n: _edited("    x: y\n" + "      y\n" * n), _LONG),
    Dimension(
        "quoted scalars in an edited item",
        lambda n: _edited("".join(f"    x{i}: 'a''b'\n    y{i}: \"\\x41\"\n" for i in range(n))),
    ),
    Dimension("tags in an edited item", lambda n: _edited("    x:\n" + "    - !!str v\n" * n)),
    Dimension("flow lists in an edited item", lambda n: _edited("    x:\n" + "    - [a, {b: c}] # d\n" * n)),
    Dimension("items with an open quote", lambda n: _broken(_RUN + _MANY + _maps(n, 'a: "b'))),
    Dimension("items with an open bracket", lambda n: _broken(_RUN + _MANY + _maps(n, "a: [b"))),
    Dimension("lines of an open quote", lambda n: _broken(_RUN + _MANY + _maps(1, 'a: "b') + "c 'd' [e\n" * n)),
    Dimension("items with closed quotes over lines", lambda n: _work(_RUN + _MANY + _maps(n, 'a: "b\n      c"'))),
    Dimension("items that look repeated", _repeats),
    Dimension("packages of a list", _packages),
    Dimension("objects that were renamed", _renamed),
    Dimension("files of a package", _files, 20),
    Dimension("documents of a file", _documents, 20),
    Dimension("generated objects of a package", _generated, 20),
    Dimension("folders of a package", _folders, 20),
    Dimension("packages in a package", _sub_packages, 10),
    Dimension("steps of a Kptfile", _steps, 20),
    Dimension("patterns of a .krmignore", lambda n: _ignored(n, 20), 300),
    Dimension("names that a .krmignore is asked for", lambda n: _ignored(20, n)),
    Dimension("entries of an undo record", _record),
]
