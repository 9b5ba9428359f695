"""Every way to run a function on a package. Each takes a machine and a package and returns the resolved resources as text."""

from __future__ import annotations

from collections.abc import Callable

from tests.hosts.machine import FUNCTION_IMAGE, IMAGE, Machine
from tests.hosts.package import COMMAND, Package

Host = Callable[[Machine, Package], str]
_SANDBOX = "--network none --user nobody --security-opt=no-new-privileges --read-only --tmpfs /tmp --env HOME=/nonexistent"


def shell_pipe(machine: Machine, package: Package) -> str:
    return machine.run("krm-values", "run", stdin=package.resource_list()).stdout


def plain_files(machine: Machine, package: Package) -> str:
    return machine.run("krm-values", "run", "tekton-params", "--config", package.config, *package.files).stdout


def own_command(machine: Machine, package: Package) -> str:
    return machine.run(COMMAND, package.config, *package.files).stdout


def embedded_renderer(machine: Machine, package: Package) -> str:
    machine.run("krm-values", "render", package.path)
    return package.resources()


def kpt_render(machine: Machine, package: Package) -> str:
    machine.needs("kpt")
    machine.run("kpt", "fn", "render", package.path, "--allow-exec")
    return package.resources()


def kpt_render_image(machine: Machine, package: Package) -> str:
    machine.needs_image(IMAGE)
    package.use_image(IMAGE)
    return kpt_render(machine, package)


def kpt_eval(machine: Machine, package: Package) -> str:
    machine.needs("kpt")
    machine.run("kpt", "fn", "eval", package.path, "--exec", COMMAND, "--fn-config", package.config)
    return package.resources()


def kpt_eval_image(machine: Machine, package: Package) -> str:
    machine.needs("kpt")
    machine.needs_image(FUNCTION_IMAGE)
    machine.run("kpt", "fn", "eval", package.path, "--image", FUNCTION_IMAGE, "--fn-config", package.config)
    return package.resources()


def kpt_source_and_sink(machine: Machine, package: Package) -> str:
    machine.needs("kpt")
    sink = package.path.parent / "sink"
    config = package.config.relative_to(package.path)
    machine.pipe(f"kpt fn source . --fn-config {config} | krm-values run | kpt fn sink {sink}", cwd=package.path)
    return Package(sink).resources()


def kubectl_legacy_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    machine.run("krm-values", "kustomize", "install-plugins")
    return machine.run("kubectl", "kustomize", "--enable-alpha-plugins", package.path).stdout


def kubectl_container(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    machine.needs_image(IMAGE)
    package.annotate_config(f"container: {{image: {IMAGE}}}")
    return machine.run("kubectl", "kustomize", "--enable-alpha-plugins", package.path).stdout


def kubectl_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kubectl")
    return machine.run("kubectl", "krm-values", "run", stdin=package.resource_list()).stdout


def kustomize_legacy_plugin(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    machine.run("krm-values", "kustomize", "install-plugins")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", package.path).stdout


def kustomize_exec(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    package.annotate_config(f"exec: {{path: {COMMAND}}}")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", package.path).stdout


def kustomize_container(machine: Machine, package: Package) -> str:
    machine.needs("kustomize")
    machine.needs_image(IMAGE)
    package.annotate_config(f"container: {{image: {IMAGE}}}")
    return machine.run("kustomize", "build", "--enable-alpha-plugins", package.path).stdout


def locked_container(machine: Machine, package: Package) -> str:
    machine.needs_image(IMAGE)
    command = f"docker run --rm -i {_SANDBOX} {IMAGE}".split()
    return machine.run(*command, stdin=package.resource_list()).stdout


IN_PLACE: tuple[Host, ...] = (embedded_renderer, kpt_render, kpt_render_image, kpt_eval, kpt_eval_image, kpt_source_and_sink)
STREAMS: tuple[Host, ...] = (shell_pipe, plain_files, own_command, kubectl_plugin, locked_container)
KUSTOMIZE: tuple[Host, ...] = (
    kubectl_legacy_plugin,
    kubectl_container,
    kustomize_legacy_plugin,
    kustomize_exec,
    kustomize_container,
)
EVERY: tuple[Host, ...] = (*IN_PLACE, *STREAMS, *KUSTOMIZE)
