"""Every option of every command has an effect, or is refused as a mistake of the command line (exit 2): none is ignored."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import PROPAGATE, command, kptfile, run, snapshot, write
from tests.cli.test_config_choice import BARE, listed

from krm_values._cli.arguments import grammar as parser
from krm_values._krm import names
from krm_values._run import registry, tools

ROOT = Path(__file__).parents[2]
INSTANCE = ROOT / "examples/envgene-sd/instance-repository"
ALWAYS = {"-h", "--version", "--debug"}
SD = ["--sd-source-type", "json", "--sd-data", '{"applications":[{"version":"a:1","deployPostfix":"b"}]}']
ONE = ["--environment", "east/prod-7"]

FILES = ["tekton-params", "run.yaml"]
LOOSE = '{"name": "x", "defaultManifestName": "x", "manifests": [], "colour": "red"}'

# (command, option) -> (the call, the option with its value); with it something else is printed, written or answered
EFFECTS = {
    ("run", "--config"): (["tekton-params"], ["--config", "implicit.yaml"]),
    ("run", "--follow-links"): (["tekton-params", "linked"], ["--follow-links"]),
    ("explain", "--follow-links"): (["tekton-params", "linked"], ["--follow-links"]),
    ("render", "--follow-links"): (["linked"], ["--follow-links"]),
    ("run", "--ytt"): (["cartographer-params", "owner"], ["--ytt", "/no/such/ytt"]),
    ("run", "--verbose"): (["flux-values", "run.yaml"], ["-v"]),
    ("run", "--quiet"): (["tekton-params", "implicit.yaml", "run.yaml"], ["-q"]),
    ("explain", "--config"): (["tekton-params"], ["--config", "implicit.yaml"]),
    ("explain", "--ytt"): (["cartographer-params", "owner"], ["--ytt", "/no/such/ytt"]),
    ("explain", "--verbose"): (["flux-values", "run.yaml"], ["-v"]),
    ("explain", "--json"): (FILES, ["--json"]),
    ("explain", "--output"): (FILES, ["-o", "yaml"]),
    ("explain", "--quiet"): (["warned"], ["-q"]),
    ("explain", "--all"): (FILES, ["--all"]),
    ("explain", "--layers"): (FILES, ["--layers"]),
    ("explain", "--where"): (FILES, ["--where"]),
    ("explain", "--patch"): (FILES, ["--patch"]),
    ("explain", "--html"): (FILES, ["--html", "page.html"]),
    ("explain", "--show-secrets"): (["secretive"], ["--show-secrets"]),
    ("explain", "--skip-foreign"): (["foreign"], ["--skip-foreign"]),
    ("explain", "--path"): (FILES, ["--path", "**.type"]),
    ("explain", "--resource"): (FILES, ["--resource", "Pod/none"]),
    ("explain", "--from"): (FILES, ["--from", "run.yaml:1"]),
    ("explain", "--contested"): (FILES, ["--contested"]),
    ("explain", "--overridden-by"): (FILES, ["--overridden-by", "run"]),
    ("values", "--json"): (FILES, ["--json"]),
    ("values", "--output"): (FILES, ["-o", "json"]),
    ("values", "--quiet"): (["warned"], ["-q"]),
    ("values", "--comments"): (["tekton-params", "run.yaml"], ["--comments"]),
    ("values", "--config"): (["tekton-params"], ["--config", "implicit.yaml"]),
    ("values", "--show-secrets"): (["secretive"], ["--show-secrets"]),
    ("values", "--follow-links"): (["tekton-params", "linked"], ["--follow-links"]),
    ("values", "--skip-foreign"): (["foreign"], ["--skip-foreign"]),
    ("values", "--ytt"): (["cartographer-params", "owner"], ["--ytt", "/no/such/ytt"]),
    ("values", "--verbose"): (["flux-values", "run.yaml"], ["-v"]),
    ("why", "--json"): (["package/run.yaml:1"], ["--json"]),
    ("why", "--output"): (["package/run.yaml:1"], ["-o", "yaml"]),
    ("why", "--quiet"): (["warned/run.yaml:1"], ["-q"]),
    ("why", "--show-secrets"): (["secretive/app/beacon-flux-values.yaml:11"], ["--show-secrets"]),
    ("why", "--follow-links"): (["linked/run.yaml:1"], ["--follow-links"]),
    ("why", "--skip-foreign"): (["foreign/run.yaml:1"], ["--skip-foreign"]),
    ("why", "--ytt"): (["carted/workloads/cart.yaml:1"], ["--ytt", "/no/such/ytt"]),
    ("why", "--verbose"): (["unmatched/Kptfile:1"], ["-v"]),
    ("impact", "--output"): (["package/run.yaml"], ["-o", "yaml"]),
    ("impact", "--quiet"): (["warned/run.yaml"], ["-q"]),
    ("impact", "--json"): (["package/run.yaml"], ["--json"]),
    ("impact", "--markdown"): (["package/run.yaml"], ["--markdown"]),
    ("impact", "--show-secrets"): (["secretive/app/release.yaml"], ["--show-secrets"]),
    ("impact", "--follow-links"): (["linked/run.yaml"], ["--follow-links"]),
    ("impact", "--skip-foreign"): (["foreign/run.yaml"], ["--skip-foreign"]),
    ("impact", "--ytt"): (["carted/workloads/cart.yaml"], ["--ytt", "/no/such/ytt"]),
    ("impact", "--verbose"): (["unmatched/Kptfile"], ["-v"]),
    ("compare", "--output"): (["package", "package"], ["-o", "yaml"]),
    ("compare", "--quiet"): (["warned", "warned"], ["-q"]),
    ("compare", "--json"): (["package", "package"], ["--json"]),
    ("compare", "--markdown"): (["package", "package"], ["--markdown"]),
    ("compare", "--html"): (["package", "package"], ["--html", "page.html"]),
    ("compare", "--against"): (["package"], ["--against", "HEAD"]),
    ("compare", "--show-secrets"): (["secretive", "changed"], ["--show-secrets"]),
    ("compare", "--renders"): (["secretive", "changed"], ["--renders", "0"]),
    ("compare", "--follow-links"): (["linked", "package"], ["--follow-links"]),
    ("compare", "--skip-foreign"): (["foreign", "package"], ["--skip-foreign"]),
    ("compare", "--ytt"): (["carted", "package"], ["--ytt", "/no/such/ytt"]),
    ("compare", "--verbose"): (["unmatched", "unmatched"], ["-v"]),
    ("run", "--format"): (["flux-values", "run.yaml", "-v"], ["--format", "github"]),
    ("render", "--format"): (["unmatched"], ["--format", "sarif"]),
    ("lint", "--follow-links"): (["glasskube-values", "linked"], ["--follow-links"]),
    ("lint", "--quiet"): (["glasskube-values", "loose.yaml"], ["-q"]),
    ("lint", "--format"): (["glasskube-values", "loose.yaml"], ["--format", "github"]),
    ("render", "--diff"): (["package"], ["--diff"]),
    ("render", "--output"): (["package"], ["-o", "unwrap"]),
    ("render", "--function"): (["owner"], ["--function", "cartographer-params"]),
    ("render", "--config"): (["owner", "--function", "flux-values"], ["--config", "implicit.yaml"]),
    ("render", "--results-dir"): (["package"], ["--results-dir", "results"]),
    ("render", "--release"): (["package", "-o", "stdout"], ["--release"]),
    ("check", "--strict"): (["secretive"], ["--strict"]),
    ("check", "--follow-links"): (["linked"], ["--follow-links"]),
    ("check", "--skip-foreign"): (["foreign"], ["--skip-foreign"]),
    ("check", "--ytt"): (["carted"], ["--ytt", "/no/such/ytt"]),
    ("check", "--verbose"): (["unmatched"], ["-v"]),
    ("check", "--quiet"): (["secretive"], ["-q"]),
    ("check", "--format"): (["package"], ["--format", "github"]),
    ("list", "--output"): ([], ["-o", "yaml"]),
    ("list", "--json"): ([], ["--json"]),
    ("inputs", "--output"): (["package"], ["-o", "yaml"]),
    ("inputs", "--json"): (["package"], ["--json"]),
    ("inputs", "--quiet"): (["outside", "--follow-links", "--format", "argocd"], ["-q"]),
    ("inputs", "--format"): (["package"], ["--format", "argocd"]),
    ("inputs", "--function"): (["owner"], ["--function", "cartographer-params"]),
    ("inputs", "--config"): (["owner", "--function", "flux-values"], ["--config", "implicit.yaml"]),
    ("inputs", "--follow-links"): (["linked"], ["--follow-links"]),
    ("inputs", "--ytt"): (["carted"], ["--ytt", "/bin/sh"]),
    ("clean", "--follow-links"): (["linked"], ["--follow-links"]),
    ("clean", "--lock-timeout"): (["package"], ["--lock-timeout", "-1"]),
    ("render", "--lock-timeout"): (["package"], ["--lock-timeout", "-1"]),
    ("render", "--show-secrets"): (["secretive", "--diff"], ["--show-secrets"]),
    ("render", "--skip-foreign"): (["foreign"], ["--skip-foreign"]),
    ("render", "--ytt"): (["carted"], ["--ytt", "/no/such/ytt"]),
    ("render", "--verbose"): (["unmatched"], ["-v"]),
    ("render", "--quiet"): (["package"], ["-q"]),
    ("clean", "--quiet"): (["package"], ["-q"]),
    ("revert", "--lock-timeout"): (["layered-values", "package"], ["--lock-timeout", "-1"]),
    ("fleet render", "--diff"): (["package"], ["--diff"]),
    ("fleet render", "--select"): (["package"], ["--select", "none"]),
    ("fleet render", "--results"): (["package"], ["--results", "results.jsonl"]),
    ("fleet render", "--follow-links"): (["linked"], ["--follow-links"]),
    ("fleet render", "--skip-foreign"): (["foreign"], ["--skip-foreign"]),
    ("fleet render", "--allow-images"): (["imaged"], ["--allow-images"]),
    ("fleet render", "--allow-exec"): (["foreign"], ["--allow-exec"]),
    ("fleet job", "--shards"): (["--image", "a", "--shards", "1"], ["--shards", "2"]),
    ("fleet job", "--image"): (["--shards", "1"], ["--image", "a"]),
    ("fleet render", "--ytt"): (["carted"], ["--ytt", "/no/such/ytt"]),
    ("schema", "--manifest"): (["glasskube-values"], ["--manifest", "package.yaml"]),
    ("lint", "--strict"): (["glasskube-values", "loose.yaml"], ["--strict"]),
    ("envgene source", "--environment"): (["instance"], ["--environment", "east/prod-8"]),
    ("envgene source", "--fetch"): (["instance"], ["--fetch", "no:1"]),
    ("envgene sink", "--delta-dir"): (["instance"], ["--delta-dir", "instance"]),
    ("envgene sink", "--lock-timeout"): (["instance"], ["--lock-timeout", "x"]),
    ("envgene fetch", "--repository"): (["a:1"], ["--repository", "instance"]),
    ("envgene fetch", "--environment"): (["a:1", "--repository", "instance"], ["--environment", "x"]),
    ("envgene process", "--environment"): (["instance", *SD], ONE),
    ("envgene process", "--create"): (["instance", "--environment", "east/new", *SD], ["--create"]),
    ("envgene process", "--all"): (["instance", *SD], ["--all"]),
    ("envgene process", "--sd-source-type"): (["instance", *ONE, *SD[2:]], SD[:2]),
    ("envgene process", "--sd-version"): (["instance", *ONE, *SD], ["--sd-version", "a:1"]),
    ("envgene process", "--sd-repo-merge-mode"): (["instance", *ONE, *SD], ["--sd-repo-merge-mode", "replace"]),
    ("envgene process", "--sd-delta"): (["instance", *ONE, *SD], ["--sd-delta", "true"]),
    ("envgene process", "--sd-data"): (["instance", *ONE, *SD[:2]], SD[2:]),
    ("envgene process", "--strict"): (["instance", *ONE, *SD, "--sd-delta", "true"], ["--strict"]),
    ("envgene process", "--diff"): (["instance", *ONE, *SD], ["--diff"]),
    ("envgene process", "--json"): (["instance", *ONE, *SD], ["--json"]),
    ("envgene process", "--delta-dir"): (["instance", *ONE, *SD], ["--delta-dir", "deltas"]),
    ("envgene process", "--lock-timeout"): (["instance", *ONE, *SD], ["--lock-timeout", "x"]),
    ("envgene process", "--verbose"): (["instance", *ONE], ["-v"]),
    ("explain", "--allow-exec"): (["foreign"], ["--allow-exec"]),
    ("explain", "--allow-images"): (["imaged"], ["--allow-images"]),
    ("values", "--allow-exec"): (["foreign"], ["--allow-exec"]),
    ("values", "--allow-images"): (["imaged"], ["--allow-images"]),
    ("why", "--allow-exec"): (["foreign/run.yaml:1"], ["--allow-exec"]),
    ("why", "--allow-images"): (["imaged/run.yaml:1"], ["--allow-images"]),
    ("impact", "--allow-exec"): (["foreign/run.yaml"], ["--allow-exec"]),
    ("impact", "--allow-images"): (["imaged/run.yaml"], ["--allow-images"]),
    ("compare", "--allow-exec"): (["foreign", "package"], ["--allow-exec"]),
    ("compare", "--allow-images"): (["imaged", "package"], ["--allow-images"]),
    ("check", "--allow-exec"): (["foreign"], ["--allow-exec"]),
    ("check", "--allow-images"): (["imaged"], ["--allow-images"]),
    ("render", "--allow-exec"): (["foreign"], ["--allow-exec"]),
    ("render", "--allow-images"): (["imaged"], ["--allow-images"]),
    ("krm-tekton-params", "--quiet"): (["implicit.yaml", "warned.yaml"], ["-q"]),
    ("krm-cartographer-params", "--quiet"): (["carto.yaml", "owner"], ["-q"]),
    ("krm-tekton-params", "--verbose"): (["implicit.yaml", "empty.yaml"], ["-v"]),
    ("krm-cartographer-params", "--verbose"): (["carto.yaml", "empty.yaml"], ["-v"]),
    ("krm-cartographer-params", "--ytt"): (["carto.yaml", "owner"], ["--ytt", "/no/such/ytt"]),
}

# only where an artifact is fetched; what it does there is tested with a server
FETCHING = {
    "--credentials": "tests/functions/envgene_sd/test_credentials.py",
    "--sops-env": "tests/functions/envgene_sd/test_sops.py",
    "--allow-http": "tests/functions/envgene_sd/test_fetching.py",
    "--verify-checksums": "tests/functions/envgene_sd/test_fetching.py",
}
ELSEWHERE = {(f"envgene {name}", option): file for name in ("source", "fetch", "process") for option, file in FETCHING.items()}
ELSEWHERE |= {
    (command, option): f"tests/{file}.py"
    for command, file, options in (
        ("render", "cli/test_clean", ["--release"]),
        ("run", "kit/test_stored", ["--release"]),
        ("clean", "cli/test_clean", ["--lock-timeout", "--follow-links"]),
        ("revert", "cli/test_revert", ["--quiet", "--follow-links"]),
        ("glasskube set", "functions/glasskube_values/test_data_entry", ["--manifest"]),
        (
            "glasskube new",
            "functions/glasskube_values/test_data_entry",
            ["--package-version", "--name", "--namespace", "--output"],
        ),
    )
    for option in options
}
ELSEWHERE |= {(command, "--blame"): "tests/cli/test_blame.py" for command in ("explain", "why")}
ELSEWHERE |= {
    (command, option): "tests/hosts/test_foreign_steps.py"  # with an engine
    for command in ("explain", "values", "why", "impact", "compare", "check", "render", "fleet render")
    for option in ("--network", "--pull")
}
ELSEWHERE |= {("check", "--recursive"): "tests/cli/test_check.py"}
ELSEWHERE |= {("render", "--recursive"): "tests/cli/test_render_several.py"}
ELSEWHERE |= {
    ("fleet render", option): f"tests/fleet/{file}.py"  # the table has times, so two calls differ anyway
    for file, options in (
        ("test_render", ["--jobs", "--state", "--state-key", "--timings", "--fail-fast", "--quiet"]),
        ("test_deaths", ["--timeout"]),
        ("test_merge", ["--bundle", "--shard"]),
        ("test_since", ["--since"]),
        ("test_page", ["--html"]),
    )
    for option in options
}
ASKED = (
    *("--select", "--jobs", "--output", "--json", "--all", "--show-secrets", "--quiet", "--follow-links", "--skip-foreign"),
    *("--allow-images", "--allow-exec", "--network", "--pull", "--ytt"),
)
ELSEWHERE |= {
    (f"fleet {name}", option): "tests/fleet/test_answers.py"
    for name, options in (("explain", ASKED), ("impact", ASKED), ("compare", (*ASKED, "--against", "--renders")))
    for option in options
}
ELSEWHERE |= {
    ("fleet merge", option): "tests/fleet/test_merge.py"
    for option in ("--results", "--timings", "--state", "--state-key", "--quiet")
}

REFUSED = [
    (["run", "tekton-params", "--ytt", "x", "run.yaml"], "`--ytt`"),
    (["run", "tekton-params", "--ytt", "x"], "`--ytt`"),
    (["run", "--ytt", "x", "--config", "implicit.yaml", "run.yaml"], "`--ytt`"),
    (["run", "--ytt", "x"], "`--ytt`"),
    (["fleet", "render", "package", "--state-key", "key"], "`--state-key`"),
    (["fleet", "render", "package", "--pull"], "`--pull`"),
    (["fleet", "compare", "package", "--against", "HEAD", "--pull"], "`--pull`"),
    (["fleet", "explain", "package", "spec", "--pull"], "`--pull`"),
    (["fleet", "impact", "package", "run.yaml", "--pull"], "`--pull`"),
    (["fleet", "explain", "package", "package"], "must end with PATTERN"),
    (["fleet", "render", "package", "--bundle", "x"], "`--bundle`"),
    (["fleet", "render", "package", "--bundle", "x", "--shard", "1/1", "--since", "HEAD"], "`--since`"),
    (["fleet", "render", "package", "--bundle", "x", "--shard", "1/1", "--fail-fast"], "`--fail-fast`"),
    (["fleet", "render", "package", "secretive", "--bundle", "x", "--shard", "1/1"], "`--bundle` takes one ROOT"),
    (["fleet", "render", "package", "--shard", "2/1"], "`--shard`"),
    (["fleet", "merge", "package", "x", "--state-key", "key"], "`--state-key`"),
    (["fleet", "job", "--shards", "0", "--image", "a"], "`--shards`"),
    (["fleet", "render", "package", "package"], "name it once"),
    (["fleet", "render", "package", "--jobs", "x"], "--jobs"),
    (["fleet", "render", "package", "--timeout", "-1"], "--timeout"),
    (["run", "--config", ""], "--config"),
    (["run", ""], "FUNCTION"),
    (["run", "tekton-params", "--follow-links"], "`--follow-links`"),
    (["explain", "tekton-params", "--follow-links"], "`--follow-links`"),
    (["run", "tekton-params", ""], "FILE"),
    (["run", "tekton-params", "-", "-"], "`-`"),
    (["explain", "--ytt", "x", "--config", "implicit.yaml", "run.yaml"], "`--ytt`"),
    (["explain", "--ytt", "x", "package"], "`--ytt`"),
    (["explain", "--skip-foreign", "tekton-params", "run.yaml"], "`--skip-foreign`"),
    (["explain", "--skip-foreign", "tekton-params"], "`--skip-foreign`"),
    (["explain", "--skip-foreign", "--config", "implicit.yaml", "package"], "`--skip-foreign`"),
    (["explain", "--allow-images", "tekton-params", "run.yaml"], "`--allow-images`"),
    (["explain", "--allow-exec", "tekton-params"], "`--allow-exec`"),
    (["render", "--network", "package"], "`--network`"),
    (["render", "--pull", "--diff", "package"], "`--pull`"),
    (["compare", "--pull", "package", "package"], "`--pull`"),
    (["explain", "--network", "package"], "`--network`"),
    (["explain", "--config", "", "run.yaml"], "--config"),
    (["explain", "--html", "page.html", "--json", "run.yaml"], "argument --json: not allowed with argument --html"),
    (["explain", "--html", "page.html", "--patch", "run.yaml"], "argument --patch: not allowed with argument --html"),
    (["explain", "--blame", "tekton-params", "run.yaml"], "`--blame`"),
    (["explain", "--blame", "--html", "page.html", "package"], "`--blame`"),
    (["explain", "--blame", "--patch", "package"], "`--blame`"),
    (["explain", "--html", "-", "run.yaml"], "`--html` writes a file"),
    (["explain", "--html", "", "run.yaml"], "--html"),
    (["compare", "--markdown", "--html", "page.html", "package", "package"], "not allowed with argument"),
    (["compare", "--json", "--html", "page.html", "package", "package"], "not allowed with argument"),
    (["render", "package", "--show-secrets"], "`--show-secrets`"),
    (["render", "package", "-o", "stdout", "--show-secrets"], "`--show-secrets`"),
    (["render", "package", "--diff", "--lock-timeout", "3"], "`--lock-timeout`"),
    (["render", "package", "-o", "unwrap", "--lock-timeout", "3"], "`--lock-timeout`"),
    (["render", "package", "-o", "new", "--lock-timeout", "0"], "`--lock-timeout`"),
    (["render", "package", "--lock-timeout", "nan"], "--lock-timeout"),
    (["render", "package", "--lock-timeout", "-3"], "--lock-timeout"),
    (["render", "package", "-o", ""], "--output"),
    (["render", "package", "--release"], "`--release`"),
    (["render", "package", "--diff", "--release"], "`--release`"),
    (["render", "package", "--results-dir", ""], "--results-dir"),
    (["render", ""], "DIR"),
    (["render", "package", "--ytt", "x"], "`--ytt`"),
    (["check", "package", "--ytt", "x"], "`--ytt`"),
    (["inputs", "package", "--ytt", "x"], "`--ytt`"),
    (["check", ""], "DIR"),
    (["render", "package", "-o", "stdout", "--ytt", "x"], "`--ytt`"),
    (["schema", "tekton-params", "--manifest", "package.yaml"], "`--manifest` is for `glasskube-values`"),
    (["schema", "flux-values", "--manifest", ""], "`--manifest` is for `glasskube-values`"),
    (["envgene", "source", "instance", "--credentials", "x"], "`--credentials`"),
    (["envgene", "process", "instance", *ONE, *SD, "--credentials", "x"], "`--credentials`"),
    (["envgene", "source", "instance", "--allow-http"], "`--allow-http`"),
    (["envgene", "process", "instance", *ONE, *SD, "--allow-http"], "`--allow-http`"),
    (["envgene", "source", "instance", "--verify-checksums"], "`--verify-checksums`"),
    (["envgene", "process", "instance", *ONE, *SD, "--verify-checksums"], "`--verify-checksums`"),
    (["envgene", "source", "instance", "--sops-env", "A"], "`--sops-env`"),
    (["envgene", "process", "instance", *ONE, *SD, "--sops-env", "A"], "`--sops-env`"),
    (["envgene", "fetch", "a:1", "--repository", "instance", "--sops-env", "A=b"], "--sops-env"),
    (["envgene", "process", "instance", *ONE, *SD, "--diff", "--lock-timeout", "3"], "`--lock-timeout`"),
    (["envgene", "process", "instance", *ONE, *SD, "--all"], "`--all`"),
    (["envgene", "process", "instance", *ONE, *SD, "--diff", "--json"], "--json"),
    (["envgene", "process", "instance", *ONE, *SD, "--delta-dir", ""], "--delta-dir"),
    (["envgene", "process", "instance", *ONE, *SD, "--lock-timeout", "nan"], "--lock-timeout"),
]


COMMANDS = (
    "run",
    "explain",
    "values",
    "why",
    "impact",
    "compare",
    "render",
    "check",
    "inputs",
    "clean",
    "revert",
    "fleet",
    "list",
    "schema",
    "lint",
    "docs",
    "kustomize",
    "new",
    "completion",
    "help",
)


def options() -> set[tuple[str, str]]:
    """Every option of every command, by its longest name."""
    grammar = parser.build(registry.functions(), "", extensions=registry.extensions(), tools=tools.known())
    found = set(_options("", grammar))
    for name in ("tekton-params", "cartographer-params"):  # the scripts differ by their tools alone
        own = {tool: text for tool, text in tools.known().items() if tool in registry.load(name).tools}
        found |= set(_options(names.script(name), parser.single(names.script(name), "", "", own)))
    return found


def _options(command: str, grammar: argparse.ArgumentParser):
    for action in grammar._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _options(f"{command} {name}".strip(), inner)
        elif action.option_strings and command and not ALWAYS & set(action.option_strings):
            yield command, action.option_strings[-1]


@pytest.mark.parametrize("called", COMMANDS)
def test_a_command_alone_is_what_it_is_among_all(called):
    """The grammar is made of the command that is called; `--help` alone, and a misspelt word, need all."""
    whole, one = (
        parser.build(registry.functions(), "", extensions=registry.extensions(), tools=tools.known(), only=only)
        for only in ("", called)
    )
    among, alone = _commands(whole), _commands(one)
    assert list(alone) == [called]
    assert alone[called].format_help() == among[called].format_help()
    assert set(_options("", one)) <= set(_options("", whole))


def test_the_whole_grammar_has_every_command_and_the_groups_of_functions():
    whole = parser.build(registry.functions(), "", extensions=registry.extensions(), tools=tools.known())
    assert list(_commands(whole)) == [*COMMANDS, "envgene", "glasskube"]


def _commands(grammar: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return next(dict(action.choices) for action in grammar._actions if isinstance(action, argparse._SubParsersAction))


def test_the_table_has_every_option_of_every_command():
    assert options() == EFFECTS.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize("option", ELSEWHERE, ids=" ".join)
def test_what_is_tested_elsewhere_is_tested_there(option):
    assert option[1] in (ROOT / ELSEWHERE[option]).read_text()


@pytest.fixture
def here(tmp_path):
    shutil.copytree(INSTANCE / "instance", tmp_path / "instance")
    shutil.copytree(ROOT / "examples/flux-values/base-and-site", tmp_path / "secretive")
    changed = shutil.copytree(tmp_path / "secretive", tmp_path / "changed")
    for name, old, new in (
        ("site/login.yaml", "Hs6d", "Hs7d"),
        ("site/values.yaml", "period: 5", "period: 6"),
        ("base/values.yaml", "period:", "period: 1"),
    ):
        (changed / name).write_text((changed / name).read_text().replace(old, new))
    shutil.copytree(ROOT / "examples/cartographer-params/web-and-worker", tmp_path / "carted")
    write(
        tmp_path,
        {
            "implicit.yaml": PROPAGATE.replace("propagate", "implicit"),
            "carto.yaml": BARE.replace("TektonParams", "CartographerParams"),
            "run.yaml": run(),
            "empty.yaml": "kind: A\n",
            "package/Kptfile": kptfile("exec: krm-tekton-params"),
            "package/run.yaml": run(),
            "linked/Kptfile": kptfile("exec: krm-tekton-params"),
            "warned.yaml": run().replace("spec:", "spec:\n  taskRunTemplat: {}", 1),
            "warned/Kptfile": kptfile("exec: krm-tekton-params"),
            "warned/run.yaml": run().replace("spec:", "spec:\n  taskRunTemplat: {}", 1),
            "outside/Kptfile": kptfile("exec: krm-tekton-params"),
            "outside/.git/HEAD": "",
            "unmatched/Kptfile": kptfile("exec: krm-flux-values"),
            "foreign/Kptfile": kptfile("exec: sed"),
            "imaged/Kptfile": kptfile("image: 127.0.0.1:9/nowhere/sed:v1"),
            "package.yaml": '{"name": "x", "manifests": []}\n',
            "loose.yaml": LOOSE,
        },
    )
    for name in ("linked", "outside"):
        (tmp_path / name / "run.yaml").symlink_to("../run.yaml")
    for file in (ROOT / "examples/cartographer-params/web-and-worker").rglob("*.yaml"):
        if not {".expected", "kustomization.yaml"} & set(file.parts):
            write(tmp_path, {f"owner/{file.name}": file.read_text()})
    return tmp_path


def seen(here, words, given):
    """Everything that a call leaves behind: answer, output and files."""
    program = words[0] if words[0].startswith("krm-") else "krm-values"
    done = command(*words[program == words[0] :], program=program, stdin=given, cwd=here)
    assert "Traceback" not in done.stderr
    assert done.returncode != 3, done.stderr
    return done.returncode, done.stdout, done.stderr, snapshot(here)


@pytest.mark.parametrize("option", EFFECTS, ids=" ".join)
def test_an_option_has_an_effect(here, tmp_path_factory, option):
    call, given = EFFECTS[option]
    words = [*option[0].split(), *call]
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(here, other, dirs_exist_ok=True)
    text = listed(run(), BARE)
    assert seen(here, words, text) != seen(other, [*words, *given], text)


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=lambda value: " ".join(value)[:90] if isinstance(value, list) else "")
def test_an_option_without_an_effect_is_a_mistake_of_the_command_line(here, words, said):
    before = snapshot(here)
    code, out, err, after = seen(here, words, listed(run(), config=BARE))
    assert (code, out) == (2, "")
    assert said in err
    assert after == before
