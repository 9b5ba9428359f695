"""Every way to run a function on a package. Each takes a machine and a package and returns the resolved resources as text, or the written package."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.hosts.machine import IMAGE, Machine
from tests.hosts.package import Package, read

Printing = Callable[[Machine, Package], str]
Writing = Callable[[Machine, Package], Package]
Host = Printing | Writing
_SANDBOX = "--network none --user nobody --security-opt=no-new-privileges --read-only --tmpfs /tmp --env HOME=/nonexistent"

_OTHER = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: other}
spec:
  layers: [{name: base, values: {replicas: 2}}]
  targets: [{kind: Nothing, optional: true, fields: {spec.replicas: replicas}}]
"""


def function_image(package: Package) -> str:
    return f"localhost/{package.function}"


# A list on stdin, or files: the resources are printed.


def shell_pipe(machine: Machine, package: Package) -> str:
    return machine.run("krm-values", "run", stdin=package.resource_list()).stdout


def plain_files(machine: Machine, package: Package) -> str:
    return machine.run("krm-values", "run", package.function, "--config", package.config, *package.files).stdout


def own_command(machine: Machine, package: Package) -> str:
    return machine.run(package.command, package.config, *package.files).stdout


def kubectl_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    return machine.run("kubectl", "krm-values", "run", stdin=package.resource_list()).stdout


def locked_container(machine: Machine, package: Package) -> str:
    machine.needs_image(IMAGE)
    command = f"docker run --rm -i {_SANDBOX} {IMAGE}".split()
    return machine.run(*command, stdin=package.resource_list()).stdout


# The package itself is written.


def embedded_renderer(machine: Machine, package: Package) -> Package:
    machine.run("krm-values", "render", package.path)
    return package


def render_function(machine: Machine, package: Package) -> Package:
    """Without a pipeline: the Kptfile stands aside meanwhile."""
    kptfile = (package.path / "Kptfile").rename(machine.home / "Kptfile")
    machine.run("krm-values", "render", "--function", package.function, "--config", package.config, package.path)
    kptfile.rename(package.path / "Kptfile")
    return package


def kpt_render(machine: Machine, package: Package) -> Package:
    machine.needs("kpt")
    machine.run("kpt", "fn", "render", package.path, "--allow-exec")
    return package


def kpt_render_image(machine: Machine, package: Package) -> Package:
    machine.needs_image(IMAGE)
    package.use_image(IMAGE)
    return kpt_render(machine, package)


def kpt_eval(machine: Machine, package: Package) -> Package:
    machine.needs("kpt")
    machine.run("kpt", "fn", "eval", package.path, "--exec", package.command, "--fn-config", package.config)
    return package


def kpt_eval_image(machine: Machine, package: Package) -> Package:
    machine.needs("kpt")
    machine.needs_image(function_image(package))
    machine.run("kpt", "fn", "eval", package.path, "--image", function_image(package), "--fn-config", package.config)
    return package


def kpt_eval_arguments(machine: Machine, package: Package) -> Package:
    """The fields of the config as arguments, of which kpt makes a ConfigMap; EnvGene's are variables of a pipeline, and no lists."""
    machine.needs("kpt")
    machine.needs_image(IMAGE)
    given = []
    for key, value in read(package.config.read_text("utf-8"))[0]["spec"].items():
        text = value[0] if package.function == "envgene-sd" and isinstance(value, list) else value
        given.append(f"{key}={text if isinstance(text, str) else json.dumps(value)}")
    machine.run("kpt", "fn", "eval", package.path, "--image", IMAGE, "--", f"function={package.function}", *given)
    return package


def kpt_source_and_sink(machine: Machine, package: Package) -> Package:
    return _piped(machine, package, "krm-values run")


def pipe_of_two(machine: Machine, package: Package) -> Package:
    return _piped(machine, package, f"krm-values run | {_other(machine)}")


def pipe_of_three(machine: Machine, package: Package) -> Package:
    return _piped(machine, package, f"{_other(machine)} | krm-values run | {_other(machine)}")


def _piped(machine: Machine, package: Package, functions: str) -> Package:
    machine.needs("kpt")
    sink = package.path.parent / "sink"
    config = package.config.relative_to(package.path)
    machine.pipe(f"kpt fn source . --fn-config {config} | {functions} | kpt fn sink {sink}", cwd=package.path)
    return Package(sink, package.function)


def _other(machine: Machine) -> str:
    """Return the call of a function that finds nothing to do; what functions do to each other is what tests/hosts/test_chains.py asks."""
    config = machine.home / "other.yaml"
    config.write_text(_OTHER, "utf-8")
    return f"krm-values run layered-values --config {config}"


# kustomize builds the resources that the kustomization names, and prints them.


def kubectl_legacy_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    machine.run("krm-values", "kustomize", "install-plugins")
    return machine.run("kubectl", "kustomize", "--enable-alpha-plugins", package.path).stdout


def kubectl_container(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    machine.needs_image(IMAGE)
    package.annotate_config(f"container: {{image: {IMAGE}}}")
    return machine.run("kubectl", "kustomize", "--enable-alpha-plugins", package.path).stdout


def kustomize_legacy_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    machine.run("krm-values", "kustomize", "install-plugins")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", package.path).stdout


def kustomize_exec(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    package.annotate_config(f"exec: {{path: {package.command}}}")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", package.path).stdout


def kustomize_container(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    machine.needs_image(IMAGE)
    package.annotate_config(f"container: {{image: {IMAGE}}}")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", package.path).stdout


IN_PLACE: tuple[Writing, ...] = (
    embedded_renderer,
    render_function,
    kpt_render,
    kpt_render_image,
    kpt_eval,
    kpt_eval_image,
    kpt_eval_arguments,
    kpt_source_and_sink,
    pipe_of_two,
    pipe_of_three,
)
STREAMS: tuple[Printing, ...] = (shell_pipe, plain_files, own_command, kubectl_plugin, locked_container)
KUSTOMIZE: tuple[Printing, ...] = (
    kubectl_legacy_plugin,
    kubectl_container,
    kustomize_legacy_plugin,
    kustomize_exec,
    kustomize_container,
)
EVERY: tuple[Host, ...] = (*IN_PLACE, *STREAMS, *KUSTOMIZE)
