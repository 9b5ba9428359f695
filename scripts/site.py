"""python scripts/site.py: the Markdown of this project as a site in build/site/html, by Sphinx with MyST; a warning is an error.

The pages stay where they are in Git, links between them too: here they are copied, a link to a directory leads to its README, and the order of
the pages is added. Sphinx, because MkDocs had its last release in August 2024, and Zensical, its successor, was at 0.1 in November 2026.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
FUNCTIONS = "functions/krm_values"
PAGES = {
    "First steps": ["README.md", "docs/start/*.md"],
    "Manuals": [f"{FUNCTIONS}/[!_]*/README.md"],
    "Values and packages": [
        f"docs/{name}.md" for name in ("explain", "check", "fleets", "clean", "undo", "moving-over", "yaml", "limits")
    ],
    "Hosts": [f"docs/{name}.md" for name in ("hosts", "ci", "argocd", "images", "library")],
    "Kinds of findings": [f"{FUNCTIONS}/_run/findings.md", f"{FUNCTIONS}/[!_]*/findings.md"],
    "What is promised": [
        *(f"docs/{name}.md" for name in ("compatibility", "exit-codes", "platforms", "dependencies", "uninstall", "scope")),
        "SECURITY.md",
        *(f"docs/{name}.md" for name in ("upstream", "performance")),
        "CHANGELOG.md",
    ],
    "Rules": ["docs/rules/*.md"],
    "Examples": ["examples/*/*/README.md"],
    "Writing functions": [
        f"{FUNCTIONS}/_cli/own-function.md",
        "CONTRIBUTING.md",
        *(f"docs/{name}.md" for name in ("vocabulary", "guards", "hostile", "release")),
        f"{FUNCTIONS}/_*/README.md",
    ],
}
"""The pages by their heading, in the order of the site. All of docs/ must be among them."""
SETTINGS = {
    "project": "krm-values",
    "author": "",
    "copyright": "",
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_copy_source": False,
    "html_favicon": "icon.svg",
    "html_theme": "furo",
    "html_title": "krm-values",
    "extensions": ["myst_parser"],
    "myst_heading_anchors": 6,
    "myst_links_external_new_tab": False,
    "nitpicky": True,
    "root_doc": "index",
    "templates_path": [],
}
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#2563eb">
<path opacity=".4" d="M2 10l6 3 6-3v2l-6 3-6-3z"/><path opacity=".7" d="M2 6l6 3 6-3v2l-6 3-6-3z"/><path d="M2 4l6-3 6 3-6 3z"/>
</svg>
"""
"""Without one each browser asks the server for `favicon.ico`."""
_FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^)\s]+)\)", re.DOTALL)
"""Code, in which nothing is a link, or a link: its words and its address."""


def main() -> int:
    """Build the site and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "site", help="the directory of the site (default: build/site)"
    )
    out: Path = parser.parse_args().out
    shutil.rmtree(out, ignore_errors=True)
    source = out / "source"
    write(source)
    made = Sphinx(
        source,
        None,
        out / "html",
        out / "cache",
        "html",
        SETTINGS,
        status=None,
        warning=sys.stderr,
        warningiserror=True,
        parallel=2,
    )
    made.build()
    print(f"{sum(map(len, found().values()))} pages: {out / 'html' / 'index.html'}")
    return int(made.statuscode)


def found() -> dict[str, list[str]]:
    """Return the pages below each heading, as paths from the root; a page belongs to the first pattern that it fits."""
    taken: set[str] = set()
    pages: dict[str, list[str]] = {}
    for heading, patterns in PAGES.items():
        pages[heading] = []
        for pattern in patterns:
            names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
            if not names:
                raise SystemExit(f"error: scripts/site.py: no page fits `{pattern}`")
            pages[heading] += [name for name in names if name not in taken]
            taken |= {*names}
    return pages


def write(source: Path) -> None:
    """Write the pages, what they show, and the index into a directory."""
    pages = found()
    every = {name for names in pages.values() for name in names}
    for name in every:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        parts = _FENCE.split((ROOT / name).read_text("utf-8"))
        parts[::2] = [_linked(prose, name, every, source) for prose in parts[::2]]
        target.write_text("".join(parts), "utf-8")
    lists = (
        f"```{{toctree}}\n:caption: {heading}\n:maxdepth: 1\n\n"
        + "".join(f"{name.removesuffix('.md')}\n" for name in names)
        + "```\n"
        for heading, names in pages.items()
    )
    (source / "icon.svg").write_text(ICON, "utf-8")
    (source / "index.md").write_text("# krm-values\n\n" + "\n".join(lists), "utf-8")


def _linked(text: str, page: str, every: set[str], source: Path) -> str:
    """Return prose whose links lead to pages of the site, and copy the files that others lead to."""

    def link(match: re.Match[str]) -> str:
        if match[3] is None or "://" in match[3] or match[3].startswith("#"):
            return match[0]
        words, (path, mark, anchor) = match[2], match[3].partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if (ROOT / target).is_dir():
            target, path = f"{target}/README.md", f"{path.rstrip('/')}/README.md"
        if target in every:
            return f"[{words}]({path}{mark}{anchor})"
        if target.endswith(".md") or not (ROOT / target).is_file():
            return words
        (source / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / target, source / target)
        return match[0]

    return _LINK.sub(link, text)


if __name__ == "__main__":
    sys.exit(main())
