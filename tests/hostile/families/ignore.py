"""`.krmignore` files."""

from __future__ import annotations

from tests.hostile.attack import Attack
from tests.hostile.families.files import link
from tests.hostile.families.parts import BUILD, RENDER, run, tekton

WRITES = ("package",)
LONG = "a" * 100


def _ignoring(text: str | bytes, **more: str | bytes) -> dict[str, str | bytes]:
    return tekton({".krmignore": text, **more})


ATTACKS = [
    Attack(
        "six stars on a long name",
        "take exponential time",
        RENDER,
        "1 step run",
        0,
        _ignoring("*a*a*a*a*a*ab\n", **{f"{LONG}.yaml": run("long")}),
        writes=WRITES,
    ),
    Attack(
        "400 stars, 80 times",
        "take exponential time",
        RENDER,
        "1 step run",
        0,
        _ignoring(("*a" * 400 + "b\n") * 80, **{f"{LONG}.yaml": run("long")}),
        writes=WRITES,
    ),
    Attack("1,000 double stars", "take exponential time", RENDER, ".krmignore", 1, _ignoring("**/" * 1000 + "x\n")),
    Attack("a lone `!`", "be a pattern that cannot be read", RENDER, ".krmignore:1", 1, _ignoring("!\n")),
    Attack("`//`", "be a pattern that cannot be read", RENDER, "1 step run", 0, _ignoring("//\n"), writes=WRITES),
    Attack("open brackets", "be an expression that cannot be read", RENDER, ".krmignore:1", 1, _ignoring("[[[\n[z-a]\n")),
    Attack(
        "a class of 900 ranges",
        "blow up the expression",
        RENDER,
        "1 step run",
        0,
        _ignoring("[" + "a-z" * 300 + "]\n"),
        writes=WRITES,
    ),
    Attack("a backslash at the end", "be a pattern that cannot be read", RENDER, ".krmignore", 1, _ignoring("a\\\n")),
    Attack("bytes that are not UTF-8", "break decoding", RENDER, ".krmignore:2", 1, _ignoring(b"a\n\xff\xfe\n")),
    Attack("UTF-16 as .krmignore", "break decoding", RENDER, ".krmignore:1", 1, _ignoring("a\n".encode("utf-16"))),
    Attack("NUL in a pattern", "end the pattern", RENDER, "1 step run", 0, _ignoring("a\0b\n"), writes=WRITES),
    Attack("escapes in a bad pattern", "write to the terminal", RENDER, "\\x1b]0;x", 1, _ignoring("\x1b]0;x\x07\\\n")),
    Attack("a pattern of 5,000 characters", "blow up the expression", RENDER, ".krmignore:1", 1, _ignoring("a" * 5000 + "\n")),
    Attack("2 MB of patterns", "eat memory", RENDER, ".krmignore", 1, _ignoring("a\n" * (1 << 20))),
    Attack(
        "100,000 patterns",
        "take n times m steps",
        RENDER,
        ".krmignore",
        1,
        _ignoring("".join(f"x{n}\n" for n in range(100_000))),
    ),
    Attack("`*`, so that nothing is left", "hide the functionConfig", RENDER, "configPath", 1, _ignoring("*\n")),
    Attack(
        "a link out",
        "print a file of the user in an error",
        RENDER,
        ".krmignore",
        1,
        BUILD,
        link(".krmignore", "../home/.ssh/id_ed25519"),
        hides=("really",),
    ),
]
