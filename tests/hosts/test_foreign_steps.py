"""Steps that are not ours, with the real Docker engine and the real kpt: the same files, and one clear error for everything that can go wrong."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.hosts.machine import IMAGE, Machine, lacking
from tests.hosts.package import Package, read

STEP = Path(__file__).parent / "foreign_step.py"
FOREIGN = "localhost/krm-values-foreign:v1"
PYTHON = "/opt/krm-values/bin/python"
EXEC = f"{sys.executable} {STEP}"
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata:
  name: web
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  layers:
    - name: base
      values: {web: {replicas: 2}}
  targets:
    - kind: Deployment
      name: web
      fields:
        spec.replicas: web.replicas
"""
WEB = """\
# of the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5 # many
  template:
    spec:
      containers:
        # the one that counts
        - name: main
          image: main:1 # pinned
        - name: last # goes
          image: last:1
"""
OTHER = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: other\nspec:\n  replicas: 1 # one\n"
GONE = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gone\ndata:\n  a: b\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kept\ndata:\n  "on": 0644\n'
OURS, THEN = (f"exec: krm-layered-values\n      configPath: {name}.yaml" for name in ("layers", "then"))


def _kptfile(*steps: str, validators: tuple[str, ...] = (), name: str = "package") -> str:
    text = f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: {name}\npipeline:\n"
    for part, listed in (("mutators", steps), ("validators", validators)):
        text += f"  {part}:\n" + "".join(f"    - {step}\n" for step in listed) if listed else ""
    return text


def _does(what: str, *more: str, call: str = f"image: {FOREIGN}") -> str:
    return "\n      ".join((call, "configMap:", f"  do: {what}", *more))


FILES = {
    "layers.yaml": LAYERS,
    "then.yaml": LAYERS.replace("name: web\n  anno", "name: then\n  anno").replace(": 2}", ": 4}"),
    "web.yaml": WEB,
    "other.yaml": OTHER,
    "maps.yaml": GONE,
}
MIXED: dict[str, dict[str, str]] = {
    "after ours": {"Kptfile": _kptfile(OURS, _does("replicas"))},
    "before ours": {"Kptfile": _kptfile(_does("replicas"), OURS)},
    "between two of ours": {"Kptfile": _kptfile(OURS, _does("label"), THEN)},
    "a program": {"Kptfile": _kptfile(OURS, _does("replicas", call=f"exec: {EXEC}"), _does("label"))},
    "selected": {"Kptfile": _kptfile(_does("replicas", "selectors:", "  - name: other"), OURS)},
    "excluded": {"Kptfile": _kptfile(OURS, _does("replicas", "exclude:", "  - kind: Deployment", "    name: web"))},
    "a validator": {"Kptfile": _kptfile(OURS, validators=(_does("replicas"),))},
    "a new file": {"Kptfile": _kptfile(_does("new"), OURS)},
    "new beside another": {"Kptfile": _kptfile(_does("new-beside"), OURS)},
    "new without a path": {"Kptfile": _kptfile(_does("new-without-path"), OURS)},
    "one removed": {"Kptfile": _kptfile(_does("gone"), OURS)},
    "one moved": {"Kptfile": _kptfile(_does("move"), OURS)},
    "without ids": {"Kptfile": _kptfile(_does("without-ids"))},
    "no functionConfig": {"Kptfile": _kptfile(f"image: {FOREIGN}", OURS)},
    "a config of its own": {
        "Kptfile": _kptfile(f"image: {FOREIGN}\n      configPath: own.yaml", OURS),
        "own.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: own\ndata:\n  do: replicas\n",
    },
    "a sub-package": {
        "Kptfile": _kptfile(_does("label")),
        "sub/Kptfile": _kptfile(_does("new"), OURS, name="sub"),
        **{f"sub/{name}": text for name, text in FILES.items()},
    },
    "its errors are no failure": {"Kptfile": _kptfile(_does("tell-error"), OURS)},
}
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
FLAGS = ("--allow-images", "--allow-exec")


@pytest.fixture(scope="session")
def _built() -> str:
    """Return the image of the step."""
    done = subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True, check=False)
    if done.returncode:
        lacking(f"no Docker engine holds the image {IMAGE} (make images)")
    text = f'FROM {IMAGE}\nCOPY {STEP.name} /step.py\nENTRYPOINT ["{PYTHON}", "/step.py"]\n'
    command = ["docker", "build", "--quiet", "--tag", FOREIGN, "--file", "-", str(STEP.parent)]
    subprocess.run(command, input=text.encode(), check=True, capture_output=True)
    return FOREIGN


@pytest.fixture
def engine(machine: Machine, request: pytest.FixtureRequest) -> Machine:
    machine.needs("docker")
    request.getfixturevalue("_built")
    return machine


@pytest.fixture
def own(engine: Machine, tmp_path: Path) -> Iterator[str]:
    """Return an image of one test, so that its containers are told from those of others that run at the same time."""
    name = f"localhost/krm-values-foreign:{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:12]}"
    engine.run("docker", "build", "--quiet", "--tag", name, "-", stdin=f'FROM {FOREIGN}\nLABEL test="{tmp_path}"\n')
    yield name
    engine.run("docker", "rmi", "--force", name)


def _package(folder: Path, files: dict[str, str]) -> Package:
    for name, text in {**FILES, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return Package(folder)


@pytest.mark.parametrize("name", MIXED)
def test_a_mixed_package_is_what_kpt_makes_of_it(name: str, engine: Machine, tmp_path: Path) -> None:
    engine.needs("kpt")
    ours, theirs = (_package(tmp_path / side / "package", MIXED[name]) for side in ("ours", "theirs"))
    before = ours.snapshot()
    engine.run("krm-values", "render", *FLAGS, ours.path, "--results-dir", tmp_path / "ours-results")
    engine.run("kpt", "fn", "render", "--allow-exec", theirs.path, "--results-dir", tmp_path / "their-results")
    assert ours.snapshot() == theirs.snapshot()
    assert ours.snapshot() != before or name == "without ids"
    one, other = (_results(tmp_path / side) for side in ("ours-results", "their-results"))
    assert one == other


def _results(folder: Path) -> list:
    """Return what a results file says of the steps that are not ours."""
    (found,) = read((folder / "results.yaml").read_text("utf-8"))
    return [one for one in found["items"] if one.get("exec") != "krm-layered-values"]


def test_a_step_that_fails_fails_as_under_kpt(engine: Machine, tmp_path: Path) -> None:
    engine.needs("kpt")
    files = {"Kptfile": _kptfile(OURS, _does("fail"))}
    ours, theirs = (_package(tmp_path / side / "package", files) for side in ("ours", "theirs"))
    before = ours.snapshot()
    failed = engine.run("krm-values", "render", *FLAGS, ours.path, "--results-dir", tmp_path / "one", code=1)
    engine.run("kpt", "fn", "render", "--allow-exec", theirs.path, "--results-dir", tmp_path / "other", code=1)
    assert ours.snapshot() == theirs.snapshot() == before
    assert _results(tmp_path / "one") == _results(tmp_path / "other")
    assert _in_package(failed.stderr, ours) == (
        f"error: web.yaml: Deployment web: `spec.replicas`: is refused (from image {FOREIGN})\n"
    )


def test_comments_stay_with_the_elements_of_a_list_of_which_a_step_adds_and_removes_some(
    engine: Machine, tmp_path: Path
) -> None:
    """kpt gives them back by index, so there they change places."""
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("element"))})
    engine.run("krm-values", "render", *FLAGS, package.path)
    containers = """\
        - name: first
          image: first:1
        # the one that counts
        - name: main
          image: main:1 # pinned
"""
    assert package.text("web.yaml").endswith(f"      containers:\n{containers}")


# What a package alone cannot do, and what a step may do.


@pytest.mark.parametrize("command", ["render", "explain", "values", "compare", "impact", "why"])
@pytest.mark.parametrize("call", [f"image: {FOREIGN}", f"exec: {EXEC}"])
def test_nothing_runs_without_its_flag(command: str, call: str, engine: Machine, tmp_path: Path) -> None:
    """Nor with the flag of the other kind."""
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("replicas", call=call))})
    words = {
        "compare": (package.path, package.path),
        "impact": (package.path / "web.yaml",),
        "why": (f"{package.path}/web.yaml:7",),
    }
    for flags in ((), ("--allow-exec",) if call.startswith("image") else ("--allow-images",)):
        failed = engine.run("krm-values", command, *flags, *words.get(command, (package.path,)), code=None)
        assert failed.returncode in (1, 2)
        assert "is not a function of krm-values: run it with `--allow-" in failed.stderr
        assert failed.stdout == ""


def _told(engine: Machine, package: Package, *flags: str) -> str:
    done = engine.run("krm-values", "render", "-v", *flags, package.path, extra={"SECRET_OF_CALLER": "x"})
    (found,) = re.findall(r"`spec.replicas`: (.*) \(from image", done.stderr)
    return found


def test_an_image_is_locked_up(engine: Machine, tmp_path: Path) -> None:
    """As nobody, without network, on a file system of which only /tmp can be written, without privileges and variables."""
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("isolation"))})
    assert _told(engine, package, "--allow-images") == "65534 ['/tmp', '/dev/shm'] ['lo'] 1 0000000000000000 False"


def test_an_image_gets_the_network_only_on_request(engine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("isolation"))})
    told = _told(engine, package, "--allow-images", "--network")
    with open("/proc/net/dev", encoding="utf-8") as file:
        ours = [line.partition(":")[0].strip() for line in file if ":" in line]
    assert ours == ["lo"] or "['lo']" not in told


# Faults: one clear error, and nothing is written.

IMAGE_FAULTS = {
    "nonsense": "prints something else than a ResourceList: line 2: ",
    "no-list": "prints something else than a ResourceList with `items`",
    "no-resource": "prints something else than resources: `items[0]` has no `apiVersion`",
    "no-item": "prints no resource, which would remove every resource of the package",
    "nothing": "prints nothing, which would remove every resource of the package",
    "bytes": "prints something else than a ResourceList: it is not UTF-8",
    "new-outside": "the path must lead to a file inside the package",
    "move-out": 'prints a resource for string "../web.yaml": the path must lead to a file inside the package',
    "move-to-git": 'the path must not have a part that begins with a dot; found string ".git"',
    "move-to-a-drive": "which leads elsewhere on Windows",
    "new-twice": 'prints two resources at path "made/here.yaml"',
    "hang": "does not end within 3 seconds, so it was killed",
    "memory": "needs more than 268,435,456 bytes of memory, so it was killed",
    "much": "prints more than 1,000,000 bytes, so it was killed",
}
CRASHES = {
    "crash": "fails with exit code 1: ValueError: of the step itself",
    "processes": "fails with exit code 1: BlockingIOError: ",
}
LOW = {
    "KRM_VALUES_MAX_STEP_SECONDS": "3",
    "KRM_VALUES_MAX_STEP_MEMORY": str(256 << 20),
    "KRM_VALUES_MAX_INPUT_BYTES": "1000000",
}
AT = "error: Kptfile:9:7: `pipeline.mutators[1].{key}`: "


def _fails(machine: Machine, package: Package, *flags: str, extra: dict[str, str] | None = None) -> str:
    """Return the one line of a render that must fail and write nothing."""
    before = package.snapshot()
    failed = machine.run("krm-values", "render", *flags, package.path, code=1, extra=extra or {})
    (line,) = failed.stderr.splitlines()
    assert failed.stdout == ""
    assert package.snapshot() == before
    return _in_package(line, package)


def _in_package(text: str, package: Package) -> str:
    """Return findings with files as they are in the package, and without their kinds."""
    return re.sub(r"(?m) \[[\w-]+\]$", "", text.replace(f" {package.path}/", " "))


def _leaves_nothing(machine: Machine, image: str) -> bool:
    return not machine.run("docker", "ps", "--all", "--quiet", "--filter", f"ancestor={image}").stdout


def _limits_memory(machine: Machine) -> bool:
    return machine.run("docker", "info", "--format", "{{.MemoryLimit}} {{.PidsLimit}}").stdout.strip() == "true true"


@pytest.mark.parametrize("what", IMAGE_FAULTS)
def test_a_fault_of_an_image_is_one_clear_error(what: str, own: str, engine: Machine, tmp_path: Path) -> None:
    if what == "memory" and not _limits_memory(engine):
        lacking("the Docker engine does not limit memory")
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, _does(what, call=f"image: {own}"))})
    line = _fails(engine, package, "--allow-images", extra=LOW)
    assert line.startswith(AT.format(key="image") + f'image "{own}" ')
    assert IMAGE_FAULTS[what] in line
    assert _leaves_nothing(engine, own)


@pytest.mark.parametrize("what", CRASHES)
def test_a_step_that_ends_badly_is_one_clear_error(what: str, own: str, engine: Machine, tmp_path: Path) -> None:
    if what == "processes" and not _limits_memory(engine):
        lacking("the Docker engine does not limit processes")
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, _does(what, call=f"image: {own}"))})
    line = _fails(engine, package, "--allow-images")
    assert line.startswith("error: Kptfile:9:7: Kptfile package `pipeline.mutators[1].image`: ")
    assert CRASHES[what] in line
    assert _leaves_nothing(engine, own)


@pytest.mark.parametrize("what", ["nonsense", "nothing", "bytes", "hang", "much"])
def test_a_fault_of_a_program_is_one_clear_error(what: str, machine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, _does(what, call=f"exec: {EXEC}"))})
    line = _fails(machine, package, "--allow-exec", extra=LOW)
    assert line.startswith(AT.format(key="exec") + f'exec "{EXEC}" ')
    assert IMAGE_FAULTS[what] in line


@pytest.mark.parametrize("what", ["index-of-5000-digits", "ids-of-5000-digits"])
def test_a_number_of_5000_digits_is_no_number(what: str, machine: Machine, tmp_path: Path) -> None:
    """An index is then the one that the resource had, and a resource with such an id is a new one in its place."""
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does(what, call=f"exec: {EXEC}"))})
    before = package.snapshot()
    machine.run("krm-values", "render", "--allow-exec", package.path)
    after = package.snapshot()
    assert after.keys() == before.keys()
    assert [read(after[name])[0]["metadata"]["name"] for name in FILES] == [
        read(before[name])[0]["metadata"]["name"] for name in FILES
    ]


@pytest.mark.parametrize(
    ("call", "said"), [("exec: no-such-program", "is no program on PATH"), ("exec: /etc/passwd", "is no program on PATH")]
)
def test_a_program_that_is_not_there_is_one_clear_error(call: str, said: str, machine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, call)})
    assert _fails(machine, package, "--allow-exec").endswith(said)


def test_a_container_that_somebody_kills_is_one_clear_error(own: str, engine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, _does("hang", call=f"image: {own}"))})

    def kill() -> None:
        for _ in range(100):
            running = engine.run("docker", "ps", "--quiet", "--filter", f"ancestor={own}").stdout.split()
            if running:
                engine.run("docker", "kill", *running, code=None)
                return
            time.sleep(0.1)

    killer = threading.Thread(target=kill)
    killer.start()
    line = _fails(engine, package, "--allow-images")
    killer.join()
    assert line == AT.format(key="image") + f'image "{own}" was killed'
    assert _leaves_nothing(engine, own)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_render_leaves_no_container(number: int, own: str, engine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("hang", call=f"image: {own}"))})
    before = package.snapshot()
    environment = {**engine.environment}
    command = ["env", "--default-signal=INT", "krm-values", "render", "--allow-images", str(package.path)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        for _ in range(100):
            if engine.run("docker", "ps", "--quiet", "--filter", f"ancestor={own}").stdout:
                break
            time.sleep(0.1)
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert _leaves_nothing(engine, own)
    assert package.snapshot() == before


def test_an_image_that_is_missing_is_not_pulled_unless_asked(engine: Machine, tmp_path: Path) -> None:
    name = "127.0.0.1:9/nowhere/step:v1"
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"image: {name}")})
    line = _fails(engine, package, "--allow-images")
    assert (
        line == AT.format(key="image") + f'image "{name}" cannot be run: is not present on this machine: fetch it with `--pull`'
    )
    line = _fails(engine, package, "--allow-images", "--pull")
    assert line.startswith(AT.format(key="image") + f'image "{name}" cannot be run: cannot be pulled: ')
    assert "connection refused" in line


class _Registry(BaseHTTPRequestHandler):
    """A registry with one image, of a layer that comes late: it is pulled while somebody waits."""

    def do_GET(self) -> None:
        name, reference = self.path.rpartition("/")[0], self.path.rpartition("/")[2]
        layer = io.BytesIO()
        with tarfile.open(fileobj=layer, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("file"))
        config = json.dumps({
            "architecture": "amd64", "os": "linux", "config": {}, "rootfs": {"type": "layers", "diff_ids": [_digest(layer.getvalue())]},
        }).encode()  # fmt: skip
        kinds = {"config": ("container.image.v1+json", config), "layers": ("image.rootfs.diff.tar", layer.getvalue())}
        told = {
            key: {"mediaType": f"application/vnd.docker.{kind}", "size": len(blob), "digest": _digest(blob)}
            for key, (kind, blob) in kinds.items()
        }
        manifest = json.dumps({
            "schemaVersion": 2, "mediaType": MANIFEST, "config": told["config"], "layers": [told["layers"]],
        }).encode()  # fmt: skip
        found = {_digest(blob): blob for _, blob in kinds.values()}
        content = manifest if name.endswith("/manifests") else found.get(reference, b"{}")
        if content == layer.getvalue():
            time.sleep(2)
        self.send_response(200)
        self.send_header("Content-Type", MANIFEST if content == manifest else "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Docker-Content-Digest", _digest(content))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def test_an_image_is_pulled_with_a_progress_bar(machine: Machine, tmp_path: Path) -> None:
    """What it holds cannot be run, which is said then."""
    machine.needs("docker")
    if machine.run("docker", "info", code=None).returncode:
        lacking("no Docker engine runs")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Registry) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        image = f"127.0.0.1:{server.server_port}/others/step:v1"
        package = _package(tmp_path / "package", {"Kptfile": _kptfile(f"image: {image}")})
        ours, theirs = pty.openpty()
        command = ["krm-values", "render", "--allow-images", "--pull", str(package.path)]
        process = subprocess.Popen(command, env={**machine.environment, "TERM": "xterm"}, stderr=theirs)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while piece := os.read(ours, 1024):
                shown += piece
        assert process.wait() == 1
        server.shutdown()
    assert b"pulling 127.0.0.1" in shown
    assert b"No command specified" in shown or b"nobody" in shown
    machine.run("docker", "rmi", image)


def test_an_engine_that_is_gone_is_one_clear_error(machine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"image: {FOREIGN}")})
    line = _fails(machine, package, "--allow-images", extra={"DOCKER_HOST": f"unix://{tmp_path}/no.sock"})
    assert line.startswith(AT.format(key="image") + f'image "{FOREIGN}" cannot be run: the Docker engine cannot be reached: ')


def test_an_image_without_nobody_is_one_clear_error(engine: Machine, tmp_path: Path) -> None:
    image = "localhost/krm-values-empty:v1"
    text = 'FROM scratch\nCOPY machine.py /x\nENTRYPOINT ["/x"]\n'
    command = ["docker", "build", "--quiet", "--tag", image, "--file", "-", str(STEP.parent)]
    subprocess.run(command, input=text.encode(), check=True, capture_output=True)
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"image: {image}")})
    line = _fails(engine, package, "--allow-images")
    assert "the Docker engine fails: " in line
    assert "nobody" in line


@pytest.mark.parametrize("built", ["arm64", "amd64"])
def test_an_image_for_another_processor_is_one_clear_error(built: str, engine: Machine, tmp_path: Path) -> None:
    """As its configuration says, or its program alone."""
    own = engine.run("docker", "version", "--format", "{{.Server.Arch}}").stdout.strip()
    program = bytearray(Path("/bin/true").read_bytes())
    program[18:20] = b"\x00\x00"  # of no processor
    image, files = (
        f"localhost/krm-values-for-{built}:v1",
        {"etc/passwd": b"nobody:x:65534:65534::/:/x\n", "x": bytes(program)},
    )
    archive = _archive(files, {"architecture": built, "os": "linux", "config": {"Entrypoint": ["/x"]}}, image)
    (tmp_path / "image.tar").write_bytes(archive)
    engine.run("docker", "load", "--input", tmp_path / "image.tar")
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"image: {image}")})
    line = _fails(engine, package, "--allow-images")
    said = f"is for {built}, and this machine is {own}" if built != own else f"holds a program for another processor than {own}"
    assert line == AT.format(key="image") + f'image "{image}" cannot be run: {said}: name an image for {own}'
    assert _leaves_nothing(engine, image)
    engine.run("docker", "rmi", image)


def _archive(files: dict[str, bytes], config: dict[str, object], name: str) -> bytes:
    """Return an image as `docker load` reads it."""
    layer = _tar(files)
    rootfs = {"type": "layers", "diff_ids": [_digest(layer)]}
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    held = {"config.json": {**config, "rootfs": rootfs}, "manifest.json": manifest}
    return _tar({"layer.tar": layer, **{file: json.dumps(one).encode() for file, one in held.items()}})


def _tar(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def test_without_the_library_it_is_one_clear_error(machine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"image: {FOREIGN}")})
    (tmp_path / "docker.py").write_text("raise ImportError\n", "utf-8")
    line = _fails(machine, package, "--allow-images", extra={"PYTHONPATH": str(tmp_path)})
    assert line.endswith("needs the library `docker`: pip install 'krm-values[docker]'")


@pytest.mark.parametrize("written", ["aHVudGVyMg==", "|\n    aHVu\n    dGVyMg=="])
def test_what_a_step_says_of_a_secret_is_hidden(written: str, machine: Machine, tmp_path: Path) -> None:
    secret = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\ndata:\n  password: {written}\n"
    program = tmp_path / "tell"
    program.write_text("#!/bin/sh\necho 'no: hunter2, aHVudGVyMg==' >&2\nexit 1\n", "utf-8")
    program.chmod(0o755)
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, f"exec: {program}"), "secret.yaml": secret})
    line = _fails(machine, package, "--allow-exec", "--results-dir", str(tmp_path / "results"))
    assert line.endswith("fails with exit code 1: no: <hidden>, <hidden>")
    assert "hunter2" not in (tmp_path / "results" / "results.yaml").read_text("utf-8")


# What explain says of such a step.


def test_explain_shows_the_step_as_a_layer_of_its_own(engine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(OURS, _does("replicas"))})
    shown = engine.run(
        "krm-values", "explain", "--allow-images", package.path, "spec.replicas", extra={"COLUMNS": "120"}
    ).stdout
    layer = re.escape(f"step 2, image {FOREIGN}, not ours: changed here")
    assert re.search(rf"^  \+ {layer}\s+Kptfile:9\s+3\n  - resource\s+other.yaml:6\s+1$", shown, re.MULTILINE), shown
    assert re.search(r"^  \+ base +layers.yaml:10 +2$", shown, re.MULTILINE), shown


def test_explain_shows_what_the_step_made_and_took_away(engine: Machine, tmp_path: Path) -> None:
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(_does("new"), _does("element"))})
    shown = engine.run("krm-values", "explain", "--allow-images", package.path).stdout
    made = f"  + step 1, image {FOREIGN}, not ours: changed here"
    assert "ConfigMap shop/made" in shown
    assert shown.count(made) >= 2
    assert "first:1" in shown


def test_a_secret_that_a_step_copies_is_not_shown(engine: Machine, tmp_path: Path) -> None:
    """Its values are known, wherever the step writes one of them."""
    secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  password: replicas-hunter2\n"
    program = tmp_path / "copy"
    program.write_text('#!/bin/sh\nexec sed "s/main:1/replicas-hunter2/"\n', "utf-8")
    program.chmod(0o755)
    package = _package(tmp_path / "package", {"Kptfile": _kptfile(f"exec: {program}"), "secret.yaml": secret})
    for command in (("explain",), ("render", "--diff"), ("explain", "--json"), ("values",)):
        done = engine.run("krm-values", *command, "--allow-exec", package.path, code=None)
        assert done.returncode in (0, 1)
        assert "hunter2" not in done.stdout + done.stderr
        assert "hidden" in done.stdout
    engine.run("krm-values", "render", "--allow-exec", package.path)
    assert "image: replicas-hunter2 # pinned" in package.text("web.yaml")
