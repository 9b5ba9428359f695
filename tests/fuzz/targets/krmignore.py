"""`.krmignore`: rules, and the paths that they are asked for."""

from __future__ import annotations

from krm_values._data.errors import InputError
from krm_values._krm import packages
from krm_values._krm.files import Reader
from tests.fuzz.target import Target, parts, require
from tests.fuzz.targets import folders

RULES = b"# c\n*.md\n!README.md\n/build/\ndocs/**/x\n[a-c]?.yaml\n\\#x\n  trimmed  \n**/*.tmp\na/b\n"
PATHS = b"a.md\nREADME.md\nbuild/\ndocs/a/b/x\nb1.yaml\n#x\ntrimmed\nx/y.tmp\na/b\na/b/\n"
TOKENS = [
    *(
        b"*",
        b"**",
        b"***",
        b"?",
        b"[",
        b"]",
        b"[!a]",
        b"[a-z]",
        b"[[:alpha:]]",
        b"!",
        b"/",
        b"\\",
        b"#",
        b"\n",
        b"\r\n",
        b" ",
        b"\0",
    ),
    *(
        b"**/",
        b"/**",
        b"*a" * 30,
        b"a" * 100,
        b"[z-a]",
        b"{a,b}",
        b"(?i)",
        b"\\Q",
        b"(",
        b")+",
        b"\xff",
        b"\xc3\xa9",
        b"\xe2\x80\xa8",
    ),
]


def seeds() -> list[bytes]:
    lines = [line + b"\0" + PATHS for line in RULES.splitlines()]
    return [RULES + b"\0" + PATHS, *lines, b"*a" * 6 + b"b\0" + b"a" * 100, *(token + b"\0" + PATHS for token in TOKENS)]


def check(data: bytes) -> str:
    """Rules that answer, or an InputError with its line."""
    rules, paths = parts(data, 2)
    case = folders.fresh()
    (case / ".krmignore").write_bytes(rules)
    try:
        with Reader(case) as reader:
            ignored = packages.ignored_below(case, reader)
    except InputError as error:
        require(error.file == ".krmignore" and 0 < error.line <= rules.count(b"\n") + 1, f"no place: {error!r}")
        return "refused"
    asked = [line for line in paths.decode(errors="replace").splitlines() if line.strip("/")]
    answers = [ignored(path) for path in asked]
    require(all(isinstance(answer, bool) for answer in answers), "no answer")
    return "some ignored" if any(answers) else "none ignored"


TARGET = Target("krmignore", seeds, check, TOKENS)
