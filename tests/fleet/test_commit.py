"""A plan is written only over what it was made from; a commit that fails leaves whole files and is told of."""

from __future__ import annotations

import os
import shutil
import threading
import time

import pytest

from krm_values._data.errors import UserError
from krm_values._fleet import commit as committing
from krm_values._fleet import inputs, task
from krm_values._fleet import render as rendering
from krm_values._fleet.commit import StaleError, commit
from krm_values._fleet.results import Results
from krm_values._fleet.roots import find
from krm_values._krm import packages
from krm_values._krm import write as writer
from tests.cli.packages import command
from tests.fleet import made

SETTINGS = task.Settings()


@pytest.fixture
def package(serial, tmp_path):
    return shutil.copytree(serial.source / "c000/app1", tmp_path / "package")


@pytest.fixture(params=["long ago", "just now"])
def written(request, monkeypatch):
    """When the files of a package were written: whether their times say whether they are still the same."""
    if request.param == "long ago":
        monkeypatch.setattr(inputs, "_STEP", -inputs._STEP)


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("name", ["deployment.yaml", "layers.yaml", "new.yaml", "notes.txt"])
@pytest.mark.parametrize("how", ["text", "same size and time", "mode", "gone"])
def test_a_stale_plan_is_never_written(package, name, how):
    """Whatever file of the package changes, also one that is only read, or that no function reads."""
    (package / "notes.txt").write_text("a\n")
    answer = task.plan("package", str(package), None, SETTINGS.as_json())
    file = package / name
    if how == "text" or not file.exists():
        file.write_text("# other\n")
    elif how == "same size and time":
        before = file.stat()
        time.sleep(0.02)  # so that the clock of the file system goes on
        file.write_bytes(b"#" + file.read_bytes()[1:])
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif how == "mode":
        file.chmod(0o755)
    else:
        file.unlink()
    before = made.digest(package)
    with pytest.raises(StaleError):
        commit(str(package), answer, SETTINGS.manner.limits)
    assert made.digest(package) == before


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", ["Kptfile", "deployment.yaml", "new.yaml", ".krmignore", "link.yaml", "notes.txt"])
@pytest.mark.parametrize("how", ["text", "gone"])
def test_what_changes_while_a_package_is_read_is_not_taken_for_what_was_planned(package, monkeypatch, when, name, how):
    """Between the look at its files and the end of their reading: the plan is that of the files as they are, or stale."""
    (package / "notes.txt").write_text("a\n")
    (package / ".krmignore").write_text("run.yaml\n")
    (package / "other.yaml").write_text("# none\n")
    (package / "link.yaml").symlink_to("other.yaml")
    file, real = package / name, packages.read

    def change():
        if how == "gone" and file.exists():
            file.unlink()
        else:
            file.write_text(
                {"deployment.yaml": made.DEPLOYMENT + "# more\n", "Kptfile": "kind: Kptfile\n"}.get(name, "# more\n")
            )

    def read(*given, **named):
        if when == "before":
            change()
        try:
            return real(*given, **named)
        finally:
            if when == "after":
                change()

    with monkeypatch.context() as patch:
        patch.setattr(packages, "read", read)
        answer = task.plan("package", str(package), None, SETTINGS.as_json())
    if when == "before" and (name == "new.yaml" or (name, how) == ("link.yaml", "text")):
        assert answer["status"] == "stale", "the plan has a file that is not among those that it says it was made from"
    afresh = task.plan("package", str(package), None, SETTINGS.as_json())
    if answer["status"] not in ("stale", "failed"):
        try:
            commit(str(package), answer, SETTINGS.manner.limits)
        except StaleError:
            return
        assert answer["changes"] == afresh["changes"]


@pytest.mark.parametrize("how", ["untouched", "touched"])
def test_files_are_read_again_only_if_they_may_have_changed(package, monkeypatch, how):
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "_STEP", -inputs._STEP)
        answer = task.plan("package", str(package), None, SETTINGS.as_json())
        read = []
        real = inputs.listing

        def listing(*given):
            read.append(given)
            return real(*given)

        patch.setattr(inputs, "listing", listing)
        if how == "touched":
            os.utime(package / "layers.yaml", (1, 1))
        commit(str(package), answer, SETTINGS.manner.limits)
    assert "replicas: 3" in (package / "deployment.yaml").read_text()
    assert len(read) == (how == "touched")


@pytest.mark.parametrize("how", ["just written", "link"])
def test_the_times_of_files_do_not_say_that_they_are_the_same(package, monkeypatch, how):
    if how == "link":
        monkeypatch.setattr(inputs, "_STEP", -inputs._STEP)
        assert inputs.stamp(inputs.files(str(package)))
        (package / "more.yaml").symlink_to("layers.yaml")
    else:
        (package / "layers.yaml").touch()
    assert inputs.stamp(inputs.files(str(package))) == ""


def edits(package, count):
    """Return a `write` that finds a file edited by somebody else, so many times, as late as there can be an edit."""
    left = [count]
    real = writer.write

    def write(root, changes):
        if left[0]:
            left[0] -= 1
            file = package / "deployment.yaml"
            file.write_text(f"{file.read_text()}# edit {left[0]}\n")
        real(root, changes)

    return write


@pytest.mark.parametrize(("count", "status"), [(1, "changed"), (2, "stale")])
def test_a_package_that_changes_is_planned_once_more(package, monkeypatch, count, status):
    monkeypatch.setattr(committing, "write", edits(package, count))
    with Results(find([str(package)]).members) as found:
        engine = rendering.Engine(executor=made.Serial())
        rendering.render(found, SETTINGS, engine, rendering.Stop(), writes=True, known={})
        assert found.counts == {status: 1}
        assert found.exit_code() == (status == "stale")
    text = (package / "deployment.yaml").read_text()
    assert text.count("# edit") == count, "no edit is lost"
    assert ("replicas: 3" in text) == (status == "changed")


def test_a_full_disk_fails_one_package_and_the_next_run_writes_it(fleet, serial, monkeypatch):
    full = fleet / "c002/app5"
    real = os.fsync

    def fsync(descriptor):
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(f"{full}/"):
            raise OSError(28, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        done = command("fleet", "render", ".", "--jobs", "2", cwd=fleet)
    assert done.returncode == 1
    assert f"  failed  c002/app5: {full.relative_to(fleet)}" in done.stdout.replace(f"{fleet}/", "")
    assert "nothing was written: No space left on device" in done.stdout
    assert made.digest(full) == made.digest(serial.source / "c002/app5")
    assert command("fleet", "render", ".", "--jobs", "2", cwd=fleet).returncode == 1
    assert made.digest(fleet) == serial.tree


def test_the_mode_of_new_files_is_the_umask_in_every_thread(tmp_path):
    """The umask can only be read by setting it."""
    before = os.umask(0o022)
    try:
        seen: list[int] = []
        barrier = threading.Barrier(8)

        def ask():
            barrier.wait(60)
            seen.extend(writer.new_mode() for _ in range(2000))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(seen) == {0o644}
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)


def test_an_answer_that_leads_out_of_the_package_is_not_written(package, tmp_path):
    answer = task.plan("package", str(package), None, SETTINGS.as_json())
    answer["changes"] = [["../outside.yaml", writer.REMOVED, "YQ==", False]]
    with pytest.raises(UserError, match="must be a relative path inside the directory"):
        commit(str(package), answer, SETTINGS.manner.limits)
    assert not (tmp_path / "outside.yaml").exists()
