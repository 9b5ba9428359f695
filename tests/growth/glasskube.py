"""Dimensions of glasskube-values."""

from __future__ import annotations

from typing import Any

from krm_values.glasskube_values.files import Files
from tests.growth.lists import Object, again, config_map, dumped, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "glasskube-values"


def _target(name: str, pointer: str, kind: str = "ConfigMap", group: str = "v1", **more: Any) -> Object:
    return {"resource": {"apiGroup": group, "kind": kind, "name": name}, "patch": {"op": "add", "path": pointer}, **more}


def _manifest(definitions: Object, name: str = "foo", **more: Any) -> Object:
    spec = {"name": name, "scope": "Cluster", "defaultNamespace": "team", "valueDefinitions": definitions, **more}
    return {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "PackageManifest",
        "metadata": {"name": name},
        "spec": {"manifest": spec},
    }


def _package(values: Object, name: str = "foo", manifest: str = "foo") -> Object:
    return {"apiVersion": "packages.glasskube.dev/v1alpha1", "kind": "ClusterPackage", "metadata": {"name": name},
            "spec": {"packageInfo": {"name": manifest, "version": "v1.0.0"}, "values": values}}  # fmt: skip


def _definition(*targets: Object, **more: Any) -> Object:
    return {"type": "text", "targets": list(targets), **more}


def _list(*items: Object, **config: Any) -> str:
    return listed(list(items), NAME, **config)


def _work(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(NAME, _list(*items, **config), fails=fails)


def _packages(n: int) -> list[Object]:
    items: list[Object] = [_manifest({"host": _definition(_target(f"c{i}", "/data/HOST"))}, f"foo{i}") for i in range(n)]
    items += [_package({"host": {"value": "h"}}, f"p{i}", f"foo{i}") for i in range(n)]
    return [*items, *(config_map(f"c{i}", {"A": "b"}) for i in range(n))]


def _spaced(n: int) -> list[Object]:
    """Packages of one manifest, each in a namespace of its own."""
    manifest = _manifest({"host": _definition(_target("c", "/data/HOST"))}, scope="Namespaced")
    packages = [_package({"host": {"value": "h"}}, "p") for _ in range(n)]
    for i, package in enumerate(packages):
        package["kind"], package["metadata"]["namespace"] = "Package", f"ns{i}"
    return [manifest, *packages, *(config_map("c", {"A": "b"}, f"ns{i}") for i in range(n))]


def _definitions(n: int) -> list[Object]:
    definitions = {f"v{i}": _definition(_target("c", f"/data/K{i}")) for i in range(n)}
    return [_manifest(definitions), _package({f"v{i}": {"value": "x"} for i in range(n)}), config_map("c", {"A": "b"})]


def _targets(n: int) -> list[Object]:
    definitions = {"v": _definition(*(_target("c", f"/data/K{i}") for i in range(n)))}
    return [_manifest(definitions), _package({"v": {"value": "x"}}), config_map("c", {"A": "b"})]


def _reached(n: int) -> list[Object]:
    definitions = {"v": _definition(*(_target(f"c{i}", "/data/K") for i in range(n)))}
    return [_manifest(definitions), _package({"v": {"value": "x"}}), *(config_map(f"c{i}", {"A": "b"}) for i in range(n))]


def _thing(**spec: Any) -> Object:
    return {"apiVersion": "x.test/v1", "kind": "Thing", "metadata": {"name": "d", "namespace": "team"}, "spec": spec}


def _into_a_list(n: int, index: str) -> list[Object]:
    definitions = {f"v{i}": _definition(_target("d", f"/spec/args/{index}", "Thing", "x.test/v1")) for i in range(n)}
    return [_manifest(definitions), _package({f"v{i}": {"value": f"x{i}"} for i in range(n)}), _thing(args=["--a"])]


def _replaces(n: int) -> list[Object]:
    """The same place again and again."""
    definitions = {f"v{i}": _definition(_target("c", "/data/A")) for i in range(n)}
    return [_manifest(definitions), _package({f"v{i}": {"value": f"x{i}"} for i in range(n)}), config_map("c", {"A": "b"})]


def _elements(n: int) -> list[Object]:
    """One change in each element of a list."""
    definitions = {"v": _definition(*({**_target("d", f"/spec/l/{i}/a", "Thing", "x.test/v1")} for i in range(n)))}
    return [_manifest(definitions), _package({"v": {"value": "x"}}), _thing(l=[{"a": "b"} for _ in range(n)])]


def _chart(n: int) -> list[Object]:
    definitions = {
        f"v{i}": {"type": "text", "targets": [{"chartName": "foo", "patch": {"op": "add", "path": f"/a{i}"}}]} for i in range(n)
    }
    helm = {"repositoryUrl": "https://c.test", "chartName": "foo", "chartVersion": "v1", "values": {"a": 1}}
    return [_manifest(definitions, helm=helm), _package({f"v{i}": {"value": "x"} for i in range(n)})]


def _references(n: int) -> list[Object]:
    """Values that come from the value of the next package."""
    items: list[Object] = [config_map(f"c{i}", {"A": "b"}) for i in range(n)]
    for i in range(n):
        source = {"valueFrom": {"packageRef": {"name": f"p{i + 1}", "value": "v"}}} if i + 1 < n else {"value": "x"}
        items += [
            _manifest({"v": _definition(_target(f"c{i}", "/data/K"))}, f"foo{i}"),
            _package({"v": source}, f"p{i}", f"foo{i}"),
        ]
    return items


def _key_references(n: int) -> list[Object]:
    values = {f"v{i}": {"valueFrom": {"configMapRef": {"name": "s", "namespace": "team", "key": f"k{i}"}}} for i in range(n)}
    definitions = {f"v{i}": _definition(_target("c", f"/data/K{i}")) for i in range(n)}
    return [
        _manifest(definitions),
        _package(values),
        config_map("c", {"A": "b"}),
        config_map("s", {f"k{i}": "x" for i in range(n)}),
    ]


def _missing_key_references(n: int) -> Work:
    values = {f"v{i}": {"valueFrom": {"configMapRef": {"name": "s", "namespace": "team", "key": f"kye-{i}"}}} for i in range(n)}
    definitions = {f"v{i}": _definition(_target("c", f"/data/K{i}")) for i in range(n)}
    items = [
        _manifest(definitions),
        _package(values),
        config_map("c", {"A": "b"}),
        config_map("s", {f"key-{i}": "x" for i in range(n)}),
    ]
    return _work(*items, fails=True)


def _missing_sources(n: int) -> Work:
    values = {
        f"v{i}": {"valueFrom": {"configMapRef": {"name": f"source-{i}", "namespace": "team", "key": "k"}}} for i in range(n)
    }
    definitions = {f"v{i}": _definition(_target("c", f"/data/K{i}")) for i in range(n)}
    items = [
        _manifest(definitions),
        _package(values),
        config_map("c", {"A": "b"}),
        *(config_map(f"soruce-{i}", {"k": "x"}) for i in range(n)),
    ]
    return _work(*items, fails=True)


def _unknown(n: int) -> Work:
    """Values that the manifest does not define, near to many that it does."""
    definitions = {f"value-{i}": _definition(_target("c", f"/data/K{i}")) for i in range(n)}
    return _work(
        _manifest(definitions),
        _package({f"vaule-{i}": {"value": "x"} for i in range(n)}),
        config_map("c", {"A": "b"}),
        fails=True,
    )


def _missing_manifests(n: int) -> Work:
    items = [_manifest({"v": _definition(_target("c", "/data/K"))}, f"foo-{i}") for i in range(n)]
    return _work(
        *items,
        *(_package({"v": {"value": "x"}}, f"p{i}", f"fooo-{i}") for i in range(n)),
        config_map("c", {"A": "b"}),
        fails=False,
    )


def _dead_targets(n: int) -> Work:
    definitions = {f"v{i}": _definition(_target(f"gone-{i}", "/data/K")) for i in range(n)}
    maps = (config_map(f"gnoe-{i}", {"A": "b"}) for i in range(n))
    return _work(_manifest(definitions), _package({f"v{i}": {"value": "x"} for i in range(n)}), *maps, fails=True)


def _other_namespaces(n: int) -> Work:
    """Objects of the target's name in n namespaces, and n targets."""
    definitions = {
        f"v{i}": _definition(
            {
                "resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "c", "namespace": "none"},
                "patch": {"op": "add", "path": f"/data/K{i}"},
            }
        )
        for i in range(n)
    }
    maps = (config_map("c", {"A": "b"}, f"ns{i}") for i in range(n))
    return _work(_manifest(definitions), _package({f"v{i}": {"value": "x"} for i in range(n)}), *maps, fails=True)


def _options(n: int) -> Work:
    definitions = {"v": _definition(_target("c", "/data/K"), type="options", options=[f"o{i}" for i in range(n)])}
    return _work(_manifest(definitions), _package({"v": {"value": "o1"}}), config_map("c", {"A": "b"}))


def _template(n: int) -> Work:
    definitions = {"v": _definition(_target("c", "/data/K", valueTemplate='"' + "{{ .value }}" * n + '"'))}
    return _work(_manifest(definitions), _package({"v": {"value": "x"}}), config_map("c", {"A": "b"}))


def _plain_manifests(n: int) -> Work:
    plain = [{"url": f"https://x.test/{i}.yaml", "defaultNamespace": f"ns{i}"} for i in range(n)]
    definitions = {
        "v": _definition(
            *(
                {
                    "resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": f"c{i}", "namespace": f"ns{i}"},
                    "patch": {"op": "add", "path": "/data/K"},
                }
                for i in range(n)
            )
        )
    }
    maps = []
    for i in range(n):
        made = config_map(f"c{i}", {"A": "b"})
        del made["metadata"]["namespace"]
        made["metadata"]["annotations"] = {"config.kubernetes.io/path": f"{i}.yaml"}
        maps.append(made)
    return _work(_manifest(definitions, manifests=plain), _package({"v": {"value": "x"}}), *maps)


def _transformations(n: int) -> Work:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": "team"}, "spec": {"a": "x"}}
    source = {"resource": {"apiGroup": "v1", "kind": "Service", "name": "s"}, "path": "{.spec.a}"}
    entries = [{"source": source, "targets": [_target("c", f"/data/K{i}")]} for i in range(n)]
    package = _package({})
    package["kind"], package["metadata"]["namespace"] = "Package", "team"
    return _work(_manifest({}, scope="Namespaced", transformations=entries), package, config_map("c", {"A": "b"}), service)


def _removals(n: int) -> list[Object]:
    """Targets that remove keys."""
    targets = [{**_target("c", f"/data/K{i}"), "patch": {"op": "remove", "path": f"/data/K{i}"}} for i in range(n)]
    return [
        _manifest({"v": _definition(*targets)}),
        _package({"v": {"value": "x"}}),
        config_map("c", {f"K{i}": "x" for i in range(n)}),
    ]


def _foreign(n: int) -> Work:
    """Places that two packages write."""
    items: list[Object] = []
    for name in ("one", "two"):
        items += [
            _manifest({"v": _definition(*(_target("c", f"/data/K{i}") for i in range(n)))}, name),
            _package({"v": {"value": name}}, name, name),
        ]
    return _work(*items, config_map("c", {"A": "b"}))


def _linted(n: int) -> Work:
    """Targets beside resources, none of which they mean."""
    files = Files()
    targets = [_target(f"gone-{i}", "/data/K") for i in range(n)]
    manifest = dumped(_manifest({"v": _definition(*targets)}))
    files.add("package.yaml", manifest.encode(), is_package=True)
    for i in range(n):
        files.add(f"c{i}.yaml", dumped(config_map(f"c{i}", {"A": "b"})).encode(), is_package=False)

    def work() -> None:
        assert list(files.all_findings())

    return work


def _twice(items: list[Object], **config: Any) -> Work:
    return again(NAME, _list(*items, **config))


DIMENSIONS = [
    Dimension("packages", lambda n: _work(*_packages(n))),
    Dimension("packages of one manifest", lambda n: _work(*_spaced(n))),
    Dimension("packages on a second run", lambda n: _twice(_packages(n))),
    Dimension("packages of one manifest on a second run", lambda n: _twice(_spaced(n))),
    Dimension("value definitions", lambda n: _work(*_definitions(n))),
    Dimension("value definitions on a second run", lambda n: _twice(_definitions(n))),
    Dimension("targets of a definition", lambda n: _work(*_targets(n))),
    Dimension("targets in as many objects", lambda n: _work(*_reached(n))),
    Dimension("targets in as many objects, second run", lambda n: _twice(_reached(n))),
    Dimension("appends to one list", lambda n: _work(*_into_a_list(n, "-"))),
    Dimension("appends to one list on a second run", lambda n: _twice(_into_a_list(n, "-"))),
    Dimension("inserts into one list", lambda n: _work(*_into_a_list(n, "0"))),
    Dimension("patches of one place", lambda n: _work(*_replaces(n))),
    Dimension("patches in elements of a list", lambda n: _work(*_elements(n), record=False), 250),
    Dimension("patches of chart values", lambda n: _work(*_chart(n))),
    Dimension("references from package to package", lambda n: _work(*_references(n))),
    Dimension("references to keys of a ConfigMap", lambda n: _work(*_key_references(n))),
    Dimension("references to missing keys", _missing_key_references),
    Dimension("references to missing ConfigMaps", _missing_sources),
    Dimension("values that are not defined", _unknown),
    Dimension("missing manifests", _missing_manifests),
    Dimension("targets that reach nothing", _dead_targets, 50),
    Dimension("targets whose name stands in other namespaces", _other_namespaces),
    Dimension("options", _options, 50),
    Dimension("actions of a template", _template),
    Dimension("plain manifests", _plain_manifests),
    Dimension("transformations", _transformations),
    Dimension("patches that remove", lambda n: _work(*_removals(n))),
    Dimension("patches that remove on a second run", lambda n: _twice(_removals(n))),
    Dimension("places that two packages write", _foreign),
    Dimension("targets that are linted beside resources", _linted),
]
