"""A package to hand to a host, and its resources read back as data."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

PACKAGES = Path(__file__).parent / "packages"
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
COMMAND = "krm-tekton-params"
_KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: package
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  mutators:
  - exec: krm-tekton-params
    configPath: params.yaml
"""
_BOOKKEEPING = ("config.kubernetes.io/", "internal.config.kubernetes.io/", "config.k8s.io/", "internal.config.k8s.io/")
_LOCAL = ("Kptfile", "Kustomization", "TektonParams")


@dataclass(frozen=True)
class Package:
    """A copy of a package: resources and a config, named by its kustomization, with a Kptfile beside it that calls the function."""

    path: Path
    function: str = "tekton-params"

    @classmethod
    def copy(cls, source: Path, target: Path) -> Package:
        """A copy with a Kptfile: the examples have theirs; ours here have none, as kpt would find them in this repository."""
        shutil.copytree(source, target)
        if not (target / "Kptfile").exists():
            (target / "Kptfile").write_text(_KPTFILE, "utf-8")
        return cls(target)

    @property
    def _kustomization(self) -> Any:
        return read(self.text("kustomization.yaml"))[0]

    @property
    def command(self) -> str:
        return f"krm-{self.function}"

    @property
    def config(self) -> Path:
        name: str = self._kustomization["transformers"][0]
        return self.path / name

    @property
    def files(self) -> list[Path]:
        """The resources that the kustomization names, also in its bases; without one, every YAML file."""
        if not (self.path / "kustomization.yaml").exists():
            return sorted(self.path.rglob("*.yaml"))
        named = [self.path / name for name in self._kustomization["resources"]]
        return [file for one in named for file in (Package(one).files if one.is_dir() else [one])]

    def text(self, name: str) -> str:
        return (self.path / name).read_text("utf-8")

    def resources(self) -> str:
        """The resource files as one stream of documents."""
        return "---\n".join(file.read_text("utf-8") for file in self.files)

    def resource_list(self) -> str:
        """What a person would pipe: every document an item, no annotation of any host."""
        documents = "".join(f"- {_indented(text)}" for file in self.files for text in file.read_text("utf-8").split("---\n"))
        config = _indented(self.config.read_text("utf-8"))
        return f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{documents}functionConfig:\n  {config}"

    def annotate_config(self, function: str) -> None:
        """Make the config refer to a function, as kustomize wants it: `exec: {path: ...}` or `container: {image: ...}`."""
        text = self.config.read_text("utf-8")
        mark = "  annotations:\n"
        assert mark in text
        self.config.write_text(text.replace(mark, f"{mark}    config.kubernetes.io/function: '{function}'\n"))

    def use_image(self, image: str) -> None:
        """Let the Kptfile call an image where it called a command."""
        text = self.text("Kptfile")
        assert f"exec: {self.command}" in text
        (self.path / "Kptfile").write_text(text.replace(f"exec: {self.command}", f"image: {image}"), "utf-8")

    def snapshot(self) -> dict[str, str]:
        """Every file's text."""
        files = sorted(path for path in self.path.rglob("*") if path.is_file())
        return {str(path.relative_to(self.path)): path.read_text("utf-8") for path in files}


def _indented(text: str) -> str:
    """A document as the value of a list element or key: every line but the first two further in."""
    return text.strip().replace("\n", "\n  ") + "\n"


def read(text: str) -> list[Any]:
    """Documents as YAML 1.2 data."""
    return [document for document in YAML(typ="safe", pure=True).load_all(text) if document is not None]


def result(text: str) -> list[Any]:
    """The resources among documents or in a ResourceList, by kind and name, without hosts' bookkeeping."""
    documents = read(text)
    if documents and documents[0]["kind"] == "ResourceList":
        documents = documents[0]["items"]
    kept = [_plain(resource) for resource in documents if resource["kind"] not in _LOCAL]
    return sorted(kept, key=lambda resource: (resource["kind"], resource["metadata"]["name"]))


def _plain(resource: Any) -> Any:
    metadata = dict(resource["metadata"])
    annotations = metadata.pop("annotations", {})
    kept = {key: value for key, value in annotations.items() if not key.startswith(_BOOKKEEPING)}
    return {**resource, "metadata": metadata | ({"annotations": kept} if kept else {})}
