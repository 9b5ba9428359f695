"""Random operations on random resources: written, written again, edited by hand, changed, and taken back without a trace.

`python -m tests.functions.glasskube_values.sequences 5000 [SEED]` runs as many sequences and prints what did not hold.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
from copy import deepcopy
from typing import Any

from krm_values._data.data_edits import same
from krm_values._krm import hosts
from krm_values.glasskube_values import json_patch as apply
from tests.conformance.cases import State
from tests.functions.glasskube_values.packages import cluster
from tests.functions.glasskube_values.runs import run
from tests.reference.glasskube.dice import Dice
from tests.reference.glasskube.hands import content, edit, paths
from tests.reference.glasskube.notes import UNDO, stripped
from tests.reference.glasskube.undo import Hands, Unclear, undone

KEYS = ("a", "b", "c", "d/e", "f~g", "0")
HOST = {"internal.config.kubernetes.io/index": "0", "internal.config.kubernetes.io/path": "things.yaml"}


def sequence(dice: random.Random) -> str:
    """Why one sequence does not hold, or ""."""
    things = [_thing(dice, number) for number in range(dice.randint(1, 3))]
    first, second = _manifest(dice, things), _manifest(dice, things)
    once = _run(things, first)
    if once.outcome.failed:
        return f"failed: {once.outcome.findings[0].message}"
    again = _again(once.items, first)
    if not same(again.items, once.items):
        return "a second run changed something"
    items, hands = again.items, Hands()
    with contextlib.suppress(Unclear):  # which of several equal elements is whose
        things, items = _happens(dice, things, items, hands)
    changed, fresh = _again(items, second), _run(things, second)
    if hands.lost and changed.outcome.failed:
        return "" if "was changed by hand" in str(changed.outcome.findings) or fresh.outcome.failed else "failed"
    expected = items if fresh.outcome.failed else fresh.items
    if changed.outcome.failed != fresh.outcome.failed or not same(_known(changed.items), _known(expected)):
        return "after a change it is not as if done afresh"
    gone = _again([item for item in changed.items if item["kind"] != "ClusterPackage"], second)
    if gone.outcome.failed or not same(_known(gone.items), _known(things)):
        return f"not restored: {gone.items} from {things}"
    return ""


def _happens(dice: random.Random, things: list[Any], items: list[Any], hands: Hands) -> tuple[list[Any], list[Any]]:
    """What comes between two runs, as what people wrote and the items as they stand then."""
    things, items = deepcopy(things), deepcopy(items)
    at = dice.randrange(len(things))
    item, what = items[at + 1], dice.choice(("nothing", "a hand", "a hand", "a checkout", "fetched anew", "another order"))
    left = deepcopy(item)
    if what == "a hand" and (found := [path for path in paths(content(item)) if _is_told(item, path)]):
        edit(_dice(dice), item, dice.choice(found))
        things[at] = undone(stripped(things[at]), stripped(left), stripped(item), hands) | {"metadata": things[at]["metadata"]}
    elif what in ("a checkout", "fetched anew"):
        items[at + 1] = deepcopy(things[at])
        record = left["metadata"].get("annotations", {}).get(UNDO)
        if what == "a checkout" and record:
            items[at + 1]["metadata"].setdefault("annotations", {})[UNDO] = record
            undone(stripped(things[at]), stripped(left), stripped(things[at]), hands)
    elif what == "another order":
        dice.shuffle(items)
    return things, items


def _is_told(item: Any, path: Any) -> bool:
    """Whether an edit by hand there is told from what was written: not of a Secret's values, of which no hash is kept."""
    return path[0] != "metadata" and not (item["kind"] == "Secret" and path[0] in ("data", "stringData"))


def _dice(chances: random.Random) -> Dice:
    dice = Dice(0)
    dice.random = chances
    return dice


def _name(item: Any) -> str:
    return item["metadata"]["name"]


def _known(items: list[Any]) -> list[Any]:
    """The items without what their Secrets hold: old values are not kept, and so neither are the records of them. By name."""
    known = sorted(deepcopy(items), key=_name)
    for item in known:
        if item["kind"] == "Secret":
            item.pop("data", None)
            annotations = item["metadata"].pop("annotations", {})
            annotations.pop("krm-values.dev/undo.glasskube-values", None)
            item["metadata"] |= {"annotations": annotations} if annotations else {}
    return known


def _run(things: list[Any], manifest: Any) -> State:
    return _again([cluster(), *deepcopy(things)], manifest)


def _again(items: list[Any], manifest: Any) -> State:
    return run(*items, manifests=[manifest], useDefaults=True)


def _thing(dice: random.Random, number: int) -> Any:
    metadata: dict[str, Any] = {"name": f"thing-{number}"}
    if dice.random() < 0.5:
        metadata["namespace"] = "aviary"
    annotations = {**(HOST if dice.random() < 0.3 else {}), **({"own": "kept"} if dice.random() < 0.3 else {})}
    if annotations:
        metadata["annotations"] = annotations
    kind = dice.choice(("Thing", "Thing", "Thing", "ConfigMap", "Secret"))
    if kind != "Thing":
        data = {key: dice.choice(("x", "", "long\nlines\n", "7")) for key in dice.sample(("A", "B", "C"), 2)}
        return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data}
    return {"apiVersion": "aviary.example/v1", "kind": kind, "metadata": metadata, "spec": _value(dice, 3)}


def _value(dice: random.Random, depth: int) -> Any:
    shape = dice.random()
    if depth and shape < 0.4:
        return {key: _value(dice, depth - 1) for key in dice.sample(KEYS, dice.randint(0, 4))}
    if depth and shape < 0.75:
        return [_value(dice, depth - 1) for _ in range(dice.randint(0, 4))]
    return dice.choice((None, True, 1, 2, "x", "x", "", "true", 1.5, "two\nlines\n"))


def _manifest(dice: random.Random, things: list[Any]) -> Any:
    """A manifest of one value per operation, each of which can be done after those before it."""
    now = [hosts.hide(thing)[0] for thing in deepcopy(things)]
    definitions: dict[str, Any] = {}
    for _ in range(dice.randint(0, 9)):
        at = dice.randrange(len(now))
        op, pointer = dice.choice(("add", "add", "replace", "remove")), _pointer(dice, now[at])
        is_text = things[at]["kind"] != "Thing"
        is_text |= "annotations" in pointer
        value = dice.choice(("x", "y", "")) if is_text else _value(dice, 2)
        try:
            now[at] = apply.apply(now[at], op, pointer, json.loads(json.dumps(value))).data
        except apply.PatchError:
            continue
        resource = {"apiGroup": things[at]["apiVersion"], "kind": things[at]["kind"], "name": things[at]["metadata"]["name"]}
        target = {"resource": resource, "patch": {"op": op, "path": pointer}, "valueTemplate": json.dumps(value)}
        definitions[f"v{len(definitions)}"] = {"type": "text", "defaultValue": "x", "targets": [target]}
    return {"name": "lumen", "scope": "Cluster", "defaultNamespace": "aviary", "valueDefinitions": definitions}


def _pointer(dice: random.Random, thing: Any) -> str:
    """A place below the spec or data, or among the annotations, that is there or could be."""
    if dice.random() < 0.1:
        return "/metadata/annotations" + dice.choice(("/own", "/other"))
    key = "spec" if thing["kind"] == "Thing" else "data"
    pointer, value = f"/{key}", thing.get(key)
    while isinstance(value, dict | list) and (value or dice.random() < 0.5) and dice.random() < 0.85:
        if isinstance(value, dict):
            known = dice.choice([*value, dice.choice(KEYS)])
            pointer, value = f"{pointer}/{known.replace('~', '~0').replace('/', '~1')}", value.get(known)
        else:
            index = dice.choice(("-", str(dice.randint(0, len(value)))))
            pointer = f"{pointer}/{index}"
            value = value[int(index)] if index != "-" and int(index) < len(value) else None
    return pointer


def main(count: int, seed: int = 1) -> int:
    """Run sequences; 0 if all held."""
    failed = 0
    for number in range(count):
        reason = sequence(random.Random(f"{seed}/{number}"))
        if reason:
            failed += 1
            print(f"{seed}/{number}: {reason[:1500]}")
    print(f"{count - failed} of {count}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
