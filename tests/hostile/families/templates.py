"""Templates, patterns, patches and paths: small languages that a package brings along."""

from __future__ import annotations

from typing import Any

from tests.functions.glasskube_values.packages import manifest, package, target, value
from tests.hostile.attack import Attack
from tests.hostile.families.parts import attacks, config, config_map, listed, release, secret, values

GLASSKUBE, FLUX, CARTOGRAPHER, TEKTON = (
    ("krm-glasskube-values",),
    ("krm-flux-values",),
    ("krm-cartographer-params",),
    ("krm-tekton-params",),
)
LAYERED = ("krm-layered-values",)
OWNER = {"apiVersion": "carto.run/v1alpha1", "kind": "Workload"}


def _manifest(found: dict[str, Any]) -> dict[str, Any]:
    metadata = {"name": "lumen", "annotations": {"config.kubernetes.io/local-config": "true"}}
    return {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "PackageManifest",
        "metadata": metadata,
        "spec": {"manifest": found},
    }


def _lumen(*definitions: Any, values: dict[str, Any], data: Any = None, **more: Any) -> str:
    env = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "env", "namespace": "aviary"},
        "data": data or {"A": "b"},
    }
    return listed(
        package(values=values), env, _manifest(manifest(*definitions, **more)), function_config=config("GlasskubeValues")
    )


def _template(template: str, text: str = "x") -> str:
    return _lumen(value("level", target(template=template)), values={"level": text})


def _patch(path: str, op: str = "add", data: Any = None) -> str:
    return _lumen(value("level", target(path, op)), values={"level": "x"}, data=data)


def _pattern(pattern: str, text: str) -> str:
    return _lumen(value("level", target(), constraints={"pattern": pattern}), values={"level": text})


def _set(path: str, text: str = "x") -> str:
    """A value put at a targetPath, as `--set` reads it."""
    return listed(
        release(values(valuesKey="v", targetPath=path)), config_map(data={"v": text}), function_config=config("FluxValues")
    )


def _chain(template: Any, path: str = ".data", **spec: Any) -> str:
    """A workload with one template."""
    chain = {
        "selector": {"a": "b"},
        "resources": [{"name": "r", "templateRef": {"kind": "ClusterConfigTemplate", "name": "t"}}],
    }
    return listed(
        {**OWNER, "metadata": {"name": "w", "namespace": "team", "labels": {"a": "b"}}, "spec": {}},
        {**OWNER, "kind": "ClusterSupplyChain", "metadata": {"name": "c"}, "spec": {**chain, **spec}},
        {
            **OWNER,
            "kind": "ClusterConfigTemplate",
            "metadata": {"name": "t"},
            "spec": {"configPath": path, "template": template},
        },
        function_config=config("CartographerParams"),
    )


def _stamped(text: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": text}}


def _deep(levels: int) -> Any:
    found: Any = "x"
    for _ in range(levels):
        found = {"a": found, "b": found} if levels < 20 else [found]
    return found


_LOOP = {"$ref": "#/properties/a"}
_NODE = {"default": {}, "$ref": "#/$defs/n"}
_TREE = {"$defs": {"n": {"properties": {"l": _NODE, "r": _NODE}}}, "$ref": "#/$defs/n"}


def _layered(text: str, schema: Any = None) -> str:
    """Layered values of one text, checked by a schema."""
    spec = {"layers": [{"configMap": "base"}], "targets": [{"configMap": "out"}]}
    more = {"schema": schema} if schema else {}
    return listed(config_map(data={"values.yaml": text}), function_config=config("LayeredValues", **spec, **more))


def _doubled(times: int) -> dict[str, Any]:
    """A schema in which each definition refers twice to the next one."""
    found: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(1, times)}
    return {"$defs": {**found, f"d{times}": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/d1"}}}


def _script(text: str) -> str:
    step = {"name": "s", "image": "git", "script": text}
    spec = {"params": [{"name": "a", "value": "x"}], "pipelineSpec": {"tasks": [{"name": "t", "taskSpec": {"steps": [step]}}]}}
    return listed({"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": {"name": "r"}, "spec": spec})


ATTACKS = [
    *attacks(
        GLASSKUBE,
        "level",
        1,
        ("printf of a width of 10^9", "take memory", _template('"{{ printf "%1000000000d" 1 }}"')),
        ("printf of a width from a value", "take memory", _template('"{{ printf "%*d" 1000000000 1 }}"')),
        ("printf of 10^5000", "use Python's limit of digits", _template(f'"{{{{ printf "%d" {"9" * 5001} }}}}"')),
        (
            "a template that includes itself",
            "never end",
            _template('{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}'),
        ),
        ("loops in loops", "take exponential time", _template("{{ range . }}" * 50 + "x" + "{{ end }}" * 50)),
        ("10,000 open parentheses", "overflow the stack", _template("{{ " + "(" * 10_000 + "}}")),
        ("10,000 pipes", "overflow the stack", _template("{{ . " + "| base64 " * 10_000 + "}}")),
        ("base64 in base64, 200 times", "grow by a third each time", _template("{{ . " + "| base64 " * 200 + "}}")),
        ("a template of `.Values`", "reach other values", _template('"{{ .Values.password }}"')),
        ("a pattern with nested repeats", "take exponential time", _pattern("^(a+)+$", "a" * 40 + "b")),
    ),
    *attacks(
        GLASSKUBE,
        "pattern",
        1,
        ("a pattern of 1000 times 1000", "take memory", _pattern("((a{1,1000}){1,1000}){1,1000}", "a")),
        ("a pattern of 10,000 groups", "overflow the stack", _pattern("(" * 10_000 + ")" * 10_000, "a")),
    ),
    *attacks(
        GLASSKUBE,
        "level",
        1,
        ("a patch at an index of 10^9", "make a list of 10^9", _patch("/data/list/1000000000")),
        (
            "a patch at an index of 5,000 digits",
            "use Python's limit of digits",
            _patch("/data/list/" + "9" * 5000, data={"list": "x"}),
        ),
    ),
    Attack("a patch of another object's fields", "write into metadata", GLASSKUBE, "", 0, stdin=_patch("/metadata/labels")),
    *attacks(
        GLASSKUBE,
        "level",
        1,
        ("a patch of 100,000 levels", "overflow the stack", _patch("/data" + "/a" * 100_000)),
        ("a patch of generated-by", "forge a mark", _patch("/metadata/annotations/krm-values.dev~1generated-by")),
        (
            "values that refer to each other",
            "never end",
            _lumen(
                value("level", target()), values={"level": {"valueFrom": {"packageRef": {"name": "lumen", "value": "level"}}}}
            ),
        ),
    ),
    Attack("strvals a[1000000000]", "make a list of 10^9", FLUX, "targetPath", 1, stdin=_set("a[1000000000]")),
    Attack("strvals a[65536] in a[65536]", "make lists of 2^32", FLUX, "", 0, stdin=_set("a[65535][65535][65535]")),
    *attacks(
        FLUX,
        "targetPath",
        1,
        ("strvals index of 5,000 digits", "use Python's limit of digits", _set(f"a[{'9' * 5000}]")),
        ("strvals index in other digits", "break int()", _set("a[²]")),
        ("strvals of 50,000 levels", "overflow the stack", _set("a." * 50_000 + "a")),
        ("strvals of 50,000 braces", "overflow the stack", _set("a", "{" * 50_000)),
    ),
    Attack(
        "strvals of a Secret with commas",
        "print it",
        FLUX,
        "comma",
        0,
        stdin=listed(
            release(values("login", kind="Secret", valuesKey="p", targetPath="a")),
            secret(p="Hs6dPq9w,b=Hs6dPq9x"),
            function_config=config("FluxValues"),
        ),
        hides=("Hs6dPq9",),
    ),
    *attacks(
        CARTOGRAPHER,
        "",
        0,
        (
            "JSONPath `..` in a deep tree",
            "take exponential time",
            _chain({**_stamped("x"), "data": _deep(14)}, "." * 2 + "a" + "..a" * 6),
        ),
        ("JSONPath of `..*` 20 times", "take exponential time", _chain({**_stamped("x"), "data": _deep(12)}, "..*" * 20)),
        ("JSONPath filter of 5,000 digits", "use Python's limit of digits", _chain(_stamped("x"), f".data[{'9' * 5000}]")),
        ("JSONPath of open brackets", "overflow the stack", _chain(_stamped("x"), "." + "[" * 20_000)),
        ("JSONPath filter in other digits", "break int()", _chain(_stamped("x"), ".data[?(@.a == ²)]")),
    ),
    Attack(
        "a tag that stamps itself",
        "never end",
        CARTOGRAPHER,
        "",
        1,
        stdin=_chain(_stamped("$(" * 5_000 + "workload" + ")$" * 5_000)),
    ),
    Attack(
        "a ytt template",
        "run Starlark",
        CARTOGRAPHER,
        "ytt",
        0,
        stdin=_chain(None).replace('"template": null', '"ytt": "#@ while True: pass"'),
    ),
    Attack(
        "a template of 5,000 levels",
        "overflow the stack",
        CARTOGRAPHER,
        "",
        1,
        stdin=_chain("DEEP").replace('"DEEP"', "[" * 5_000 + "]" * 5_000),
    ),
    *attacks(
        TEKTON,
        "",
        0,
        ("100,000 references", "take quadratic time", _script("$(params.a)" * 100_000)),
        ("100,000 open references", "take quadratic time", _script("$(params." * 100_000)),
        ("a reference of 5,000 digits", "use Python's limit of digits", _script(f"$(params.a[{'9' * 5000}])")),
        ("a reference in other digits", "break int()", _script("$(params.a[²])")),
        (
            "a matrix of 60^6",
            "build every combination",
            listed(
                {
                    "apiVersion": "tekton.dev/v1",
                    "kind": "PipelineRun",
                    "metadata": {"name": "r"},
                    "spec": {
                        "pipelineSpec": {
                            "tasks": [
                                {
                                    "name": "t",
                                    "matrix": {
                                        "params": [{"name": f"p{n}", "value": [str(m) for m in range(60)]} for n in range(6)]
                                    },
                                    "taskSpec": {"steps": [{"name": "s", "image": "x"}]},
                                }
                            ]
                        }
                    },
                }
            ),
        ),
    ),
    Attack(
        "an output of .nan",
        "break JSON",
        CARTOGRAPHER,
        "must be a number that JSON can hold",
        1,
        stdin=_chain(
            _stamped("$(config)$"),
            resources=[
                {"name": "first", "templateRef": {"kind": "ClusterConfigTemplate", "name": "t"}},
                {
                    "name": "r",
                    "templateRef": {"kind": "ClusterConfigTemplate", "name": "t"},
                    "configs": [{"resource": "first", "name": "config"}],
                },
            ],
        ).replace(
            '"kind": "CartographerParams", "metadata": {"name": "config"}, "spec": {}',
            '"kind": "CartographerParams", "metadata": {"name": "config"}, "spec": {"stepOutputs": {"Workload/team/w": {"first": {"config": .nan}}}}',
        ),
    ),
    Attack(
        "times of the year 99999",
        "break the calendar",
        CARTOGRAPHER,
        "",
        0,
        stdin=_chain({**_stamped("x"), "metadata": {"name": "x", "creationTimestamp": "99999-99-99T99:99:99+99:99"}}),
    ),
    Attack(
        "quantities of 5,000 digits",
        "use Python's limit of digits",
        CARTOGRAPHER,
        "",
        1,
        stdin=_chain(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": "x"},
                "spec": {
                    "containers": [
                        {"name": "c", "image": "i", "resources": {"limits": {"cpu": "9" * 5000, "memory": f"1e{'9' * 5000}"}}}
                    ]
                },
            }
        ).replace('"spec": {}', '"spec": {"resources": {"limits": {"cpu": "' + "9" * 5000 + '"}}}'),
    ),
    *attacks(
        LAYERED,
        "the reference",
        1,
        (
            "references that double 26 times",
            "take exponential time and memory",
            _layered("".join(f"k{n}: [{{$value: k{n + 1}}}, {{$value: k{n + 1}}}]\n" for n in range(26)) + "k26: x\n"),
        ),
        (
            "a chain of 20,000 references",
            "overflow the stack",
            _layered("".join(f"k{n}: {{$value: k{n + 1}.x}}\n" for n in range(20_000)) + "k20000: x\n"),
        ),
    ),
    Attack(
        "a schema of `$ref`s that double 26 times",
        "take exponential time",
        LAYERED,
        "must be of type string",
        1,
        stdin=_layered("a: 1\n", _doubled(26)),
    ),
    Attack(
        "a schema whose defaults double 200 times",
        "take exponential memory",
        LAYERED,
        "steps on the values",
        1,
        stdin=_layered("a: 1\n", _TREE),
    ),
    Attack("a `$ref` to itself", "never end", LAYERED, "leads back", 1, stdin=_layered("a: 1\n", {"properties": {"a": _LOOP}})),
    Attack(
        "a JSON text with `#` in a string, edited",
        "have YAML written into it",
        LAYERED,
        '"color\\": \\"#fff\\", \\"n\\": 1',
        0,
        stdin=listed(
            config_map(data={"x.json": '{"color": "#fff", "n": 0}'}),
            function_config=config(
                "LayeredValues",
                layers=[{"values": {"n": 1}}],
                targets=[{"kind": "ConfigMap", "fields": {'data["x.json"].n': "n"}}],
            ),
        ),
    ),
]
