"""Random chains, templates and owners: few names, so that they meet often."""

from __future__ import annotations

import random
from typing import Any

from tests.functions.cartographer_params.support import chain, step, template, workload

NAMES = ("p1", "p2", "p3", "P1", "s/p1", "dot.ted")
VALUES: tuple[Any, ...] = (
    "text",
    "",
    0,
    7,
    1.5,
    True,
    False,
    [],
    {},
    ["a", {"b": None}],
    {"deep": {"er": [1]}},
    "$(params.p1)$",
)
KEYS = (
    "spec.serviceAccountName",
    "spec.build",
    "spec.build.env",
    "spec.image",
    "spec.env",
    "spec.source",
    "spec.source.image",
    "spec.source.git",
    "spec.source.git.url",
    "metadata.uid",
    "metadata.annotations",
    "metadata.labels.tier",
    "spec.env[0].name",
    "spec.env[*].name",
    'spec.params[?(@.name=="p1")].value',
)
LABELS = {"lane": ("a", "b"), "tier": ("gold", "tin"), "size": ("x",)}


class Dice:
    """Chains, templates and owners by chance."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"package {seed}")

    def many(self, most: int) -> range:
        return range(self.random.choice([0, *range(most + 1)]))

    def value(self, nulls: float = 0.0) -> Any:
        return None if self.random.random() < nulls else self.random.choice(VALUES)

    def entries(self, fields: tuple[str, ...], nulls: float) -> list[dict[str, Any]]:
        return [{"name": self.random.choice(NAMES), self.random.choice(fields): self.value(nulls)} for _ in self.many(4)]

    def owner(self) -> dict[str, Any]:
        labels = {key: self.random.choice(values) for key, values in LABELS.items() if self.random.random() < 0.7}
        metadata: dict[str, Any] = {"namespace": "dock", **({"labels": labels} if labels else {})}
        if self.random.random() < 0.3:
            metadata |= {"annotations": {"note": "x"}, "uid": "7"}
        spec = {
            "image": "reg/app",
            "serviceAccountName": "robot",
            "build": {"env": [{"name": "A", "value": "1"}]},
            "env": [{"name": name, "value": "1"} for name in ("A", "B")[: self.random.randint(0, 2)]],
            "source": self.random.choice([{"image": "a"}, {"git": {}}, {"git": {"url": "a"}}, {}]),
        }
        kept = {key: value for key, value in spec.items() if self.random.random() < 0.5}
        return workload(params=self.entries(("value",), 0.1), metadata=metadata, **kept)

    def requirement(self, key: str, values: tuple[str, ...]) -> dict[str, Any]:
        operator = self.random.choice(("In", "NotIn", "Exists", "DoesNotExist"))
        listed = self.random.sample(values, self.random.randint(1, len(values)))
        return {"key": key, "operator": operator, **({"values": listed} if operator.endswith("In") else {})}

    def selector(self) -> dict[str, Any]:
        pairs = {key: self.random.choice(LABELS[key]) for key in LABELS if self.random.random() < 0.25}
        keys = [self.random.choice(list(LABELS)) for _ in self.many(1)]
        found = {
            "selector": pairs,
            "selectorMatchExpressions": [self.requirement(key, LABELS[key]) for key in keys],
            "selectorMatchFields": [
                self.requirement(self.random.choice(KEYS), ("a", "A", "text", "gold")) for _ in self.many(2)
            ],
        }
        return found if any(found.values()) else {**found, "selector": {"lane": "a"}}

    def chain(self, name: str, templates: list[dict[str, Any]]) -> dict[str, Any]:
        steps = [
            step(f"s{place}", self.random.choice(templates)["metadata"]["name"], params=self.entries(("value", "default"), 0))
            for place in range(self.random.randint(1, 3))
        ]
        return chain(*steps, name=name, params=self.entries(("value", "default"), 0), **self.selector())

    def package(self) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
        """(owner, chains, templates)."""
        templates = [template(f"t{place}", self.entries(("default",), 0.1)) for place in range(2)]
        chains = [self.chain(f"c{place}", templates) for place in range(self.random.randint(1, 3))]
        return self.owner(), chains, templates
