"""Names of generated objects, and the files that they go to."""

from __future__ import annotations

from tests.cli.packages import kptfile
from tests.hostile.attack import Attack
from tests.hostile.families.parts import RENDER, config, config_map, listed, release, text, values

FLUX = ("krm-flux-values",)
WRITES = ("package",)


def _package(name: str, file: str = "release.yaml", **more: str) -> dict[str, str | bytes]:
    """A release of this name, whose generated object would get a file beside it."""
    return {
        "package/Kptfile": kptfile("exec: krm-flux-values, configPath: config.yaml"),
        "package/config.yaml": text(config("FluxValues")),
        f"package/{file}": text(release(values(), name=name)),
        "package/base.yaml": text(config_map(data={"values.yaml": "a: 1"})),
        **{f"package/{path}": content for path, content in more.items()},
    }


def _named(name: str, says: str) -> Attack:
    shown = name if len(name) < 30 else f"{name[:10]}... ({len(name)} characters)"
    shown = shown.encode("unicode_escape").decode()
    return Attack(f"a release named `{shown}`", "have a generated object written elsewhere", RENDER, says, 1, _package(name))


ATTACKS = [
    _named("../../home/.bashrc", ".."),
    _named("/etc/cron.d/x", "inside the package"),
    _named(".git/hooks/pre-commit", "begins with a dot"),
    _named(".github/workflows/x", "begins with a dot"),
    _named("a/../../b", ".."),
    _named("..", ""),
    _named("a\nerror: b", "control characters"),
    _named("\x1b]0;x\x07", "\\x1b"),
    _named("a\u202egnp.exe", "\\u202e"),
    _named("a\0b", "\\x00"),
    _named("x" * 300, "255"),
    Attack(
        "a release named `-rf`",
        "be an option of what reads the file",
        RENDER,
        "1 step run",
        0,
        _package("-rf"),
        writes=WRITES,
        changed=True,
    ),
    Attack("a release in .git", "write beside it", RENDER, "changed: nothing", 0, _package("web", ".git/release.yaml")),
    Attack(
        "a release in .github",
        "write beside it",
        RENDER,
        "begins with a dot",
        1,
        _package("web", ".github/workflows/release.yaml"),
    ),
    Attack(
        "an object of the name that is generated",
        "be overwritten",
        RENDER,
        "exists",
        1,
        _package("web", **{"mine.yaml": text(config_map("web-flux-values", {"mine": "x"}))}),
    ),
    Attack(
        "a file of the name that is generated",
        "be overwritten",
        RENDER,
        "1 step run",
        0,
        _package("web", **{"web-values.txt": "x"}),
        writes=WRITES,
        changed=True,
    ),
    Attack(
        "two releases that generate one object",
        "win by order",
        FLUX,
        "rename one",
        1,
        stdin=listed(
            release(values(), name="web"),
            release(values(), name="web"),
            config_map(data={"values.yaml": "a: 1"}),
            function_config=config("FluxValues"),
        ),
    ),
]
