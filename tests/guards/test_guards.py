"""No file, program, network, hash or message is touched without a documented and tested guard."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.guards import document, sites
from tests.guards.table import EXPRESSIONS_TEST, GUARDS

ROOT = Path(__file__).parents[2]


def test_every_place_has_a_guard():
    """`python -m tests.guards` prints the rows that are missing in tests/guards/table.py."""
    assert document.unguarded() == []
    assert document.stale() == []


def test_the_page_is_what_the_source_says():
    """`python -m tests.guards` writes it."""
    assert document.PATH.read_text("utf-8") == document.page()


@pytest.mark.parametrize("test", sorted({EXPRESSIONS_TEST, *(test for _, test in GUARDS.values())}))
def test_the_tests_that_are_named_are_there(test):
    assert "def test_" in (ROOT / test).read_text("utf-8")


def test_no_call_passes_under_another_name():
    assert sites.aliases() == ["_run/registry.py: from importlib import metadata"]


NEW = {
    "read": ["open('x')", "os.open(p, 0)", "path.read_bytes()", "Path(p).open()", "sys.stdin.read()"],
    "list": ["os.walk(p)", "path.iterdir()"],
    "write": [
        "os.unlink(p)",
        "path.write_text(t)",
        "a.replace(b)",
        "shutil.rmtree(p)",
        "os.symlink(a, b)",
        "tempfile.mkdtemp()",
    ],
    "expression": ["re.match('(a+)+', t)", "re2.compile(p)"],
    "hash": ["hashlib.md5(b)", "hmac.new(k, b, 'sha1')"],
    "program": ["subprocess.run(a)", "os.system(t)", "os.execv(p, a)", "os.kill(p, 9)"],
    "network": ["socket.create_connection(a)", "urllib3.request('GET', u)"],
    "code": ["eval(t)", "exec(t)", "__import__(t)", "importlib.import_module(t)", "pickle.loads(b)"],
    "environment": ["os.environ['X']", "os.environ.get('X')", "os.getenv('X')", "getproxies()"],
    "message": [
        "print(t)",
        "sys.stderr.write(t)",
        "sys.stdout.buffer.write(b)",
        "sys.excepthook(t, e, b)",
        "say(t)",
        "tell(t)",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NEW.items() for text in texts])
def test_a_new_place_is_found(kind, text):
    """Wherever it stands."""
    source = f"class A:\n    def b(self):\n        def c():\n            return [x for x in ({text},)]\n"
    assert [(found, inside) for inside, found, _ in sites._of(ast.parse(source), "")] == [(kind, "A.b.c")]


@pytest.mark.parametrize(
    "text", ["a.replace('x', 'y')", "below.read(p, 1)", "source.write(e)", "pattern.match(t)", "sys.stdout.isatty()"]
)
def test_what_touches_nothing_is_no_place(text):
    assert list(sites._of(ast.parse(text), "")) == []
