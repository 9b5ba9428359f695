"""python scripts/images.py --base IMAGE: one image per function and the general one, of the one Dockerfile, each with its SBOM.

All are built before the first is tagged or an SBOM is written, so a failure leaves no part of them. With `--image` only one is built.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

import wheels
from wheels import BuildError, last_line

from krm_values._cli import manual
from krm_values._krm import names
from krm_values._run import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cyclonedx.model.component import Component

ROOT = Path(__file__).parent.parent
WHEELS = ROOT / "build" / "wheels"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GENERAL = PROJECT["name"]
VERSION = f"v{PROJECT['version']}"
PLATFORMS = ("linux/amd64", "linux/arm64")
_HINT = re.compile(r"^(?:(?:#\d+ )?[\d.]+ )?error: (.+)$", re.MULTILINE)
"""What the Dockerfile says; buildx puts its step and time before it."""
PYTHON = "/opt/krm-values/bin/python"
_CONTENTS = """
import importlib.metadata, json, shutil, subprocess
found = []
for one in importlib.metadata.distributions():
    told = one.metadata
    classified = [each.rpartition(' :: ')[2] for each in told.get_all('Classifier', []) if each.startswith('License :: OSI')]
    said = [told.get('License-Expression'), told.get('License'), *classified]
    license = next((each for each in said if each and '\\n' not in each), '')
    found.append([told['Name'], one.version, license, one.requires or []])
system = ''
if shutil.which('dpkg-query'):
    show = ['dpkg-query', '--show', '--showformat', '${Package} ${Version} ${Architecture}\\n']
    system = subprocess.run(show, stdout=subprocess.PIPE, text=True, check=True).stdout
try:
    with open('/etc/os-release') as file:
        system_name = dict(line.rstrip().partition('=')[::2] for line in file if '=' in line).get('ID', '').strip('"')
except OSError:
    system_name = ''
print(json.dumps([found, system_name, [line.split() for line in system.splitlines()]]))
"""


def main(options: argparse.Namespace) -> None:
    """Build what the options say."""
    missing = _why_not_all() if options.release else ""
    wheels.main(WHEELS, options.base, [*PLATFORMS] if options.release and not missing else [])
    if options.image:
        _tag(_built(options.function, options), [options.image])
        return
    built = {name: _built(name, options) for name in ("", *registry.functions())}
    with tempfile.TemporaryDirectory(dir=_parent(options.output)) as folder:
        contents = _contents(built[""])
        for name, identity in built.items():
            _write_sbom(Path(folder), name or GENERAL, identity, contents, options)
        if missing:
            print(missing, file=sys.stderr)
        elif options.release:
            _write_archives(Path(folder), options)
        for name, identity in built.items():
            title = f"{options.registry}/{name or GENERAL}"
            _tag(identity, [f"{title}:{VERSION}", title])
            print(f"{title}:{VERSION}")
        for file in sorted(Path(folder).iterdir()):
            shutil.move(file, options.output / file.name)


def _parent(output: Path) -> Path:
    output.mkdir(parents=True, exist_ok=True)
    return output


def _built(function: str, options: argparse.Namespace) -> str:
    """Build one image without a name, and return its identity."""
    return _docker("build", "--quiet", *_build_options(function, options), str(ROOT)).strip()


def _build_options(function: str, options: argparse.Namespace) -> list[str]:
    readme = f"functions/krm_values/{names.module(function)}/README.md" if function else "README.md"
    given = {
        "BASE_IMAGE": options.base,
        "FUNCTION": function,
        "DESCRIPTION": manual.summary(function) if function else PROJECT["description"],
        "VERSION": VERSION,
        "REVISION": _revision(),
        "SOURCE": options.source,
        "DOCUMENTATION": f"{options.source}/{readme}" if options.source else readme,
    }
    return ["--network", "none", *(word for name, value in given.items() for word in ("--build-arg", f"{name}={value}"))]


def _revision() -> str:
    """Return the commit that is checked out, "" outside of git."""
    head = _git("rev-parse", "HEAD")
    return f"{head}-dirty" if head and _git("status", "--porcelain", "--untracked-files=no") else head


def source_of_remote() -> str:
    """Return the address of the repository that this one was cloned from, without a user's name or token; "" if it is a directory."""
    remote = _git("remote", "get-url", "origin").removesuffix(".git")
    found = re.fullmatch(r"(?:https?://|ssh://|)(?:[^@/]*@)?([\w.-]+\.\w+)(?::\d+/|[:/])(.+)", remote)
    return f"https://{found[1]}/{found[2]}" if found else ""


def _git(*words: str) -> str:
    done = _run("git", "-C", str(ROOT), *words)
    return "" if done.returncode else done.stdout.strip()


def _tag(identity: str, tags: Sequence[str]) -> None:
    for tag in tags:
        _docker("tag", identity, tag)


def _docker(*words: str) -> str:
    done = _run("docker", *words)
    if done.returncode:
        said = done.stdout + done.stderr
        if "no space left on device" in said.lower():
            raise BuildError("the disk of the Docker engine is full: free some space, for example with `docker system prune`")
        hints = _HINT.findall(said)
        raise BuildError(f"`docker {words[0]}` failed: {hints[-1] if hints else last_line(said)}")
    return done.stdout


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Images for the processors that this machine does not have, which only buildx builds.


def _why_not_all() -> str:
    """Return which platforms cannot be built and why, "" if all can: a builder runs the programs of its base image, on each."""
    if _run("docker", "buildx", "version").returncode:
        own = _docker("version", "--format", "{{.Server.Os}}/{{.Server.Arch}}").strip()
        return _not_built([own], "docker buildx is not installed")
    done = _run("docker", "buildx", "inspect", "--bootstrap")
    if done.returncode:
        raise BuildError(f"the builder of docker buildx fails: {last_line(done.stdout + done.stderr)}")
    told = {key: re.findall(rf"^{key}: *(.+)$", done.stdout, re.MULTILINE) for key in ("Name", "Driver", "Platforms")}
    runs = [one.strip(" *") for line in told["Platforms"] for one in line.split(",")]
    if set(PLATFORMS) - {*runs}:
        qemu = "docker run --privileged --rm tonistiigi/binfmt --install all"
        return _not_built(runs, f"the builder {told['Name'][0]} cannot run its programs; QEMU can: `{qemu}`")
    if told["Driver"] == ["docker"] and "io.containerd.snapshotter" not in _docker("info", "--format", "{{.DriverStatus}}"):
        return _not_built(
            runs[:1], "the builder of the engine writes no archives: `docker buildx create --use` makes one that does"
        )
    return ""


def _not_built(runs: Sequence[str], why: str) -> str:
    """Return what to say of the platforms that cannot be built."""
    return f"not built: {', '.join(each.rpartition('/')[2] for each in PLATFORMS if each not in runs)} ({why})"


def _write_archives(folder: Path, options: argparse.Namespace) -> None:
    """Write each image for all platforms as an OCI archive."""
    for name in ("", *registry.functions()):
        archive = folder / f"{name or GENERAL}-{VERSION}.oci.tar"
        form = ("--platform", ",".join(PLATFORMS), "--output", f"type=oci,dest={archive}")
        _docker("buildx", "build", *form, *_build_options(name, options), str(ROOT))


# The SBOM of an image: the libraries in it as they are installed, with the hashes of their wheels, and the packages of the base image.


def _contents(image: str) -> Any:
    return json.loads(_docker("run", "--rm", "--network", "none", "--entrypoint", PYTHON, image, "-c", _CONTENTS))


def _write_sbom(folder: Path, name: str, identity: str, contents: Any, options: argparse.Namespace) -> None:
    from cyclonedx.model import HashAlgorithm, HashType, Property  # noqa: PLC0415 - `make image` does without it
    from cyclonedx.model.bom import Bom, BomMetaData  # noqa: PLC0415
    from cyclonedx.model.component import Component, ComponentType  # noqa: PLC0415
    from cyclonedx.output.json import JsonV1Dot6  # noqa: PLC0415

    digest = identity.removeprefix("sha256:")
    image = Component(
        name=f"{options.registry}/{name}",
        version=VERSION,
        type=ComponentType.CONTAINER,
        bom_ref="image",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        properties=[Property(name="base-image", value=options.base)],
    )
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct") or 0), UTC)
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, digest), metadata=BomMetaData(component=image, timestamp=moment))
    distributions, system, packages = contents
    libraries = {_canonical(told[0]): _library(*told[:3]) for told in distributions}
    for component in (*libraries.values(), *(_package(system, *one) for one in packages)):
        bom.components.add(component)
    bom.register_dependency(image, [libraries[GENERAL]])
    for library, _, _, requires in distributions:
        bom.register_dependency(libraries[_canonical(library)], [libraries[one] for one in _needed(requires, libraries)])
    (folder / f"{name}-{VERSION}.cdx.json").write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n", "utf-8")


def _library(name: str, version: str, told: str) -> Component:
    from cyclonedx.contrib.license.factories import LicenseFactory  # noqa: PLC0415
    from cyclonedx.model import HashAlgorithm, HashType  # noqa: PLC0415
    from cyclonedx.model.component import Component  # noqa: PLC0415
    from packageurl import PackageURL  # noqa: PLC0415

    name = _canonical(name)
    wheel = next((file for file in WHEELS.glob("*.whl") if _canonical(file.name.partition("-")[0]) == name), None)
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(wheel.read_bytes()).hexdigest())] if wheel else []
    licenses = [LicenseFactory().make_from_string(told)] if told else []
    purl = PackageURL("pypi", None, name, version)
    return Component(name=name, version=version, purl=purl, bom_ref=purl.to_string(), hashes=hashes, licenses=licenses)


def _package(system: str, name: str, version: str, architecture: str) -> Component:
    from cyclonedx.model.component import Component  # noqa: PLC0415
    from packageurl import PackageURL  # noqa: PLC0415

    purl = PackageURL("deb", system, name, version, {"arch": architecture})
    return Component(name=name, version=version, purl=purl, bom_ref=purl.to_string())


def _needed(requires: Sequence[str], libraries: Mapping[str, Component]) -> list[str]:
    """Return the libraries among those of the image that these requirements name, without those of extras."""
    found = [_canonical(re.split(r"[^\w.-]", one, maxsplit=1)[0]) for one in requires if "extra ==" not in one]
    return [name for name in found if name in libraries]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, metavar="IMAGE", help="the base image, with Python 3.11 or newer")
    parser.add_argument("--registry", default="localhost", help="what the names of all images begin with (default: localhost)")
    parser.add_argument("--source", default="", metavar="URL", help="where the sources are (default: the remote of this clone)")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "dist", metavar="DIR", help="for SBOMs and archives (default: dist)"
    )
    parser.add_argument("--release", action="store_true", help="for amd64 and arm64, as archives, where buildx is installed")
    parser.add_argument("--image", metavar="NAME", help="build this image alone")
    parser.add_argument("--function", default="", metavar="NAME", help="with --image: the function that it runs")
    found = parser.parse_args()
    found.source = (found.source or source_of_remote()).rstrip("/")
    return found


if __name__ == "__main__":
    try:
        main(_options())
    except (BuildError, OSError) as error:
        raise SystemExit(f"error: {error}") from None
