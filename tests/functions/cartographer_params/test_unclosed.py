"""Text that looks like a tag whose closing `$` is missing, and text that is nobody's."""

from __future__ import annotations

import pytest

from tests.functions.cartographer_params.support import body, chain, findings, plan, stamped, step, template, thing, workload


def unclosed(written, **more):
    """The texts that are named in a template with this string."""
    return of(plan(template(template=body({"v": written}, name="t") | more)))


def of(planned):
    return [one.tags["text"] for one in findings(planned, "warning") if one.kind == "unclosed-tag"]


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        ("$(workload.spec.source.git.url)", ["$(workload.spec.source.git.url)"]),
        ("$(deliverable['metadata']['name'])", ["$(deliverable['metadata']['name'])"]),
        ("$(params.x)", ["$(params.x)"]),
        ("$(params['x'])", ["$(params['x'])"]),
        ("$(source.url) $(sources.a.url)", ["$(source.url)", "$(sources.a.url)"]),
        ("$(image.a) $(images.a.image) $(config.a) $(configs.a.config)", ["$(image.a)", "$(images.a.image)", "$(config.a)", "$(configs.a.config)"]),
        ("$(deployment.url) $(labels.a)", ["$(deployment.url)", "$(labels.a)"]),
        ('$(workload.spec.params[?(@.name=="x")].value)', ['$(workload.spec.params[?(@.name=="x")].value)']),
        ("$(params.a)$ then $(params.b)", ["$(params.b)"]),
        ("$(params.a) $(params.a)", ["$(params.a)"]),
        ("run $(date $(params.a))", ["$(params.a)"]),
        ("$(params.x)$", []),
        ("$(params.a) then $(params.b)$", []),  # one tag, which does not parse
        ("$(params.x", []),
        ("$(params.x }", []),
        ("$(HOME)/x $(date +%F) ${params.x} $(image) $(params) $(owner.x) $(runnable.x) $(Params.x)", []),
        ("(params.x) $params.x $((params.x))", []),
    ],
)  # fmt: skip
def test_what_begins_as_a_tag_and_is_closed_without_a_dollar(written, texts):
    assert unclosed(written) == texts


def test_params_of_an_object_of_tekton_are_tektons():
    written = "$(params.x) $(workload.metadata.name)"
    assert unclosed(written, apiVersion="tekton.dev/v1") == ["$(workload.metadata.name)"]
    assert unclosed(written, apiVersion="tekton.dev/v1beta1") == ["$(workload.metadata.name)"]
    assert unclosed(written, apiVersion="triggers.tekton.dev/v1beta1") == ["$(params.x)", "$(workload.metadata.name)"]
    assert unclosed(written, apiVersion="tekton.dev.example/v1") == ["$(params.x)", "$(workload.metadata.name)"]


def test_a_run_template_has_keys_of_its_own():
    written = "$(runnable.spec.inputs.x) $(selected.status.y) $(params.x) $(workload.metadata.name)"
    run = thing("ClusterRunTemplate", "r", {"template": body({"v": written}, generateName="x-")})
    assert of(plan(run)) == ["$(runnable.spec.inputs.x)", "$(selected.status.y)"]


def test_a_body_for_ytt_has_no_tags():
    assert of(plan(template(template=..., ytt="v: $(params.x)\n"))) == []


def test_the_place_and_the_way_out_are_told_and_the_text_stays():
    written = {"deep": [{"url": "$(workload.spec.image)"}]}
    planned = plan(workload(), chain(step()), template(template=body(written, name="t")))
    (one,) = findings(planned, "warning")
    assert (one.rule, one.path) == ("S16", ("spec", "template", "spec", "deep", 0, "url"))
    assert "write `$(workload.spec.image)$`" in one.message
    assert stamped(planned)[0]["spec"] == written


def test_a_long_text_is_cut_and_many_take_no_time():
    (text,) = unclosed(f"$(params.{'x' * 1000})")
    assert text == f"$(params.{'x' * 191}..."
    assert len(unclosed("$(params.x" * 20_000 + ")" * 20_000)) <= 20_000
