"""What kpt, kustomize and kubectl cannot read in a list on stdin is a warning with its place, as in a file."""

from __future__ import annotations

import pytest

from krm_values._krm import resourcelist

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
BOM = "\ufeff"
ITEM = '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n  data: {é: "a\\/b"}\n'
PLAIN = ITEM.replace("\\/", "/")
SLASH = "`\\/` within double quotes cannot be read by kpt, kustomize and kubectl: write `/` without the backslash"
MARK = "a byte order mark here is a character, or spoils the document, to kpt, kustomize and kubectl: remove it"
DIRECTIVE = "a directive cannot be read by kpt, kustomize and kubectl: remove this line"


def warned(text: str) -> list[str]:
    return [one.message for one in resourcelist.read(text.encode()).refused_elsewhere()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + PLAIN, []),
        (BOM + HEAD + PLAIN, []),
        (f"# a comment\n{BOM}\n---\n{HEAD}{PLAIN}", [f"stdin:2:1: {MARK}"]),
        (f"%YAML 1.2\n---\n{HEAD}{PLAIN}", [f"stdin:1:1: {DIRECTIVE}"]),
        (f"# a comment\n%YAML 1.2\n---\n{HEAD}{PLAIN}", [f"stdin:2:1: {DIRECTIVE}"]),
        (HEAD + PLAIN + ITEM + ITEM, [f"stdin:11:15: {SLASH}", f"stdin:15:15: {SLASH}"]),
        (HEAD + '- {"apiVersion": "v1", "kind": "a\\/b"}\n', [f"stdin:4:34: {SLASH}"]),
        (HEAD + PLAIN.replace("/", "%\\\\/"), []),
        (f"{HEAD}- kind: A # 100 %\n  metadata: {{name: 'a\\/b'}}\n", []),
    ],
)
def test_it_is_warned_of(text, expected):
    assert warned(text) == expected


def test_a_list_in_json():
    item = '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a\\/b"}}'
    (found,) = warned(f'{{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{item}]}}')
    assert found.startswith("stdin:1:134: `\\/` within double quotes cannot be read by kpt and kustomize:")


def test_a_pipe_says_so():
    from tests.cli.packages import command  # noqa: PLC0415 - this test alone runs the program

    done = command("run", "tekton-params", stdin=HEAD + ITEM)
    assert done.stderr == f"warning: stdin:7:15: {SLASH}\n"
