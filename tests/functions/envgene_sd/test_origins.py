"""Where each written value comes from: a place that has it, and for equal versions the SD whose text is kept."""

from __future__ import annotations

from krm_values._data.pointer import ABSENT, get
from tests.functions.envgene_sd.support import item, run, sd
from tests.oracles.envgene import made

EXTENDED, REPLACE = "extended-merge", "replace"
HEADER = {"version": 2.1, "type": "solutionDeploy"}


def graph(**chunks):
    return {"deployGraph": [{"chunkName": name, "apps": apps} for name, apps in chunks.items()]}


def leaves(state):
    """What is written to the Full SD, by path."""
    found = [one for one in state.outcome.decisions if one.leaf and one.after is not ABSENT]
    return {one.path[1:]: one.leaf for one in found if one.item.data["metadata"]["name"] == "sd"}


def places(origin):
    return origin.config or (origin.item and origin.path)


def test_every_written_value_of_random_sds_has_a_place_that_has_it():
    seen = set()
    for seed in range(400):
        given = made.run(seed)
        if any("userData" in one for one in given["sds"]):
            continue  # folders are written for the names
        full = given["full"]
        state = run(*([item(full)] if full is not None else []), data=given["sds"], SD_REPO_MERGE_MODE=given["mode"])
        for path, leaf in leaves(state).items():
            origin = leaf.origin
            if origin.item is not None:
                assert get(origin.item.data, origin.path) == leaf.value
            else:
                assert origin.config, (seed, path, origin)
                assert get({"SD_DATA": given["sds"]}, origin.config) == leaf.value
            seen.add((given["mode"], path[0], path[-1] if path[0] == "applications" else ""))
    assert {(EXTENDED, "deployGraph", ""), (REPLACE, "deployGraph", ""), (REPLACE, "applications", "alias")} <= seen


def test_of_equal_versions_the_incoming_one_decides():
    for mode in made.MODES:
        if mode != "basic-exclusion-merge":
            state = run(item(sd("a:1@p", "b:1@p", **HEADER)), data=[sd("a:1@p", "b:2@p", **HEADER)], SD_REPO_MERGE_MODE=mode)
            kept, changed = (leaves(state)["applications", index, "version"] for index in (0, 1))
            assert (kept.origin.layer, [one.layer for one in kept.overridden]) == ("SD_DATA[0]", ["Full SD"])
            assert kept.reason == "Full SD has the same version, and its text is kept"
            assert (changed.origin.layer, changed.reason) == ("SD_DATA[0]", "")


def test_of_several_equal_ones_the_last_wins():
    state = run(item(sd("a:1@p")), data=[sd("a:2@p"), sd("a:2@p")])
    leaf = leaves(state)["applications", 0, "version"]
    assert [one.layer for one in (leaf.origin, *leaf.overridden)] == ["SD_DATA[1]", "SD_DATA[0]", "Full SD"]
    assert leaf.reason == ""


def test_a_delta_sd_repeats_what_is_incoming_whatever_it_was():
    for held in ([], [item(sd("a:1@p", "b:9@p"), "delta-sd")], [item(sd("z:1@p"), "delta-sd")]):
        state = run(item(sd("a:1@p", "b:1@p")), *held, data=[sd("a:1@p", "b:2@p")])
        told = [one for one in state.outcome.decisions if one.leaf and one.path[-1] == "version" and is_delta(one.item.data)]
        assert told
        for one in (one.leaf for one in told if one.after is not ABSENT and one.path[:2] == ("spec", "applications")):
            assert (one.kind, one.origin.layer, [*one.overridden]) == ("copied", "SD_DATA[0]", [])
            assert get({"SD_DATA": [sd("a:1@p", "b:2@p")]}, one.origin.config) == one.value


def is_delta(data):
    return data["metadata"]["name"].endswith("delta-sd")


def test_what_extended_merge_adds_and_replace_takes_has_its_line():
    incoming = sd("a:1@p", "c:1@q", **HEADER, **graph(one=["a:p"], two=["c:q"]))
    held = sd("a:1@p", **HEADER, **graph(two=[], one=["a:p"]))
    for mode in (EXTENDED, REPLACE):
        found = [leaf.origin for path, leaf in leaves(run(item(held), data=[incoming], SD_REPO_MERGE_MODE=mode)).items()]
        assert all(map(places, found))
        assert any(one.config[:4] == ("SD_DATA", 0, "deployGraph", 1) for one in found if one.config), mode


def test_what_a_new_sd_copies_has_the_place_that_it_repeats():
    first = sd("a:1@p", "b:1@q", **HEADER, **graph(one=["a:p", "b:q"]))
    state = run(data=[first], SD_REPO_MERGE_MODE=REPLACE)
    found = {path: (leaf.kind, leaf.origin.config) for path, leaf in leaves(state).items()}
    given, apps = ("SD_DATA", 0), ("SD_DATA", 0, "applications")
    assert found == {
        **{("applications", index, "version"): ("", (*apps, index, "version")) for index in (0, 1)},
        **{("applications", index, "deployPostfix"): ("copied", (*apps, index, "deployPostfix")) for index in (0, 1)},
        **{(key,): ("copied", (*given, key)) for key in HEADER},
        ("deployGraph", 0, "chunkName"): ("copied", (*given, "deployGraph", 0, "chunkName")),
        ("deployGraph", 0, "apps"): ("copied", (*given, "deployGraph", 0, "apps")),
    }


def test_an_application_that_is_added_copies_all_but_its_version():
    state = run(item(sd("a:1@p")), data=[sd("b:1@q"), sd("b:2@q")])
    found = leaves(state)
    version, postfix = found["applications", 1, "version"], found["applications", 1, "deployPostfix"]
    assert [one.config[1] for one in (version.origin, *version.overridden)] == [1, 0]
    assert (postfix.kind, postfix.origin.config) == ("copied", ("SD_DATA", 0, "applications", 0, "deployPostfix"))


def test_a_folder_is_derived_from_the_name_that_the_sd_gives():
    marked = {**sd("a:1@team-one"), "userData": {"useDeployPostfixAsNamespace": True}}
    folder = item({"name": "team-one"}, name="team-one", kind="EnvironmentNamespace")
    folder["metadata"]["annotations"] = {"config.kubernetes.io/path": "environments/x/y/Namespaces/one/namespace.yml"}
    state = run(folder, data=[marked])
    (leaf,) = [one.leaf for one in state.outcome.decisions if one.leaf and one.path[-1] == "deployPostfix"]
    assert (leaf.value, leaf.kind) == ("one", "derived")
    assert leaf.origin.config == ("SD_DATA", 0, "applications", 0, "deployPostfix")


def graph_places(state):
    """The path in SD_DATA of each value of the graph of the Full SD."""
    return {path[1:]: leaf.origin.config[1:] for path, leaf in leaves(state).items() if path[0] == "deployGraph"}


def test_each_alias_of_a_chunk_that_two_sds_have_is_told_with_the_sd_that_gives_it():
    """Though the second one has the same list at the same place."""
    first, second = sd("a:1@p", **HEADER, **graph(one=["a:p"])), sd("a:1@p", "b:1@q", **HEADER, **graph(one=["a:p", "b:q"]))
    assert graph_places(run(data=[first, second], SD_REPO_MERGE_MODE=EXTENDED)) == {
        (0, "chunkName"): (0, "deployGraph", 0, "chunkName"),
        (0, "apps", 0): (0, "deployGraph", 0, "apps", 0),
        (0, "apps", 1): (1, "deployGraph", 0, "apps", 1),
    }


def test_of_two_chunks_of_one_name_each_has_its_own_place():
    chunks = {"deployGraph": [*graph(one=["a:p"])["deployGraph"], *graph(one=["a:p"])["deployGraph"]]}
    state = run(data=[sd("a:1@p", **HEADER, **chunks)], SD_REPO_MERGE_MODE=REPLACE)
    assert graph_places(state) == {
        (index, key): (0, "deployGraph", index, key) for index in (0, 1) for key in ("chunkName", "apps")
    }


def test_equal_values_at_different_places_are_told_apart():
    first = sd("a:1@p", **HEADER, **graph(two=["a:p"], one=[]))
    second = sd("b:1@q", "c:1@r", **HEADER, **graph(one=["b:q"], two=["c:r"]))
    apps = {
        path: at
        for path, at in graph_places(run(data=[first, second], SD_REPO_MERGE_MODE=EXTENDED)).items()
        if path[1] == "apps"
    }
    assert apps == {
        (0, "apps", 0): (0, "deployGraph", 0, "apps", 0),
        (0, "apps", 1): (1, "deployGraph", 1, "apps", 0),
        (1, "apps", 0): (1, "deployGraph", 0, "apps", 0),
    }


def test_what_is_added_to_a_chunk_without_aliases_comes_from_the_sd_that_has_them():
    held = sd("a:1@p", **HEADER, **graph(one=["a:p"], two=None))
    first, second = (
        sd("b:1@q", **HEADER, **graph(two=["b:q"])),
        sd("b:1@q", "c:1@r", **HEADER, **graph(two=["b:q", "c:r"])),
    )
    state = run(item(held), data=[first, second], SD_REPO_MERGE_MODE=EXTENDED)
    assert graph_places(state) == {
        (1, "apps", 0): (0, "deployGraph", 0, "apps", 0),
        (1, "apps", 1): (1, "deployGraph", 0, "apps", 1),
    }
