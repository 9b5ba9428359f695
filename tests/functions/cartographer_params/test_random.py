"""Random chains: the planner and a slow second reading of the rules must agree."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.functions.cartographer_params.support import chain, findings, params, plan, reports, step, template, workload
from tests.readings import cartographer

CHAINS = 2000
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
        self.random = random.Random(seed)

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


def test_two_thousand_random_chains_are_read_alike():
    dice, seen = Dice(20260), Counter[str]()
    planned_chains = 0
    while planned_chains < CHAINS:
        templates = [template(f"t{place}", dice.entries(("default",), 0.1)) for place in range(2)]
        chains = [dice.chain(f"c{place}", templates) for place in range(dice.random.randint(1, 3))]
        owner = dice.owner()
        planned_chains += len(chains)
        planned = plan(owner, *chains, *templates, emit=["params"])
        try:
            name, expected = cartographer.read(owner, chains, templates)
        except cartographer.Refused as refused:
            rule = str(refused)
            assert [finding.rule for finding in findings(planned, "error")].count(rule) >= 1, (owner, chains, planned)
            assert reports(planned) == {}
            seen[rule] += 1
            continue
        assert [finding.rule for finding in findings(planned, "error") if finding.rule in ("40", "42", "46")] == []
        (report,) = reports(planned).values()
        assert report["chain"]["name"] == name
        assert same(params(report), expected), (owner, chains, templates)
        seen["selected"] += 1
        seen.update(origin for step in expected.values() for _, origin in step.values())
    assert min(seen[key] for key in ("40", "42", "46", "selected")) >= 20, seen
    assert min(seen[f"{layer}.value"] for layer in ("owner", "resource", "blueprint")) >= 100, seen
    assert min(seen[f"{layer}.default"] for layer in ("template", "resource", "blueprint")) >= 100, seen


def same(one: Any, other: Any) -> bool:
    """Equal with their types: 0 is not false."""
    return repr(sorted_data(one)) == repr(sorted_data(other))


def sorted_data(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted_data(value[key]) for key in sorted(value)}
    return [sorted_data(element) for element in value] if isinstance(value, list | tuple) else value
