"""python scripts/schemas.py: write `config_schema.py` beside each function's `config.py`, and docs/schemas/KIND.json."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from pprint import pformat

from krm_values._cli import manual
from krm_values._cli.explain import schema as explanation
from krm_values._kit.config.model import schema
from krm_values._kit.planner import names
from krm_values._kit.process import registry

ROOT = Path(__file__).parent.parent
LITERAL = '''"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {schema}
'''


def main() -> None:
    """Write both forms of every schema."""
    written = []
    for name in registry.functions():
        file = ROOT / "functions/krm_values" / names.module(name) / "config_schema.py"
        form = schema(registry.load(name).load_model())
        file.write_text(LITERAL.replace("{schema}", pformat(form, sort_dicts=False, width=120)), "utf-8")
        written.append(file)
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", *written], check=True)
    folder = ROOT / "docs" / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    for name in registry.functions():
        (folder / f"{names.kind(name)}.json").write_text(json.dumps(manual.schema(name), indent=2) + "\n", "utf-8")
    (folder / f"{explanation.TITLE}.json").write_text(json.dumps(explanation.SCHEMA, indent=2) + "\n", "utf-8")


main()
