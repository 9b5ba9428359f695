"""A scheduler of Dask and its workers over loopback, as processes, with certificates that are made here."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.cli.packages import SOURCE, clean
from tests.fleet import made

ROOT = SOURCE.parent


def authority(folder: Path) -> tuple[Path, Path, Path]:
    """An authority, a certificate that it has signed, and the key of that."""
    folder.mkdir(parents=True, exist_ok=True)
    owner, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    files = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(_certificate("authority", owner, owner, is_authority=True))
    files[1].write_bytes(_certificate("one", key, owner, is_authority=False))
    form, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files[2].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, none))
    return files


def _certificate(name, key, owner, *, is_authority):
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (name, "authority")]
    began = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(names[0])
        .issuer_name(names[1])
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(began)
        .not_valid_after(began.replace(year=2100))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .sign(owner, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM)


class Dask:
    """A scheduler, in a `with` block; `start` adds workers."""

    def __init__(self, folder: Path, *, protocol: str = "tls") -> None:
        self.folder = folder
        self.files = authority(folder / "pem")
        self.protocol = protocol
        self._processes: list[subprocess.Popen] = []
        self._workers = 0

    def __enter__(self) -> Self:
        told = self.folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--protocol", self.protocol, "--no-dashboard", "--scheduler-file", told)
        self.scheduler = self._call("scheduler", *words)
        made.until(told.exists)
        self.address = made.until(lambda: _address(told))
        return self

    def start(self, count: int = 1, *, nanny: bool = True, preload: str = "", **environment: str) -> None:
        """Start workers."""
        for _ in range(count):
            name, self._workers = f"worker-{self._workers}", self._workers + 1
            words = ("--nthreads", "1", "--no-dashboard", "--local-directory", self.folder / name, "--name", name)
            manner = "--nanny" if nanny else "--no-nanny"
            self._call("worker", self.address, *words, manner, *(["--preload", preload] if preload else []), **environment)

    def _call(self, what: str, *words: object, **environment: str) -> subprocess.Popen:
        settings = {
            "PYTHONPATH": f"{SOURCE}{os.pathsep}{ROOT}",
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
        }
        ca, certificate, key = self.files
        given = ("--tls-ca-file", ca, "--tls-cert", certificate, "--tls-key", key) if self.protocol == "tls" else ()
        log = (self.folder / f"{what}-{len(self._processes)}.log").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, (*words, *given))],
            env={**clean(environment), **settings}, stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
        )  # fmt: skip
        log.close()
        self._processes.append(process)
        return process

    def at_work(self, folder: Path) -> int:
        """The worker that has started the program which waits in a test."""
        for process in self._processes[1:]:
            for task in Path(f"/proc/{process.pid}/task").iterdir():
                for child in (task / "children").read_text().split():
                    if str(folder).encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                        return process.pid
        raise AssertionError("no worker waits")

    def processor(self) -> float:
        """The seconds of processor that the scheduler, the workers and what they have started have taken."""
        groups = {process.pid for process in self._processes}
        total = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = path.read_text().rpartition(")")[2].split()
                total += sum(map(int, fields[11:15])) if int(fields[2]) in groups else 0
        return total / os.sysconf("SC_CLK_TCK")

    @property
    def words(self) -> tuple[str | Path, ...]:
        """The options by which our command reaches it."""
        ca, certificate, key = self.files
        return ("--scheduler", self.address, "--tls-ca", ca, "--tls-cert", certificate, "--tls-key", key)

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        for process in self._processes:
            process.wait()


def _address(told: Path) -> str:
    try:
        return json.loads(told.read_text())["address"]
    except ValueError:
        return ""
