"""Plain technical English in everything that users and maintainers read: banned words, with what to write instead."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
BANNED = {
    r"told": "say what happens: reported, listed, a finding; `told apart` is distinguished",
    r"said": "reported, or the name of what was reported: findings, message",
    r"odd": "unusual, unknown, misspelt: which of them",
    r"goes(?! through)": "is removed, is written, is inserted, continues",
    r"stands?(?! for)|stood": "is, is at, is in",
    r"(?<!there )are no(?= (?:an? )?(?:field|map|part|resources?|Secrets?|strings?|texts?|token|YAML))": "is not a; `there is no` is another matter",
    r"way out": "how to fix it",
    r"worth a word|just so|without a word": "silently, as well; or nothing",
    r"mend(?:ed|s)?": "fix",
    r"beat(?:s|en)?": "override, overridden",
    r"blanks": "spaces",
    r"a fact and": "what is wrong",
    r"(?<!there )is no (?!longer|more)\w+": "is not a",
    r"(?<!there )(?<!where )(?:is|are) (?-i:none)(?! (?:of|named|near|given))": "is not one; `there is none` is another matter",
    r"somebody|nobody": "say who: the user, the author, a function, another process",
    r"(?:values?|scalars?|what came|comes?|came|anything) out of (?:a |an |another )?Secrets?": "from a Secret",
    r"shall": "must, or the present tense",
    r"(?:a |are |is )?fault of ours|in our words": "a defect of krm-values; in words of its own",
    r"taken for": "read as, mistaken for",
    r"none of our functions": "unknown function, or not a function of krm-values",
}
"""Patterns and their replacements: each has a term of the field or says nothing."""
QUOTED = {
    "_cli/arguments/grammar.py": r"origin and beaten",
    "cartographer_params/resolved_params.py": r'"beat"',
    "_explain/as_json.py": r'"beaten"',
}
"""Field names of what is published, by file."""
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + [
    path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name != "hostile.md"
]
PACKAGE = ROOT / "functions/krm_values"
SOURCES = sorted((ROOT / "functions").rglob("*.py"))
MANUALS = sorted((ROOT / "functions").rglob("*.md"))


NOUNS = (
    "A",
    "All",
    "An",
    "Each",
    "Every",
    "How",
    "It",
    "Its",
    "No",
    "Of",
    "One",
    "That",
    "The",
    "Those",
    "What",
    "Where",
    "Whether",
    "Why",
)
"""Words with which a docstring does not begin: a function does something, so its docstring begins with a verb."""


def prose(path: Path) -> str:
    """Return the strings and comments of a module, with line breaks where its lines break."""
    lines: dict[int, list[str]] = {}
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)):
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                lines.setdefault(number, []).append(line)
    return "\n".join(f"{number}: {' '.join(parts)}" for number, parts in sorted(lines.items()))


def banned(text: str) -> list[str]:
    """Return each line that holds a banned word, with what to write instead."""
    return [
        f"{line.strip()} -> {instead}"
        for pattern, instead in BANNED.items()
        for line in text.splitlines()
        if re.search(rf"(?<![\w`-])(?:{pattern})(?![\w`-])", line, re.IGNORECASE)
    ]


def rows() -> Iterator[str]:
    """Return a line for each banned word, and for each docstring of a function that does not begin with a verb."""
    for path in SOURCES:
        name = str(path.relative_to(PACKAGE))
        quoted = QUOTED.get(name, "")
        yield from (f"{name}:{line}" for line in banned(re.sub(quoted, "", prose(path)) if quoted else prose(path)))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or _is_property(node):
                continue
            text = ast.get_docstring(node)
            if text and text.split()[0] in NOUNS:
                yield f"{name}:{node.lineno}: {node.name}: {text.splitlines()[0]} -> begin with a verb"
    for path in [*PAGES, *MANUALS]:
        text = re.sub(r"^```\w+\n.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        yield from (f"{path.relative_to(ROOT)}: {line}" for line in banned(text))


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
