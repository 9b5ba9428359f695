"""Changes of an input: of its bytes, and of its lines as YAML has them, so that most of what comes out is still read."""

from __future__ import annotations

from random import Random

from tests.fuzz.cut import TOKENS, mutate

LONGEST = 200_000
VALUES = [
    *(b"null", b"~", b"[]", b"{}", b'""', b"true", b"no", b"0", b"-1", b"1.50", b"1e400", b".nan", b"-.inf", b"0o17", b"1_000"),
    *(
        b"9" * 20,
        b"1" + b"0" * 400,
        b"- a",
        b"[[[[]]]]",
        b"{a: {b: {c: d}}}",
        b"&a [*a]",
        b"*a",
        b"&a x",
        b"!!binary eA==",
        b"!t x",
    ),
    *(
        b'"\\u0000"',
        b'"\\ud83d"',
        b"'\xc2\x85'",
        b'"\\x1b[2J"',
        b"../../x",
        b"/etc/passwd",
        b".git/hooks/x",
        b"a/b",
        b"A" * 300,
    ),
    *(
        b"|\n  x",
        b">-\n  x\n  y",
        b"$(params.x)",
        b"$(workload.spec..*)$",
        b"{{ . }}",
        b"{{",
        b"<<",
        b"2001-01-01",
        b"12:30",
        b"1.10",
    ),
]
"""What may stand behind a colon."""
HUGE, MANY = 3000, 400


def mutated(random: Random, data: bytes, other: bytes, tokens: list[bytes], *, is_yaml: bool) -> bytes:
    """The data after one to four changes. other: another input to take parts from; tokens: words of the target."""
    for _ in range(random.choice((1, 1, 2, 4))):
        kind = random.random()
        if is_yaml and kind < 0.85:
            data = _lines(random, data, other)
        elif kind < 0.94:
            data = mutate(random, data, tokens or TOKENS)
        elif kind < 0.97:
            data = _crossed(random, data, other)
        else:
            data = _repeated(random, data)
    return data[:LONGEST]


def _crossed(random: Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one input and the end of another."""
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _repeated(random: Random, data: bytes) -> bytes:
    """A short stretch many times over."""
    at = random.randrange(len(data) + 1)
    stretch = data[at : at + random.choice((1, 2, 5, 40))]
    return data[:at] + stretch * random.choice((3, 50, HUGE // max(1, len(stretch)))) + data[at:]


def _lines(random: Random, data: bytes, other: bytes) -> bytes:
    """A value replaced, or a block (a line and those further in below it) taken out, doubled, put elsewhere or brought from another input."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = random.randrange(len(lines))
    kind = random.random()
    if kind < 0.5:
        lines[at] = _with_value(random, lines[at], other)
        return b"".join(lines)
    end = _end(lines, at)
    block = lines[at:end]
    if kind < 0.62:
        return b"".join(lines[:at] + lines[end:])
    if kind < 0.72:
        times = random.choice((20, MANY)) if random.random() < 0.1 else 1
        return b"".join(lines[:end] + block * times + lines[end:])
    if kind < 0.85:
        rest = lines[:at] + lines[end:]
        to = random.randrange(len(rest) + 1)
        return b"".join(rest[:to] + _indented(block, _column(rest[to]) if to < len(rest) else 0) + rest[to:])
    strange = other.splitlines(keepends=True) or [b"\n"]
    begin = random.randrange(len(strange))
    return b"".join(lines[:at] + _indented(strange[begin : _end(strange, begin)], _column(lines[at])) + lines[at:])


def _with_value(random: Random, line: bytes, other: bytes) -> bytes:
    key, colon, _ = line.partition(b":")
    values = other.split()
    value = random.choice(VALUES) if random.random() < 0.6 or not values else random.choice(values)
    return (key + b": " if colon else line[: _column(line)] + b"- ") + value + b"\n"


def _column(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" "))


def _end(lines: list[bytes], at: int) -> int:
    """The line behind the block that begins at a line."""
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or _column(lines[end]) > _column(lines[at])):
        end += 1
    return end


def _indented(block: list[bytes], column: int) -> list[bytes]:
    own = _column(block[0])
    return [b" " * max(0, _column(line) - own + column) + line.lstrip(b" ") for line in block]
