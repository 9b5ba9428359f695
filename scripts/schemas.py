"""python scripts/schemas.py: write `config.json` beside each function's `config.py`, docs/schemas/KIND.json, and catalog/."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import catalog

from krm_values._cli import manual
from krm_values._fleet.schema import NAMES
from krm_values._krm import names
from krm_values._run import registry
from krm_values.testing import schema_file, schema_text

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Write the three forms of every schema."""
    for name in registry.functions():
        schema_file(name).write_text(schema_text(name), "utf-8")
    folder = ROOT / "docs" / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    for name in registry.functions():
        (folder / f"{names.kind(name)}.json").write_text(json.dumps(manual.schema(name), indent=2) + "\n", "utf-8")
    shutil.copy(ROOT / "functions/krm_values/_explain/explanation.json", folder / "Explanation.json")
    shutil.copy(ROOT / "functions/krm_values/_explain/comparison.json", folder / "Comparison.json")
    for name, kind in NAMES.items():
        with (folder / f"{kind}.json").open("w", encoding="utf-8") as file:
            manual.show_answer_schema(name, file)
    catalog.main()


main()
