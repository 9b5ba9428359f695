"""A Kptfile is decoded as strictly as kpt does it; each error is one line with its place."""

from __future__ import annotations

import pytest

from krm_values._data.errors import InputError
from krm_values._krm.kptfile import Selector, read

HEAD = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: demo}\n"


def mutator(*lines: str) -> str:
    return HEAD + "pipeline:\n  mutators:\n  - " + "\n    ".join(lines) + "\n"


@pytest.mark.parametrize(
    "pipeline", ["", "pipeline:\n", "pipeline: {}\n", "pipeline:\n  mutators:\n", "pipeline:\n  mutators: []\n"]
)
def test_a_pipeline_may_be_empty(pipeline):
    found = read(HEAD + pipeline, "Kptfile")
    assert (found.mutators, found.validators) == ((), ())


def test_every_field_of_a_released_kpt_is_accepted():
    text = HEAD + (
        "upstream: {type: git, git: {repo: r, directory: /d, ref: v1}, updateStrategy: resource-merge}\n"
        "upstreamLock: {type: git, git: {repo: r, directory: /d, ref: v1, commit: abc}}\n"
        "info: {site: s, emails: [a], license: l, licenseFile: f, description: d, keywords: [k], man: m}\n"
        "inventory: {namespace: n, name: i, inventoryID: x}\n"
        "status: {conditions: [{type: Rendered, status: 'True'}], renderStatus: {anything: 1}}\n"
        "pipeline: {mutators: [{image: a/b:v1, tag: v1.x, name: n, configPath: c.yaml}]}\n"
    )
    assert [step.image for step in read(text, "Kptfile").mutators] == ["a/b:v1"]


def test_a_step_says_all_that_kpt_reads():
    step = read(
        mutator(
            "exec: krm-values run tekton-params",
            "name: first",
            "configMap: {strict: true, n: 1.10, y: yes, empty: ~, on: on}",
            "selectors: [{kind: A, labels: {x: y}}, {}]",
            "exclude: [{apiVersion: v1, name: n, namespace: s, annotations: {k: v}}]",
        ),
        "Kptfile",
    ).mutators[0]
    assert (step.field, step.places[""], step.exec, step.name) == (
        "pipeline.mutators[0]",
        (6, 5),
        "krm-values run tekton-params",
        "first",
    )
    assert step.config_map == {"strict": "true", "n": "1.10", "y": "yes", "empty": "", "on": "on"}
    assert step.selectors == (Selector((("kind", "A"),), (("x", "y"),), ()), Selector((), (), ()))
    assert step.exclude == (Selector((("apiVersion", "v1"), ("name", "n"), ("namespace", "s")), (), (("k", "v"),)),)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + "foo: 1\n", "4:1: `foo`: is not a field of a Kptfile"),
        (HEAD + "pipline: {}\n", "4:1: `pipline`: is not a field of a Kptfile; did you mean `pipeline`?"),
        (
            mutator("exec: cat", "configmap: {}"),
            "7:5: `pipeline.mutators[0].configmap`: is not a field of a Kptfile; did you mean `configMap`?",
        ),
        (
            mutator("exec: cat", "selectors: [{kinds: A}]"),
            "7:18: `pipeline.mutators[0].selectors[0].kinds`: is not a field of a Kptfile; did you mean `kind`?",
        ),
        (
            mutator("exec: cat", "configMap: {a: {b: c}}"),
            "7:20: `pipeline.mutators[0].configMap.a`: must be text, found object",
        ),
        (mutator("exec: cat", "exec: tac"), "7:5: must not repeat the key `exec`"),
        (mutator("name: x"), "6:5: `pipeline.mutators[0]`: must say what to run: `image` or `exec`"),
        (mutator("exec: a", "image: b"), "6:5: `pipeline.mutators[0]`: must not have both `image` and `exec`"),
        (
            mutator("exec: a", "configPath: c.yaml", "configMap: {a: b}"),
            "6:5: `pipeline.mutators[0]`: must not have both `configMap` and `configPath`",
        ),
        (
            mutator("exec: a", "configPath: x/../../c.yaml"),
            '7:5: `pipeline.mutators[0]`: `configPath` must be a path inside the package; found string "x/../../c.yaml"',
        ),
        (
            mutator("exec: a", "configPath: /c.yaml"),
            '7:5: `pipeline.mutators[0]`: `configPath` must be a path inside the package; found string "/c.yaml"',
        ),
        (HEAD + "pipeline: []\n", "4:11: `pipeline`: must be a map, found array"),
        (HEAD + "pipeline:\n  mutators: 3\n", "5:13: `pipeline.mutators`: must be a list, found number 3"),
        ("- a\n", "1:1: must be a map, found array"),
        ("a: [\n", "1:4: is not YAML: did not find expected node content"),
        ("", "1:1: must hold a document, found nothing"),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n",
            '1:1: must be `apiVersion: kpt.dev/v1`, `kind: Kptfile`; found string "v1" and string "ConfigMap"',
        ),
        (
            "apiVersion: kpt.dev/v1alpha2\nkind: Kptfile\n",
            (
                '1:1: must be `apiVersion: kpt.dev/v1`, `kind: Kptfile`; found string "kpt.dev/v1alpha2" and string "Kptfile"; '
                "upgrade it with kpt first"
            ),
        ),
        (
            "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  annotations: {kpt.dev/bfs-rendering: 'true'}\n",
            "1:1: asks for breadth-first rendering (`kpt.dev/bfs-rendering`), which only kpt does: use `kpt fn render`",
        ),
    ],
)
def test_what_kpt_refuses_is_one_line_with_its_place(text, error):
    with pytest.raises(InputError) as caught:
        read(text, "sub/Kptfile")
    assert str(caught.value) == f"sub/Kptfile:{error}"
