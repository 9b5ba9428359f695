"""A list through its runs and what happens to it between them: what people wrote is known of every item at any time."""

from __future__ import annotations

import base64
import copy
import json
from dataclasses import dataclass, field
from typing import Any

from krm_values._data.data_edits import same
from tests.conformance.cases import State
from tests.reference.difference import Difference
from tests.reference.glasskube import resolve as glasskube
from tests.reference.glasskube.compare import judged, run, strictly
from tests.reference.glasskube.notes import GENERATED, UNDO, file_of, notes, stripped
from tests.reference.glasskube.state import Answer
from tests.reference.glasskube.undo import Hands, Unclear, undone

Json = Any
UNKEPT = base64.b64encode(b"what a Secret held").decode()


def _down(value: Json, pointer: str) -> Json:
    """What stands at a pointer, or the first list on the way."""
    for part in pointer.split("/")[1:]:
        if not isinstance(value, dict):
            return value
        value = value.get(part.replace("~1", "/").replace("~0", "~"))
    return value


@dataclass
class Entry:
    """One item that somebody wrote. base: as it was before the last run that went well, left: as that run left it."""

    item: Json
    base: Json = None
    left: Json = None
    writers: set[str] = field(default_factory=set)

    @property
    def recorded(self) -> bool:
        return UNDO in notes(self.item)

    def _hides_an_edit(self) -> bool:
        """Whether a place was edited by hand of which no hash is kept, or a list with such a place in it: what came out of a Secret."""
        now = stripped(self.item)
        entries = json.loads(notes(self.item)[UNDO])["undo"]
        pointers = [
            pointer for entry in entries for pointer in (*entry.get("blank", ()), *[entry["path"]] * ("secret" in entry))
        ]
        return any(not same(_down(now, pointer), _down(self.left, pointer)) for pointer in pointers)

    def pristine(self, hands: Hands) -> Json:
        if self.base is None or not self.recorded:
            return stripped(self.item)
        if self._hides_an_edit():
            raise Unclear
        return undone(self.base, self.left, stripped(self.item), hands)


@dataclass
class Course:
    """entries: what people wrote. made: the Helm objects as they stand. files: where each of these is, by its part of its Package."""

    entries: list[Entry]
    config: dict[str, Json]
    made: list[Json] = field(default_factory=list)
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    state: State | None = field(default=None, repr=False)
    unkept: int = 0

    def difference(self) -> Difference | None:
        """Run once and compare. Unclear where the texts leave the result open."""
        hands = [Hands() for _ in self.entries]
        pristine = [entry.pristine(hand) for entry, hand in zip(self.entries, hands, strict=True)]
        items = [*(entry.item for entry in self.entries), *self.made]
        expected = glasskube.resolve(pristine, self.config, [file_of(entry.item) for entry in self.entries])
        self.state, stricter = strictly(items, self.config)
        if stricter:
            return stricter
        if any(self.unmade(entry, expected) for entry in self.entries):
            expected.errors.add(("record", "", ""))
        if any(
            at < len(expected.items) and gets_elements(expected.items[at], pristine[at], hand) for at, hand in enumerate(hands)
        ):
            expected.errors.add(("record", "", ""))
        told = self.keep_secrets(expected, pristine)
        expected.helm = {self.files.get(expected.made[file], file): made for file, made in expected.helm.items()}
        found = judged(expected, self.state)
        if found:
            return found
        if expected.errors:
            return None if same(self.state.items, items) else Difference("changed in spite of errors", self.state.items, items)
        warned = any(finding.kind == "record" for finding in self.state.outcome.findings)
        meant = told or any(hand.edited or hand.lost for hand in hands)
        if warned != meant:
            return Difference("warnings of records", [f"{one}" for one in self.state.outcome.findings], [pristine, meant])
        self.proceed(pristine, expected)
        return None

    def copied(self) -> Course:
        return copy.deepcopy(Course(self.entries, self.config, self.made, self.files))

    def back_to(self, earlier: Course) -> None:
        """As it was before a change."""
        self.entries, self.config, self.made, self.files = earlier.entries, earlier.config, earlier.made, earlier.files

    def unmade(self, entry: Entry, expected: Answer) -> bool:
        """Whether somebody wrote there who has no manifest any more."""
        return entry.recorded and bool(entry.writers & expected.unmade)

    def keep_secrets(self, expected: Answer, pristine: list[Json]) -> bool:
        """Put the last value where an old one of a Secret would come back; whether there is one."""
        told = False
        if any(str(pristine[at][name][key]).startswith(UNKEPT) for at, name, key in expected.read):
            raise Unclear
        for at, item in enumerate(expected.items if not expected.errors else []):
            for name in ("data", "stringData"):
                for key, text in [*(item.get(name) or {}).items()] if isinstance(item.get(name), dict) else ():
                    if isinstance(text, str) and text.startswith(UNKEPT):
                        self.keep_last(at, name, key, (item, pristine[at]))
                        told = True
        if UNKEPT in str(expected.items) or UNKEPT in str(expected.helm):
            raise Unclear
        return told

    def keep_last(self, at: int, name: str, key: str, states: tuple[Json, ...]) -> None:
        """Give these states what stands at a key of a Secret now; a key that a run removed stays removed."""
        held = stripped(self.entries[at].item).get(name)
        for state in states:
            if isinstance(held, dict) and key in held:
                state[name][key] = held[key]
            else:
                del state[name][key]

    def proceed(self, pristine: list[Json], expected: Answer) -> None:
        """Take what the run left as what stands there."""
        assert self.state is not None
        after = [item for item in self.state.items if GENERATED not in notes(item)]
        self.made = [item for item in self.state.items if GENERATED in notes(item)]
        self.files = {identity: self.files.get(identity, file) for file, identity in expected.made.items()}
        keeps = self.config.get("record", True)
        for at, (entry, item) in enumerate(zip(self.entries, after, strict=True)):
            entry.item, entry.left = item, stripped(item)
            entry.base = pristine[at] if keeps else entry.left
            entry.writers = expected.writers.get(at, set())
        for at, name, key in expected.unkept if keeps else ():
            self.unkept += 1
            base = self.entries[at].base
            if not isinstance(self.entries[at].left.get(name), dict) or not isinstance(base[name][key], str):
                raise Unclear
            if not base[name][key].startswith(UNKEPT):
                base[name][key] = UNKEPT + base64.b64encode(f"{self.unkept:03}".encode()).decode()

    def again(self) -> Difference | None:
        """The same run again changes nothing. Not where nothing is recorded, and not after an error."""
        if self.state is None or self.state.outcome.failed or not self.config.get("record", True):
            return None
        items = copy.deepcopy(self.state.items)
        state = run(items, {**self.config, "strict": False})
        if state.outcome.failed or not same(state.items, items):
            return Difference("again", state.items, [finding.message for finding in state.outcome.findings])
        return None


def gets_elements(item: Json, pristine: Json, hands: Hands) -> bool:
    """Whether a list gets elements where one of ours was changed by hand."""
    for path in hands.lost:
        before, after = pristine, item
        for step in path:
            before = before[step]
            after = after.get(step) if isinstance(after, dict) else None
        if isinstance(after, list) and len(after) > len(before):
            return True
    return False
