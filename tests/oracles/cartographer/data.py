"""Random owners, params and plain data, as the controller may meet them."""

from __future__ import annotations

import random
from typing import Any

KEYS = ["name", "url", "a", "b-c", "d.e", "f/g", "h_1", "über", "k v", "0", "true", "x:y", "spec", "e]f", "q'r", "m}n", "p@q"]
WORDS = ["", "x", "main", "carto.run/v1", "a b", "R&D <now>", "ä€", "80", "true", 'say "hi"', "it's", "back\\slash", "\u2028"]
NUMBERS = [0, 1, 80, -3, 2**53 + 1, 10**22, 2**63, 5.0, 2.5, -0.0, 1e21, 1e20, 1e-7, 0.00001, 123456789.125, 1.5e300, 5e-324]
QUANTITIES = [
    "1",
    "1024Mi",
    "0.5",
    "500m",
    "1000m",
    "1Gi",
    "1.5Gi",
    "2e3",
    "1E",
    "100Ki",
    "0",
    "-1",
    2,
    0.25,
    "1n",
    "0.1n",
    "8Mi",
]
SUFFIXES = [*["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"], "e3", "E-2", "e+10", "e0"]
LABELS = {"app": "x", "app.kubernetes.io/part-of": "y", "team": ""}
PATHS = ["env", "params", "serviceClaims", "source", "git", "ref", "branch", "build", "image", "resources", "limits"]
UNSET = [*PATHS, "metadata", "spec", "status", "labels", "annotations", "generation", "uid", "creationTimestamp", "ghost"]


class Data:
    """Random data from one die."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def maybe(self, chance: float = 0.5) -> bool:
        return self.dice.random() < chance

    def word(self) -> str:
        return self.dice.choice(WORDS)

    def scalar(self) -> Any:
        return self.dice.choice([self.word, lambda: self.dice.choice(NUMBERS), self.maybe, lambda: None])()

    def value(self, depth: int = 3) -> Any:
        """Any JSON value; lists are often lists of alike maps, which filters are for."""
        roll = self.dice.random()
        if depth == 0 or roll < 0.15:
            return self.scalar()
        if roll < 0.45:
            return {key: self.value(depth - 1) for key in self.dice.sample(KEYS, self.dice.randint(0, 4))}
        if roll < 0.85:
            return self.alike(depth)
        return [self.value(depth - 1) for _ in range(self.dice.randint(0, 4))]

    def alike(self, depth: int = 2) -> list[Any]:
        """Maps with one key of one kind, and more."""
        key = self.dice.choice(["name", "a", "b-c", "url"])
        kind = self.dice.choice(
            [
                self.word,
                lambda: self.dice.choice(NUMBERS[:10]),
                lambda: self.dice.choice(NUMBERS[:10]),
                self.maybe,
                self.maybe,
                self.maybe,
            ]
        )
        found = [{key: kind(), "n": self.value(depth - 2 if depth > 1 else 0)} for _ in range(self.dice.randint(0, 4))]
        if found and self.maybe(0.2):
            self.dice.choice(found).pop(key)
        return found

    def some(self, **fields: Any) -> dict[str, Any]:
        """Half of the fields; each a function that makes its value."""
        return {name: make() for name, make in fields.items() if self.maybe(0.6)}

    def owner(self, kind: str) -> dict[str, Any]:
        spec = {"Workload": self._workload, "Deliverable": self._deliverable, "Runnable": self._runnable}[kind]()
        return {
            "apiVersion": "carto.run/v1alpha1",
            "kind": kind,
            "metadata": {"name": "parcel", "labels": dict(LABELS), **self._metadata()},
            "spec": spec,
        }

    def _metadata(self) -> dict[str, Any]:
        return self.some(
            namespace=lambda: "dock",
            uid=lambda: "1-2",
            generation=lambda: self.dice.choice([0, 3, 2**53 + 1]),
            creationTimestamp=lambda: self.dice.choice([None, "2024-05-17T09:30:00Z", "2024-05-17T09:30:00.5+02:00"]),
            annotations=lambda: {"a.b/c": self.word(), "d": "e"},
            finalizers=lambda: self.dice.choice([[], ["x"], ["x", "y"]]),
            ownerReferences=lambda: [
                {"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u", **self.some(controller=lambda: True)}
            ],
            deletionGracePeriodSeconds=lambda: 30,
        )

    def _deliverable(self) -> dict[str, Any]:
        return self.some(params=self._params, source=self._source, serviceAccountName=lambda: "sa")

    def _workload(self) -> dict[str, Any]:
        return self._deliverable() | self.some(
            build=lambda: self.some(env=self._env),
            env=self._env,
            image=lambda: "registry/x:1",
            resources=self._resources,
            serviceClaims=self._claims,
            ghost=lambda: "pruned",
        )

    def _runnable(self) -> dict[str, Any]:
        return {"runTemplateRef": {"name": "t"}} | self.some(
            inputs=lambda: {key: self.value() for key in self.dice.sample(KEYS[:6], 2)},
            selector=lambda: {"resource": {"apiVersion": "v1", "kind": "Pod"}, "matchingLabels": {"a": "b"}},
            serviceAccountName=lambda: "sa",
            retentionPolicy=lambda: {"maxFailedRuns": 2, "maxSuccessfulRuns": 3},
        )

    def _params(self) -> list[Any]:
        return [{"name": name, "value": self.value()} for name in self.dice.sample(KEYS, self.dice.randint(0, 3))]

    def _source(self) -> dict[str, Any]:
        return self.some(
            git=lambda: self.some(url=lambda: "https://x", ref=lambda: self.some(branch=lambda: "main", tag=lambda: "v1")),
            image=lambda: "src:1",
            subPath=lambda: "",
        )

    def _env(self) -> list[Any]:
        names = self.dice.sample(["A", "B_C", "D"], self.dice.randint(0, 3))
        return [{"name": name, **self.some(value=self.word, valueFrom=self._value_from)} for name in names]

    def _value_from(self) -> dict[str, Any]:
        return self.dice.choice(
            [
                {"fieldRef": {"fieldPath": "metadata.name"}},
                {"secretKeyRef": {"name": "s", "key": "k", "optional": True}},
                {"configMapKeyRef": {"key": "k"}},
                {"resourceFieldRef": {"resource": "limits.cpu"}},
            ]
        )

    def _resources(self) -> dict[str, Any]:
        def quantities() -> dict[str, Any]:
            return {name: self._quantity() for name in ("cpu", "memory") if self.maybe(0.8)}

        return self.some(limits=quantities, requests=quantities, claims=lambda: [{"name": "c"}])

    def _quantity(self) -> Any:
        if self.maybe(0.3):
            return self.dice.choice(QUANTITIES)
        digits = self.dice.choice(["{}", "{}.{}", "0{}", "{}000", "{}.{}00", ".{}", "{}."])
        number = digits.format(self.dice.randrange(2 ** self.dice.randint(1, 62)), self.dice.randrange(1000))
        return self.dice.choice(["", "", "", "-", "+"]) + number + self.dice.choice(SUFFIXES)

    def _claims(self) -> list[Any]:
        return [
            {"name": name, **self.some(ref=lambda: {"apiVersion": "v1", "kind": "Secret", "name": "db"})}
            for name in self.dice.sample(["db", "mq"], self.dice.randint(0, 2))
        ]
