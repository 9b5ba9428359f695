"""Random stacks of layers and targets, most of them without a mistake."""

from __future__ import annotations

import base64
import random
from typing import Any

from tests.reference.layered_values.scalars import Plain, written

Json = Any
KEYS = ("replicas", "tag", "debug", "ratio", "log", "hosts", "env", "resources", "image", "motto", "port")
PATHS = (
    "replicas",
    "tag",
    "debug",
    "ratio",
    "log.level",
    "log.json",
    "log",
    "hosts",
    "hosts[0]",
    "env",
    "resources.limits",
    "resources.limits.cpu",
    "image",
    "motto",
)
"""Paths of values that stacks often have."""
CONTAINER = "spec.template.spec.containers[name=app]"
DEPLOYMENT = (
    ("spec.replicas", "replicas"),
    ("spec.paused", "debug"),
    (f"{CONTAINER}.args", "hosts"),
    (f"{CONTAINER}.resources.limits", "resources.limits"),
    (f"{CONTAINER}.env[name=LEVEL].value", "log.level"),
    (f"{CONTAINER}.env[name=SIZE].value", "replicas"),
    ("metadata.labels.tier", "tag"),
    ('metadata.annotations["team.test/note"]', "motto"),
    ("metadata.labels.debug", "debug"),
    ("spec.template.spec.containers[*].image", "image"),
    ("spec.template.spec.containers[0].args[0]", "hosts[0]"),
    ("spec.strategy.rollingUpdate.maxSurge", "replicas"),
    ("spec.template.spec.nodeSelector.rank", "ratio"),
)
THING = (
    ("spec.size", "replicas"),
    ("spec.name", "tag"),
    ("spec.flag", "debug"),
    ("spec.list", "hosts"),
    ("spec.deep.map", "log"),
    ("spec.deep.*", "motto"),
    ("spec.none", "env"),
    ("spec.text.server.port", "replicas"),
    ("spec.text.server.names", "hosts"),
    ("spec.json.on", "debug"),
    ("spec.absent.here", "ratio"),
    ("spec.all", "."),
    ("spec.list[0]", "tag"),
    ("spec.entries[by=one].size", "replicas"),
    ("spec.entries[*].size", "replicas"),
    ("spec.text", "motto"),
)
SETTINGS = (
    ("data.LEVEL", "log.level"),
    ("data.SIZE", "replicas"),
    ('data["app.yaml"].size', "replicas"),
    ('data["app.yaml"].list', "hosts"),
    ("data.NOTE", "motto"),
    ('data["app.yaml"].log', "log"),
)
PARTS = (
    ("tag", "tag"),
    ("name", "image"),
    ("repository", "motto"),
    ("registry", "registry"),
    ({"split": "/", "index": 0}, "motto"),
    ({"split": "-", "index": 3}, "tag"),
)
FILES = {"app.yaml": 'size: 2 # of the app\nlog: {level: "info"}\nlist:\n- a\n', "other.json": '{"a": 1}'}


def plain(text: str) -> Plain:
    """A scalar for a config or resource, read as KRM."""
    from tests.reference.layered_values.scalars import scalar  # noqa: PLC0415

    found = scalar(text, go=False)
    assert isinstance(found, Plain), text
    return found


class Stack:
    """One config and its resources from one seed. `wild`: how often something is done that is likely to be an error."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.wild = self.dice.choice((0, 0, 0, 0.01, 0.04))
        self.items: list[Json] = []
        self.names: list[str] = []
        layers = [self.layer(number) for number in range(self.dice.randint(1, 5))]
        self.items += self.resources()
        self.config: Json = {"layers": layers, "targets": [self.target(number) for number in range(self.dice.randint(1, 4))]}
        self.options()
        if self.chance(0.9):
            given = {key: self.usual(key, go=False) for key in KEYS}
            layers.insert(0, {"name": "given", "values": {"given": given}})
        self.dice.shuffle(self.items)

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def pick(self, *options: Json) -> Json:
        return self.dice.choice(options)

    def strange(self) -> bool:
        return self.chance(self.wild)

    def values(self, *, go: bool) -> Json:
        """A map of values as a person would write it into a layer."""
        return {key: self.value(key, go=go) for key in KEYS if self.chance(0.4)}

    def value(self, key: str, *, go: bool) -> Json:
        if self.strange():
            return self.pick(plain("7"), "text", ["x"], {"m": "n"}, None, {"$value": "tag"}, plain("1.10"), plain("0644"))
        if self.chance(0.04):
            return None
        if self.chance(0.05):
            return {"$value": self.referred(key)}
        return self.usual(key, go=go)

    def referred(self, key: str) -> str:
        """Where a reference leads: to a value of the same sort that one layer has."""
        if self.strange():
            return self.pick(key + "x", key, "spare." + key)
        return "given." + key

    def usual(self, key: str, *, go: bool) -> Json:
        """A value of the sort that a key has."""
        made = {
            "replicas": lambda: plain(str(self.dice.randint(0, 9))),
            "tag": lambda: self.pick("v1", "1.10", "2", "yes", "a-b-c"),
            "debug": lambda: Plain(
                *self.pick(
                    ("true", True), ("false", False), *([("yes", True), ("Off", False)] if go and self.strange() else [])
                )
            ),
            "ratio": lambda: plain(self.pick("1.5", "0.25", "2.5")),
            "log": lambda: {
                one: member
                for one, member in (("level", self.pick("info", "warn", "on")), ("json", plain("true")), ("to", ["a", "b"]))
                if self.chance(0.6)
            },
            "hosts": lambda: [
                self.pick("a.test", "b.test", "c.test", "d.test") + str(number) for number in range(self.dice.randint(0, 3))
            ],
            "env": lambda: [
                {"name": name, "value": self.pick("x", "y", "")}
                for name in self.dice.sample(["A", "B", "C"], self.dice.randint(0, 3))
            ],
            "resources": lambda: {
                "limits": {one: plain(str(self.dice.randint(1, 4))) for one in ("cpu", "gpu") if self.chance(0.7)}
            },
            "image": lambda: self.pick("harbor.test/shop/web", "web", "localhost:5000/web"),
            "motto": lambda: self.pick("one", "two\nlines\n", "", "a: b", "# no comment", "null"),
            "port": lambda: self.pick(plain("80"), "http"),
        }
        return made[key]()

    def layer(self, number: int) -> Json:
        name = f"l{number}"
        sort = self.pick(
            "configMap", "configMap", "configMap", "values", "from", "setters", "secret" if self.chance(0.3) else "configMap"
        )
        entry: Json = {"name": f"layer-{number}"} if sort in ("values", "from") or self.chance(0.2) else {}
        if self.chance(0.2):
            entry["priority"] = plain(str(self.dice.randint(-2, 2)))
        if self.chance(0.2):
            entry["when"] = self.pick(
                {"labels": {"env": "prod"}},
                {"kind": "Deployment"},
                {"name": "w*"},
                {"namespace": "shop"},
                {"labels": {"env": "*"}},
            )
        if self.chance(0.15) or self.strange():
            entry["optional"] = plain("true")
        if self.chance(0.1):
            entry["at"] = self.pick("spare", "log.more")
        if sort == "values":
            return entry | {"values": self.values(go=False)}
        if sort == "from":
            self.items.append(
                {
                    "apiVersion": "x.test/v1",
                    "kind": "Cluster",
                    "metadata": {"name": name},
                    "spec": {"settings": self.values(go=False), "name": "eu"},
                }
            )
            return (
                entry
                | {"from": {"kind": "Cluster", "name": name}}
                | self.pick({"path": "spec.settings"}, {"path": "spec.settings"}, {"path": "spec.name", "at": "tag"})
            )
        return entry | self.of_data(name, sort, entry)

    def of_data(self, name: str, sort: str, entry: Json) -> Json:
        if sort == "setters":
            texts = {
                "replicas": self.pick("3", "4"),
                "tag": self.pick("1.10", "v2"),
                "debug": "true",
                "hosts": "- a.test\n- e.test\n",
                "motto": "m",
            }
            setters = {key: text for key, text in texts.items() if self.chance(0.7)}
            self.items.append(self.configmap(name, setters))
            return {"configMap": name, "key": "*"}
        documents = [self.text() for _ in range(self.pick(1, 1, 1, 1, 2))]
        data: Json = {self.pick("values.yaml", "settings"): "---\n".join(documents)}
        found: Json = {"configMap": name}
        if self.chance(0.1):
            data["zz"] = "other: 1\n"
            found["key"] = next(iter(data)) if not self.strange() else "absent"
        if self.chance(0.08):
            found["path"] = self.pick("log", "resources")
        if self.strange():
            return found | {"configMap": f"no-{name}"}
        if sort == "secret":
            found["secret"] = found.pop("configMap")
            encoded = {key: base64.b64encode(text.encode()).decode() for key, text in data.items()}
            self.items.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "data": encoded})
        else:
            self.items.append(self.configmap(name, data))
        return found

    def text(self) -> str:
        values = self.values(go=True)
        return "\n".join(written(values)) + "\n" if values else self.pick("", "# nothing\n", "{}\n")

    def configmap(self, name: str, data: Json) -> Json:
        metadata = {"name": name} | ({"namespace": "shop"} if self.chance(0.2) else {})
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}

    def resources(self) -> list[Json]:
        found = [self.deployment(name) for name in ("web", "worker", "api")[: self.dice.randint(1, 3)]]
        if self.chance(0.7):
            found.append(self.thing())
        found.append(
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "settings", "labels": {"env": "prod"}},
                "data": {"LEVEL": "info", "SIZE": "1"} | FILES,
            }
        )
        return found

    def deployment(self, name: str) -> Json:
        labels = {"env": self.pick("prod", "dev"), "tier": "x"} if self.chance(0.8) else {}
        metadata = {"name": name} | ({"labels": labels} if labels else {}) | ({"namespace": "shop"} if self.chance(0.3) else {})
        container: Json = {
            "name": "app",
            "image": self.pick("harbor.test/shop/web:1.0", "web", "localhost:5000/a/b:1", "web@sha256:" + "ab" * 32),
        }
        container |= {
            key: member
            for key, member in (("args", ["--slow"]), ("env", [{"name": "LEVEL", "value": "info"}]))
            if self.chance(0.7)
        }
        container |= {"resources": {"limits": {"cpu": plain("1")}}} if self.chance(0.6) else {}
        others = [{"name": "side", "image": "side:2"}] if self.chance(0.3) else []
        spec = {"replicas": plain("1"), "paused": plain("false"), "template": {"spec": {"containers": [container, *others]}}}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}

    def thing(self) -> Json:
        spec = {
            "size": plain("1"),
            "name": "thing",
            "flag": plain("true"),
            "list": ["a", "b"],
            "deep": {"map": {"level": "x"}},
            "none": None,
            "text": "# of the thing\nserver:\n  port: 80 # plain\n  names: [a]\n",
            "json": '{"on": false, "more": [1, 2]}',
            "all": {"a": plain("1")},
            "entries": [{"by": "one", "size": plain("1")}, {"by": "two", "size": plain("2")}],
        }
        return {
            "apiVersion": "x.test/v1",
            "kind": "Thing",
            "metadata": {"name": "thing"},
            "spec": {key: spec[key] for key in spec if self.chance(0.9)},
        }

    def target(self, number: int) -> Json:
        if self.chance(0.4):
            return self.object(number)
        kind, table = self.pick(
            ("Deployment", DEPLOYMENT), ("Deployment", DEPLOYMENT), ("Thing", THING), ("ConfigMap", SETTINGS)
        )
        target: Json = {"kind": kind, "optional": plain("true")} if not self.strange() else {"kind": kind}
        if kind == "ConfigMap" or self.chance(0.3):
            target["name"] = {"ConfigMap": "settings", "Deployment": self.pick("web", "w*", "api"), "Thing": "*"}[kind]
        if self.chance(0.2):
            target["labels"] = {"env": self.pick("prod", "*")}
        if not self.strange():
            target["missing"] = self.pick("create", "skip", "create")
        if self.chance(0.1):
            target["allowSecrets"] = plain("true")
        chosen = self.dice.sample(table, self.dice.randint(1, 3))
        target["fields"] = {path: self.field(value if not self.strange() else self.pick(*PATHS)) for path, value in chosen}
        if kind == "Deployment" and self.chance(0.2):
            target["fields"]["spec.template.spec.containers[name=app].image"] = self.parts()
        return target

    def field(self, value: str) -> Json:
        entry: Json = {"value": value}
        if not self.strange():
            entry["optional"] = plain("true")
        if self.chance(0.06):
            entry["as"] = self.pick("text", "yaml", "json", "number", "boolean")
        if self.chance(0.05):
            entry["missing"] = self.pick("error", "create", "skip")
        return value if self.strange() else entry

    def parts(self) -> Json:
        part, value = self.pick(*PARTS)
        entry = {"value": value, "part": part, "optional": plain("true")}
        return [entry, {"value": "debug", "part": "digest"}] if self.strange() and isinstance(part, str) else entry

    def object(self, number: int) -> Json:
        kind = self.pick("configMap", "configMap", "secret")
        target: Json = {kind: self.pick("out", f"out-{number}") if not self.strange() else "settings"}
        target |= {"namespace": "shop"} if self.chance(0.2) else {}
        target |= self.pick(
            {},
            {"key": f"k{number}.json"},
            {"key": f"k{number}", "value": self.pick("log", "tag", "log", "replicas")},
            {"key": "*"},
            {"key": f"k{number}.yaml", "as": "json"},
        )
        return target

    def options(self) -> None:
        if self.chance(0.3):
            table = {
                "hosts": self.pick("append", "prepend", "unique", "replace"),
                "env": {"by": "name"},
                "log": self.pick("replace", "merge"),
                "*.to": "append",
                "nothing": "append",
            }
            self.config["merge"] = {path: table[path] for path in table if self.chance(0.5)}
        if self.chance(0.2):
            self.config["nulls"] = self.pick("keep", "remove")
        if self.chance(0.1):
            self.config["references"] = plain("false")
        if self.chance(0.25):
            self.config["schema"] = self.schema()

    def schema(self) -> Json:
        types = {
            "replicas": {"type": "integer", "minimum": plain("0" if not self.strange() else "5"), "default": plain("2")},
            "tag": {"type": "string", "maxLength": plain("5"), "default": "v0"},
            "debug": {"type": "boolean"},
            "ratio": {"type": "number", "exclusiveMinimum": plain("0")},
            "log": {
                "type": "object",
                "properties": {"level": {"enum": ["info", "warn", "on"], "default": "info"}},
                "default": {},
            },
            "hosts": {"type": "array", "items": {"type": "string", "pattern": "test"}},
            "env": {"type": "array", "items": {"required": ["name"], "properties": {"more": {"default": "m"}}}},
        }
        found: Json = {"properties": {key: types[key] for key in types if self.chance(0.5)}}
        if self.strange():
            found["required"] = [self.pick("tag", "replicas")]
        if self.strange():
            found["additionalProperties"] = plain("false")
        return found
