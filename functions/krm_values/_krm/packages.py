"""A kpt package on disk: its pipeline, its files and its sub-packages, found as kpt finds them."""

from __future__ import annotations

import os
import posixpath
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._data.shown import described, printable
from krm_values._go.regexp import PatternError, compiled
from krm_values._krm import kptfile
from krm_values._krm.files import Reader
from krm_values._krm.kptfile import Kptfile
from krm_values._krm.plan import Finding
from krm_values._krm.write import STAGED
from krm_values._yaml.encoding import check_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal, TypeAlias

    from krm_values._data.limits import Limits

    Ignored: TypeAlias = Callable[[str], bool]  # of a slash path relative to the package; a directory's ends in a slash


_SUFFIXES = (".yaml", ".yml", ".json")
_HELM = frozenset(("Chart.yaml", "values.yaml", "values.schema.json", "templates", "charts"))


@record
class File:
    """A file that kpt reads: `path` is relative to its package. cut: where lines were removed from its content, as in `Position`."""

    path: str
    content: bytes
    cut: tuple[int, int] = (0, 0)


@record
class Skipped:
    """A directory of which something is not read; `own chart`: one that is read, but for what is Helm's."""

    path: str
    why: Literal["link", "chart", "own chart"]


@record
class Package:
    """A directory with a Kptfile. `path` is relative to the outermost package, "" for that one."""

    path: str
    kptfile: Kptfile
    files: tuple[File, ...]
    packages: tuple[Package, ...]
    left: tuple[str, ...] = ()  # names of staged files that a writer has left, relative to the package
    skipped: tuple[Skipped, ...] = ()  # directories that are not read, relative to the package

    def walk(self) -> Iterator[Package]:
        """Yield the package and its sub-packages in the order in which kpt renders them: sub-packages first."""
        for package in self.packages:
            yield from package.walk()
        yield self

    def staged(self) -> list[str]:
        """Return the staged files in it and its sub-packages, by path relative to the outermost package."""
        return [f"{package.path}/{name}" if package.path else name for package in self.walk() for name in package.left]


def is_chart(directory: Path) -> bool:
    """Return whether the directory is a Helm chart, whose templates are not YAML until Helm has rendered them."""
    return (directory / "Chart.yaml").is_file() and (directory / "templates").is_dir()


def about_skipped(skipped: Iterable[Skipped]) -> list[Finding]:
    """Return an info finding for each such directory."""
    texts = {
        "chart": "is a Helm chart and not a set of resources: it is skipped, with all that is below it",
        "own chart": "is a Helm chart as well: its templates, values and charts are no resources and are skipped",
        "link": "is a link to a directory, which is not followed, as by kpt: put a copy of the directory there",
    }
    return [
        Finding(
            "info",
            "linked-directory" if one.why == "link" else "helm-chart",
            None,
            f"{printable(one.path.rstrip('/') or '.')}: {texts[one.why]}",
        )
        for one in skipped
    ]


def is_package(directory: str | Path) -> bool:
    """Return whether the directory has a Kptfile, even one that cannot be read because it is not a regular file."""
    path = os.path.join(directory, kptfile.NAME)
    return os.path.lexists(path) and not os.path.isdir(path)


def is_read(name: str) -> bool:
    """Return whether a package reads files of this name."""
    return holds_resources(name) or name == IGNORE


def holds_resources(name: str) -> bool:
    """Return whether the resources of a package may be in a file of this name."""
    return name.endswith(_SUFFIXES) or name == kptfile.NAME


def read(
    directory: Path, advance: Callable[[], None] = lambda: None, *, follow_links: bool = False, limits: Limits = DEFAULT
) -> Package:
    """Read a package and its sub-packages. InputError names what cannot be read; `advance` is called after each file.

    A directory without a Kptfile is read as a package without steps. follow_links: whether links may lead out of the package.
    """
    with Reader(directory, limits, follow_links=follow_links) as reader:
        return _package(directory, "", reader, advance)


def files_below(
    directory: Path, skipped: list[Skipped] | None = None, *, follow_links: bool = False, limits: Limits = DEFAULT
) -> Iterator[tuple[Path, bytes]]:
    """Yield all YAML and JSON files of a directory, which need not be a package, with their content; its own `.krmignore` applies.

    skipped: gets the directories that are left out, relative to the directory.
    """
    skipped = [] if skipped is None else skipped
    with Reader(directory, limits, follow_links=follow_links) as reader:
        for name in _files(directory, "", ignored_below(directory, reader), skipped, into_packages=True):
            if not name.endswith(kptfile.NAME) and not name.rpartition("/")[2].startswith(STAGED):
                yield directory / name, reader.read(name)


def unread(directory: Path, limits: Limits = DEFAULT) -> Iterator[str]:
    """Yield the files of a package and its sub-packages that are not read and not ignored, by path relative to the package."""
    with Reader(directory, limits) as reader:
        yield from _unread(directory, "", reader)


def _unread(root: Path, path: str, reader: Reader) -> Iterator[str]:
    directory, above = root / path, f"{path}/" if path else ""
    ignored = ignored_below(directory, reader, path)
    known = {*_files(directory, "", ignored, [])}
    yield from (above + name for name in _names(directory, "", ignored) if name not in known)
    for name in _packages(directory, ""):
        yield from _unread(root, above + name, reader)


def everything(directory: Path, below: str = "", staged: list[str] | None = None) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the path and status of each file, link or device below a directory, also of what no package reads; `.git` is left out.

    So are files that look like those that a writer has staged; `staged` gets their paths.
    """
    for entry in _entries(os.path.join(directory, below)):
        if entry.is_dir(follow_symlinks=False):
            if entry.name != ".git":
                yield from everything(directory, f"{below}{entry.name}/", staged)
        elif not entry.name.startswith(STAGED):
            yield below + entry.name, entry.stat(follow_symlinks=False)
        elif staged is not None:
            staged.append(below + entry.name)


def _names(directory: Path, below: str, ignored: Ignored) -> Iterator[str]:
    """Yield all files and links of a package that are not ignored."""
    for entry in _entries(directory / below):
        name = below + entry.name
        if not entry.is_dir(follow_symlinks=False):
            if not ignored(name):
                yield name
        elif entry.name != ".git" and not is_package(entry.path) and not ignored(name + "/"):
            yield from _names(directory, name + "/", ignored)


def staged_below(directory: Path) -> list[str]:
    """Return the paths of all files below a directory that look like files that a writer has staged."""
    found = _files(directory, "", lambda _: False, None, into_packages=True)
    return [name for name in found if name.rpartition("/")[2].startswith(STAGED)]


def outermost(directory: Path) -> list[Path]:
    """Return the packages below a directory that are in no other one, sorted: the directory itself if it is one. InputError if there is none."""
    check_directory(directory)
    found = [directory] if is_package(directory) else [directory / name for name in sorted(_packages(directory, ""))]
    if not found:
        raise InputError("holds no package: no directory below it has a Kptfile", file=str(directory))
    return found


def check_directory(path: Path, *, runs: bool = True) -> None:
    """Raise InputError for what is not a directory. runs: whether the command that runs a function on files would do."""
    if path.is_dir():
        return
    if not path.is_file():
        raise InputError("is not a directory", file=str(path))
    command = f"for single files: `krm-values run --config CONFIG {shlex.quote(str(path))}`"
    advice = command if runs and path.name != kptfile.NAME else f"name its directory: `{path.parent}`"
    raise InputError(f"is a file, not the directory of a package; {advice}", file=str(path))


def near_below(directory: Path) -> list[Path]:
    """Return the packages of the shallowest of three levels below a directory that has any; a wrong directory may be a large one."""
    levels = (sorted(directory.glob(f"{stars}/{kptfile.NAME}")) for stars in ("*", "*/*", "*/*/*"))
    return next(([path.parent for path in found if is_package(path.parent)] for found in levels if found), [])


def _package(root: Path, path: str, reader: Reader, advance: Callable[[], None]) -> Package:
    directory = root / path
    shown = f"{path}/{kptfile.NAME}" if path else kptfile.NAME
    contents = {kptfile.NAME: reader.read(shown)} if is_package(directory) else {}
    own = kptfile.read(_text(contents[kptfile.NAME], shown), shown) if contents else Kptfile((), ())
    ignored = ignored_below(directory, reader, path)
    files, left, skipped = [], [], list[Skipped]()
    for name in _files(directory, "", ignored, skipped):
        if name.rpartition("/")[2].startswith(STAGED):
            left.append(name)
            continue
        if name not in contents:
            contents[name] = reader.read(f"{path}/{name}" if path else name)
        files.append(File(name, contents[name]))
        advance()
    below = (f"{path}/{name}" if path else name for name in sorted(_packages(directory, "")))
    return Package(
        path, own, tuple(files), tuple(_package(root, name, reader, advance) for name in below), tuple(left), tuple(skipped)
    )


def _files(
    directory: Path, below: str, ignored: Ignored, skipped: list[Skipped] | None, *, into_packages: bool = False
) -> Iterator[str]:
    """Yield names relative to the package, sorted, including staged files; links to directories are not followed, sub-packages left out.

    skipped: gets links to directories, and the directories of Helm charts, which are left out; None to read charts as well. Of the directory
    itself only what is Helm's is left out, and its name is "".
    """
    is_own_chart = False
    if skipped is not None and not below and is_chart(directory):
        is_own_chart = True
        skipped.append(Skipped("", "own chart"))
    for entry in _entries(directory / below):
        name = below + entry.name
        if is_own_chart and entry.name in _HELM:
            continue
        if entry.is_dir(follow_symlinks=False):
            enters = into_packages or not is_package(entry.path)
            if not enters or entry.name == ".git" or ignored(name + "/"):
                continue
            if skipped is not None and is_chart(Path(entry.path)):
                skipped.append(Skipped(name, "chart"))
            else:
                yield from _files(directory, name + "/", ignored, skipped, into_packages=into_packages)
        elif (holds_resources(entry.name) and not ignored(name)) or entry.name.startswith(STAGED):
            yield name
        elif skipped is not None and entry.is_symlink() and os.path.isdir(entry.path) and not ignored(name + "/"):
            skipped.append(Skipped(name, "link"))


def _packages(directory: Path, below: str) -> Iterator[str]:
    """Yield the nearest packages below a directory; `.krmignore` cannot hide one."""
    for entry in _entries(os.path.join(directory, below)):
        name = below + entry.name
        if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
            if is_package(entry.path):
                yield name
            else:
                yield from _packages(directory, name + "/")


def _entries(directory: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _text(data: bytes, shown: str) -> str:
    try:
        check_utf8(data)
    except InputError as error:
        raise error.moved(shown, 1) from None
    return data.decode("utf-8-sig")


# `.krmignore`: which files and directories do not belong to a package.
#
# Patterns without wildcards are looked up by name or path, whatever their number. pathspec converts the others to regular expressions, which
# RE2 matches in time linear in the name; many of them are tried at once, and halves of them where one of them matches.

IGNORE = ".krmignore"
_LONGEST = 1_000  # characters of a pattern
_LONGEST_WRITTEN = 20_000  # of the expression that is made of it
_MOST = 10_000  # patterns
_AT_ONCE = 512  # patterns of one expression
_WORK = 4_000_000  # steps: one for each expression and 32 characters of each name
_UNIT = 32
_LITERAL = re.compile(r"/?[\w@+,=. -]+(?:/[\w@+,=. -]+)*/?")


def ignored_below(package: Path, reader: Reader, package_path: str = "") -> Ignored:
    """Return a function that says whether a path is ignored by the package's own rules, which do not apply to sub-packages.

    package_path: of the package, below the outermost one, which is the reader's. InputError, with file and line, for an invalid rule; and
    from the returned function, if all patterns on all names take too many steps. It is called only for paths below directories that are not
    ignored, so a pattern need not match what is below its match.
    """
    if not os.path.lexists(package / IGNORE):
        return lambda _: False
    data = reader.read(posixpath.join(package_path, IGNORE), "ignore_bytes")
    try:
        check_utf8(data)
        rules = _Rules(data.decode("utf-8").split("\n"))
    except InputError as error:
        raise error.moved(posixpath.join(package_path, IGNORE), 1) from None

    left = _WORK

    def ignored(path: str) -> bool:
        nonlocal left
        left -= len(rules.wild) * (1 + len(path) // _UNIT)
        if left < 0:
            text = f"must not need more than {_WORK:,} steps for all names of the package; use fewer patterns, or ignore whole directories"
            raise InputError(text, 1, 1).moved(posixpath.join(package_path, IGNORE), 1)
        return rules.ignores(path.encode("utf-8", "replace").decode())

    return ignored


class _Rules:
    """The patterns of a file by their numbers, of which the highest that matches decides; each even number ignores, each odd one keeps."""

    __slots__ = ("_names", "_paths", "wild")

    def __init__(self, lines: list[str]) -> None:
        self._names: dict[str, int] = {}
        self._paths: dict[str, int] = {}
        wild: dict[str, tuple[int, str]] = {}
        count = 0
        for number, line in enumerate(lines, 1):
            text = line.strip()  # as kpt does
            if not text or text.startswith("#"):
                continue
            if count == _MOST:
                raise InputError(f"must not have more than {_MOST:,} patterns", number, 1)
            count += 1
            bare = text.removeprefix("!")
            rank = 2 * count + (bare != text)
            if len(text) <= _LONGEST and _LITERAL.fullmatch(bare):
                known = self._paths if "/" in bare[:-1] else self._names
                known[bare.removeprefix("/")] = rank
            else:
                include, written = _written(text, number)
                wild.pop(bare, None)  # so that the order is that of the ranks
                wild[bare] = 2 * count + (not include), written
        found = [_Wild(bare, written, rank) for bare, (rank, written) in wild.items()]
        self.wild = [_Chunk(found[at : at + _AT_ONCE]) for at in range(0, len(found), _AT_ONCE)][::-1]

    def ignores(self, path: str) -> bool:
        is_directory = path.endswith("/")
        bare = path.removesuffix("/")
        begins = bare.rfind("/") + 1
        rank = max(
            self._rank(self._names, bare[begins:], is_directory=is_directory), self._of_path(bare, is_directory=is_directory)
        )
        for chunk in self.wild:
            if chunk.last < rank:
                break
            rank = max(rank, chunk.rank(path, path[begins:]))
        return rank > 0 and rank % 2 == 0

    def _of_path(self, bare: str, *, is_directory: bool) -> int:
        """Return the highest rank of a literal that is a path or one above it."""
        rank, end = 0, len(bare)
        while self._paths and end > 0:
            rank = max(rank, self._rank(self._paths, bare[:end], is_directory=is_directory))
            end = bare.rfind("/", 0, end)
        return rank

    @staticmethod
    def _rank(known: dict[str, int], name: str, *, is_directory: bool) -> int:
        rank = known.get(name, 0)
        return max(rank, known.get(f"{name}/", 0)) if is_directory else rank


@record
class _Wild:
    """A pattern with wildcards, its expression as text, and its rank."""

    text: str
    written: str
    rank: int

    @property
    def is_of_names(self) -> bool:
        return "/" not in self.text[:-1]


class _Chunk:
    """Some patterns with wildcards, in order, as one expression for all of names and one for all of paths; its halves tell which matches."""

    __slots__ = ("_halves", "_names", "_paths", "_rules", "last")

    def __init__(self, rules: list[_Wild]) -> None:
        self._rules, self.last = rules, rules[-1].rank
        self._names = _together([one.written for one in rules if one.is_of_names])
        self._paths = _together([one.written for one in rules if not one.is_of_names])
        self._halves: tuple[_Chunk, ...] = ()

    def rank(self, path: str, name: str) -> int:
        """Return the rank of the last one that matches, 0 if none does."""
        if not (self._names and self._names.search(name)) and not (self._paths and self._paths.search(path)):
            return 0
        if len(self._rules) == 1:
            (rule,) = self._rules
            return 0 if rule.text.endswith("/") and not path.endswith("/") else rule.rank
        if not self._halves:
            middle = len(self._rules) // 2
            self._halves = _Chunk(self._rules[middle:]), _Chunk(self._rules[:middle])
        return next((rank for half in self._halves if (rank := half.rank(path, name))), 0)


def _together(written: list[str]) -> Any:
    """Return one expression for several, which matches if one of them does, or all names if there would be too much of it."""
    if not written:
        return None
    ends = (("(?:(?P<ps_d>/)|$)", "(?:/|$)"), ("(?P<ps_d>/)", "/"))  # of pathspec, whose groups have one name
    plain = (next((one.removesuffix(end) + short for end, short in ends if one.endswith(end)), one) for one in written)
    try:
        return compiled("|".join(f"(?:{one})" for one in plain), 2 * _AT_ONCE * _LONGEST_WRITTEN)
    except PatternError:
        return compiled("")


def _written(text: str, number: int) -> tuple[bool, str]:
    """Return whether a pattern ignores, and its expression. InputError with its line if it is not valid."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there are rules

    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}..."
        raise InputError(
            f"must be a pattern as in `.gitignore` of at most {_LONGEST:,} characters; found {described(text)}", number, 1
        )
    # `pattern_to_regex` is reached through another pattern: one of `text` would compile the expression with `re`
    (known,) = GitIgnoreSpec.from_lines(["known"]).patterns
    try:
        written, include = known.pattern_to_regex(text)
        if include is not None:
            compiled(str(written), _LONGEST_WRITTEN)
            return include, str(written)
    except (ValueError, PatternError):
        pass
    raise InputError(f"must be a pattern as in `.gitignore`; found {described(text)}", number, 1)
