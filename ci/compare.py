"""python ci/compare.py BASE OUTPUT [PACKAGE...]: compare the packages of a checkout with those of a commit, as Markdown for a pull request.

Without PACKAGE, every outermost package of either state is compared. Only git and krm-values are run. Exit codes: 0 no value differs, 1 a value
differs, 2 a failure, of which the log has the message, 3 one before which no OUTPUT of ours can be there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

MARKER = "<!-- krm-values -->"
"""By this first line an earlier comment is found again."""
KPTFILE = "Kptfile"
FAILED, UNSAFE = 2, 3


class UnsafeOutputError(Exception):
    """Where the output would be written, and whose file a caller must not read there."""


def main(base: str, output: str, *packages: str) -> int:
    """Write the comparison and return the exit code."""
    _clear(Path(output))
    before, after = _packages(f"{base}^{{commit}}"), _packages("HEAD")
    chosen = [_normal(package) for package in packages] or _outermost(before | after)
    parts, codes = [], [0]
    for package in chosen:
        text, code = _compared(base, package, was=package in before, is_now=package in after)
        codes.append(code)
        if text:
            parts.append(f"## {_shown(package)}\n\n{text.strip()}\n")
    if not chosen:
        parts = ["There is no package: no directory has a `Kptfile`.\n"]
    with open(output, "x", encoding="utf-8") as file:
        file.write("\n".join([MARKER, *(parts or ["No value differs.\n"])]))
    return max(codes)


def _clear(output: Path) -> None:
    """Remove what the pull request has in the place of the output. UnsafeOutputError if that is below a link, which leads anywhere."""
    if output.parent.resolve() != Path(os.path.abspath(output.parent)):
        raise UnsafeOutputError(f"{output}: must not be below a link")
    output.unlink(missing_ok=True)


def _packages(revision: str) -> set[str]:
    """Return the directories with a Kptfile at a revision, relative to the root; "." for the root itself."""
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "-z", "--name-only", "--full-tree", revision], stdout=subprocess.PIPE, check=True
    )
    paths = [PurePosixPath(os.fsdecode(name)) for name in listed.stdout.split(b"\0") if name]
    return {str(path.parent) for path in paths if path.name == KPTFILE}


def _outermost(packages: set[str]) -> list[str]:
    """Return the packages that are not part of another one."""
    return sorted(one for one in packages if not packages & {str(parent) for parent in PurePosixPath(one).parents})


def _normal(package: str) -> str:
    return os.path.normpath(package).replace(os.sep, "/")


def _compared(base: str, package: str, *, was: bool, is_now: bool) -> tuple[str, int]:
    """Return the comparison of a package, "" if nothing differs, and its exit code."""
    if not was or not is_now:
        return (
            "A new package." if is_now else "The package is removed." if was else "There is no such package."
        ), 1 if was or is_now else FAILED
    skipping = ["--skip-foreign"] if os.environ.get("SKIP_FOREIGN") == "true" else []
    command = ["krm-values", "compare", "--markdown", "--against", base, *skipping, "--", package]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        return "This package cannot be rendered; the log of the job says why.", FAILED
    return done.stdout if done.returncode else "", done.returncode


def _shown(package: str) -> str:
    """Return a path as code in Markdown, on one line."""
    text = "".join(character if character.isprintable() else "?" for character in package).replace("`", "'")
    return f"`{text}`"


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except UnsafeOutputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(UNSAFE)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(FAILED)
