"""What hands and other tools do to what a run left: edits, `git checkout`, fetching anew, Helm objects moved or changed."""

from __future__ import annotations

import copy
from typing import Any

from krm_values._data.data_edits import same
from tests.reference.glasskube.changes import resources
from tests.reference.glasskube.course import UNKEPT, Course, Entry
from tests.reference.glasskube.dice import Dice
from tests.reference.glasskube.notes import GENERATED, PATH, UNDO, file_of, stripped

Json = Any
Path = tuple[Any, ...]


def a_hand_edits(dice: Dice, course: Course) -> None:
    """One place of one item, those that a run wrote to rather than others."""
    found = [entry for entry in resources(course) if entry.recorded] if dice.chance(0.8) else resources(course)
    if not found:
        return
    entry = dice.pick(found)
    places = [path for path in paths(content(entry.item)) if path not in (("metadata",), ("metadata", "annotations"))]
    if entry.recorded and dice.chance(0.6):
        places = [path for path in places if written(entry, path)] or places
    if places:
        edit(dice, entry.item, dice.pick(places))


def hands_edit_a_list(dice: Dice, course: Course) -> None:
    """Several times, or what an element holds."""
    found = [entry.item for entry in resources(course) if entry.recorded and entry.item["kind"] == "Thing"]
    item = dice.pick(found) if found else {}
    lists = [path for path in paths(item.get("spec")) if isinstance(at(item["spec"], path), list)]
    place = dice.pick(lists) if lists else ()
    for _ in range(dice.pick((1, 2, 3)) if lists else 0):
        held = at(item["spec"], place)
        maps = [element for element in held if isinstance(element, dict)]
        if maps and dice.chance(0.5):
            dice.pick(maps)[dice.pick(("host", "port", "HAND"))] = f"by hand {dice.random.randrange(1000)}"
        elif held:
            edit(dice, item, ("spec", *place, dice.random.randrange(len(held))))


def written(entry: Entry, path: Path) -> bool:
    """Whether the last run left another value there than it found."""
    return not same(at(entry.base, path), at(entry.left, path))


def edit(dice: Dice, item: Json, path: Path) -> None:
    """Change, remove or add at a place."""
    holder, last = at(item, path[:-1]), path[-1]
    text = f"by hand {dice.random.randrange(1000)}"
    if isinstance(holder, list):
        dice.pick((edit_list, edit_list, move_element))(dice, holder, last, text)
    elif dice.chance(0.3):
        del holder[last]
    elif dice.chance(0.3):
        holder["HAND"] = text
    else:
        holder[last] = dice.pick((text, text, 77)) if item["kind"] == "Thing" else text


def edit_list(dice: Dice, holder: list[Json], last: int, text: str) -> None:
    how = dice.pick(("append", "insert", "insert", "remove", "change"))
    if how == "append":
        holder.append(text)
    elif how == "insert":
        holder.insert(last, text)
    elif how == "remove":
        del holder[last]
    else:
        holder[last] = text


def move_element(dice: Dice, holder: list[Json], last: int, _: str) -> None:
    holder.insert(dice.random.randrange(len(holder)), holder.pop(last))


def a_place_goes_back(dice: Dice, course: Course) -> None:
    """Somebody types what stood there before."""
    found = [entry for entry in resources(course) if entry.recorded]
    if found:
        entry = dice.pick(found)
        before = with_old_secrets(entry)
        for path in (path for path in paths(before) if isinstance(at(before, path[:-1]), dict)):
            holder = at(entry.item, path[:-1])
            if isinstance(holder, dict) and written(entry, path) and dice.chance(0.5):
                holder[path[-1]] = copy.deepcopy(at(before, path))


def a_checkout(dice: Dice, course: Course) -> None:
    """The content of before, with the annotation of the run."""
    found = [entry for entry in resources(course) if entry.recorded]
    if found:
        entry = dice.pick(found)
        annotations = entry.item["metadata"]["annotations"]
        entry.item = with_old_secrets(entry)
        entry.item["metadata"]["annotations"] = annotations


def fetched_anew(dice: Dice, course: Course) -> None:
    """The content of before, without an annotation."""
    found = [entry for entry in resources(course) if entry.recorded]
    if found:
        entry = dice.pick(found)
        entry.item = with_old_secrets(entry)


def the_record_is_lost(dice: Dice, course: Course) -> None:
    found = [entry for entry in resources(course) if entry.recorded]
    if found:
        del dice.pick(found).item["metadata"]["annotations"][UNDO]


def with_old_secrets(entry: Entry) -> Json:
    """An item as it was, with some other text where a Secret held one."""
    item = copy.deepcopy(entry.base)
    for name in ("data", "stringData"):
        for key, text in item[name].items() if isinstance(item.get(name), dict) else ():
            if isinstance(text, str) and text.startswith(UNKEPT):
                item[name][key] = "b2xk"
    return item


def a_helm_object_is_changed(dice: Dice, course: Course) -> None:
    if course.made:
        item = dice.pick(course.made)
        place = dice.pick([path for path in paths({"spec": item["spec"]}) if len(path) > 1])
        edit(dice, item, place)


def a_helm_object_is_moved(dice: Dice, course: Course) -> None:
    if course.made:
        item = dice.pick(course.made)
        before, after = file_of(item), f"moved-{dice.random.randrange(10**6)}.yaml"
        for key in [key for key in item["metadata"]["annotations"] if key.endswith("/index")]:
            del item["metadata"]["annotations"][key]
        item["metadata"]["annotations"][PATH] = after
        course.files = {identity: after if file == before else file for identity, file in course.files.items()}


def a_helm_object_is_renamed(dice: Dice, course: Course) -> None:
    if course.made:
        metadata = dice.pick(course.made)["metadata"]
        metadata[dice.pick(("name", "namespace"))] = "renamed"


def a_helm_object_is_removed(dice: Dice, course: Course) -> None:
    if course.made:
        item = dice.pick(course.made)
        course.made.remove(item)
        course.files = {identity: file for identity, file in course.files.items() if file != file_of(item)}


def a_mark_is_lost(dice: Dice, course: Course) -> None:
    """Then the object is anybody's."""
    if course.made:
        item = dice.pick(course.made)
        course.made.remove(item)
        course.files = {identity: file for identity, file in course.files.items() if file != file_of(item)}
        annotations = item["metadata"]["annotations"]
        for key in (GENERATED, "krm-values.dev/generated-from"):
            del annotations[key]
        course.entries.append(Entry(item))


def content(item: Json) -> Json:
    """What hands change: all but the header."""
    metadata = {key: value for key, value in stripped(item)["metadata"].items() if key in ("labels", "annotations")}
    return {"metadata": metadata, **{key: item[key] for key in ("spec", "data", "stringData") if key in item}}


def paths(value: Json, path: Path = ()) -> list[Path]:
    """All places below."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, member in inside for found in ((*path, key), *paths(member, (*path, key)))]


def at(value: Json, path: Path) -> Json:
    """What stands at a place, None if nothing does."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


HANDS = (
    *[a_hand_edits] * 5,
    *[hands_edit_a_list] * 3,
    a_place_goes_back,
    a_checkout,
    fetched_anew,
    the_record_is_lost,
    a_helm_object_is_changed,
    a_helm_object_is_moved,
    a_helm_object_is_renamed,
    a_helm_object_is_removed,
    a_mark_is_lost,
)
