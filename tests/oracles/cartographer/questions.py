"""Random questions of the three sorts: a template on a context, an output's path on an object, a selector's key on an owner."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.oracles.cartographer.data import KEYS, LABELS, NUMBERS
from tests.oracles.cartographer.paths import Paths

SORTS = ("template", "output", "selector")
OWNERS = ("Workload", "Deliverable", "Runnable")


class Questions(Paths):
    """`next` gives a question; `sort` and `features` say what the last one was."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self.sort = ""
        self.features: set[str] = set()

    def next(self) -> dict[str, Any]:
        self.sort = self.dice.choices(SORTS, weights=(6, 2, 2))[0]
        self.features = set()
        question = {"template": self._template_question, "output": self._output, "selector": self._selector}[self.sort]()
        return json.loads(json.dumps(question))

    def _output(self) -> dict[str, Any]:
        kept = {"name": "n", "ready": True, "ports": [{"port": 80}, {"port": 8.5}], "n": self.dice.choice(NUMBERS)}
        data = {
            "apiVersion": "v1",
            "kind": "X",
            "metadata": {"name": "n", "labels": dict(LABELS)},
            "spec": self.value(),
            "status": kept,
        }
        return {"path": self.path(data), "object": data}

    def _selector(self) -> dict[str, Any]:
        owner = self.owner(self.dice.choice(OWNERS[:2]))
        return {"path": self.path({key: owner[key] for key in ("metadata", "spec")}), "owner": owner}

    def _template_question(self) -> dict[str, Any]:
        context = self.context()
        return {"template": self._template(context, 2), "context": context}

    def context(self) -> dict[str, Any]:
        """What a step or a run template may refer to."""
        if self.maybe(0.15):
            self.features.add("runnable")
            return {"runnable": self.owner("Runnable"), "selected": self.value()}
        kind = self.dice.choice(OWNERS[:2])
        self.features.add(kind.lower())
        owner = self.owner(kind)
        source = {"url": "u", "revision": self.scalar(), "name": "s"}
        return {
            "workload": owner,
            "deliverable": owner,
            "params": {key: self.value() for key in self.dice.sample(KEYS, self.dice.randint(0, 6))},
            "sources": {"a-b": source},
            "source": source,
            "images": {"i": {"image": self.value(1), "name": "i"}},
            "configs": {"c.d": {"config": self.value(), "name": "c.d"}},
            "config": self.value(),
            "deployment": self.dice.choice([None, {"url": "u", "revision": "r", "name": ""}]),
            "labels": dict(LABELS),
        }

    def _template(self, context: dict[str, Any], depth: int) -> Any:
        if depth and self.maybe(0.1):
            self.features.add("template tree")
            return {key: self._template(context, depth - 1) for key in self.dice.sample([*KEYS, "$(a)$"], 2)}
        if depth and self.maybe(0.05):
            self.features.add("template tree")
            return [self._template(context, depth - 1), self.dice.choice(NUMBERS), None, True, [], {}]
        if self.maybe(0.03):
            return self.value(1)
        return self._string(context)

    def _string(self, context: dict[str, Any]) -> str:
        tag = f"$({self._start(context)})$"
        roll = self.dice.random()
        if roll < 0.62:
            self.features.add("one tag")
            return tag
        if roll < 0.74:
            self.features.add("tag in text")
            return self.dice.choice(["x-{}", "{}/y", "a & {} <b>", "{} ", "$(", ")${}", "${{x}} {}", "$x){}"]).format(tag)
        if roll < 0.86:
            self.features.add("two tags")
            return tag + self.dice.choice(["", ":", ")$", "$"]) + f"$({self._start(context)})$"
        if roll < 0.93:
            self.features.add("broken tag")
            return self.dice.choice(["{} and )$", "$({}", "{}$(", "$()$", "$({}", "{0}{0}$(", ")$ {}", "$( {}"]).format(tag)
        self.features.add("no tag")
        return self.dice.choice(["", "plain", "${x}", "$(x)", "$x", ")$", "$(open", "& <", "$ (a)$"])

    def _start(self, context: dict[str, Any]) -> str:
        likely = [
            key for key in ("params", "params", "workload", "workload", "workload", "config", "selected") if context.get(key)
        ]
        key = self.dice.choice([*context, *likely])
        value = context[key]
        if key == "params" and value and self.maybe(0.9):
            self.features.add("param")
            name = self.dice.choice([*value])
            below = self._follow(value[name], 1) if self.maybe(0.2) else ""
            if below:
                self.features.add("below a param")
            return self._wrapped(f".params{self._field(name)}{below}")
        found = f".{key}" + (self._follow(value, 1) if self.maybe(0.93) else "")
        return self._wrapped(self._damaged(found) if self.maybe(0.05) else found)
