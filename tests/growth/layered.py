"""Dimensions of giantswarm-config and flux-values."""

from __future__ import annotations

from typing import Any

from krm_values._run import invoke
from tests.growth.lists import Object, again, config_map, listed, whole
from tests.growth.measure import Dimension, Work

GS, FLUX = "giantswarm-config", "flux-values"
_CATALOG = {"apiVersion": "application.giantswarm.io/v1alpha1", "kind": "Catalog", "metadata": {"name": "shelf", "namespace": "default"},
            "spec": {"title": "Shelf", "description": "d", "logoURL": "l", "storage": {"type": "helm", "URL": "u"}}}  # fmt: skip


def _app(name: str, **spec: Any) -> Object:
    return {"apiVersion": "application.giantswarm.io/v1alpha1", "kind": "App", "metadata": {"name": name, "namespace": "team"},
            "spec": {"catalog": "shelf", "name": name, "namespace": "apps", "version": "1.0.0", "kubeConfig": {"inCluster": True}, **spec}}  # fmt: skip


def _release(name: str, entries: list[Object], values: object = None) -> Object:
    spec = {"interval": "10m", "chartRef": {"kind": "OCIRepository", "name": "c"}, "valuesFrom": entries}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": name, "namespace": "team"},
            "spec": {**spec, **({} if values is None else {"values": values})}}  # fmt: skip


def _ref(name: str) -> Object:
    return {"configMap": {"name": name, "namespace": "team"}}


def _gs(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(GS, listed([_CATALOG, *items], GS, **config), fails=fails)


def _flux(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(FLUX, listed(list(items), FLUX, **config), fails=fails)


def _extras(n: int, same: bool = False) -> list[Object]:
    extras = [{"kind": "configMap", "name": f"c{i}", "namespace": "team"} for i in range(n)]
    layers = [config_map(f"c{i}", {"values": "a: 1\n" if same else f"k{i}: 1\n"}) for i in range(n)]
    return [_app("app", extraConfigs=extras), *layers]


def _extra_secrets(n: int) -> Work:
    extras = [{"kind": "secret", "name": f"c{i}", "namespace": "team"} for i in range(n)]
    return _gs(
        _app("app", extraConfigs=extras),
        *(config_map(f"c{i}", {"values": f"k{i}: Hs6dLq1v\n"}, kind="Secret") for i in range(n)),
    )


def _apps(n: int) -> list[Object]:
    return [
        thing for i in range(n) for thing in (_app(f"a{i}", config=_ref(f"c{i}")), config_map(f"c{i}", {"values": "a: 1\n"}))
    ]


def _apps_of_one_map(n: int) -> Work:
    return _gs(*(_app(f"a{i}", config=_ref("c")) for i in range(n)), config_map("c", {"values": "a: 1\n"}))


def _missing_catalogs(n: int) -> Work:
    apps = [_app(f"a{i}") for i in range(n)]
    catalogs = [{**_CATALOG, "metadata": {"name": f"shelf-{i}", "namespace": "default"}} for i in range(n)]
    for i, app in enumerate(apps):
        app["spec"]["catalog"] = f"shefl-{i}"
    return _gs(*apps, *catalogs, fails=True)


def _missing_maps(n: int) -> Work:
    apps = [_app(f"a{i}", config=_ref(f"layer-{i}")) for i in range(n)]
    return _gs(*apps, *(config_map(f"laeyr-{i}", {"values": "a: 1\n"}) for i in range(n)), fails=True)


def _allowed(n: int) -> Work:
    apps = [_app(f"a{i}", config=_ref(f"layer-{i}")) for i in range(n)]
    return _gs(*apps, allowMissing=[{"kind": "ConfigMap", "name": f"layer-{i}"} for i in range(n)])


def _keys(n: int) -> Work:
    text = "".join(f"k{i}: v\n" for i in range(n))
    return _gs(
        _app("app", config=_ref("a"), userConfig=_ref("b")),
        config_map("a", {"values": text}),
        config_map("b", {"values": text}),
    )


def _conflicts(n: int) -> Work:
    """A map over a scalar, n times."""
    low, high = "".join(f"k{i}: v\n" for i in range(n)), "".join(f"k{i}: {{a: 1}}\n" for i in range(n))
    return _gs(
        _app("app", config=_ref("a"), userConfig=_ref("b")), config_map("a", {"values": low}), config_map("b", {"values": high})
    )


def _deep(n: int) -> Work:
    text = "".join(f"{'  ' * i}k:\n" for i in range(n)) + f"{'  ' * n}v: 1\n"
    return _gs(
        _app("app", config=_ref("a"), userConfig=_ref("b")),
        config_map("a", {"values": text}),
        config_map("b", {"values": text}),
    )


def _list(n: int) -> Work:
    text = "l:\n" + "- v\n" * n
    return _gs(
        _app("app", config=_ref("a"), userConfig=_ref("b")),
        config_map("a", {"values": text}),
        config_map("b", {"values": text}),
    )


def _anchors(n: int) -> Work:
    text = "".join(f"k{i}: &a{i} v\nj{i}: *a{i}\n" for i in range(n))
    return _gs(_app("app", config=_ref("a")), config_map("a", {"values": text}))


def _merges(n: int) -> Work:
    text = "base: &b {x: 1, y: 2}\n" + "".join(f"k{i}:\n  <<: *b\n  z: 1\n" for i in range(n))
    return _gs(_app("app", config=_ref("a")), config_map("a", {"values": text}))


def _comments(n: int) -> Work:
    text = "a: 1\n" + "# note\n" * n + "b: 2\n"
    return _gs(_app("app", config=_ref("a")), config_map("a", {"values": text}))


def _text(value: str) -> Work:
    return _gs(_app("app", config=_ref("a")), config_map("a", {"values": value}))


def _entries(n: int, same: bool = False) -> list[Object]:
    entries = [{"kind": "ConfigMap", "name": f"c{i}"} for i in range(n)]
    return [
        _release("r", entries, {"own": 1}),
        *(config_map(f"c{i}", {"values.yaml": "a: 1\n" if same else f"k{i}: 1\n"}) for i in range(n)),
    ]


def _targets(n: int) -> list[Object]:
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"k{i}", "targetPath": f"a.b{i}"} for i in range(n)]
    return [_release("r", entries), config_map("c", {f"k{i}": "v" for i in range(n)})]


def _same_target(n: int) -> Work:
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"k{i}", "targetPath": "a.b"} for i in range(n)]
    return _flux(_release("r", entries), config_map("c", {f"k{i}": "v" for i in range(n)}))


def _list_target(n: int) -> Work:
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"k{i}", "targetPath": f"a[{i}].b"} for i in range(n)]
    return _flux(_release("r", entries), config_map("c", {f"k{i}": "v" for i in range(n)}))


def _releases(n: int) -> list[Object]:
    return [
        thing
        for i in range(n)
        for thing in (
            _release(f"r{i}", [{"kind": "ConfigMap", "name": f"c{i}"}]),
            config_map(f"c{i}", {"values.yaml": "a: 1\n"}),
        )
    ]


def _missing_keys(n: int) -> Work:
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"kye-{i}"} for i in range(n)]
    return _flux(_release("r", entries), config_map("c", {f"key-{i}": "a: 1\n" for i in range(n)}), fails=True)


def _missing_objects(n: int) -> Work:
    entries = [{"kind": "ConfigMap", "name": f"layer-{i}"} for i in range(n)]
    return _flux(_release("r", entries), *(config_map(f"laeyr-{i}", {"values.yaml": "a: 1\n"}) for i in range(n)), fails=True)


def _values(n: int) -> Work:
    own = {f"k{i}": "v" for i in range(n)}
    return _flux(
        _release("r", [{"kind": "ConfigMap", "name": "c"}], own),
        config_map("c", {"values.yaml": "".join(f"k{i}: w\n" for i in range(n))}),
    )


def _inline_values(n: int) -> Work:
    own = {f"k{i}": "v" for i in range(n)}
    text = "".join(f"k{i}: w\nm{i}: 1\n" for i in range(n))
    return _flux(
        _release("r", [{"kind": "ConfigMap", "name": "c"}], own), config_map("c", {"values.yaml": text}), output="inline"
    )


def _set_text(n: int) -> Work:
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": "k", "targetPath": "a"}]
    return _flux(_release("r", entries), config_map("c", {"k": "{" + ",".join("v" for _ in range(n)) + "}"}))


def _lost(n: int) -> Work:
    """Entries of which a later one leaves nothing."""
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"k{i}"} for i in range(n)]
    data = {f"k{i}": f"a:\n  b{i}: 1\n" for i in range(n)}
    last = {"kind": "ConfigMap", "name": "d"}
    return _flux(_release("r", [*entries, last]), config_map("c", data), config_map("d", {"values.yaml": "a: none\n"}))


def _beside(n: int) -> Work:
    """Inline values beside two entries with a targetPath."""
    entries = [{"kind": "ConfigMap", "name": "c", "valuesKey": f"k{i}", "targetPath": f"x.b{i}"} for i in range(2)]
    return _flux(_release("r", entries, {f"v{i}": 1 for i in range(n)}), config_map("c", {f"k{i}": "v" for i in range(2)}))


def _odd(line: str, n: int) -> Work:
    text = listed(
        [
            _release("r", [{"kind": "ConfigMap", "name": "c"}]),
            config_map("c", {"values.yaml": "".join(line.format(i) for i in range(n))}),
        ],
        FLUX,
    )

    def work() -> None:
        invoke.answer(text.encode(), FLUX)

    return work


def _again(function: str, *items: Object, **config: Any) -> Work:
    return again(function, listed(list(items), function, **config))


GIANTSWARM = [
    Dimension("extraConfigs", lambda n: _gs(*_extras(n))),
    Dimension("extraConfigs of the same key", lambda n: _gs(*_extras(n, same=True))),
    Dimension("extraConfigs, Secrets", _extra_secrets),
    Dimension("extraConfigs, combined", lambda n: _gs(*_extras(n), outputs=["combined"])),
    Dimension("Apps", lambda n: _gs(*_apps(n))),
    Dimension("Apps on a second run", lambda n: _again(GS, _CATALOG, *_apps(n))),
    Dimension("Apps of one ConfigMap", _apps_of_one_map),
    Dimension("missing catalogs", _missing_catalogs),
    Dimension("missing ConfigMaps", _missing_maps),
    Dimension("missing ConfigMaps that are allowed", _allowed),
    Dimension("keys of a values text", _keys),
    Dimension("keys that conflict", _conflicts),
    Dimension("depth of a values text", _deep, 40),
    Dimension("elements of a list", _list),
    Dimension("anchors and aliases of a values text", _anchors),
    Dimension("merge keys of a values text", _merges),
    Dimension("comments of a values text", _comments, 200),
    Dimension("length of a values text, one scalar", lambda n: _text(f"a: {'x' * n}\n"), 2000),
    Dimension("lines of a plain scalar", lambda n: _text("a: x\n" + "  y\n" * n), 200),
    Dimension("lines of a block scalar", lambda n: _text("a: |\n" + "  y\n" * n), 200),
    Dimension("block scalars", lambda n: _text("".join(f"a{i}: |\n  x\n\n" for i in range(n)))),
    Dimension("quotes in a values text", lambda n: _text("".join(f"a{i}: 'x''y'\nb{i}: \"\\x41\"\n" for i in range(n)))),
    Dimension("flow lists of a values text", lambda n: _text("".join(f"a{i}: [1, {{b: 2}}]\n" for i in range(n)))),
    Dimension("one flow list of a values text", lambda n: _text(f"a: [{', '.join('1' for _ in range(n))}]\n")),
    Dimension(
        "documents that are no values text",
        lambda n: whole(
            GS, listed([_CATALOG, _app("a", config=_ref("c")), config_map("c", {"values": "a: 1\n---\n" * n})], GS), fails=False
        ),
    ),
]
FLUX_DIMENSIONS = [
    Dimension("valuesFrom entries", lambda n: _flux(*_entries(n))),
    Dimension("valuesFrom entries of the same key", lambda n: _flux(*_entries(n, same=True))),
    Dimension("valuesFrom entries, inline", lambda n: _flux(*_entries(n), output="inline")),
    Dimension("valuesFrom entries with targetPath", lambda n: _flux(*_targets(n))),
    Dimension("valuesFrom entries with targetPath, inline", lambda n: _flux(*_targets(n), output="inline")),
    Dimension("valuesFrom entries with the same targetPath", _same_target),
    Dimension("valuesFrom entries with a targetPath into a list", _list_target),
    Dimension("HelmReleases", lambda n: _flux(*_releases(n))),
    Dimension("HelmReleases, inline", lambda n: _flux(*_releases(n), output="inline")),
    Dimension("HelmReleases on a second run", lambda n: _again(FLUX, *_releases(n))),
    Dimension("HelmReleases, inline, on a second run", lambda n: _again(FLUX, *_releases(n), output="inline")),
    Dimension("inline entries on a second run", lambda n: _again(FLUX, *_entries(n), output="inline")),
    Dimension("missing keys of a ConfigMap", _missing_keys),
    Dimension("missing ConfigMaps", _missing_objects, 50),
    Dimension("keys of values", _values),
    Dimension("keys of values, inline", _inline_values),
    Dimension("elements of a set list", _set_text),
    Dimension("entries that lose everything", _lost),
    Dimension("entries beside inline values", _beside),
    Dimension("places that Go reads otherwise", lambda n: _odd("k{}: {{a:}}\n", n), 200),
    Dimension("escapes that Go reads otherwise", lambda n: _odd('k{}: "a\\\'b"\n', n), 200),
]
