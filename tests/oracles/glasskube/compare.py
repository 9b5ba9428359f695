"""Our answers beside those of the operator's modules."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.oracles.glasskube import constraints, manifests, patches, paths, patterns, templates
from tests.oracles.go import ask

SORTS = {
    "patch": patches,
    "template": templates,
    "pattern": patterns,
    "constraints": constraints,
    "manifest": manifests,
    "path": paths,
}


@dataclass
class Comparison:
    """What differs, how many inputs upstream takes, how often we refuse one of those, by what we refuse, and what has no one answer.

    named: how often a row of `differences` explains that we differ.
    apart: inputs that upstream answers now one way and now another, ours among them: by the order of a map.
    """

    sort: str
    count: int
    differences: list[str] = field(default_factory=list)
    taken: int = 0
    apart: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)

    def summary(self) -> str:
        """One line."""
        refused = "".join(f", {count} refused for {what}" for what, count in self.refused.most_common())
        named = "".join(f", {count} differ by the row on {row}" for row, count in self.named.most_common())
        apart = f", {self.apart} apart by a map's order" if self.apart else ""
        return f"{self.sort}: {self.count} inputs, {self.taken} taken upstream{refused}{named}{apart}, {len(self.differences)} differences"


def compare(sort: str, count: int, seed: int) -> Comparison:
    """Random inputs of one sort, compared."""
    dice = random.Random(f"{sort} {seed}")
    module = SORTS[sort]
    made = [module.make(dice) for _ in range(count)]
    found = Comparison(sort, count)
    for one, answer in zip(
        made, ask("glasskube", [{"ask": sort, sort: question} for question in map(module.question, made)]), strict=True
    ):
        module.judge(one, answer, found)
    return found
