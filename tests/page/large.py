"""A package of many values: HelmReleases of three layers each."""

from __future__ import annotations

from pathlib import Path

RELEASES, KEYS = 100, 200
LEAVES = RELEASES * KEYS
_KPTFILE = (
    "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: large}\npipeline:\n  mutators:\n  - {exec: krm-flux-values}\n"
)
_LAYERS = (("base", 1), ("region", 2), ("site", 10))
"""Each layer sets every so many keys."""


def write(directory: Path, releases: int = RELEASES, keys: int = KEYS) -> Path:
    """Make the package: `releases` times `keys` values."""
    directory.mkdir(parents=True)
    (directory / "Kptfile").write_text(_KPTFILE)
    for number in range(releases):
        (directory / f"release-{number:03}.yaml").write_text(_release(number) + "".join(_layers(number, keys)))
    return directory


def _release(number: int) -> str:
    entries = "".join(f"  - {{kind: ConfigMap, name: {name}-{number}}}\n" for name, _ in _LAYERS)
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        f"metadata: {{name: release-{number:03}, namespace: team}}\nspec:\n  interval: 10m\n  valuesFrom:\n{entries}"
    )


def _layers(number: int, keys: int):
    for name, step in _LAYERS:
        lines = "".join(_lines(name, number, keys, step))
        yield f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}-{number}, namespace: team}}\ndata:\n  values.yaml: |\n{lines}"


def _lines(name: str, number: int, keys: int, step: int):
    for group in range(0, keys, 10):
        inside = [key for key in range(group, min(group + 10, keys)) if key % step == 0]
        if inside:
            yield f"    group{group // 10}:\n"
            yield from (f"      key{key}: {name}-{(number * 7 + key) % 997}\n" for key in inside)
