"""Our answers beside those of upstream's own code."""

from __future__ import annotations

from collections import Counter
from typing import Any

from krm_values._go import encoding_json
from krm_values.cartographer_params import owner, paths, tags
from krm_values.cartographer_params.paths import WHOLE, PathError
from tests.oracles.cartographer.paths import GO_NAME
from tests.oracles.cartographer.questions import Questions
from tests.oracles.go import ask

TYPED = ("workload", "deliverable", "runnable")
EVALUATES, FAILS, OPAQUE, NAMED = "evaluate", "fail", "apart as whole", "apart as Go names"
ORDER, OFTEN = "apart by a map's order", 64


def differences(count: int, seed: int) -> tuple[list[str], Counter[str], Counter[str]]:
    """What differs, how many questions of each sort evaluate, fail or are counted apart, and how often each feature occurs."""
    source, asked, counts, features = Questions(seed), [], Counter[str](), Counter[str]()
    for _ in range(count):
        question = source.next()
        asked.append((source.sort, GO_NAME in source.features, question))
        features.update(source.features)
    found = []
    for (sort, names_go, question), theirs in zip(asked, ask("cartographer", [last for *_, last in asked]), strict=True):
        ours = answer(question)
        outcome = _outcome(ours, theirs, names_go=names_go)
        if outcome in (EVALUATES, FAILS) and not _agree(question, ours, theirs):
            outcome = ORDER if _depends_on_order(question, ours) else outcome
            found += [] if outcome == ORDER else [f"{question}: ours {ours}, upstream {theirs}"]
        counts.update((outcome, f"{sort}: {outcome}"))
    return found, counts, features


def rare(count: int, features: Counter[str]) -> list[str]:
    """The features that fewer than one question of a hundred uses."""
    return sorted(name for name, found in features.items() if found * 100 < count)


def _outcome(ours: dict[str, Any], theirs: dict[str, Any], *, names_go: bool) -> str:
    if ours.get("error") == WHOLE:
        return OPAQUE
    if names_go and "error" in ours and not _agree({}, ours, theirs):
        return NAMED
    return EVALUATES if "json" in theirs else FAILS


def _agree(question: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Equal texts, or errors of one kind; in a tree Go meets the errors in no order."""
    if "json" in ours or "json" in theirs:
        return ours.get("json") == theirs.get("json")
    return isinstance(question.get("template"), dict | list) or bool(ours.get("missing")) == bool(theirs.get("missing"))


def _depends_on_order(question: dict[str, Any], ours: dict[str, Any]) -> bool:
    """Whether Go, which walks a map in no order, gives our answer too when it is asked often."""
    return any(_agree(question, ours, theirs) for theirs in ask("cartographer", [question] * OFTEN))


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What we say, in the form of the Go program."""
    try:
        if "context" in question:
            return _stamped(question["template"], question["context"])
        if "object" in question:
            return {"json": encoding_json.text(paths.on_object(question["path"], question["object"]))}
        return {"json": encoding_json.text(paths.one(question["path"], owner.typed(question["owner"])))}
    except PathError as error:
        return {"error": error.fact, **({"missing": True} if error.missing else {})}


def _stamped(body: Any, context: dict[str, Any]) -> dict[str, Any]:
    typed = {key: owner.typed(context[key]) for key in TYPED if key in context}
    plain = {key: value for key, value in context.items() if key not in TYPED}
    stamped = tags.stamp(body, tags.context_of(plain, **typed))
    assert not stamped.waiting
    if not stamped.faults:
        return {"json": encoding_json.text(stamped.value)}
    first = stamped.faults[0]
    return {"error": first.fact, **({"missing": True} if first.missing else {})}
