"""Paths and parts of strings as the config writes them."""

from __future__ import annotations

import pytest

from krm_values.layered_values import parts, paths
from krm_values.layered_values.parts import Piece
from krm_values.layered_values.paths import AnyKey, Each, Match, PathError
from tests.functions.layered_values.support import run, told


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        (".", ()),
        ("a.b", ("a", "b")),
        ("a[0].b", ("a", 0, "b")),
        ("[0]", (0,)),
        ("a[*][name=x.y].b", ("a", Each(), Match("name", "x.y"), "b")),
        ('a["b.c/d"].e', ("a", "b.c/d", "e")),
        (r"a.b\.c/d", ("a", "b.c/d")),
        ("*.hosts", (AnyKey(), "hosts")),
        ('["*"]', ("*",)),
        (r"\*", ("*",)),
        ('a[name="x]y"]', ("a", Match("name", "x]y"))),
        ('["a\\"b"]', ('a"b',)),
    ],
)
def test_a_path_has_these_segments(text, segments):
    assert paths.parse(text) == segments


@pytest.mark.parametrize("text", ["", "a..b", ".a", "a.", "a[", "a[-1]", "a[01]", "a[x]", "a]b", "a[0]b", "a.[0]", "a[0]."])
def test_a_path_that_cannot_be_read(text):
    with pytest.raises(PathError):
        paths.parse(text)


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("web", ("", "web", "", "")),
        ("shop/web:1", ("", "shop/web", "1", "")),
        ("localhost/web", ("localhost", "web", "", "")),
        ("localhost:5000/web", ("localhost:5000", "web", "", "")),
        ("h.test/a/b:1@sha256:ab", ("h.test", "a/b", "1", "sha256:ab")),
        ("web:5000", ("", "web", "5000", "")),
    ],
)
def test_the_parts_of_an_image_reference(text, image):
    found = parts.image(text)
    assert (found.registry, found.repository, found.tag, found.digest) == image
    assert found.text == text


DIGEST = f"sha256:{'ab' * 32}"


@pytest.mark.parametrize(
    ("text", "written", "result"),
    [
        ("web", [("tag", "1")], "web:1"),
        ("web:1", [("digest", DIGEST)], f"web:1@{DIGEST}"),
        (f"web:1@{DIGEST}", [("tag", "2"), ("digest", DIGEST)], f"web:2@{DIGEST}"),
        ("a.test/web:1", [("name", "b.test/x/web")], "b.test/x/web:1"),
        ("a.test/web:1", [("name", "web")], "web:1"),
        ("a.test/web:1", [("repository", "x/web")], "a.test/x/web:1"),
        ("web", [("registry", "mirror:5000")], "mirror:5000/web"),
        ("a-b-c", [(Piece("-", 2), "z"), (Piece("-", 0), "x")], "x-b-z"),
    ],
)
def test_parts_are_written(text, written, result):
    assert parts.written(text, written) == result


@pytest.mark.parametrize(
    ("text", "part", "value"),
    [
        (f"web@{DIGEST}", "tag", "1"),
        ("web", "tag", "a/b"),
        ("web", "tag", ""),
        ("web", "tag", "-x"),
        ("web", "digest", "sha256:x"),
        ("web", "registry", "web"),
        ("web", "repository", "Web"),
        ("web", "name", "web:1"),
        ("a-b", Piece("-", 2), "x"),
        ("a-b", Piece("-", 0), "x-y"),
    ],
)
def test_what_is_not_such_a_part_is_refused(text, part, value):
    with pytest.raises(parts.PartError):
        parts.written(text, [(part, value)])


def test_a_field_of_several_types_is_one_mistake():
    targets = "[{kind: Deployment, fields: {spec.x: {value: v, part: tagg}, spec.y: {value: v, part: 5}}}]"
    first, second = told(run(f"layers: [{{values: {{v: 8}}}}]\ntargets: {targets}"))
    assert (
        '.part`: must be one of `registry`, `repository`, `name`, `tag`, `digest`; found string "tagg"; did you mean `tag`?'
        in first
    )
    assert ".part`: must be one of `registry`, `repository`, `name`, `tag`, `digest` or a map; found number 5" in second
