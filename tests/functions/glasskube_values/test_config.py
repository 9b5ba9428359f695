"""Each field of the functionConfig: what it changes and what it leaves."""

from __future__ import annotations

import pytest

from tests.functions.glasskube_values.packages import FROM_VAULT, LEVEL, cluster, helm, manifest, package, ref, target, value
from tests.functions.glasskube_values.resources import THING, config_map, secret, thing
from tests.functions.glasskube_values.runs import found, level, run, told


def test_a_value_that_is_configured_as_empty_takes_no_default():
    state = run(
        package(values={"level": ""}),
        config_map(),
        manifests=[manifest(value("level", target(), defaultValue="still"))],
        useDefaults=True,
    )
    assert (told(state), level(state)) == ([], "")


def test_a_default_that_no_definition_has_is_a_warning():
    state = run(package(), config_map(), manifests=[manifest(LEVEL)], useDefaults=["level", "tine"])
    assert told(state, "warning") == ['functionConfig `spec.useDefaults[1]`: no manifest defines "tine"']


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        *[("boolean", text, True) for text in ("1", "t", "T", "TRUE", "true", "True")],
        *[("boolean", text, False) for text in ("0", "f", "F", "FALSE", "false", "False")],
        ("number", "7", 7),
        ("number", "+007", 7),
        ("number", "-9223372036854775808", -9223372036854775808),
        ("text", "7", "7"),
        ("options", "true", "true"),
    ],
)
@pytest.mark.parametrize("typed", [True, False])
def test_typed(kind, text, expected, typed):
    place = target("/spec/it", **THING)
    manifests = [manifest(value("level", place, kind=kind, options=["true"]))]
    state = run(package(values={"level": text}), thing({}), manifests=manifests, typed=typed)
    assert told(state) == []
    it = found(state, "thing", "Thing")["spec"]["it"]
    assert (type(it), it) == ((type(expected), expected) if typed else (str, text))


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (target("/data/IT"), "true"),
        (target("/data/IT", template="{{ . }}"), True),
        (target("/stringData/IT", kind="Secret", name="vault"), "true"),
        (target("/immutable"), True),
    ],
)
def test_typed_never_writes_below_the_data_of_a_config_map_or_secret(place, expected):
    manifests = [manifest(value("level", place, kind="boolean"))]
    state = run(package(values={"level": "true"}), config_map(), secret(), manifests=manifests, typed=True)
    item = found(state, place["resource"]["name"], place["resource"]["kind"])
    *above, last = place["patch"]["path"].strip("/").split("/")
    holder = item[above[0]] if above else item
    assert holder[last] is expected or holder[last] == expected


def test_allow_missing_waits_for_the_cluster():
    definition = value("level", target(), constraints={"required": True, "minLength": 99})
    items = [package(values={"level": FROM_VAULT}), config_map()]
    (error,) = told(run(*items, manifests=[manifest(definition)]))
    assert 'cannot resolve "level": Secret aviary/vault is not in the list; add it, or name it in `allowMissing`' in error
    state = run(*items, manifests=[manifest(definition)], allowMissing=[{"kind": "Secret", "name": "va*"}])
    assert told(state) == told(state, "warning") == []
    (info,) = told(state, "info")
    assert '"level" is known in the cluster only, and its targets are skipped: Secret aviary/vault is absent' in info
    assert level(state) is None


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "ConfigMap", "name": "vault"},
        {"kind": "Secret", "name": "vaults"},
        {"kind": "Secret", "namespace": "marsh", "name": "vault"},
    ],
)
def test_allow_missing_allows_nothing_else(entry):
    state = run(package(values={"level": FROM_VAULT}), config_map(), manifests=[manifest(LEVEL)], allowMissing=[entry])
    assert len(told(state)) == 1


def test_what_sops_has_encrypted_is_only_in_the_cluster():
    items = [package(values={"level": FROM_VAULT}), config_map(), secret(token="ENC[AES256_GCM,data:x]")]
    assert "is encrypted with SOPS" in told(run(*items, manifests=[manifest(LEVEL)]))[0]
    state = run(*items, manifests=[manifest(LEVEL)], allowMissing=[{"kind": "Secret", "name": "vault"}])
    assert (told(state), level(state)) == ([], None)


@pytest.mark.parametrize(
    ("emit", "patched", "released"),
    [(["resources", "helm"], True, True), (["resources"], True, False), (["helm"], False, True), ([], False, False)],
)
def test_emit(emit, patched, released):
    manifests = [manifest(value("level", target(), target("/tone", chart="nest")), helm=helm("nest"))]
    state = run(package(values={"level": "x"}), config_map(), manifests=manifests, emit=emit)
    assert (level(state) == "x") is patched
    assert (found(state, "lumen-lumen", "HelmRelease") is not None) is released
    assert (found(state, "lumen-lumen", "HelmRepository") is not None) is released


def test_what_is_not_emitted_is_computed_and_checked_all_the_same():
    manifests = [manifest(value("level", target("/nowhere/x")))]
    (error,) = told(run(package(values={"level": "x"}), config_map(), manifests=manifests, emit=[]))
    assert "/nowhere does not exist" in error


def test_strict():
    items = [package(values={"level": "x"}), config_map(), package("tern", manifest="unknown")]
    state = run(*items, manifests=[manifest(LEVEL)])
    assert len(told(state, "warning")) == 1
    strict = run(*items, manifests=[manifest(LEVEL)], strict=True)
    assert told(strict) == told(state, "warning")
    assert strict.items == items


AUTHORS = [
    ("a list of patches", manifest(("level", {"type": "text", "targets": [{**target(), "patch": [{"op": "add", "path": "/data/LEVEL"}]}]}))),
    ("apiVersion", manifest(value("level", target(apiGroup="", apiVersion="v1")))),
    ("the alias .value", manifest(value("level", target(template='"{{ .value }}"')))),
    ("a path without a slash", manifest(value("level", target("data/LEVEL")))),
    ("hints as a text", manifest(value("level", target(), metadata={"hints": "SuggestSecretRef"}))),
    ("an absent scope", manifest(LEVEL, scope=None)),
]  # fmt: skip


@pytest.mark.parametrize("given", [entry[1] for entry in AUTHORS], ids=[entry[0] for entry in AUTHORS])
def test_what_authors_mean_is_read(given):
    """[D1], [D2] and [D24] are among them."""
    state = run(package(values={"level": "x"}), config_map(), manifests=[given])
    assert (told(state), level(state)) == ([], "x")


def test_the_errors_of_all_stages_are_reported():
    given = manifest(value("level", target("/nowhere/x"), constraints={"maxLength": 2}), value("tone", target("/nowhere/y")))
    gone = {"valueFrom": {"configMapRef": {"name": "gone", "namespace": "aviary", "key": "k"}}}
    items = [package(values={"level": "long", "tone": "x", "ghost": gone, "zz": "1"}), config_map()]
    errors = told(run(*items, manifests=[given]))
    assert len(errors) == 4
    for words in ('cannot resolve "ghost"', 'value "level" violates maxLength 2', 'value "zz" has no value', 'patch of "tone"'):
        assert any(words in error for error in errors)


def test_a_value_that_failed_a_stage_is_not_judged_by_the_next():
    given = manifest(value("level", target(template="{{ . }}"), kind="number"))
    (error,) = told(run(package(values={"level": "many"}), config_map(), manifests=[given]))
    assert "must be a whole number" in error


def test_a_ring_and_a_source_without_group_are_errors():
    """[84]"""
    ring = ref("packageRef", "lumen", "level")
    given = manifest(
        LEVEL,
        scope="Cluster",
        transformations=[{"source": {"resource": {"kind": "ConfigMap", "name": "env"}, "path": "{ .data }"}, "targets": []}],
    )
    errors = told(run(cluster(values={"level": ring}), config_map(), manifests=[given]))
    assert sum("cycle lumen.level -> lumen.level" in error for error in errors) == 1
    given["valueDefinitions"] = {}
    (error,) = told(run(cluster(), config_map(), manifests=[given]))
    assert "must have an `apiGroup`" in error


WRITTEN = "writes a boolean as a string"


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("op", "warned"), [("add", True), ("replace", True), ("remove", False)])
def test_only_what_writes_a_value_is_warned_about_its_type(op, warned, strict):
    given = manifest(value("level", target("/spec/on", op, **THING), kind="boolean"))
    state = run(package(values={"level": "true"}), thing({"on": True}), manifests=[given], strict=strict)
    messages = told(state, "error" if strict else "warning")
    assert [WRITTEN in message for message in messages] == ([True] if warned else [])
    assert state.outcome.failed == (warned and strict)


@pytest.mark.parametrize("op", ["remove", "test"])
@pytest.mark.parametrize("kind", ["boolean", "number"])
def test_lint_warns_of_no_type_where_nothing_is_written(op, kind):
    given = manifest(value("level", target("/on", op, chart="web"), kind=kind), helm=helm("web", values={"on": "1"}))
    state = run(package(values={"level": "true" if kind == "boolean" else "1"}), manifests=[given], typed=False)
    assert [message for message in told(state, "warning") if "as a string" in message] == []


@pytest.mark.parametrize(
    ("default", "use_defaults", "words"),
    [
        ("info", False, 'is required and not configured; its `defaultValue` string "info" is used only if `useDefaults` names it'),
        ("info", ["other"], 'is required and not configured; its `defaultValue` string "info" is used only if `useDefaults` names it'),
        (None, True, "is required and not configured; `useDefaults` is true, but it has no `defaultValue`"),
        (None, ["level"], "is required and not configured; `useDefaults` names it, but it has no `defaultValue`"),
        (None, ["other"], "is required and not configured"),
        (None, False, "is required and not configured"),
    ],
)  # fmt: skip
def test_a_missing_value_names_its_default(default, use_defaults, words):
    more = {} if default is None else {"defaultValue": default}
    given = manifest(
        value("level", target(), constraints={"required": True}, **more), value("other", target(), defaultValue="x")
    )
    (message,) = told(run(package(), config_map(), manifests=[given], useDefaults=use_defaults))
    assert message.endswith(f'value "level" {words}')


@pytest.mark.parametrize(
    ("kind", "space", "packages", "advice"),
    [
        ("ConfigMap", None, (package("a"), package("b")), "give the item a namespace"),
        ("ClusterIssuer", None, (package("a"), package("b")), "a ClusterIssuer has no namespace, so keep one of the two, or write one ClusterPackage"),
        ("StorageClass", None, (package("a"), package("b")), "a StorageClass has no namespace, so keep one of the two, or write one ClusterPackage"),
        ("Cluster", None, (package("a"), package("b")), "give the item a namespace"),
        ("ConfigMap", "aviary", (package("a"), package("b")), "keep one of the two"),
        ("ClusterIssuer", None, (cluster("a"), cluster("b")), "keep one of the two"),
    ],
)  # fmt: skip
def test_the_advice_on_an_item_that_two_packages_match_fits_its_scope(kind, space, packages, advice):
    scope = "Cluster" if packages[0]["kind"] == "ClusterPackage" else "Namespaced"
    given = manifest(value("level", target("/data/LEVEL", kind=kind)), scope=scope)
    item = {**config_map(namespace=space), "kind": kind}
    configured = [{**one, "spec": {**one["spec"], "values": {"level": {"value": "x"}}}} for one in packages]
    (error,) = told(run(*configured, item, manifests=[given]))
    assert error.endswith(f'both of manifest "lumen": {advice}')
