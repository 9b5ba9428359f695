"""`.krmignore`: the patterns of `.gitignore`, matched in linear time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from tests.limited import ends

from krm_values._data.errors import InputError
from krm_values._krm import packages
from krm_values._krm.files import Reader

PIECES = st.sampled_from(["*", "**", "?", "/", "a", "b", ".yaml", "[ab]", "[!a]", "\\*", " ", "-"])
PATTERNS = st.lists(PIECES, min_size=1, max_size=8).map("".join)
NAMES = st.text("ab-. *", min_size=1, max_size=8).filter(lambda name: name.strip(". ") != "")


def rules(folder: Path, text: str) -> packages.Ignored:
    (folder / ".krmignore").write_text(text)
    with Reader(folder) as reader:
        return packages.ignored_below(folder, reader)


@settings(max_examples=400, deadline=None)
@given(PATTERNS, NAMES)
def test_it_matches_what_the_library_s_own_expressions_match(tmp_path_factory, pattern, name):
    text = pattern.strip()
    try:
        (known,) = GitIgnoreSpec.from_lines([text]).patterns
    except ValueError:
        known = None
    folder = tmp_path_factory.getbasetemp()
    if text and (known is None or known.include is None):
        with pytest.raises(InputError, match=r"krmignore:1:1: must be a pattern"):
            rules(folder, text)
    elif text:
        assert rules(folder, text)(name) == (known.match_file(name) is not None)


@pytest.mark.parametrize("stars", [6, 12, 50])
def test_many_stars_are_matched_at_once(tmp_path, stars):
    ignored = rules(tmp_path, "a" + "*a" * stars + "b\n" + "**/" * 20 + "x*y*z*w\n")

    def matched() -> None:
        assert not any(ignored("a" * length) for length in range(100, 250))

    assert ends(matched)


@pytest.mark.parametrize("text", ["x[", "!", "a\n\nx[\n", "a" * 1_001, "a\n" + "[" * 500, "*[z-a]"])
def test_what_is_no_pattern_is_an_error_with_its_line(tmp_path, text):
    with pytest.raises(InputError, match=r"\.krmignore:\d:1: must be a pattern as in `\.gitignore`"):
        rules(tmp_path, text)


def test_lines_are_counted_as_an_editor_counts_them(tmp_path):
    with pytest.raises(InputError, match=r"\.krmignore:2:1: must be a pattern"):
        rules(tmp_path, "a\x0bb\u2028c\r\nx[\n")


def test_comments_blank_lines_and_names_that_are_no_text(tmp_path):
    ignored = rules(tmp_path, "# all\n\n  *.yml  \n!keep.yml\n")
    names = ("a.yml", "keep.yml", "a.yaml", "\udcff.yml")
    assert [ignored(name) for name in names] == [True, False, False, True]


@pytest.mark.parametrize("above", ["", "a/", "a/b/", "a\nb/", "build\n/"])
def test_a_pattern_without_a_slash_is_of_names_at_any_depth(tmp_path, above):
    """As git has it, also below a directory whose name has a line end."""
    ignored = rules(tmp_path, "build/\n*.yml\n/only-here/\n")
    assert ignored(f"{above}build/")
    assert ignored(f"{above}x.yml")
    assert not ignored(f"{above}build")
    assert not ignored(f"{above}build.yaml")
    assert ignored(f"{above}only-here/") == (above == "")


@pytest.mark.parametrize("text", ["a[[:x]", "[[a]b", "[+--b]", "[a||b]"])
def test_a_pattern_that_python_would_warn_of_is_matched_without_a_warning(tmp_path, text):
    assert rules(tmp_path, text)("nothing") is False


def test_many_patterns_on_many_names_are_an_error_in_the_end(tmp_path):
    ignored = rules(tmp_path, "".join(f"*{number}\n" for number in range(2_000)))
    with pytest.raises(InputError, match=r"krmignore:1:1: must not need more than 4,000,000 steps for all names"):
        assert not any(ignored(f"{'a' * 1_000}{number}a") for number in range(40_000))


SETS = st.lists(
    st.tuples(st.sampled_from(["", "", "!"]), PATTERNS | st.sampled_from(["a", "b/", "a/b", "/a", "/a/b/", "a/"])), max_size=12
)
PATHS = st.lists(st.text("ab-.", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join)


@settings(max_examples=600, deadline=None)
@given(SETS, PATHS, st.booleans())
def test_of_many_patterns_the_last_one_that_matches_decides(tmp_path_factory, patterns, path, is_directory):
    """Compared with all patterns tried one by one."""
    texts = [f"{sign}{text.strip()}" for sign, text in patterns if fits(f"{sign}{text.strip()}")]
    subject = path + "/" * is_directory
    expected: bool | None = False
    for text in texts:
        (known,) = GitIgnoreSpec.from_lines([text]).patterns
        bare = text.removeprefix("!")
        name = subject[path.rfind("/") + 1 :] if "/" not in bare[:-1] else subject
        if (is_directory or not bare.endswith("/")) and known.regex.search(name):
            expected = known.include
    assert rules(tmp_path_factory.getbasetemp(), "\n".join(texts))(subject) == expected


def fits(text: str) -> bool:
    if not text or text.startswith("#"):
        return False
    try:
        return GitIgnoreSpec.from_lines([text]).patterns[0].include is not None
    except (ValueError, IndexError):
        return False


@pytest.mark.parametrize(
    "patterns", [["d{}/f{}.yaml"], ["f{}.yaml", "!g{}"], ["f{}-*.yaml"], ["x{}/", "*-{}.yml", "/y/{}"]], ids=str
)
def test_patterns_and_names_do_not_multiply(tmp_path, patterns):
    """4,000 patterns on 10,000 names: one by one would be 40 million matches."""
    lines = [text.format(number, number) for number in range(4_000 // len(patterns)) for text in patterns]
    ignored = rules(tmp_path, "\n".join(lines))

    def matched() -> None:
        assert sum(map(ignored, (f"d/f{number}.yam" for number in range(10_000)))) == 0

    assert ends(matched)
