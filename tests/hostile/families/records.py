"""Undo records and marks that somebody has forged."""

from __future__ import annotations

import json

from tests.hostile.attack import Attack
from tests.hostile.families.parts import attacks, config, config_map, listed, release, secret, values

FLUX = ("krm-flux-values",)
EXPLAIN = ("krm-values", "explain", "flux-values")
RECORD = "krm-values.dev/undo.flux-values"
SHA = "0" * 12


def _recorded(*entries: object, by: object = ("HelmRelease/team/web",), mode: str = "inline", **more: object) -> str:
    """A release with this record."""
    return _raw(json.dumps({"by": by, "undo": entries, "v": 2, **more}), mode)


def _raw(record: str, mode: str = "inline", name: str = RECORD) -> str:
    web = release(values(), values={"replicas": 3, "list": ["a", "b"]})
    web["metadata"]["annotations"] = {name: record}
    items = (web, config_map(data={"values.yaml": "a: 1"}), secret(password="Hs6dPq9w"))
    return listed(*items, function_config=config("FluxValues", output=mode))


def _remove(path: str) -> dict[str, str]:
    return {"op": "remove", "path": path, "sha": SHA}


ATTACKS = [
    *attacks(
        FLUX,
        "undo",
        1,
        ("a record that is no JSON", "break the reader", _raw("{")),
        ("a record of 100,000 brackets", "overflow the stack", _raw("[" * 100_000)),
        ("a record of 10^5000", "use Python's limit of digits", _raw('{"by": [], "undo": [], "v": ' + "9" * 5001 + "}")),
        ("a record of YAML", "be read by another reader", _raw("by: &a [*a]\nundo: *a\n")),
    ),
    *attacks(
        FLUX,
        "",
        0,
        ("a pointer of 5,000 digits", "use Python's limit of digits", _recorded(_remove("/spec/values/list/" + "9" * 5000))),
        (
            "a pointer through 5,000 digits",
            "use Python's limit of digits",
            _recorded(_remove(f"/spec/values/list/{'9' * 5000}/x")),
        ),
    ),
    Attack(
        "blanked places of 5,000 digits",
        "use Python's limit of digits",
        FLUX,
        "undo",
        1,
        stdin=_recorded(
            {"op": "remove", "path": "/spec/values/list", "sha": SHA, "blank": ["/spec/values/list/" + "9" * 5000]}, blank=1
        ),
    ),
    *attacks(
        FLUX,
        "",
        0,
        (
            "blanked places of 5,000 digits in an entry",
            "use Python's limit of digits",
            _recorded({"op": "remove", "path": "/spec/values/list", "sha": SHA, "blank": ["/spec/values/list/" + "9" * 5000]}),
        ),
        ("a record of another field", "remove what was never ours", _recorded(_remove("/spec/interval"))),
        (
            "a record of metadata",
            "rename a resource",
            _recorded({"op": "replace", "path": "/metadata/name", "sha": SHA, "value": "evil"}),
        ),
        (
            "a record of the kind",
            "turn a resource into a Role",
            _recorded({"op": "replace", "path": "/kind", "sha": SHA, "value": "ClusterRoleBinding"}),
        ),
    ),
    Attack(
        "a record of the whole",
        "replace a resource",
        FLUX,
        "undo",
        1,
        stdin=_recorded({"op": "replace", "path": "", "sha": SHA, "value": {}}),
    ),
    Attack("a record with `..` as writer", "name another", FLUX, "", 0, stdin=_recorded(by=["../../x", "\x1b]0;x\x07"])),
    *attacks(
        FLUX,
        "undo",
        1,
        ("a record with writers that are numbers", "break the reader", _recorded(by=[1, 2])),
        (
            "a record of 10,000 entries",
            "take quadratic time",
            _recorded(*[_remove(f"/spec/values/a{n}") for n in range(10_000)]),
        ),
        ("a record of 1 MB in one pointer", "take quadratic time", _recorded(_remove("/spec" + "/a" * (1 << 19)))),
    ),
    Attack("a record of version 99", "be read wrongly", FLUX, "upgrade", 1, stdin=_raw('{"by": [], "undo": [], "v": 99}')),
    *attacks(
        FLUX,
        "undo",
        1,
        ("a record of version -1", "be read wrongly", _raw('{"by": [], "undo": [], "v": -1}')),
        (
            "a record with operations of others",
            "run `move` and `copy`",
            _recorded({"op": "copy", "path": "/spec/x", "from": "/spec/values"}),
        ),
        (
            "a record that cannot be read of a function that does not exist",
            "lie over what is written now",
            _raw('{"by": [], "undo": [{"op": "remove", "path": "/spec"}]}', name="krm-values.dev/undo.evil"),
        ),
    ),
    *attacks(
        FLUX,
        "",
        0,
        (
            "a record of a function that does not exist",
            "be undone by anybody",
            _raw(
                f'{{"by":["X/a/b"],"n":1,"undo":[{{"op":"remove","path":"/spec","sha":"{SHA}"}}],"v":3}}',
                name="krm-values.dev/undo.evil",
            ),
        ),
        (
            "a record of another function",
            "make flux undo tekton's",
            _raw(
                '{"by": ["x"], "undo": [{"op": "remove", "path": "/spec/values", "sha": "0000"}], "v": 2}',
                name="krm-values.dev/undo.tekton-params",
            ),
        ),
    ),
    Attack(
        "a record that calls everything secret",
        "hide every value",
        EXPLAIN,
        "",
        0,
        stdin=_recorded({"op": "remove", "path": "/spec/values", "secret": True}),
    ),
    Attack(
        "a record that restores a bomb",
        "grow by undoing",
        FLUX,
        "undo",
        1,
        stdin=_recorded(
            {
                "op": "replace",
                "path": "/spec/values/list",
                "sha": SHA,
                "value": [[["x"] * 1000] * 100],
                "as": {"/0": "[" * 5000},
            }
        ),
    ),
    Attack(
        "from-secret of a pointer of 5,000 digits",
        "use Python's limit of digits",
        EXPLAIN,
        "",
        0,
        stdin=_raw('["/spec/values/list/' + "9" * 5000 + '"]', name="krm-values.dev/from-secret"),
    ),
    Attack(
        "from-secret of billion laughs",
        "expand 9^20 texts",
        EXPLAIN,
        "",
        1,
        stdin=_raw(
            "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20)),
            name="krm-values.dev/from-secret",
        ),
    ),
    Attack(
        "a mark on somebody's ConfigMap",
        "make us delete it",
        FLUX,
        "",
        0,
        stdin=listed(
            config_map("mine", {"a": "b"}, **{"krm-values.dev/generated-by": "flux-values"}),
            function_config=config("FluxValues"),
        ),
    ),
]
