"""All dimensions."""

from __future__ import annotations

from tests.growth import cartographer, commands, envgene, explained, glasskube, layered, layered_values, tekton, texts

GROUPS = {
    "lists and files": texts.DIMENSIONS,
    tekton.NAME: tekton.DIMENSIONS,
    cartographer.NAME: cartographer.DIMENSIONS,
    layered.GS: layered.GIANTSWARM,
    layered.FLUX: layered.FLUX_DIMENSIONS,
    glasskube.NAME: glasskube.DIMENSIONS,
    envgene.NAME: envgene.DIMENSIONS,
    layered_values.NAME: layered_values.DIMENSIONS,
    "answers for a line": explained.DIMENSIONS,
    "commands": commands.DIMENSIONS,
}
ALL = {f"{group}: {found}": found for group, dimensions in GROUPS.items() for found in dimensions}
