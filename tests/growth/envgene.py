"""Dimensions of envgene-sd."""

from __future__ import annotations

import json
from typing import Any

from tests.growth.lists import Object, again, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "envgene-sd"


def _apps(n: int, version: str = "1", postfix: str = "") -> list[Object]:
    return [{"version": f"app-{i}:{version}", "deployPostfix": postfix or f"p{i}"} for i in range(n)]


def _full(apps: list[Object], environment: str = "east/one", **more: Any) -> Object:
    return {"apiVersion": "krm-values.dev/v1alpha1", "kind": "SolutionDescriptor",
            "metadata": {"name": f"{environment.replace('/', '.')}.sd", "annotations": {"krm-values.dev/environment": environment}},
            "spec": {"applications": apps, **more}}  # fmt: skip


def _namespace(number: int, environment: str = "east/one") -> Object:
    return {"apiVersion": "krm-values.dev/v1alpha1", "kind": "EnvironmentNamespace",
            "metadata": {"name": f"ns{number}", "annotations": {"krm-values.dev/environment": environment}},
            "spec": {"name": f"real-{number}", "folder": f"p{number}"}}  # fmt: skip


def _artifact(number: int, apps: list[Object]) -> Object:
    return {"apiVersion": "krm-values.dev/v1alpha1", "kind": "SolutionDescriptorArtifact", "metadata": {"name": f"a{number}"},
            "spec": {"version": f"suite-{number}:1.0.0", "descriptor": {"applications": apps}}}  # fmt: skip


def _list(*items: Object, data: object = None, **config: Any) -> str:
    given = {"SD_SOURCE_TYPE": "json", "SD_DATA": data} if data is not None else {}
    return listed(list(items), NAME, **given, **config)


def _work(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(NAME, _list(*items, **config), fails=fails)


def _merge(mode: str, n: int) -> Work:
    incoming = {"applications": _apps(n, "2")}
    return _work(_full(_apps(n)), data=incoming, SD_REPO_MERGE_MODE=mode)


def _new(n: int) -> Work:
    return _work(_full([]), data={"applications": _apps(n)})


def _graph(n: int, per: int = 1) -> Object:
    chunks = [{"chunkName": f"c{i}", "apps": [f"app-{j}:p{j}" for j in range(i * per, (i + 1) * per)]} for i in range(n // per)]
    return {"applications": _apps(n, "2"), "deployGraph": chunks}


def _chunks(n: int) -> Work:
    full = _graph(n)
    return _work(_full(_apps(n), deployGraph=full["deployGraph"]), data=_graph(n), SD_REPO_MERGE_MODE="extended-merge")


def _one_chunk(n: int) -> Work:
    full = _graph(n, n)
    return _work(_full(_apps(n), deployGraph=full["deployGraph"]), data=_graph(n, n), SD_REPO_MERGE_MODE="extended-merge")


def _sds(n: int) -> Work:
    return _work(_full(_apps(1)), data=[{"applications": [{"version": f"app-{i}:1", "deployPostfix": "p"}]} for i in range(n)])


def _extended_sds(n: int) -> Work:
    data = [
        {
            "applications": [{"version": f"app-{i}:1", "deployPostfix": "p"}],
            "deployGraph": [{"chunkName": f"c{i}", "apps": [f"app-{i}:p"]}],
        }
        for i in range(n)
    ]
    return _work(
        _full(_apps(1), deployGraph=[{"chunkName": f"c{i}", "apps": []} for i in range(n)]),
        data=data,
        SD_REPO_MERGE_MODE="extended-merge",
    )


def _environments(n: int) -> list[Object]:
    return [_full(_apps(1), f"east/e{i}") for i in range(n)]


def _artifacts(n: int) -> Work:
    items = [_artifact(i, [{"version": f"app-{i}:1", "deployPostfix": "p"}]) for i in range(n)]
    return _work(_full(_apps(1)), *items, SD_SOURCE_TYPE="artifact", SD_VERSION=[f"suite-{i}:1.0.0" for i in range(n)])


def _missing_artifacts(n: int) -> Work:
    items = [_artifact(i, []) for i in range(n)]
    return _work(
        _full(_apps(1)), *items, SD_SOURCE_TYPE="artifact", SD_VERSION=[f"siute-{i}:1.0.0" for i in range(n)], fails=True
    )


def _namespaces(n: int) -> Work:
    items = [_namespace(i) for i in range(n)]
    incoming = {
        "applications": [{"version": f"app-{i}:1", "deployPostfix": f"real-{i}"} for i in range(n)],
        "userData": {"useDeployPostfixAsNamespace": True},
    }
    return _work(_full(_apps(1)), *items, data=incoming)


def _missing_namespaces(n: int) -> Work:
    items = [_namespace(i) for i in range(n)]
    incoming = {
        "applications": [{"version": f"app-{i}:1", "deployPostfix": f"rael-{i}"} for i in range(n)],
        "userData": {"useDeployPostfixAsNamespace": True},
    }
    return _work(_full(_apps(1)), *items, data=incoming, fails=True)


def _unknown_postfixes(n: int) -> Work:
    incoming = {"applications": [{"version": f"app-{i}:1", "deployPostfix": f"pp{i}"} for i in range(n)]}
    return _work(_full(_apps(1)), *(_namespace(i) for i in range(n)), data=incoming)


def _unknown_environments(n: int) -> Work:
    return _work(*_environments(n), data={"applications": _apps(1)}, ENV_NAMES=[f"east/f{i}" for i in range(n)])


def _near_keys(n: int) -> Work:
    incoming = {"applications": [{**app, "deployPostifx": "x"} for app in _apps(n)]}
    return _work(_full([]), data=incoming)


def _data_text(n: int) -> Work:

    return _work(_full([]), data=json.dumps({"applications": _apps(n)}))


def _repeats(n: int) -> Work:
    return _work(
        _full(_apps(1)), data={"applications": [{"version": f"app:{i}", "deployPostfix": "p"} for i in range(n)]}, fails=True
    )


def _missing_in_graph(n: int) -> Work:
    graph = _graph(n)
    graph["deployGraph"] = graph["deployGraph"][:1]
    return _work(
        _full(_apps(1), deployGraph=[{"chunkName": "c0", "apps": ["app-0:p0"]}]),
        data=graph,
        SD_REPO_MERGE_MODE="extended-merge",
        fails=True,
    )


def _reversed(n: int) -> Work:
    """The incoming SD in another order."""
    return _work(_full(_apps(n)), data={"applications": _apps(n, "2")[::-1]}, SD_REPO_MERGE_MODE="replace")


def _same_key(n: int) -> Work:
    """Entries of one application that differ by alias."""
    apps = [{"version": "app:1", "deployPostfix": "p", "alias": f"a{i}"} for i in range(n)]
    return _work(_full(apps), data={"applications": apps[::-1]}, SD_REPO_MERGE_MODE="replace", fails=True)


def _unknown_chunks(n: int) -> Work:
    full = _graph(n)
    incoming = _graph(n)
    for i, chunk in enumerate(incoming["deployGraph"]):
        chunk["chunkName"] = f"d{i}"
    return _work(
        _full(_apps(n), deployGraph=full["deployGraph"]), data=incoming, SD_REPO_MERGE_MODE="extended-merge", fails=True
    )


def _second_sds(n: int) -> Work:
    return _work(*(_full(_apps(1)) for _ in range(n)), data={"applications": _apps(1)}, fails=True)


def _twice(n: int) -> Work:
    return again(NAME, _list(*_environments(n), data={"applications": _apps(1, "2")}))


DIMENSIONS = [
    Dimension("applications, basic-merge", lambda n: _merge("basic-merge", n)),
    Dimension("applications, basic-exclusion-merge", lambda n: _merge("basic-exclusion-merge", n)),
    Dimension("applications, extended-merge", lambda n: _merge("extended-merge", n)),
    Dimension("applications, replace", lambda n: _merge("replace", n)),
    Dimension("applications that are new", _new),
    Dimension("chunks of the graph", _chunks),
    Dimension("apps of a chunk", _one_chunk),
    Dimension("apps that the graph lacks", _missing_in_graph),
    Dimension("SDs", _sds),
    Dimension("SDs with graphs", _extended_sds),
    Dimension("environments", lambda n: _work(*_environments(n), data={"applications": _apps(1, "2")})),
    Dimension("environments on a second run", _twice),
    Dimension("artifacts", _artifacts),
    Dimension("missing artifacts", _missing_artifacts),
    Dimension("deployPostfixes that are namespaces", _namespaces),
    Dimension("deployPostfixes that are missing namespaces", _missing_namespaces, 100),
    Dimension("deployPostfixes that are no folders", _unknown_postfixes),
    Dimension("environments that are not there", _unknown_environments, 50),
    Dimension("keys that are near to known ones", _near_keys),
    Dimension("applications in a text", _data_text),
    Dimension("versions of one application", _repeats),
    Dimension("applications in another order", _reversed),
    Dimension("entries of one application", _same_key),
    Dimension("chunks that are not there", _unknown_chunks),
    Dimension("Full SDs of one environment", _second_sds),
]
