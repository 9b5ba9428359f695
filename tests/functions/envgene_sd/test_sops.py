"""What sops gets of the environment, which program it is, and what holds it back; a script that tells its own circumstances stands in for it."""

from __future__ import annotations

import os
import shutil
import signal
import time
from unittest import mock

import pytest

from krm_values.envgene_sd.repository import credentials
from krm_values.envgene_sd.repository.credentials import Credentials
from krm_values.envgene_sd.repository.files import FaultsError
from tests.conformance.instances import call
from tests.functions.envgene_sd.test_credentials import CREDENTIALS, OPENED, SOPS, basic
from tests.limited import ends

KEY = "AGE-SECRET-KEY-m4rk"
FILE = "reader: {}\nsops:\n  age: [{recipient: age1x, enc: x}]\n  mac: x\n"
CLEAR = f"reader:\\n  data:\\n    username: sam\\n    password: {OPENED}\\n"
TELLING = f"""#!/bin/sh
env > "$TOLD/environment"
for each in "$@"; do printf '%s\\n' "$each"; done > "$TOLD/arguments"
printf '{CLEAR}'
"""


def program(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "sops"
    path.write_text(text.replace("$TOLD", str(folder)))
    path.chmod(0o755)
    return folder


@pytest.fixture
def place(tmp_path):
    """A repository whose credentials are encrypted."""
    (tmp_path / CREDENTIALS).parent.mkdir(parents=True)
    (tmp_path / CREDENTIALS).write_text(FILE)
    return tmp_path


def header(place, environ, named=(), file=""):
    environ = {"HOME": "/home/of-nobody", "ENVGENE_AGE_PRIVATE_KEY": KEY, **environ}
    with mock.patch.dict(os.environ, {key: value for key, value in environ.items() if value is not None}, clear=True):
        return Credentials(place, file, tuple(named)).header("reader", "central")


def refused(*arguments, **named):
    with pytest.raises(FaultsError) as caught:
        header(*arguments, **named)
    assert [finding.rule for finding in caught.value.findings] == ["95"]
    assert KEY not in str(caught.value)
    return str(caught.value)


def environment(folder):
    lines = (folder / "environment").read_text().splitlines()
    return {name: text for name, _, text in (line.partition("=") for line in lines) if name not in ("PWD", "_", "SHLVL")}


SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "m4rk",
    "VAULT_TOKEN": "m4rk",
    "GOOGLE_APPLICATION_CREDENTIALS": "m4rk",
    "AZURE_CLIENT_SECRET": "m4rk",
    "SECRET_KEY": "m4rk",
    "CI_JOB_TOKEN": "m4rk",
    "LD_PRELOAD_": "m4rk",
    "sops_lower": "m4rk",
    "ENVGENE_AGE_PRIVATE_KEY": KEY,
}


def test_sops_gets_its_own_variables_and_no_others(place):
    tools = program(place / "tools", TELLING)
    own = {"SOPS_AGE_KEY_FILE": "/k", "GNUPGHOME": "/g"}
    assert header(place, {**SECRETS, **own, "PATH": f"{tools}:/usr/bin:/bin"}) == basic("sam", OPENED)
    assert environment(tools) == {"PATH": f"{tools}:/usr/bin:/bin", "HOME": "/home/of-nobody", "SOPS_AGE_KEY": KEY, **own}


def test_a_variable_is_handed_on_when_it_is_named(place):
    tools = program(place / "tools", TELLING)
    header(place, {**SECRETS, "PATH": f"{tools}:/usr/bin:/bin"}, ["VAULT_TOKEN", "AWS_PROFILE"])
    assert environment(tools).keys() == {"PATH", "HOME", "SOPS_AGE_KEY", "VAULT_TOKEN"}


def test_the_path_of_the_file_is_never_an_option(place, monkeypatch):
    tools = program(place / "tools", TELLING)
    (place / "--config.yml").write_text(FILE)
    monkeypatch.chdir(place)
    header(place, {"PATH": f"{tools}:/usr/bin:/bin"}, file="--config.yml")
    arguments = (tools / "arguments").read_text().splitlines()
    assert arguments[-2:] == ["--", str(place / "--config.yml")]


@pytest.mark.parametrize("entry", ["", ".", "bin", "./bin"])
def test_a_program_of_the_repository_is_never_run(place, monkeypatch, entry):
    """What PATH calls relatively is whatever directory one is in."""
    planted = [program(place, TELLING), program(place / "bin", TELLING)]
    tools = program(place / "tools", TELLING)
    monkeypatch.chdir(place)
    assert "no `sops` is on PATH" in refused(place, {"PATH": f"{entry}:/nowhere"})
    header(place, {"PATH": f"{entry}:{tools}:/usr/bin:/bin"})
    assert environment(tools)["PATH"] == f"{tools}:/usr/bin:/bin"
    assert not any((folder / "arguments").exists() for folder in planted)


def test_a_program_that_hangs_is_ended_with_its_children(place, monkeypatch):
    monkeypatch.setattr(credentials, "_SECONDS", 2.0)
    tools = program(place / "tools", '#!/bin/sh\nsleep 3600 &\necho $! > "$TOLD/child"\nwait\n')
    assert ends(hanging(place, tools))
    child = int((tools / "child").read_text())
    until = time.monotonic() + 5
    while _runs(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(child)


def hanging(place, tools):
    """Return a call of a program that would take an hour."""

    def call():
        assert "sops does not end within" in refused(place, {"PATH": f"{tools}:/usr/bin:/bin"})

    return call


def _runs(number):
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_child_that_keeps_the_output_open_does_not_hold_us(place, monkeypatch):
    monkeypatch.setattr(credentials, "_SECONDS", 0.5)
    tools = program(place / "tools", f"#!/bin/sh\nsetsid sleep 3600 &\necho $! > $TOLD/child\nprintf '{CLEAR}'\n")
    assert ends(hanging(place, tools))
    os.kill(int((tools / "child").read_text()), signal.SIGKILL)


def test_output_without_end_is_refused(place):
    tools = program(place / "tools", "#!/bin/sh\nexec cat /dev/zero\n")
    assert "sops writes more than 10 MiB" in refused(place, {"PATH": f"{tools}:/usr/bin:/bin"})


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (f"echo 'Failed: {OPENED}' >&2; exit 128", "cannot be decrypted by sops"),
        (f"printf 'reader: [{OPENED}'", "something that is not YAML"),
        (f"printf '{OPENED}\\377'", "something that is not UTF-8"),
        (f"printf -- '- {OPENED}'", "must be a map of credentials"),
        ("kill -9 $$", "cannot be decrypted by sops"),
    ],
)
def test_what_goes_wrong_shows_nothing_of_the_file(place, script, words):
    message = refused(place, {"PATH": f"{program(place / 'tools', f'#!/bin/sh{chr(10)}{script}{chr(10)}')}:/usr/bin:/bin"})
    assert words in message
    assert OPENED not in message


def test_a_program_that_cannot_start_is_named(place):
    tools = program(place / "tools", "#!/nowhere/at-all\n")
    assert "sops does not start" in refused(place, {"PATH": str(tools)})


SERVICES = ["hc_vault", "kms", "gcp_kms", "azure_kv", "a_service_to_come"]


@pytest.mark.parametrize(
    "form", ["{name}: [{{key: x}}]", "age: [{{enc: x}}]\n  {name}: [{{key: x}}]", "key_groups: [{{{name}: [{{key: x}}]}}]"]
)
@pytest.mark.parametrize("name", SERVICES)
def test_a_key_service_is_asked_only_with_named_variables(place, name, form):
    """The file says which server it is, and sops would give it the token of the home directory."""
    tools = program(place / "tools", TELLING)
    (place / CREDENTIALS).write_text(f"reader: {{}}\nsops:\n  {form.format(name=name)}\n")
    message = refused(place, {"PATH": f"{tools}:/usr/bin:/bin"})
    assert f"asks a key service ({name})" in message
    assert "`--sops-env NAME`" in message
    assert not (tools / "arguments").exists()
    assert header(place, {"PATH": f"{tools}:/usr/bin:/bin"}, ["VAULT_TOKEN"]) == basic("sam", OPENED)
    without_key = {"PATH": f"{tools}:/usr/bin:/bin", "ENVGENE_AGE_PRIVATE_KEY": None}
    assert header(place, without_key, ["VAULT_TOKEN"]) == basic("sam", OPENED)


@pytest.mark.parametrize(
    "metadata", ["x", "[1]", "{kms: [], hc_vault: null}", "{key_groups: x}", "{key_groups: [1, {age: [1]}]}"]
)
def test_metadata_of_any_form_is_taken(place, metadata):
    tools = program(place / "tools", TELLING)
    (place / CREDENTIALS).write_text(f"reader: {{}}\nsops: {metadata}\n")
    assert header(place, {"PATH": f"{tools}:/usr/bin:/bin"}) == basic("sam", OPENED)


def test_a_named_variable_that_is_not_set_is_named_when_sops_fails(place):
    tools = program(place / "tools", "#!/bin/sh\nexit 1\n")
    message = refused(place, {"PATH": f"{tools}:/usr/bin:/bin"}, ["VAULT_TOKEN"])
    assert "VAULT_TOKEN" in message


@pytest.mark.parametrize("text", ["VAULT_TOKEN=m4rk", "", "A\nB"])
def test_an_option_takes_a_name_and_shows_no_value(tmp_path, text):
    done = call(["fetch", "a:1", "--repository", str(tmp_path), "--sops-env", text], dict(os.environ))
    assert done.code == 2
    assert "must be the name of a variable" in done.err
    assert "m4rk" not in done.err


def test_the_real_sops_takes_what_it_gets(place):
    if not shutil.which("sops"):
        assert os.environ.get("KRM_HOSTS") != "required", "sops must be installed"
        pytest.skip("sops is not installed")
    (place / "-x.yml").write_text((SOPS / "credentials.yml").read_text())
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "ENVGENE_AGE_PRIVATE_KEY": (SOPS / "age.key").read_text().strip(),
    }
    assert header(place, environ, file=str(place / "-x.yml")) == basic("sam", OPENED)
