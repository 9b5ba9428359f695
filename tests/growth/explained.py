"""Dimensions of what answers for one line of a package: `why` and `impact`."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from argparse import Namespace
from pathlib import Path

from krm_values._data.limits import DEFAULT
from krm_values._explain import impact, why
from tests.growth.measure import Dimension, Work

_KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - {exec: krm-flux-values}
"""
_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r, namespace: o}
spec:
  interval: 5m
  chart: {spec: {chart: w, sourceRef: {kind: HelmRepository, name: c}}}
  valuesFrom:
  - {kind: ConfigMap, name: b, optional: true}
  - {kind: ConfigMap, name: a, optional: true}
"""
_FIRST = 6  # line of the first value of a layer


def _layer(name: str, values: str) -> str:
    lines = "".join(f"    {line}\n" for line in values.splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: o}}\ndata:\n  values.yaml: |\n{lines}"


def _keys(n: int, value: str = "v", name: str = "k") -> str:
    return "".join(f"{name}{i:05}: {value}{i}\n" for i in range(n))


def _map(n: int) -> str:
    return "m:\n" + "".join(f"  k{i:05}: v\n" for i in range(n))


def _asked(command: str, line: int, text: str, more: str = "x: 1", documents: int = 0) -> Work:
    """The answer for a line of the layer `a` of a release, whose values are these; those of a second layer are `more`."""
    folder = Path(tempfile.mkdtemp(prefix="growth-"))
    files = {"Kptfile": _KPTFILE, "release.yaml": _RELEASE, "a.yaml": _layer("a", text), "b.yaml": _layer("b", more)}
    files["others.yaml"] = "---\n".join(_layer(f"other{i}", "x: 1") for i in range(documents))
    for path, content in files.items():
        (folder / path).write_text(content)
    named = f"{folder / 'a.yaml'}:{line}"
    flags = {
        "skip_foreign": False,
        "allow_images": False,
        "allow_exec": False,
        "network": False,
        "pull": False,
        "follow_links": False,
        "show_secrets": False,
        "verbose": False,
        "ytt": None,
    }
    forms = {"json": False, "markdown": False, "html": None, "blame": False}
    options = Namespace(command=command, places=[named, str(folder)], output="text", limits=DEFAULT, **flags, **forms)

    def work() -> None:
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
                (why if command == "why" else impact).run(options)
            assert out.getvalue()
        finally:
            shutil.rmtree(folder)

    return work


DIMENSIONS = [
    Dimension("why, keys of the layer", lambda n: _asked("why", _FIRST + n - 1, _keys(n))),
    Dimension("why, keys of the layer that is not on the line", lambda n: _asked("why", _FIRST, "x: 1", _keys(n))),
    Dimension("why, keys in quotes", lambda n: _asked("why", _FIRST + n - 1, _keys(n, "'v' #"))),
    Dimension(
        "why, aliases of an anchor",
        lambda n: _asked("why", _FIRST + n, "a: &a {x: 1, y: 2}\n" + "".join(f"k{i:05}: *a\n" for i in range(n))),
    ),
    Dimension(
        "impact, aliases of an anchor",
        lambda n: _asked("impact", _FIRST, "a: &a {x: 1, y: 2}\n" + "".join(f"k{i:05}: *a\n" for i in range(n))),
    ),
    Dimension("impact, keys of the layer", lambda n: _asked("impact", _FIRST + n // 2, _keys(n))),
    Dimension("impact, keys of a removed layer", lambda n: _asked("impact", 5, _keys(n))),
    Dimension("impact, keys of a removed layer, and of another", lambda n: _asked("impact", 5, _keys(n), _keys(n, name="o"))),
    Dimension("impact, keys that are parts of a value then", lambda n: _asked("impact", 5, f"m: 1\n{_keys(n)}", _map(n))),
    Dimension("impact, keys that another layer sets then", lambda n: _asked("impact", 5, _keys(n), _keys(n, "w"))),
    Dimension("impact, keys of a removed layer, and documents", lambda n: _asked("impact", 5, _keys(n), documents=n)),
]
