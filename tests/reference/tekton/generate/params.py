"""Random values and declarations of params."""

from __future__ import annotations

import itertools

from tests.reference.tekton.generate.dice import KEYS, TYPES, WORDS, Dice, Json, Kinds, spelled
from tests.reference.tekton.generate.fields import Fields

STRANGE: tuple[Json, ...] = (5, 1.5, True, None, ["s", 1], {"k": 1}, [["s"]], {"k": ["$(params.a)"]}, [], {})
STRINGS: tuple[Json, ...] = (7, 2.5, False, None, ["s", 2], {"k": True})  # what becomes text


def literal(dice: Dice, kind: str, *, partial: bool = False) -> Json:
    """A value without references. partial: an object may lack keys."""
    if dice.odd():
        return dice.pick(STRANGE)
    if kind == "array":
        return [dice.pick(WORDS) for _ in range(dice.random.randint(0, 3))]
    if kind == "object":
        keys = dice.some(KEYS, 0.6) if partial else KEYS[: 3 - dice.odd(2)]
        return {key: dice.pick((*WORDS, None)) if dice.chance(0.1) else dice.pick(WORDS) for key in keys}
    return dice.pick(STRINGS) if dice.chance(0.08) else dice.pick(WORDS)


def value(dice: Dice, name: str, kind: str, seen: Kinds, results: Kinds) -> Json:
    """A task value: a literal, a pass-through of its own name or of another, something glued, a result."""
    alike = [other for other, known in seen.items() if known == kind]
    roll = dice.random.random()
    if roll < 0.2 and name in alike:
        return handed(dice, name, kind)
    if roll < 0.4 and alike:
        return handed(dice, dice.pick(alike), kind)
    if roll < 0.55 and results:
        task = dice.pick(results)
        return result(dice, task, results[task], kind)
    if roll < 0.7:
        return mixed(dice, kind, seen)
    return literal(dice, kind, partial=name in seen)


def handed(dice: Dice, name: str, kind: str) -> Json:
    """The value that hands an outer param down, in one of its spellings."""
    if kind == "array" and dice.chance(0.1):
        return [str(dice.pick(("$(params['{}'][*])", '$(params["{}"][*])', "$(params['{}'])"))).format(name)]
    if kind == "string" and dice.chance(0.1):
        return str(dice.pick(("$(params['{}'])", '$(params["{}"])'))).format(name)
    if kind == "array":
        return spelled(name, "[*]") if dice.chance(0.4) and "." not in name else [spelled(name, "[*]")]
    return spelled(name, "[*]" if kind == "object" else "")


def result(dice: Dice, task: str, typed: str, kind: str) -> Json:
    """A result of a task, or a part of it where a string is wanted."""
    if typed == "object" and kind == "string":
        return f"$(tasks.{task}.results.r.k)"
    if typed == "array" and kind == "string":
        return f"$(tasks.{task}.results.r[0])"
    return f"$(tasks.{task}.results.r{'[*]' if typed != 'string' and dice.chance(0.7) else ''})"


def mixed(dice: Dice, kind: str, seen: Kinds) -> Json:
    """A value with references in it."""
    inside = Fields(dice, seen)
    if kind == "array":
        return [inside.entry() for _ in range(dice.random.randint(1, 3))]
    if kind == "object":
        return {key: inside.text() for key in dice.some(KEYS, 0.7)}
    return inside.text()


def run_params(dice: Dice) -> list[dict[str, Json]]:
    """The values that a run gives."""
    params = []
    for name in dice.some(dice.kinds, dice.pick((0.2, 0.5, 0.8))):
        kind = dice.pick(TYPES) if dice.odd() else dice.kinds[name]
        given = literal(dice, kind, partial=dice.odd(2))
        if kind == "string" and dice.chance(0.05):
            given = f"$(params.{dice.pick(dice.kinds)})"
        if dice.odd(0.5):
            given = "$(tasks.t0.results.r)"
        params.append({"name": dice.name(name), "value": given})
    return dice.doubled(params)


def declaration(dice: Dice, name: str, kind: str, *, default: bool, seen: Kinds | None = None) -> dict[str, Json]:
    """A declaration. seen: what its default may read."""
    kind = dice.pick(TYPES) if dice.odd() else kind
    made: dict[str, Json] = {"name": dice.name(name)}
    if dice.chance(0.75) or (not default and kind == "array"):
        made["type"] = kind
    if dice.chance(0.2):
        made["description"] = f"what {name} is; see $(params.nothing)"
    if kind == "object" and not dice.odd(2):
        keys = KEYS[: 2 if dice.chance(0.1) else 3]
        made["properties"] = {key: {"type": "string"} if dice.chance(0.8) else {} for key in keys}
    if default:
        made["default"] = default_of(dice, kind, list(made.get("properties", KEYS)), seen or {})
    if kind == "string" and dice.chance(0.15):
        made |= enum(dice, made.get("default", "red"))
    return made


def default_of(dice: Dice, kind: str, keys: list[str], seen: Kinds) -> Json:
    if dice.odd():
        return literal(dice, dice.pick(TYPES))
    if kind == "object":
        return {key: dice.pick(WORDS) for key in keys if dice.chance(0.99)}
    if kind == "string" and seen and dice.chance(0.15):
        return "x" + Fields(dice, seen).text()
    return literal(dice, kind)


def enum(dice: Dice, default: Json) -> dict[str, Json]:
    """An enum with the default in it, mostly."""
    if not isinstance(default, str) or "$(" in default:
        return {}
    allowed = [*WORDS] if dice.chance(0.75) else dice.some(WORDS, 0.4)
    dice.random.shuffle(allowed)
    return {"enum": allowed if default in allowed or dice.odd(3) else [default, *allowed]}


def declarations(dice: Dice, given: Kinds, extra: Kinds, share: float) -> list[dict[str, Json]]:
    """Some of the given names, with or without a default, some of the extra ones, with a default."""
    made = [declaration(dice, name, given[name], default=dice.chance(0.4)) for name in dice.some(given, share)]
    free = dice.some([name for name in extra if name not in given], share / 2)
    made += [declaration(dice, name, extra[name], default=not dice.odd(), seen=given) for name in free]
    dice.random.shuffle(made)
    return dice.doubled(made)


def chained(dice: Dice, declared: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """With defaults that read each other, now and then."""
    if dice.odd(0.5):
        names = [f"d{number}" for number in range(dice.pick((11, 12)))]
        return [
            *declared,
            *({"name": n, "default": f"$(params.{m})"} for n, m in itertools.pairwise(names)),
            {"name": names[-1], "default": "x"},
        ]
    strings = [entry for entry in declared if isinstance(entry.get("default"), str) and "enum" not in entry]
    if dice.chance(0.15):
        for first, second in itertools.pairwise(strings):
            first["default"] = "x" + spelled(second["name"])
        if strings and dice.odd(5):
            strings[-1]["default"] = spelled(strings[0]["name"])
    return declared
