"""Mutation fuzz of the cut: `python -m tests.fuzz.cut --mutants N --seed S`. Exit 1 if a cut is wrong, with the inputs."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tests.fuzz.truth import Wrong, check

Found: TypeAlias = tuple[Counter[str], list[tuple[bytes, str]]]

SEEDS = [
    b"""apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: A
  metadata:
    name: a
  s: "x y"
  l: ['q', "r", {z: "w"}]
- # c
  apiVersion: v1
  kind: B
  metadata:
    name: b # n
    namespace: ns
  d: |
    "foo
    - apiVersion: v1
  e: 'it''s'
# between
- kind: C
  apiVersion: v1
  metadata:
    labels: {a: b}
    name: "c"
functionConfig:
  a: "b"
results:
- message: m
""",
    b"""kind: ResourceList
apiVersion: config.kubernetes.io/v1
functionConfig: {kind: X, data: "y"}
items:
  - apiVersion: v1
    kind: A
    metadata:
      name: a
      annotations:
        x: "a\\"b"
        y: &k 'p'
    spec:
      - *k
      - - z

  # of b

  # of b too
  - apiVersion: v1
    kind: B
    metadata: {name: b}
    t: >-
      folded
      text
    u: plain
      more plain
""",
    b"""items:
- "a"
- 'b'
- [c, d]
- {apiVersion: v1, kind: K, metadata: {name: n}}
- |
 lit
- plain
 cont
- - nested
  - seq
- k: "m
    n"
""",
    b"""kind: ResourceList
items:
- apiVersion: v1
  kind: C
  metadata:
    name: c
    annotations:
      a: |
        {"x": [
          1]}
      b: >-
        it's "quoted
        text
  data:
    s: |

      if [ "$1" = x ]; then
        echo 'y
      fi
    l:
    - |
      "z
    - k: |-
        'w
      m: n
    t: plain
      more |
      "text
- apiVersion: v1
  kind: D
  metadata:
    name: d
  a: {b: |x, c: d}
""",
    b"""apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: [{apiVersion: v1, kind: A, metadata: {name: a}}, # first
  {"apiVersion": "v1", "kind": "B", "metadata": {"name": "b"}}]
functionConfig: {a: [b]}
""",
    b"""{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [
  {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a \\ud83d\\ude00"}},
  {"apiVersion": "v1", "kind": "B"}
], "functionConfig": {"x": [1, 2.50]}}
""",
    b"""apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- kind: A
  # deep
# shallow
  keep: |+
    text

# above

- kind: B
  x: 1

# last
# of all
functionConfig: {}
""",
]
TOKENS = [
    *(
        b'"',
        b"'",
        b'"',
        b"'",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\n",
        b"\n- ",
        b"\n  ",
        b"\n    ",
        b": ",
        b" #",
        b"#",
        b"|\n",
        b">\n",
        b"|2\n",
    ),
    *(
        b"|+\n",
        b"|1-\n",
        b"&a ",
        b"*a",
        b"*k",
        b"!t ",
        b"!!str ",
        b"\\",
        b"\t",
        b",",
        b"? ",
        b"?",
        b"- ",
        b"-",
        b"---\n",
        b"\n...\n",
    ),
    *(
        b"''",
        b'""',
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\r\n",
        b"\r",
        b"\nitems:\n",
        b"\nkind: Z\n",
        b"\n  kind: Z\n",
        b"\n    name: zz\n",
    ),
    *(
        b":",
        b" ",
        b"  ",
        b'"\n',
        b"'\n",
        b'\n"',
        b"\n'",
        b"it's",
        b'"x\n- y"',
        b"'x\n- y'",
        b"[x,\n- y]",
        b"{x: y,\nz: w}",
        b"%",
        b"@",
    ),
    *(
        b"`",
        b"\n\n",
        b"\n# c\n",
        b'\n# "\n',
        b"\n  # '\n",
        b"<<: *k",
        b"\n  metadata:\n",
        b'\nresults: "\n',
        b'\nmetadata: "a\n',
    ),
    *(
        b"\xc3\xa9",
        b"\xef\xbb\xbf",
        b': |\n      "x\n',
        b"- |\n   'y\n",
        b': |\n"z\n',
        b"k: |\n",
        b"k: >-\n",
        b"- k: |\n",
        b' |\n  "q\n- r"\n',
    ),
    *(
        b'k: |\n  "q\n- r"\n',
        b"k: |\n    [q\n- r]\n",
        b"k: |\n\n  {q: r,\ns: t}\n",
        b"k: a\n     - |\n",
        b"# k: |\n",
        b"k: '{a: [b'\n",
    ),
    *(
        b'k: "[x, {y" # z\n',
        b"k: '{a''[b' \"\n",
        b"k: '{a' [b\n",
        b"\n    z: '[q'\n",
        b'"x\n# y"',
        b"[x,\n# y\n]",
        b"\n\n# c\n\n",
        b'"x\n\n# y\n"',
    ),
]


def mutate(source: random.Random, seed: bytes, tokens: Sequence[bytes] = TOKENS) -> bytes:
    """One to six changes: a token put in, bytes taken out or replaced, a stretch doubled."""
    text = bytearray(seed)
    for _ in range(source.choice((1, 1, 2, 2, 3, 4, 6))):
        kind, at = source.random(), source.randrange(len(text) + 1)
        if kind < 0.62:
            text[at:at] = source.choice(tokens)
        elif kind < 0.75:
            del text[at : at + source.choice((1, 1, 2, 5))]
        elif kind < 0.87:
            text[at : at + 1] = source.choice(tokens)
        else:
            begin = source.randrange(len(text) + 1)
            text[at:at] = text[begin : begin + source.randrange(1, 40)]
    return bytes(text)


def fuzz(mutants: int, seed: int) -> Found:
    """How many mutants came to what, and the wrong ones."""
    return tried(lambda source: mutate(source, source.choice(SEEDS)), check, mutants, seed)


def tried(made: Callable[[random.Random], bytes], judged: Callable[[bytes], str], mutants: int, seed: int) -> Found:
    """The same of what `made` makes, as `judged` judges it."""
    source = random.Random(seed)
    counts: Counter[str] = Counter()
    wrong: list[tuple[bytes, str]] = []
    for _ in range(mutants):
        text = made(source)
        try:
            counts[judged(text)] += 1
        except (Wrong, AssertionError) as error:
            counts["wrong"] += 1
            wrong.append((text, str(error)))
    return counts, wrong


def main(fuzzed: Callable[[int, int], Found], text: str | None) -> int:
    """Run one on the command line; 1 if a mutant is wrong. text: what the help says."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts, wrong = fuzzed(arguments.mutants, arguments.seed)
    for data, why in wrong[:5]:
        print(f"{why}\n{data!r}\n{data.decode(errors='replace')}")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(fuzz, __doc__))
