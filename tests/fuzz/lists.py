"""Generated ResourceLists, written by PyYAML, ruamel.yaml and json in many styles: narrow widths make tokens of several lines."""

from __future__ import annotations

import io
import json
from typing import Any

import ruamel.yaml
import yaml as pyyaml
from hypothesis import assume
from hypothesis import strategies as st

NASTY = st.sampled_from(
    [
        *(
            "",
            "x",
            "a b",
            "yes",
            "on",
            "1e3",
            "0777",
            "- a",
            "# c",
            "a: b",
            "a:b",
            "it's",
            'say "hi"',
            '"',
            "'",
            "[",
            "]",
            "{",
            "}",
        ),
        *(
            "line1\nline2\n",
            "line1\n- apiVersion: v1\n  kind: X\n",
            "\n- x",
            " lead",
            "trail ",
            "tab\there",
            "nel\x85x",
            "ls\u2028x",
        ),
        *(
            "cr\rx",
            "é✓😀",
            "long " * 12,
            "a\\b",
            '{\n  "k": [\n    1\n  ]\n}\n',
            "\n\n  x\n\n",
            "---\n",
            "items:\n- a",
            "%x",
            "@x",
        ),
        *("*a", "&b", "!t", "|", ">", "? x", ": ", "null", "~", "2001-01-01"),
    ]
)
SCALARS = st.one_of(NASTY, st.text(max_size=12), st.integers(-9, 9999), st.booleans(), st.none())
KEYS = st.one_of(
    st.sampled_from(["a", "b", "name", "kind", "metadata", "items", "app.k8s.io/x", "on", "x y", "- z", 'q"q']),
    st.text(min_size=1, max_size=6),
)
VALUES = st.recursive(
    SCALARS, lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(KEYS, below, max_size=3)), max_leaves=8
)
METADATA = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b-1", "system:x", "1.2"])},
    optional={
        "namespace": st.sampled_from(["d", "kube-system"]),
        "labels": st.dictionaries(KEYS, NASTY, max_size=3),
        "annotations": st.dictionaries(KEYS, NASTY, max_size=3),
    },
)
RESOURCES = st.fixed_dictionaries(
    {
        "apiVersion": st.sampled_from(["v1", "apps/v1"]),
        "kind": st.sampled_from(["ConfigMap", "Deployment"]),
        "metadata": METADATA,
    },
    optional={"spec": VALUES, "data": st.dictionaries(KEYS, NASTY, max_size=3)},
)


@st.composite
def listed(draw: Any) -> tuple[bytes, list[Any]]:
    """A ResourceList as bytes, and its items."""
    items = draw(st.lists(RESOURCES, max_size=4))
    if draw(st.booleans()):
        items = [dict(draw(st.permutations(list(item.items())))) for item in items]
    whole: dict[str, Any] = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items}
    if draw(st.booleans()):
        whole["functionConfig"] = draw(VALUES)
    if draw(st.booleans()):
        whole = dict(draw(st.permutations(list(whole.items()))))
    text = _varied(draw, _written(draw, whole))
    try:
        return text.encode(), items
    except UnicodeEncodeError:
        assume(condition=False)
        raise


def _written(draw: Any, whole: dict[str, Any]) -> str:
    writer = draw(st.sampled_from([_pyyaml, _pyyaml, _ruamel, _ruamel, _json]))
    try:
        return str(writer(draw, whole))
    except (pyyaml.YAMLError, ruamel.yaml.error.YAMLError, NotImplementedError, IndexError, AssertionError):
        assume(condition=False)
        raise


def _pyyaml(draw: Any, whole: Any) -> str:
    text: str = pyyaml.dump(
        whole,
        Dumper=draw(st.sampled_from([pyyaml.CSafeDumper, pyyaml.SafeDumper])),
        sort_keys=False,
        width=draw(st.sampled_from([10, 20, 40, 80, 1 << 20])),
        indent=draw(st.sampled_from([2, 4])),
        allow_unicode=draw(st.booleans()),
        default_style=draw(st.sampled_from([None, None, None, None, None, '"', "'", "|", ">"])),
        default_flow_style=draw(st.sampled_from([False, False, False, None, True])),
    )
    return text


def _ruamel(draw: Any, whole: Any) -> str:
    writer = ruamel.yaml.YAML()
    writer.width = draw(st.sampled_from([10, 20, 40, 80, 1 << 20]))
    writer.default_flow_style = draw(st.sampled_from([False, None]))
    mapping, sequence, offset = draw(st.sampled_from([(2, 2, 0), (2, 4, 2), (4, 6, 3), (2, 3, 1)]))
    writer.indent(mapping=mapping, sequence=sequence, offset=offset)
    out = io.StringIO()
    writer.dump(whole, out)
    return out.getvalue()


def _json(draw: Any, whole: Any) -> str:
    return json.dumps(whole, indent=draw(st.sampled_from([None, 0, 1, 2])), ensure_ascii=draw(st.booleans()))


def _varied(draw: Any, text: str) -> str:
    """Other line breaks, a marker, a byte order mark, comments: one in ten each."""
    some = st.integers(0, 9).map(lambda number: number == 7)
    text = text.replace("\n", "\r\n") if draw(some) else text
    text = "---\n" + text if draw(some) else text
    text = "\ufeff" + text if draw(some) else text
    text = text + "# end\n" if draw(some) else text
    return text.replace("\n- ", '\n# "between [\n- ') if draw(some) else text
