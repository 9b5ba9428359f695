"""Random YAML documents in the styles that people write: indentation, list styles, comments, quoting, blank lines, anchors."""

from __future__ import annotations

from random import Random
from typing import Any

WORDS = [
    "x", "web", "nginx:1.25", "a b", "yes", "on", "0777", "1.10", "1e3", "~", "null", "true", "12", "-7", "2001-01-01", "12:30", "1_000",
    "é✓😀", "it's", "http://a/b", "$(p.q)", "=", "0x1F",
]  # fmt: skip
KEYS = [
    "name",
    "image",
    "spec",
    "a/b.c",
    "on",
    "labels",
    "args",
    "k k",
    "1",
    "data",
    "ключ",
    "y",
    "env",
    "value",
    "ports",
    "it's",
]
BLOCKS = ["|", "|-", "|+", ">", ">-", ">+", "|2"]


class Writer:
    """Writes one document; everything random comes from one source."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.step = random.choice([2, 2, 2, 3, 4])
        self.wide = random.choice([0, 0, self.step, 1])
        self.mixed = random.random() < 0.2
        self.comments = random.choice([0.0, 0.1, 0.4])
        self.blanks = random.choice([0.0, 0.1, 0.3])
        self.anchors: list[str] = []
        self.anchored = random.random() < 0.2
        self.depth = random.choice([2, 3, 4])

    def document(self) -> str:
        """A document with its line ends."""
        margin = self.random.choice([0, 0, 0, 2])
        head = self.random.choice(["", "", "---\n", "# head\n", "---\n# head\n\n"]) if not margin else ""
        text = head + "".join(line + "\n" for line in self.block(margin, 0))
        text += self.random.choice(["", "", "\n\n", "# foot\n", " " * self.step + "# foot\n"])
        if self.random.random() < 0.15:
            text = text.replace("\n", "\r\n")
        return text.rstrip("\r\n") if self.random.random() < 0.1 else text

    def chance(self, share: float) -> bool:
        """True in this share of the cases."""
        return self.random.random() < share

    def fillers(self, column: int) -> list[str]:
        """Comment and blank lines above an entry."""
        lines = [""] if self.chance(self.blanks) else []
        if self.chance(self.comments):
            lines += [" " * self.random.choice([column, column, column, 0, column + 2]) + "# above: it's"]
        if self.chance(self.comments / 4):
            lines += ["", " " * column + "# apart"]
        return lines

    def behind(self) -> str:
        """A comment behind a value."""
        return self.random.choice([" # c", "   # it's: [", "\t# tab"]) if self.chance(self.comments) else ""

    def block(self, column: int, depth: int) -> list[str]:
        """The lines of a block map or list."""
        return self.block_list(column, depth) if depth and self.chance(0.4) else self.block_map(column, depth)

    def block_map(self, column: int, depth: int) -> list[str]:
        """The lines of a block map."""
        lines: list[str] = []
        keys = self.random.sample(KEYS, self.random.randint(1, 4))
        for key in keys:
            lines += self.fillers(column) if lines or depth else []
            lines += self.entry(column, " " * column + self.key(key), depth)
        return lines

    def key(self, key: str) -> str:
        """A key with its colon, in one of its styles."""
        text = self.random.choice([key, key, key, f'"{key}"'])
        if self.chance(0.02):
            return f"? {text}\n:"
        return text + (" :" if self.chance(0.03) else ":")

    def entry(self, column: int, head: str, depth: int) -> list[str]:
        """A key with its value."""
        if "\n" in head:
            head = head.replace("\n", "\n" + " " * column)
        lines = head.split("\n")
        *before, head = lines
        if depth < self.depth and self.chance(0.45):
            wide = self.random.choice([0, self.step]) if self.mixed else self.wide
            head += self.anchor() + self.behind()
            if self.chance(0.5):
                return [*before, head, *self.block_list(column + wide, depth + 1)]
            return [*before, head, *self.block_map(column + self.step, depth + 1)]
        first, *rest = self.leaf(column, depth)
        return [*before, f"{head} {first}" if first else head + self.behind(), *rest]

    def block_list(self, column: int, depth: int) -> list[str]:
        """The lines of a block list."""
        lines: list[str] = []
        gap = self.random.choice([1, 1, 1, 3])
        for _ in range(self.random.randint(1, 4)):
            lines += self.fillers(column) if lines or self.chance(0.3) else []
            dash = " " * column + "-"
            if depth < self.depth and self.chance(0.5):
                inner = self.block(column + 1 + gap, depth + 1)
                while not inner[0].strip():
                    del inner[0]
                alone = self.chance(0.1) or inner[0].strip()[:1] == "#"
                lines += [dash + self.behind(), *inner] if alone else [dash + " " * gap + inner[0].strip(), *inner[1:]]
            else:
                first, *rest = self.leaf(column, depth)
                lines += [f"{dash}{' ' * gap}{first}" if first else dash, *rest]
        return lines

    def leaf(self, column: int, depth: int) -> list[str]:
        """What stands behind a colon or dash on its line, and lines below."""
        kind = self.random.random()
        if kind < 0.5:
            return [self.anchor(scalar=True) + self.scalar(column) + self.behind()]
        if kind < 0.6:
            return [""]
        if kind < 0.75:
            return self.flow(column, depth) if self.chance(0.5) else [self.random.choice(["{}", "[]", "{ }"]) + self.behind()]
        if kind < 0.9:
            return self.block_scalar(column)
        if self.anchors and self.chance(0.5):
            return ["*" + self.random.choice(self.anchors) + self.behind()]
        return [self.random.choice(["!!str 12", "several words", "'single'", '"double \\u263a"', "!t x"]) + self.behind()]

    def scalar(self, column: int) -> str:
        """A scalar, perhaps of two lines."""
        word = self.random.choice(WORDS)
        style = self.random.random()
        if style < 0.2:
            return "'" + word.replace("'", "''") + "'"
        if style < 0.4:
            return f'"{word}"'
        if style < 0.47:
            quote = self.random.choice(["", '"', "'"])
            return f"{quote}over two\n{' ' * (column + self.step)}lines{quote}"
        return word

    def block_scalar(self, column: int) -> list[str]:
        """A literal or folded block."""
        header = self.random.choice(BLOCKS)
        pad = " " * (column + (2 if header == "|2" else self.step))
        lines = [pad + self.random.choice(["one", "# no comment", "a: b", "- x"])]
        if self.chance(0.5):
            lines += [self.random.choice(["", pad + "  deeper"]), pad + "two"]
        return [
            header + (" # c" if self.chance(self.comments / 2) else ""),
            *lines,
            *[""] * self.random.choice([0, 0, 0, 1, 2]),
        ]

    def flow(self, column: int, depth: int) -> list[str]:
        """A flow collection on one line or several."""
        if self.chance(0.6):
            return [self.flow_line(depth) + self.behind()]
        pad = " " * (column + self.step)
        left, right = self.random.choice([("[", "]"), ("{", "}")])
        keys = self.random.sample(["a", "b", '"c"', "d"], self.random.randint(1, 4))
        items = [(f"{key}: " if left == "{" else "") + self.flow_line(depth + 2) for key in keys]
        comma = self.random.choice(["", ","])
        lines = [pad + item + ("," if index < len(items) - 1 else comma) + self.behind() for index, item in enumerate(items)]
        if self.chance(self.comments):
            lines.insert(self.random.randint(0, len(lines)), pad + "# within")
        return [left + self.behind(), *lines, " " * (column + self.random.choice([1, self.step])) + right + self.behind()]

    def flow_line(self, depth: int) -> str:
        """A flow value on one line."""
        if depth < self.depth and self.chance(0.6):
            parts = [self.flow_line(depth + 1) for _ in range(self.random.randint(0, 3))]
            comma = self.random.choice([", ", ",   ", ","])
            if self.chance(0.5):
                return "[" + comma.join(parts) + "]"
            return "{" + comma.join(f"{key}: {part}" for key, part in zip("abc", parts, strict=False)) + "}"
        return self.random.choice(["x", "'q'", '"d"', "12", "true", "yes", "1.10", "a b"])

    def anchor(self, *, scalar: bool = False) -> str:
        """An anchor to put before a value, sometimes."""
        if not self.anchored or not self.chance(0.3):
            return ""
        self.anchors.append(f"n{len(self.anchors)}")
        return f"&{self.anchors[-1]} " if scalar else f" &{self.anchors[-1]}"


def document(random: Random) -> str:
    """A random document; not every one is well-formed."""
    return Writer(random).document()


def json_document(random: Random) -> str:
    """A random JSON document in one of its usual layouts."""
    import json  # noqa: PLC0415

    def value(depth: int) -> Any:
        if depth < 3 and random.random() < 0.6:
            if random.random() < 0.5:
                return [value(depth + 1) for _ in range(random.randint(0, 3))]
            return {key: value(depth + 1) for key in random.sample(KEYS, random.randint(0, 3))}
        return random.choice([*WORDS, 1, 1.5, True, None, "", "multi\nline"])

    layout: dict[str, Any] = random.choice([{}, {"indent": 2}, {"indent": 4}, {"separators": (",", ":")}])
    return (
        json.dumps({"apiVersion": "v1", "data": value(0), "list": [value(1)]}, ensure_ascii=random.random() < 0.2, **layout)
        + "\n"
    )
