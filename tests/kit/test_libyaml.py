"""PyYAML's parser without its package: the same events and errors, and nobody else notices."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALONE = "from krm_values._yaml import parser, libyaml; import sys;"
TEXTS = (
    "a: 1",
    "a: [",
    "a: 'b",
    "\x01",
    "a: &x 1\nb: *y",
    "%YAML 9.9\n---\n",
    "? a\n: b",
    "- !!x y",
    "a: b: c",
    "\ufeffa: 1",
    '"\\z"',
)
EACH = """
def walked(text):
    get = parser.events(text)
    found = []
    try:
        while event := get():
            found.append(str(event))
    except parser.YAMLError as error:
        found.append(str(parser.input_error(error, text)))
    return found
"""


def ran(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_a_run_has_only_what_the_parser_needs() -> None:
    assert ran(ALONE + "print('yaml' in sys.modules, 'yaml.reader' in sys.modules)") == "False False\n"


@pytest.mark.parametrize("text", TEXTS)
def test_events_and_errors_are_those_of_the_whole_package(text: str) -> None:
    compared = f"{EACH}\nprint(walked({text!r}))"
    alone = ran(ALONE + "\n" + compared + "\nassert 'yaml' not in sys.modules")
    assert alone == ran("import yaml;" + ALONE + "\n" + compared + "\nassert 'yaml.reader' in sys.modules")


def test_the_package_can_be_imported_later() -> None:
    assert ran(ALONE + "import yaml; print(yaml.load('a: [1]', yaml.CSafeLoader), yaml.safe_dump([1]))") == "{'a': [1]} - 1\n\n"


REFUSED_ONCE = """
import sys
class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name == "yaml._yaml":
            sys.meta_path.remove(self)
            raise AttributeError
sys.meta_path.insert(0, Refuses())
"""


def test_another_version_of_the_package_is_imported_whole() -> None:
    program = f"{REFUSED_ONCE}\n{ALONE}print(parser._Parser.__name__, 'yaml.reader' in sys.modules)"
    assert ran(program) == "CParser True\n"


def test_without_libyaml_a_command_is_one_error_that_says_how_to_get_it(tmp_path) -> None:
    """A package that says so of itself; its other modules are never asked for."""
    (tmp_path / "yaml").mkdir()
    (tmp_path / "yaml/__init__.py").write_text(
        "__with_libyaml__ = False\nfrom types import SimpleNamespace as events, SimpleNamespace as error\n"
    )
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from krm_values._cli.main import main; sys.exit(main(['run', 'tekton-params']))"
    done = subprocess.run([sys.executable, "-c", program], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: PyYAML was built without libyaml, whose parser is needed: ")
    assert len(done.stderr.splitlines()) == 1
