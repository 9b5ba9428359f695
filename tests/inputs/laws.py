"""What `krm-values inputs` promises: an edit of any path that it does not list leaves the render as it is, and each path that it lists counts."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from krm_values._data.errors import UserError
from krm_values._krm import findings
from krm_values._run import library, pipeline, tree
from tests.commands import called
from tests.net.inputs import random_package
from tests.restack.__main__ import FUNCTIONS
from tests.restack.packages import package as restacked

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "examples").glob("*/*/Kptfile"))
HERE = "apps/web"
EDITS = 24
"""The random edits of a package."""
_RESOURCE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: b}}\n"
_KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: new}\n"
_GARBAGE = "{\n"
_NEW = {
    "new.yaml": _RESOURCE.format(name="new"),
    "new.json": '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new"}}\n',
    "Kptfile": _KPTFILE,
    ".krmignore": "*\n",
    "Chart.yaml": "name: a\n",
    "note.md": "a\n",
}
_UNRELATED = {
    "README.md": "a\n",
    "values.yaml": "a: 1\n",
    "Kptfile": _KPTFILE,
    ".krmignore": "*\n",
    "apps/README.md": "a\n",
    "apps/web.yaml": _RESOURCE.format(name="a"),
    "apps/other/Kptfile": _KPTFILE,
    "apps/other/a.yaml": _RESOURCE.format(name="a"),
    "common/unused.yaml": _RESOURCE.format(name="a"),
    ".git/config": "a\n",
}
"""Files beside the package that nothing in it names."""


@dataclass
class Count:
    """What was tried. faults: the law, the seed and the path of each."""

    packages: int = 0
    edits: int = 0
    changed: int = 0
    unlisted: int = 0
    unrelated: int = 0
    listed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass
class World:
    """A git repository with a package in it. unrelated: the files that nothing in the package names."""

    top: Path
    unrelated: list[Path]

    @property
    def package(self) -> Path:
        return self.top / HERE


def world(into: Path, chance: random.Random, example: Path | None = None) -> World:
    """Write a repository with an example or a random package, and what may stand in and beside one."""
    top = into / "repository"
    package = top / HERE
    if example or chance.random() < 0.3:
        shutil.copytree(example or chance.choice(EXAMPLES), package)
    elif chance.random() < 0.5:
        for name, text in restacked(chance, FUNCTIONS[:4]).files().items():
            _write(package / name, text)
    else:
        random_package(package, chance)
    for name, text in _UNRELATED.items():
        _write(top / name, text)
    for decorate in (_notes, _ignored, _chart, _linked, _moved_out, _hidden_package, _ignore_moved_out):
        if chance.random() < 0.4:
            decorate(package, chance)
    return World(top, [top / name for name in _UNRELATED])


def _notes(package: Path, _: random.Random) -> None:
    for name in ("README.md", "docs/a.txt", "docs/run.sh", "vendor/.git/HEAD", "vendor/.git/a.yaml", "sub/note.yamll"):
        _write(package / name, "a\n")


def _ignored(package: Path, chance: random.Random) -> None:
    for name in ("drafts/a.yaml", "drafts/deep/b.yaml", "skip-1.yaml"):
        _write(package / name, _GARBAGE)
    ignore = package / ".krmignore"
    also = chance.choice(["", "Kptfile\n", ".krmignore\n"])
    _write(ignore, (ignore.read_text() if ignore.exists() else "") + "drafts\nskip-*.yaml\n" + also)


def _chart(package: Path, _: random.Random) -> None:
    for name, text in (("Chart.yaml", "name: a\n"), ("values.yaml", "a: 1\n"), ("templates/a.yaml", "{{ .a }}\n")):
        _write(package / "chart" / name, text)


def _linked(package: Path, chance: random.Random) -> None:
    """Link to files in other directories, by a link to a directory, to a file that is ignored by name, and to a directory."""
    common = package.parents[1] / "common"
    _write(common / "extra.yaml", _RESOURCE.format(name="extra"))
    _write(package / "texts/kept.txt", _RESOURCE.format(name="kept"))
    (common.parent / "via").symlink_to("common")
    (package / "extra.yaml").symlink_to(
        chance.choice(["../../common/extra.yaml", "../../via/extra.yaml", common / "extra.yaml"])
    )
    (package / "kept.yaml").symlink_to("texts/kept.txt")
    (package / "again.json").symlink_to("kept.yaml") if chance.random() < 0.2 else None
    (package / "linked").symlink_to("../../common")


def _moved_out(package: Path, chance: random.Random) -> None:
    """Move a file of the package out of it, as a functionConfig that several share, and leave a link."""
    file = chance.choice([path for path in sorted(package.rglob("*.yaml")) if path.is_file() and ".expected" not in path.parts])
    target = package.parents[1] / "common/configs" / file.name
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() and not file.is_symlink():
        file.rename(target)
        file.symlink_to(os.path.relpath(target, file.parent))


def _hidden_package(package: Path, _: random.Random) -> None:
    """Put a package into a directory that is ignored, which hides none."""
    _write(package / "drafts/inner/Kptfile", _KPTFILE)
    _write(package / "drafts/inner/a.yaml", _RESOURCE.format(name="inner"))


def _ignore_moved_out(package: Path, _: random.Random) -> None:
    ignore, target = package / ".krmignore", package.parents[1] / "common/ignore"
    _write(target, ignore.read_text() if ignore.exists() else "nothing\n")
    ignore.unlink(missing_ok=True)
    ignore.symlink_to("../../common/ignore")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# What a render answers, and what `inputs` lists.


def answer(package: Path) -> object:
    """Return everything that a render says and would write."""
    try:
        done = pipeline.rendered(package, skip_foreign=False, follow_links=True)
        said = [findings.line(one) for one in library.findings_of(done, skip_foreign=False, infos=True)]
        return done.failed, said, tree.contents(done.loaded), [(one.path, one.text) for one in done.loaded.tree.documents]
    except UserError as error:
        return error.lines


def listed(package: Path, top: Path) -> dict[str, str] | str:
    """Return the type of each path that `inputs` lists, or its error."""
    with contextlib.chdir(top):
        done = called("krm-values", "inputs", "--follow-links", "--format", "json", package.relative_to(top))
        if done.code:
            return done.stderr.decode()
        lines = called("krm-values", "inputs", "--follow-links", package.relative_to(top)).stdout.decode().splitlines()
        inputs = json.loads(done.stdout)["inputs"]
        assert lines == [one["path"] + "/" * (one["type"] == "directory") for one in inputs]
        return {os.path.abspath(one["path"]): one["type"] for one in inputs}


def argocd(package: Path, top: Path) -> list[str]:
    """Return the paths of Argo CD's annotation from the top of the repository, as Argo CD reads them."""
    value = called("krm-values", "inputs", "--follow-links", "--format", "argocd", package).stdout.decode().strip("\n")
    here = "/" + str(package.relative_to(top))
    return [os.path.normpath(os.path.join(here, item.strip())) for item in value.split(";") if item.strip()]


def argocd_sees(paths: list[str], changed: str) -> bool:
    """Return whether Argo CD renders again after a change of a file: util/app/path of argo-cd, `AppFilesHaveChanged`."""
    return any(
        changed == path
        or changed.startswith(f"{path}/")
        or (changed.count("/") == path.count("/") and fnmatch.fnmatchcase(changed, re.sub(r"\\(.)", r"[\1]", path)))
        for path in paths
    )


# The laws.


def tried(name: str, into: Path, count: Count, example: Path | None = None) -> None:
    """Make the repository of this seed, and try every law on it."""
    chance = random.Random(name)
    made = world(into, chance, example)
    count.packages += 1
    inputs = listed(made.package, made.top)
    if isinstance(inputs, str):
        count.refused[inputs.splitlines()[0].partition(": ")[2][:60]] += 1
        return
    base = answer(made.package)
    seen = argocd(made.package, made.top)
    count.unrelated += len(made.unrelated)
    for path in made.unrelated:
        if str(path) in inputs:
            count.faults.append(("an unrelated file is not listed", name, str(path)))
    for _ in range(EDITS):
        _random_edit(made, inputs, seen, base, chance, name, count)
    for place, kind in inputs.items():
        count.listed += 1
        if not any(_counts(edit, made.package, base) for edit in _edits_of(Path(place), kind)):
            count.faults.append((f"a {kind} that is listed counts", name, place))
    assert answer(made.package) == base


def _random_edit(
    made: World, inputs: dict[str, str], seen: list[str], base: object, chance: random.Random, name: str, count: Count
) -> None:
    everything = [path for path in sorted(made.top.rglob("*")) if path != made.package]
    path = chance.choice(everything)
    if path.is_symlink():
        edit, covers = _relink(path, chance.choice(everything)), {str(path), str(path.parent)}
    elif path.is_dir():
        new = path / chance.choice([*_NEW])
        if new.exists():
            return
        edit, covers, path = _replaced(new, _NEW[new.name].encode()), {str(path)}, new
    elif chance.random() < 0.3:
        edit, covers = _replaced(path, None), {str(path), str(path.parent)}
    else:
        other = chance.choice([one for one in everything if one.is_file()])
        content = chance.choice([_GARBAGE.encode(), path.read_bytes() + b"# a\n", other.read_bytes(), b"*\n", b""])
        edit, covers = _replaced(path, content), {str(path)}
    is_listed = bool(covers & inputs.keys())
    count.edits += 1
    count.unlisted += not is_listed
    with edit:
        if answer(made.package) == base:
            return
    count.changed += 1
    if not is_listed:
        count.faults.append(("a path that is not listed does not count", name, str(path)))
    if not argocd_sees(seen, "/" + str(path.relative_to(made.top))):
        count.faults.append(("Argo CD sees each change that counts", name, str(path)))


def _counts(edit: contextlib.AbstractContextManager[None], package: Path, base: object) -> bool:
    with edit:
        return answer(package) != base


def _edits_of(path: Path, kind: str) -> list[contextlib.AbstractContextManager[None]]:
    """Return edits of a listed path, after one of which the answer differs: of a chart's Chart.yaml the existence counts."""
    if kind == "directory":
        free = "Kptfile" if not os.path.lexists(path / "Kptfile") else "zz-new.yaml"
        return [_replaced(path / free, (_KPTFILE if free == "Kptfile" else _NEW["new.yaml"]).encode())]
    is_ignore = path.name in (".krmignore", "ignore")
    return [_replaced(path, b"***/[\n*\n" if is_ignore else _GARBAGE.encode()), _replaced(path, None)]


@contextlib.contextmanager
def _replaced(path: Path, content: bytes | None) -> Iterator[None]:
    """Give a file this content, or remove it or a link, during a `with` block."""
    target = os.readlink(path) if path.is_symlink() else None
    before = path.read_bytes() if target is None and path.exists() else None
    if target is not None or content is None:
        path.unlink()
    if content is not None:
        path.write_bytes(content)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        if target is not None:
            path.symlink_to(target)
        elif before is not None:
            path.write_bytes(before)


@contextlib.contextmanager
def _relink(path: Path, target: Path) -> Iterator[None]:
    """Let a link lead elsewhere during a `with` block."""
    before = os.readlink(path)
    path.unlink()
    path.symlink_to(os.path.relpath(target, path.parent))
    try:
        yield
    finally:
        path.unlink()
        path.symlink_to(before)
