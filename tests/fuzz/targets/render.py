"""`render` of a small tree: files, links, FIFOs and modes, as a text.

=== file PATH           the lines up to the next `===` are its content
=== link PATH -> TO     === fifo PATH    === folder PATH    === mode 640 PATH    === hard PATH -> TO
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from tests.fuzz import corpus, cut
from tests.fuzz.target import Target, require
from tests.fuzz.targets import folders
from tests.fuzz.targets.streams import commanded

OUTSIDE = (
    "/dev/zero",
    "/dev/null",
    "/proc/self/mem",
    "/proc/self/environ",
    "../outside",
    "../outside/secret.yaml",
    "../outside/inner",
)
HEAD = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n"
HARMLESS = [
    *(
        b"=== link more.yaml -> a.yaml\n=== file a.yaml\nkind: A\napiVersion: v1\nmetadata: {name: a}\n",
        b"=== fifo pipe\n",
        b"=== folder d\n",
    ),
    *(b"=== mode 600 Kptfile\n", b"=== file .krmignore\n*.md\nsub/\n=== fifo sub/x.yaml\n", b"=== link out -> ../outside\n"),
    *(b"=== steps sub/Kptfile -> krm-tekton-params\n=== file sub/a.yaml\nkind: A\napiVersion: v1\nmetadata: {name: a}\n",),
    *(
        b"=== file .krm-values/journal\n{}\n",
        b"=== file .krm-values-00\nx\n",
        b'=== file x.json\n{"kind": "A", "apiVersion": "v1", "metadata": {"name": "j"}}\n',
        b"=== file x.yaml\n# c\n---\n",
    ),
]
TOKENS = [
    *cut.TOKENS,
    *(b"\n=== file a.yaml\nkind: A\n", b"\n=== link l.yaml -> a.yaml\n", b"\n=== link l.yaml -> ../outside/secret.yaml\n"),
    *(b"\n=== link .krmignore -> /dev/zero\n", b"\n=== link l -> .\n", b"\n=== fifo f.yaml\n", b"\n=== fifo .krmignore\n"),
    *(
        b"\n=== folder d.yaml\n",
        b"\n=== mode 000 Kptfile\n",
        b"\n=== mode 444 a.yaml\n",
        b"\n=== link .krm-values -> ../outside\n",
    ),
    *(
        b"\n=== file .krmignore\n*.yaml\n",
        b"\n=== file .krm-values\nx\n",
        b"\n=== hard h.yaml -> a.yaml\n",
        b"\n=== file sub/Kptfile\n",
    ),
    *(
        b"  - exec: krm-tekton-params\n",
        b"    configPath: a.yaml\n",
        b"    configMap: {mode: propagate}\n",
        b"  validators:\n",
        b"    selectors:\n    - kind: A\n",
    ),
]


def seeds() -> list[bytes]:
    folders_ = [path.parent for path in sorted(corpus.EXAMPLES.glob("*/*/Kptfile"))]
    trees = [_told(folder, short=short) for folder in folders_ for short in (True, True, False)]
    dangers = [b"=== steps Kptfile -> krm-tekton-params" + more for more in TOKENS if more.startswith(b"\n===")]
    return [*trees, *dangers, *(tree + more for tree in trees[::3] for more in HARMLESS)]


def _told(folder: Path, *, short: bool) -> bytes:
    """A tree as this target takes it. short: its Kptfile by its steps."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in ("", ".yaml")]
    told = [
        b"=== file %s\n%s" % (os.fsencode(path.relative_to(folder)), path.read_bytes())
        for path in files
        if ".expected" not in path.parts and not (short and path.name == "Kptfile")
    ]
    found = re.findall(r"exec: (\S+)\n *configPath: (\S+)", (folder / "Kptfile").read_text("utf-8"))
    steps = ", ".join(" ".join(step) for step in found)
    return b"".join(told) + (f"=== steps Kptfile -> {steps}\n".encode() if short else b"")


def _steps(text: str) -> str:
    """A Kptfile with these steps."""
    steps = [step.partition(" ") for step in map(str.strip, text.split(",")) if step]
    return HEAD + "".join(
        f"  - exec: {name}\n" + (f"    configPath: {config}\n" if config else "") for name, _, config in steps
    )


def lay(case: Path, data: bytes) -> None:
    """Make the tree. Nothing is made outside of it; a link out of it leads to what this process may lose."""
    for block in ("\n" + data.decode("utf-8", "surrogateescape")).split("\n=== ")[1:]:
        line, _, content = block.partition("\n")
        verb, _, rest = line.partition(" ")
        with contextlib.suppress(OSError, ValueError):
            _make(case, verb, rest, content + "\n")


def _make(root: Path, verb: str, rest: str, content: str) -> None:
    mode, _, name = rest.partition(" ") if verb == "mode" else ("", "", rest)
    name, _, to = name.partition(" -> ")
    path = root / "/".join(part for part in name.split("/") if part not in ("", ".", ".."))
    if path == root or any(above.is_symlink() for above in path.parents):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    match verb:
        case "file":
            path.unlink(missing_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogateescape"))
        case "steps":
            path.write_bytes(_steps(to).encode("utf-8", "surrogateescape"))
        case "link":
            path.symlink_to(_target(root, path, to))
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "hard":
            path.hardlink_to(path.parent / to.replace("/", ""))
        case "mode" if path.is_file() and not path.is_symlink():
            path.chmod(int(mode, 8) & 0o777)


def _target(root: Path, path: Path, to: str) -> str:
    """Where a link leads: within the tree, or to one of the few places outside."""
    end = os.path.normpath(os.path.join(path.parent, to))
    if os.path.isabs(to) or os.path.commonpath((end, root)) != str(root):
        out = to if to in OUTSIDE else OUTSIDE[sum(to.encode("utf-8", "surrogateescape")) % len(OUTSIDE)]
        return out if os.path.isabs(out) else str(root.parent / out.removeprefix("../"))
    return to


def check(data: bytes) -> str:
    """An error leaves every file as it is; a second run changes nothing; nothing outside changes, and nothing of ours is left."""
    case = folders.fresh()
    lay(case, data)
    before = folders.entries(case)
    code, _, err = commanded("render", str(case))
    require(code in (0, 1), f"exit {code}: {err[:300]}")
    folders.nothing_outside_changed(case)
    after = folders.entries(case)
    if code:
        require("error: " in err, f"exit 1 without an error: {err[:300]}")
        require(after == before, "an error, and a file changed")
        return "error"
    for name, held in before.items():
        require(name not in after or after[name][0] == held[0], "a mode changed")
    require(
        not any(name.rpartition("/")[2].startswith(".krm-values-") and name not in before for name in after),
        "a staged file is left",
    )
    again, _, second = commanded("render", str(case))
    require(again == 0, f"a second run fails: {second[:300]}")
    require(folders.entries(case) == after, "a second run changes a file")
    return "rendered" if after != before else "unchanged"


TARGET = Target("render", seeds, check, TOKENS, is_yaml=True)
