"""`--blame` of `explain` and `why`: who wrote each authored line, as `git blame` says it, and what a hostile repository cannot do."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._explain import blame, git

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
AUTHOR = "Ada Field <ada@example.test> 1772600767 +0130"
LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - {configMap: a}
  - {configMap: b}
  targets:
  - {configMap: out}
"""
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  v: |\n{text}"


def layer(name: str, *lines: str) -> str:
    return LAYER.format(name=name, text="".join(f"    {line}\n" for line in lines))


def run(directory: Path, *words: str, given: bytes = b"", author: str = AUTHOR) -> str:
    name, _, rest = author.partition(" <")
    mail, _, date = rest.partition("> ")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory / "nobody"),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_NAME": name for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_EMAIL": mail for role in ("AUTHOR", "COMMITTER")},
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": "1800000000 +0000",
    }
    done = subprocess.run(["git", *words], cwd=directory, env=environment, input=given, check=True, capture_output=True)
    return done.stdout.decode().strip()


def commit(directory: Path, author: str = AUTHOR) -> str:
    run(directory, "add", "-Af")
    run(directory, "commit", "-qm", "a change", "--allow-empty", author=author)
    return run(directory, "rev-parse", "HEAD")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package below the top of a repository, with one commit."""
    top = tmp_path / "repository"
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"),
        "lv.yaml": LAYERED,
        "a.yaml": layer("a", "k: 1", "m: 1"),
        "b.yaml": layer("b", "k: 2"),
    }
    package = write(top / "teams/p", files)
    run(top, "init", "-q", "-b", "main")
    commit(top)
    return package


def of(package: Path, file: str = "b.yaml", line: int = 6) -> blame.Commit:
    return blame.of_lines(package, {file: [line]}, DEFAULT)[file, line]


def test_each_authored_line_has_its_commit_date_and_author(package):
    first = run(package, "rev-parse", "HEAD")
    (package / "b.yaml").write_text(layer("b", "# a line above", "k: 3"))
    second = commit(package, "Grace Orr <grace@example.test> 1772700000 -0800")
    done = command("explain", package, "k", "--blame")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"  + b  b.yaml:7 ({second[:10]} 2026-03-05 Grace Orr)  3\n" in done.stdout
    assert f"  - a  a.yaml:6 ({first[:10]} 2026-03-04 Ada Field)  1\n" in done.stdout
    found = json.loads(command("explain", package, "k", "--blame", "--json").stdout)["values"][0]
    grace = {"commit": second, "date": "2026-03-05T00:40:00-08:00", "author": "Grace Orr"}
    assert found["winner"]["blame"] == grace
    ada = {"commit": first, "date": "2026-03-04T06:36:07+01:30", "author": "Ada Field"}
    assert [cell["blame"] for cell in found["overridden"]] == [ada]
    assert "blame" not in command("explain", package, "k", "--json").stdout


def test_a_line_that_moves_is_the_same_line(package):
    first = run(package, "rev-parse", "HEAD")
    for lines in (("a0: 1", "a1: 1", "k: 2"), ("a1: 1", "k: 2", "z: 1"), ("k: 2", "z: 1", "z2: 1")):
        (package / "b.yaml").write_text("# above\n" * len(lines[0]) + layer("b", *lines))
        last = commit(package)
        line = 1 + (package / "b.yaml").read_text().splitlines().index("    k: 2")
        assert of(package, line=line).commit == first
    assert of(package, line=line + 2).commit == last


def test_a_line_that_differs_from_head_is_not_committed(package):
    (package / "b.yaml").write_text(layer("b", "k: 3"))
    (package / "new.yaml").write_text(layer("c", "k: 3"))
    run(package, "add", "new.yaml")
    assert of(package).commit == of(package, "new.yaml").commit == blame.NOT_COMMITTED
    assert of(package, line=1).author == "Ada Field"
    done = command("explain", package, "k", "--blame")
    assert "  + b  b.yaml:6 (not committed)  " in done.stdout
    winner = json.loads(command("explain", package, "k", "--blame", "--json").stdout)["values"][0]["winner"]
    assert winner["blame"] == {"commit": "not committed"}


def test_a_repository_without_a_commit(package):
    shutil.rmtree(package.parents[1] / ".git")
    run(package.parents[1], "init", "-q")
    assert "(not committed)" in command("explain", package, "k", "--blame").stdout


def test_line_ends_of_a_checkout_are_not_a_change(package):
    first = of(package)
    (package / "b.yaml").write_bytes((package / "b.yaml").read_bytes().replace(b"\n", b"\r\n"))
    assert of(package) == first


def test_renames_are_not_followed(package):
    (package / "b.yaml").rename(package / "c.yaml")
    assert of(package, "c.yaml").commit == blame.NOT_COMMITTED
    last = commit(package)
    assert of(package, "c.yaml").commit == last


def test_what_no_person_wrote_on_the_line_has_no_commit(tmp_path):
    """The field that a step wrote holds its value; the author's is in the undo record."""
    config = LAYERED.replace("{configMap: out}", "{kind: Deployment, fields: {spec.replicas: k}}")
    deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: 1\n"
    files = {"a.yaml": layer("a", "k: 2"), "b.yaml": layer("b", "k: 3"), "d.yaml": deployment, "lv.yaml": config}
    package = write(tmp_path, {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), **files})
    assert command("render", package).returncode == 0
    run(package, "init", "-q")
    commit(package)
    found = json.loads(command("explain", package, "spec.replicas", "--blame", "--json").stdout)["values"][0]
    assert "blame" in found["winner"]
    assert {cell["file"]: "blame" in cell for cell in found["overridden"]} == {"a.yaml": True, "d.yaml": False}


def test_why_of_a_line_of_a_layer_and_of_what_is_written(package):
    assert f"\n  b.yaml:6: {of(package)}\n" in command("why", "b.yaml:6", "--blame", cwd=package).stdout
    assert command("render", package).returncode == 0
    out = (package / "out.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(out, 1) if text.strip() == "k: 2")
    assert f"b.yaml:6 ({of(package)})" in command("why", f"out.yaml:{line}", "--blame", cwd=package).stdout
    assert "Ada" not in command("why", f"out.yaml:{line}", cwd=package).stdout


def test_of_what_is_no_package_or_for_another_form(package):
    for words in (
        ["layered-values", "a.yaml"],
        [".", "--html", "x.html"],
        [".", "--patch"],
        [".", "--layers"],
        [".", "--where"],
    ):
        done = command("explain", *words, "--blame", cwd=package)
        assert (done.returncode, done.stdout) == (2, "")
        assert "`--blame`" in done.stderr


@pytest.mark.parametrize("words", [["explain", "."], ["why", "b.yaml:6"]], ids=" ".join)
def test_outside_of_a_repository(package, tmp_path, words):
    shutil.copytree(package, tmp_path / "alone")
    done = command(*words, "--blame", cwd=tmp_path / "alone")
    assert done.returncode in (1, 2)
    assert "is in no git repository: `--blame` looks for the nearest `.git` above it\n" in done.stderr


def test_a_worktree_and_a_subdirectory_of_the_package(package):
    run(package, "worktree", "add", "-q", "-b", "other", "../../../tree")
    assert of(package.parents[2] / "tree/teams/p") == of(package)
    write(package, {"deep/er/c.yaml": layer("c", "k: 1")})
    last = commit(package)
    assert of(package, "deep/er/c.yaml").commit == last


def edited(chance: random.Random, lines: list[str]) -> list[str]:
    found = list(lines)
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(found))
        new = [f"k{chance.randint(0, 10**9)}: {chance.random()}" for _ in range(chance.randint(1, 3))]
        found[at : at + chance.choice((0, 1, 2))] = new[: chance.randint(0, 3)]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_histories_with_merges_are_told_as_git_blame_does(tmp_path, seed):
    chance = random.Random(seed)
    file, lines = tmp_path / "a.yaml", [f"l{number}: {number}" for number in range(12)]
    run(tmp_path, "init", "-q", "-b", "main")
    for number in range(chance.randint(2, 8)):
        file.write_text("".join(f"{line}\n" for line in lines))
        commit(tmp_path)
        if number and chance.random() < 0.4:
            run(tmp_path, "checkout", "-qb", f"b{number}", "HEAD~1")
            file.write_text("".join(f"{line}\n" for line in edited(chance, file.read_text().splitlines())))
            run(tmp_path, "commit", "-qam", "b", "--allow-empty")
            run(tmp_path, "checkout", "-q", "main")
            run(tmp_path, "merge", "-q", "-X", chance.choice(("ours", "theirs")), "-m", "m", f"b{number}")
            lines = file.read_text().splitlines()
        lines = edited(chance, lines)
    file.write_text("".join(f"{line}\n" for line in lines))
    size = len(lines)
    told = run(tmp_path, "blame", "-l", "--root", "a.yaml").splitlines() if size else []
    wanted = [blame.NOT_COMMITTED if set(line.split()[0]) == {"0"} else line.split()[0] for line in told]
    found = blame.of_lines(tmp_path, {"a.yaml": range(1, size + 1)}, DEFAULT)
    assert [found["a.yaml", number + 1].commit for number in range(size)] == wanted


# What somebody else's repository holds.


def written(directory: Path, content: str | bytes, *parents: str, author: bytes = AUTHOR.encode(), name: str = "b.yaml") -> str:
    """A commit made by hand, of one file."""
    blob = run(directory, "hash-object", "-w", "--stdin", given=content.encode() if isinstance(content, str) else content)
    tree = blob
    for folder in (name, "p", "teams"):
        mode = "100644 blob" if folder == name else "040000 tree"
        tree = run(directory, "mktree", given=f"{mode} {tree}\t{folder}\n".encode())
    lines = [f"tree {tree}", *(f"parent {one}" for one in parents)]
    head = "".join(f"{line}\n" for line in lines).encode()
    text = head + b"author " + author + b"\ncommitter " + AUTHOR.encode() + b"\n\nx\n"
    return run(directory, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=text)


def at(directory: Path, name: str) -> None:
    run(directory, "update-ref", "refs/heads/main", name)


@pytest.mark.parametrize(
    ("author", "shown"),
    [
        (b"\x1b]0;x\x07\x1b[31mAda <a> 0 +0000", r"1970-01-01 \x1b]0;x\x07\x1b[31mAda"),
        ("\u202eadA\u200b <a> 0 +0000".encode(), r"1970-01-01 \u202eadA\u200b"),
        (b"::warning::x <a> 0 +0000", "1970-01-01 ::warning::x"),
        (b"##[group]x <a> 0 +0000", r"1970-01-01 \x23#[group]x"),
        (b"\xe9mile <a> 0 +0000", "1970-01-01 émile"),
        (b"a" * 5000 + b" <a> 0 +0000", f"1970-01-01 {'a' * 39}…"),
        (b"<only@mail> 0 +0000", "1970-01-01 only@mail"),
        (b"Ada <a> 99999999999999999999 +0000", "Ada"),
        (b"Ada <a> -1 +9999", "1969-12-31 Ada"),
        (b"Ada <a> x y", "Ada"),
        (b"Ada <a>", "Ada"),
        (b"Ada", ""),
        (b"", ""),
    ],
)
def test_what_an_author_is_called_is_only_text(package, author, shown):
    name = written(package, (package / "b.yaml").read_bytes(), author=author)
    at(package, name)
    done = command("explain", package, "k", "--blame")
    assert done.returncode == 0, done.stderr
    printed = "".join(done.stdout.split())
    assert f"b.yaml:6({name[:10]}{''.join(shown.split())})" in printed or f"b.yaml:6({name})" in printed
    assert not [line for line in done.stdout.splitlines() if not line.isprintable() or line.lstrip().startswith("::")]
    told = command("explain", package, "k", "--blame", "--json").stdout
    assert json.loads(told)["values"][0]["winner"]["blame"]["commit"] == name
    assert told.replace("\n", "").isprintable()


def test_a_line_that_is_older_than_so_many_commits(package, monkeypatch):
    monkeypatch.setattr(blame, "_MOST", 5)
    names = [run(package, "rev-parse", "HEAD")]
    for number in range(7):
        names.append(written(package, layer("b", "k: 2", f"n: {number}"), names[-1]))
    at(package, names[-1])
    (package / "b.yaml").write_text(layer("b", "k: 2", "n: 6"))
    assert of(package) == blame.Commit(blame.OLDER)
    assert of(package, line=7).commit == names[-1]


def test_a_long_history_takes_one_pass(package):
    name = run(package, "rev-parse", "HEAD")
    stream = [b"reset refs/heads/main\nfrom " + name.encode() + b"\n"]
    for number in range(3000):
        text = layer("b", "k: 2", f"n: {number}").encode()
        stream.append(
            b"commit refs/heads/main\ncommitter A <a> %d +0000\ndata 0\nM 100644 inline teams/p/b.yaml\ndata %d\n%s\n"
            % (1_800_000_000 + number, len(text), text)
        )
    run(package, "fast-import", "--quiet", given=b"".join(stream))
    (package / "b.yaml").write_text(layer("b", "k: 2", "n: 2999"))
    assert of(package).commit == "older than 1,000 commits"
    assert of(package, line=7).author == "A"


def test_a_commit_of_many_parents(package):
    root = run(package, "rev-parse", "HEAD")
    parents = [written(package, layer("b", f"x: {number}", "k: 9"), root) for number in range(40)]
    name = written(package, (package / "b.yaml").read_bytes(), *parents * 40, root)
    at(package, name)
    assert of(package).commit == root


def test_grafts_that_make_a_circle_end(package):
    root = run(package, "rev-parse", "HEAD")
    second = written(package, layer("b", "k: 2", "z: 1"), root)
    at(package, second)
    info = package.parents[1] / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "grafts").write_text(f"{root} {second}\n")
    assert of(package).commit in (root, second)


@pytest.mark.parametrize("content", [b"\0" * 100_000, b"\n" * 100_000, b"k: 2\n" * 100_000, bytes(range(256)) * 1000, b""])
def test_versions_that_are_no_text_are_compared_quickly(package, content):
    root = run(package, "rev-parse", "HEAD")
    names = [root]
    for number in range(10):
        names.append(written(package, content + b"%d\n" % number + content, names[-1]))
    at(package, written(package, (package / "b.yaml").read_bytes(), names[-1]))
    assert of(package).commit != root


def test_a_version_that_is_too_large_is_an_error(package, monkeypatch):
    monkeypatch.setattr(blame, "_MOST_BYTES", 1000)
    name = written(package, "a: 1\n" * 300)
    at(package, written(package, (package / "b.yaml").read_bytes(), name))
    with pytest.raises(InputError, match=r"must not have more than 1,000 bytes for `--blame`, found 1,500"):
        of(package)


def test_a_file_that_was_a_folder_or_a_link(package):
    blob = run(package, "hash-object", "-w", "--stdin", given=b"k: 2\n")
    name = run(package, "rev-parse", "HEAD")
    for mode, kind, thing in (
        ("120000", "blob", blob),
        ("040000", "tree", run(package, "mktree", given=f"100644 blob {blob}\tx\n".encode())),
        ("160000", "commit", name),
        ("160000", "commit", "1" * 40),
    ):
        tree = thing
        for folder in ("b.yaml", "p", "teams"):
            head = f"{mode} {kind}" if folder == "b.yaml" else "040000 tree"
            tree = run(package, "mktree", "--missing", given=f"{head} {tree}\t{folder}\n".encode())
        name = run(package, "commit-tree", tree, "-p", name, "-m", "x")
    last = written(package, (package / "b.yaml").read_bytes(), name)
    at(package, last)
    assert of(package).commit == last


def test_a_file_name_is_no_option_no_pattern_and_no_revision(package):
    names = ["--output=x.yaml", ":(glob)*.yaml", "*.yaml", "HEAD:b.yaml", "b missing.yaml", "é\\t.yaml"]
    write(package, {name: layer(f"n{number}", "k: 1") for number, name in enumerate(names)})
    last = commit(package)
    for name in names:
        assert of(package, name).commit == last
    assert not (package / "x.yaml").exists()
    assert not (package.parents[1] / "x.yaml").exists()
    write(package, {"a\nb.yaml": "k: 1\n"})
    with pytest.raises(InputError, match="line break"):
        of(package, "a\nb.yaml", 1)


def test_a_link_out_of_the_repository_is_not_asked_for(package, tmp_path):
    (tmp_path / "outside.yaml").write_text("k: 1\n")
    (package / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    assert of(package, "link.yaml", 1).commit == blame.NOT_COMMITTED


@pytest.mark.parametrize("place", ["HEAD", "config", "objects/info/alternates"])
def test_a_repository_of_pipes_does_not_hang(package, place, monkeypatch):
    monkeypatch.setattr(git, "_SECONDS", 1)
    pipe = package.parents[1] / ".git" / place
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"git does not answer within 1 seconds"):
        of(package)


@pytest.mark.parametrize("what", [":teams/p/b.yaml", ":teams/p", ":teams", "^{tree}", ""])
def test_a_history_that_lacks_objects_is_an_error(package, what):
    first = run(package, "rev-parse", "HEAD")
    at(package, written(package, layer("b", "k: 2", "z: 1"), first))
    word = f"{first}{what}"
    name = run(package, "rev-parse", word)
    (package.parents[1] / ".git/objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(InputError, match="git"):
        of(package)


def test_alignment_takes_time_in_proportion():
    lines = [b"%d" % number for number in range(30_000)]
    for one, other in (
        (lines, lines[::-1]),
        (lines, lines[1::2] + lines[::2]),
        ([b"a", b"b"] * 15_000, [b"b", b"a", b"a"] * 10_000),
        ([b"x", *lines, b"y"], [b"z", *lines[::3], b"w"]),
    ):
        found = blame.matched(one, other, range(len(one)))
        assert all(one[line] == other[at] for line, at in found.items())
        assert [*found.values()] == sorted(found.values())


def test_a_shallow_clone_ends_at_its_last_commit(package, tmp_path):
    root = run(package, "rev-parse", "HEAD")
    (package / "a.yaml").write_text(layer("a", "k: 1", "m: 2"))
    last = commit(package)
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{package.parents[1]}", "shallow")
    assert root != of(tmp_path / "shallow/teams/p").commit == last
