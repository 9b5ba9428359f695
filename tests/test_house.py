"""How the code is built: who may import whom, and what a run must not load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values._kit import registry
from krm_values._kit.names import module

PACKAGE = Path(__file__).parents[1] / "functions" / "krm_values"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
ONLY_IMPORTER = {
    "pydantic": ["_kit/configmodel.py"],
    "yaml": ["_kit/parser.py", "_kit/roundtrip.py"],
    "ruamel": ["_kit/roundtrip.py"],
    "urllib3": ["envgene_sd/transport.py"],
    "cryptography": ["envgene_sd/decryption.py"],
}
LISTED = (
    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n"
)


def imported(name: str) -> set[str]:
    """Every module that a module of ours imports, at its top or inside, those for type checking aside."""
    tree = ast.parse((PACKAGE / name).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_it_may(name):
    ours = {entry.split(".")[1] for entry in imported(name) if entry.startswith("krm_values.")}
    folder = name.split("/")[0] if "/" in name else ""
    if folder == "_kit":
        assert ours <= {"_kit"}, "the kit knows neither functions nor the command line"
    elif folder == "_cli":
        assert ours <= {"_kit", "_cli"}, "the command line knows functions by the registry"
    elif folder:
        assert ours <= {"_kit", folder}, "a function knows the kit and itself"


@pytest.mark.parametrize("library", ONLY_IMPORTER)
def test_a_library_has_one_importer(library):
    importers = [name for name in MODULES if any(entry.split(".")[0] == library for entry in imported(name))]
    assert importers == ONLY_IMPORTER[library]


@pytest.mark.parametrize("folder", ["_kit", "glasskube_values"])
def test_modules_import_each_other_in_the_order_that_their_folder_tells(folder):
    modules = {Path(name).stem for name in MODULES if name.startswith(f"{folder}/")} - {"__init__"}
    order = told(folder, modules)
    assert set(order) == modules
    for at, name in enumerate(order):
        assert top_level(folder, name) & modules <= set(order[:at]), name


def told(folder: str, modules: set[str]) -> list[str]:
    """The modules in the table of a folder's docstring, whose first column is what they are for."""
    docstring = ast.get_docstring(ast.parse((PACKAGE / folder / "__init__.py").read_text("utf-8"))) or ""
    rows = [re.sub(r"^\w* +", "", line) for line in docstring.split("\n\n")[2].splitlines()]
    return list(dict.fromkeys(word for row in rows for word in re.findall(r"\w+", row) if word in modules))


def top_level(folder: str, name: str) -> set[str]:
    """The modules of a folder that one of them imports when it is imported itself."""
    tree = ast.parse((PACKAGE / folder / f"{name}.py").read_text("utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == f"krm_values.{folder}":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"krm_values.{folder}."):
            found.add(node.module.split(".")[2])
    return found


@pytest.mark.parametrize("name", registry.functions())
def test_a_run_loads_its_function_and_no_other_nor_what_only_other_commands_need(name):
    program = (
        f"import sys; sys.argv = ['krm-{name}']; from krm_values._cli.main import main; code = main([]);"
        "print(code, *sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], input=LISTED, capture_output=True, text=True, check=True)
    code, *loaded = done.stderr.splitlines()
    assert code in ("0", "1")
    functions = {
        entry.split(".")[1] for entry in loaded if entry.startswith("krm_values.") and not entry.startswith("krm_values._")
    }
    assert functions == {module(name)}
    heavy = {
        "pydantic",
        "argparse",
        "rich",
        "ruamel",
        "jsonpatch",
        "shtab",
        "pathspec",
        "subprocess",
        "asyncio",
        "urllib3",
        "cryptography",
        "krm_values._kit.writer",
    }
    assert heavy.isdisjoint(entry for entry in loaded)
    assert f"krm_values.{module(name)}.tools" not in loaded, "nobody has named a program"


@pytest.mark.parametrize("name", registry.functions())
def test_the_tools_that_a_function_declares_are_those_that_it_makes(name):
    assert set(registry.load(name).tools) == set(getattr(registry.tools().get(name), "NAMES", ()))


def test_a_third_party_can_write_a_function_with_what_the_package_exports():
    import krm_values  # noqa: PLC0415

    assert set(krm_values.__all__) == {"Function", "Finding", "Origin", "put", "drop", "move", "new", "mark", "note"}
