"""Files below a directory: read without following a link out of it, without waiting, and up to a limit."""

from __future__ import annotations

import io
import os
import socket
from pathlib import Path

import pytest

from krm_values._data import limits
from krm_values._data.errors import InputError
from krm_values._krm.files import Below, leads_out, read_named
from tests.limited import ends

MOST = 100


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "pkg"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.yaml").write_bytes(b"a: 1\n")
    (folder / "sub/b.yaml").write_bytes(b"b: 1\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "pkg-2").mkdir()
    for place in ("outside", "pkg-2"):
        (tmp_path / place / "secret.yaml").write_bytes(b"pw: 1\n")
    return folder


def read(root: Path, path: str, *, follow: bool = False) -> bytes:
    with Below(root) as below:
        return below.read(path, MOST, follow=follow)


@pytest.mark.parametrize(("path", "text"), [("a.yaml", b"a: 1\n"), ("sub/b.yaml", b"b: 1\n")])
def test_a_file_is_read(root, path, text):
    assert read(root, path) == text


@pytest.mark.parametrize("to", ["a.yaml", "sub/b.yaml", "./sub/../a.yaml", "second.yaml"])
def test_a_link_that_stays_below_is_read(root, to):
    (root / "second.yaml").symlink_to("sub/b.yaml")
    (root / "link.yaml").symlink_to(to)
    assert read(root, "link.yaml") == (root / to).read_bytes()


OUT = [
    "../outside/secret.yaml",
    "../pkg-2/secret.yaml",
    "{outside}/secret.yaml",
    "sub/../../outside/secret.yaml",
    "/etc/hostname",
    "door/secret.yaml",
]


@pytest.mark.parametrize("to", OUT)
def test_a_link_that_leads_out_is_an_error_unless_it_is_allowed(root, to):
    (root / "door").symlink_to(root.parent / "outside")
    (root / "link.yaml").symlink_to(to.format(outside=root.parent / "outside"))
    with pytest.raises(InputError) as caught:
        read(root, "link.yaml")
    assert str(caught.value).startswith("link.yaml: is a symbolic link that leads out of the directory")
    assert read(root, "link.yaml", follow=True) == (root / "link.yaml").read_bytes()[:MOST]


@pytest.mark.parametrize(("path", "leads"), [("sub/x", False), ("door/x", True), ("../pkg-2/x", False), ("door-2/x", False)])
def test_a_path_leads_out_only_if_it_reads_as_one_inside(root, path, leads):
    (root / "door").symlink_to(root.parent / "pkg-2")
    (root / "door-2").symlink_to("sub")
    assert leads_out(root, root / path) is leads


def test_a_path_below_a_linked_directory_leads_out_as_well(root):
    (root / "door").symlink_to(root.parent / "outside")
    with pytest.raises(InputError, match="leads out of the directory"):
        read(root, "door/secret.yaml")


@pytest.mark.parametrize(
    ("to", "fact"), [("nowhere.yaml", "does not exist"), ("link.yaml", "in a circle"), ("a.yaml/x", "does not exist")]
)
@pytest.mark.parametrize("follow", [True, False])
def test_a_link_to_nowhere_is_named(root, to, fact, follow):
    (root / "link.yaml").symlink_to(to)
    with pytest.raises(InputError, match=fact):
        read(root, "link.yaml", follow=follow)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def unix_socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(f"/proc/self/fd/{here}/{path.name}")
    os.close(here)


def directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [fifo, device, unix_socket, directory])
@pytest.mark.parametrize("follow", [True, False])
@pytest.mark.parametrize("linked", [True, False])
def test_what_is_no_regular_file_is_an_error_at_once(root, make, follow, linked):
    make(root / "odd.yaml")
    if linked:
        (root / "link.yaml").symlink_to("odd.yaml")

    def refused() -> None:
        with pytest.raises((InputError, OSError)) as caught:
            read(root, "link.yaml" if linked else "odd.yaml", follow=follow)
        assert isinstance(caught.value, InputError), caught.value

    assert ends(refused)


def test_a_file_beyond_the_limit_is_an_error(root):
    (root / "a.yaml").write_bytes(b"a" * MOST)
    assert len(read(root, "a.yaml")) == MOST
    (root / "a.yaml").write_bytes(b"a" * (MOST + 1))
    with pytest.raises(InputError, match=r"a.yaml: must not have more than 100 bytes"):
        read(root, "a.yaml")


def test_a_file_that_the_user_names_may_be_anything_up_to_the_limit(root):
    """A link out, a pipe of the shell; but no device eats the memory."""
    few = limits.Limits(input_bytes=MOST)
    said = "must not have more than 100 bytes, found more (limit `input_bytes`)"
    (root / "link.yaml").symlink_to(root.parent / "outside/secret.yaml")
    assert read_named(str(root / "link.yaml"), few) == b"pw: 1\n"
    reader, writer = os.pipe()
    os.write(writer, b"a: 1\n")
    os.close(writer)
    assert read_named(f"/dev/fd/{reader}", few) == b"a: 1\n"
    os.close(reader)
    for path, fact in (("/dev/zero", said), (str(root), "must be a file, found a directory")):
        with pytest.raises(InputError) as caught:
            read_named(path, few)
        assert str(caught.value) == f"{path}: {fact}"


@pytest.mark.parametrize("most", [3, 5, 6, 7, 20])
def test_what_is_read_is_bounded(monkeypatch, most):
    monkeypatch.setattr(limits, "_FIRST", 5)
    assert limits.bounded(io.BytesIO(b"0123456"), most) == b"0123456"[: most + 1]
