"""Random lists and packages with Secrets: `python -m tests.secrets.attacks --count 20000 --packages 1000 --seed 1` shows those that leak.

A case that has a Secret is changed as data (parts removed, doubled, moved, renamed, replaced; a ConfigMap made a Secret), every Secret gets
a marker in some form, and the text, in one of several styles, may be broken at a place that makes nothing a Secret or none.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import yaml as pyyaml

from krm_values._data import data_edits
from krm_values._krm import names
from krm_values._run import registry
from krm_values._yaml import decode, emit
from tests.conformance import cases
from tests.secrets.commands import krm
from tests.secrets.judge import explained, of_secrets, ran, silent
from tests.secrets.markers import Marker, planted
from tests.secrets.test_cases import BROKEN, TEXTS, WITH, WRONG, items_of, other_secrets, said_of, without_secrets
from tests.secrets.test_packages import outputs, rendered, said

A, B = Marker("first"), Marker("changed")
VALUES: list[Any] = [
    *(None, "", True, 0, -1, 1.5, "1e3", "x", "null", [], {}, ["a"], {"a": "b"}, [[1]], "a: 1\n", "- a\n", "a: [", "9" * 25),
    *("$(params.x)", "$(workload.spec)$", "{{ . }}", "{{ .x", "values", "values.yaml", "Secret", "ConfigMap", "team", "a.b[0]"),
]
BREAKS = [
    "\t",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    ": ",
    "*a ",
    "&a ",
    "!t ",
    "\n",
    "\n  ",
    "#",
    "|",
    ">",
    "- ",
    "%",
    "\\",
    "\x01",
    "\u2028",
]
PLACE = "config.kubernetes.io/local-config"


def changed(random: Random, items: list[Any]) -> None:
    """Change the items at one place, or exchange two."""
    places = list(_places(items))
    holder, key = random.choice(places)
    match random.randrange(8):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = deepcopy(random.choice(VALUES))
        case 3:
            other, its = random.choice(places)
            holder[key] = deepcopy(other[its])
        case 4 if isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
        case 4:
            holder[str(random.choice(places)[1])] = holder.pop(key)
        case 5:
            item = deepcopy(random.choice(items))
            if isinstance(item, dict) and isinstance(item.get("metadata"), dict):
                item["metadata"]["name"] = random.choice(["a", "s", "other"])
            items.insert(random.randrange(len(items) + 1), item)
        case 6:
            of_kind = [place for place in places if place[0][place[1]] in ("ConfigMap", "Secret")]
            holder, key = random.choice(of_kind or places)
            holder[key] = "Secret"
        case 7:
            random.shuffle(items)


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place as (map or list, key or index)."""
    left = [data]
    while left:
        one = left.pop()
        for key, value in list(one.items() if isinstance(one, dict) else enumerate(one)):
            yield one, key
            if isinstance(value, (dict, list)):
                left.append(value)


def hidden(random: Random, items: list[Any], marker: Marker) -> list[Any]:
    """Return the items with a marker in every Secret, most often where its texts are; in none as a key, since keys are shown."""
    found = []
    for item in items:
        one, kind = item, random.random()
        if isinstance(item, dict) and item.get("kind") == "Secret":
            spell = (
                random.choice([*TEXTS.values(), *(_broken(broken) for broken in BROKEN if broken != "? {}")])
                if kind < 0.3
                else None
            )
            keys = [key for field in ("data", "stringData") if isinstance(item.get(field), dict) for key in item[field]]
            if kind < 0.08:
                wrong = random.choice([form for name, form in WRONG.items() if name != "a value that is a map"])(marker.text)
                one = item | {
                    field: dict.fromkeys(keys, value["a"]) if isinstance(value, dict) else value
                    for field, value in wrong.items()
                }
            else:
                one = planted(item, marker, spell and (lambda _, spell=spell: spell(marker.text)))
        found.append(one)
    return found


def _broken(form: str) -> Any:
    return lambda text: form.replace("{}", text).replace("{{", "{")


def written(random: Random, items: list[Any], config: Any) -> bytes:
    """Return a ResourceList in one of several styles."""
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": config}
    match random.randrange(4):
        case 0:
            return json.dumps(whole, ensure_ascii=False, indent=random.choice([None, 2])).encode()
        case 1:
            return pyyaml.safe_dump(
                whole,
                width=random.choice([10, 80, 4000]),
                default_style=random.choice([None, None, '"', "'", "|", ">"]),
                default_flow_style=random.choice([False, None, True]),
            ).encode()
        case _:
            return (
                cases.resource_list(items, "flux-values", {}).partition(b"functionConfig:")[0]
                + pyyaml.safe_dump({"functionConfig": config}).encode()
            )


def broken(random: Random, text: str) -> str:
    """Return a text with something in it that does not belong there; not on a line that says what a resource is."""
    at = random.randrange(len(text) + 1)
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    if any(word in line for word in ("kind", "apiVersion", "items", "data", "Data")):
        return text
    return text[:at] + random.choice(BREAKS) + text[at:]


def given(random: Random) -> tuple[list[Any], dict[str, Any]]:
    """Return items with their markers and the functionConfig of a changed case."""
    system, case = random.choice(WITH).values
    items, spec = json.loads(json.dumps([case["input"], {**system.config(case), **(case.get("config") or {})}]))
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        if items:
            changed(random, [spec, spec] if random.random() < 0.1 and spec else items)
    config = {
        "apiVersion": names.API_VERSION,
        "kind": names.kind(system.function(case)),
        "metadata": {"name": "c"},
        "spec": spec,
    }
    return hidden(random, items, A), config


def of_list(name: str) -> str:
    """Try the list of this seed: every form of `explain`, `run`, and a second run with other Secrets or none. Return what became of it."""
    random = Random(name)
    text = written(random, *given(random))
    if random.random() < 0.25:
        said_of(broken(random, text.decode()).encode())
        return "broken"
    if krm("run", stdin=text).code:
        said_of(text)
        return "error"
    output, allowed, _ = ran(text, [A], set())
    later = random.choice([other_secrets, without_secrets, lambda same: same])(items_of(output))
    if random.random() < 0.5:
        later = edited(random, later)
    ran(later, [A, B], allowed)
    return "done"


def edited(random: Random, text: bytes) -> bytes:
    """Return a list in which somebody edited one to three scalars by hand, beside what an earlier run wrote, or added an element there."""
    whole: Any = data_edits.copy(decode.to_data(decode.parse(text.decode())))
    recorded = [item for item in whole["items"] if names.OWN in json.dumps(item) and item["kind"] != "Secret"]
    for _ in range(random.randint(1, 3) if recorded else 0):
        item = random.choice(recorded)
        fields = {key: below for key, below in item.items() if key not in ("apiVersion", "kind", "metadata")}
        scalars = [(holder, key) for holder, key in _places(fields) if not isinstance(holder[key], (dict, list))]
        if not scalars:
            continue
        near = [one for one in scalars if A.found(json.dumps(one[0]).encode()) and not A.found(str(one[0][one[1]]).encode())]
        holder, key = random.choice(near or scalars)
        if isinstance(holder, list) and random.random() < 0.3:
            holder.append("by hand")
        else:
            holder[key] = random.choice(["by hand", "7", ""])
    return ("\n".join(emit.block(whole)) + "\n").encode()


def of_package(name: str, folder: Path) -> str:
    """Try the package of this seed with every command, before and after a render."""
    random = Random(name)
    items, config = given(random)
    package = folder / "package"
    package.mkdir()
    config["metadata"]["annotations"] = {PLACE: "true"}
    function = next(one for one in registry.functions() if names.kind(one) == config["kind"])
    step = {"exec": f"krm-{function}", "configPath": "config.yaml"}
    head = {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": "p"}}
    (package / "Kptfile").write_text(pyyaml.safe_dump({**head, "pipeline": {"mutators": [step]}}))
    (package / "config.yaml").write_text(pyyaml.safe_dump(config))
    for number, item in enumerate(items):
        style = random.choice([False, None])
        (package / f"{number}.yaml").write_text(
            pyyaml.safe_dump(item, default_flow_style=style, sort_keys=random.random() < 0.5)
        )
    if krm("render", package, "-o", folder / "tried").code:
        said(package)
        silent([A], "render", krm("render", package).said)
        return "error"
    outputs(package, of_secrets(explained(b"", [A], package), set()))
    rendered(package, set())
    return "done"


def main() -> int:
    """Try as many as asked for; print each that leaks, with the seed that makes it again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="lists")
    parser.add_argument("--packages", type=int, default=0)
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    found: Counter[str] = Counter()
    for kind, count in (("list", options.count), ("package", options.packages)):
        for number in range(count):
            name = f"{options.seed}/{kind}/{number}"
            try:
                with tempfile.TemporaryDirectory() as folder:
                    found[f"{kind} {of_list(name) if kind == 'list' else of_package(name, Path(folder))}"] += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told with its seed
                found[f"{kind} WRONG"] += 1
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
    print(", ".join(f"{name} {number:,}" for name, number in found.most_common()))
    return int(any(name.endswith("WRONG") for name in found))


if __name__ == "__main__":
    sys.exit(main())
