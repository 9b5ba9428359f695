"""A diff shows the YAML text of a Secret that a function wrote, key by key, and of the values that came out of Secrets only whether they changed."""

from __future__ import annotations

import re
import shutil
from base64 import b64decode, b64encode

import pytest

from tests.cli.packages import command
from tests.secrets.markers import Marker
from tests.secrets.trees import EXAMPLES, replant

A, B = Marker("first"), Marker("changed")
STORY = "flux-values/base-and-site"


@pytest.fixture
def package(tmp_path):
    directory = shutil.copytree(EXAMPLES / STORY, tmp_path / "package", ignore=shutil.ignore_patterns(".expected"))
    replant(directory, A)
    return directory


def edit(directory, file, old, new):
    text = (directory / file).read_text()
    assert old in text
    (directory / file).write_text(text.replace(old, new))


DECODED = """\
+  values.yaml:  # decoded
+    allow: [192.0.2.0/24]
+    lamp:
+      colour: white
+      period: 5
+    registry: registry.example.test
+    replicas: 3
+    upstream:
+      password: PASSWORD
+      user: beacon
"""
CHANGED = """\
     lamp:
       colour: white
-      period: OLD
+      period: 7
     registry: registry.example.test
     replicas: 3
     upstream:
-      password: FIRST
+      password: SECOND
       user: beacon
"""


def diff(directory, *words):
    done = command("render", "--diff", directory, *words)
    assert done.returncode == 1
    return done.stdout


def test_a_new_secret_is_shown_key_by_key(package):
    assert DECODED.replace("PASSWORD", "<hidden>") in diff(package)
    assert DECODED.replace("PASSWORD", A.text) in diff(package, "--show-secrets")


def test_what_changes_is_shown_where_it_came_out_of_a_config_map(package):
    """The earlier value may have come out of a Secret."""
    assert command("render", package).returncode == 0
    edit(package, "site/values.yaml", "period: 5", "period: 7")
    replant(package, B)
    hidden = dict.fromkeys(("OLD", "FIRST", "SECOND"), "<hidden>")
    for words, shown in ((), hidden), (["--show-secrets"], {"OLD": "5", "FIRST": A.text, "SECOND": B.text}):
        assert re.sub("OLD|FIRST|SECOND", lambda match, shown=shown: shown[match[0]], CHANGED) in diff(package, *words)


def test_a_value_that_stays_has_no_sign(package):
    assert command("render", package).returncode == 0
    edit(package, "app/release.yaml", "user: beacon", "user: other")
    shown = diff(package)
    assert "       password: <hidden>\n-      user: <hidden>\n+      user: other\n" in shown


def test_a_key_that_is_decided_no_more_may_have_been_one_of_a_secret(package):
    assert command("render", package).returncode == 0
    edit(package, "base/values.yaml", "colour: white", "shade: white")
    assert "-      <hidden>: <hidden>\n+      shade: white\n" in diff(package)
    assert "-      colour: white\n" in diff(package, "--show-secrets")


def test_impact_knows_what_came_out_of_secrets_in_both_states(package):
    done = command("impact", f"{package}/base/values.yaml:lamp.colour", package)
    assert "     lamp:\n-      colour: white\n       period: 5\n" in done.stdout
    edit(package, "app/release.yaml", "  values:\n", "  values:\n    lamp: {colour: plain}\n")
    edit(package, "app/release.yaml", "  - kind: Secret\n", "  - {kind: Secret, name: more}\n  - kind: Secret\n")
    head = "apiVersion: v1\nkind: Secret\nmetadata: {name: more, namespace: coast}\n"
    (package / "more.yaml").write_text(f"{head}stringData: {{values.yaml: 'lamp: {{colour: {A.text}}}'}}\n")
    done = command("impact", f"{package}/app/release.yaml:lamp.colour", package)
    assert "-      colour: plain\n+      colour: <hidden>\n" in done.stdout
    assert A.text not in done.stdout


def test_a_text_that_is_written_in_another_form_differs(package):
    assert command("render", package).returncode == 0
    (written,) = (path for path in package.rglob("*-flux-values.yaml"))
    text = written.read_text()
    held = re.search(r"values.yaml: (\S+)", text)[1]
    edited = b64encode(b"# by hand\n" + b64decode(held)).decode()
    written.write_text(text.replace(held, edited))
    assert diff(package, "--show-secrets").count("  values.yaml:  # decoded, written in another form\n") == 2


def test_that_only_the_form_of_a_text_with_a_hidden_value_differs_is_not_told(package):
    assert command("render", package).returncode == 0
    (written,) = (path for path in package.rglob("*-flux-values.yaml"))
    text = written.read_text()
    held = re.search(r"values.yaml: (\S+)", text)[1]
    plain = b64decode(held).decode()
    found = []
    for edited in (f"# by hand\n{plain}", plain.replace(A.text, B.text)):
        written.write_text(text.replace(held, b64encode(edited.encode()).decode()))
        found.append(diff(package))
    assert found[0] == found[1]
    assert "-      password: <hidden>\n+      password: <hidden>\n" in found[0]


def test_what_is_not_in_a_line_of_its_own_is_one_hidden_value(package):
    assert command("render", package).returncode == 0
    (written,) = (path for path in package.rglob("*-flux-values.yaml"))
    text = written.read_text()
    written.write_text(re.sub(r"data:\n  values.yaml: (\S+)", r"data: {values.yaml: \1}", text))
    edit(package, "site/values.yaml", "period: 5", "period: 7")
    assert "data: {values.yaml: <hidden>}\n" in diff(package)
