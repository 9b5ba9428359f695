"""`python -m tests.page.screenshots [DIR]`: pictures of the page of six examples and of others, to be looked at, and the README's anew."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zlib
from hashlib import sha256
from pathlib import Path

from tests.page import large
from tests.page.browser import Browser
from tests.page.conftest import EXAMPLES, changed, write

ROOT = Path(__file__).parents[2]
README = ROOT / "docs/images/explain-page.png"
_WORDS = b"woRd"  # a chunk that programs which show a PNG skip
HOST = "ConfigMap/shop/cart-flux-values/ingress.host"
SIZES = {"wide": (1280, 800), "middle": (1000, 760), "narrow": (400, 800)}
SIX = (
    "cartographer-params/web-and-worker",
    "giantswarm-config/stage-and-region",
    "glasskube-values/several-targets",
    "layered-values/base-and-environments",
    "pipelines/all-six",
    "tekton-params/build-and-deploy",
)


def main(words: list[str]) -> None:
    folder = Path(words[0] if words else ROOT / "build/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, Browser() as browser:
        for name, (file, link) in _pages(Path(made)).items():
            for size, (width, height) in SIZES.items():
                for dark in (False, True):
                    page = browser.page(width, height, dark=dark).open(file, link)
                    page.screenshot(folder / f"{name}-{size}-{'dark' if dark else 'light'}.png")
                    page.close()
            page = browser.page().open(file, link)
            (folder / f"{name}.pdf").write_bytes(page.pdf())
            page.close()
        README.write_bytes(picture(browser, Path(made, "explain.html")))
    if shutil.which("pdftoppm"):
        for file in folder.glob("*.pdf"):
            subprocess.run(["pdftoppm", "-png", "-r", "80", "-l", "2", file, file.with_suffix("")], check=True)
    print(*sorted(folder.iterdir()), sep="\n")


def picture(browser: Browser, explained: Path) -> bytes:
    """The picture of README, a PNG that holds what the page says in it, and the digest of its style and script: by them a test can tell whether it is out of date."""
    page = browser.page(1280, 800).open(explained, HOST)
    with tempfile.TemporaryDirectory() as folder:
        page.screenshot(Path(folder, "page.png"))
        content = Path(folder, "page.png").read_bytes()
    text: str = page.evaluate("document.body.innerText")
    page.close()
    end = content.rindex(b"IEND") - 4
    return content[:end] + _chunk(_WORDS, zlib.compress(f"{digest(explained)}\n{text}".encode())) + content[end:]


def digest(page: Path) -> str:
    """The digest of a page without its data: of skeleton, style and script. What the data say is in the words."""
    before, _, rest = page.read_bytes().partition(b'<script id="data"')
    return sha256(before + rest.partition(b"</script>")[2]).hexdigest()


def words(content: bytes) -> str:
    """What the page said in a picture, below its digest."""
    at = content.index(_WORDS)
    size = int.from_bytes(content[at - 4 : at])
    return zlib.decompress(content[at + 4 : at + 4 + size]).decode()


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)


def _pages(folder: Path) -> dict[str, tuple[Path, str]]:
    """The pages by name, each with the link at which it is opened."""
    write("explain", EXAMPLES / "pipelines/all-six", "--html", folder / "explain.html")
    for name in SIX:
        write("explain", EXAMPLES / name, "--html", folder / f"{name.replace('/', '-')}.html")
    write("explain", large.write(folder / "large"), "--html", folder / "large.html")
    write("compare", *changed(folder), "--html", folder / "compare.html", code=1)
    names = ("explain", *(name.replace("/", "-") for name in SIX), "large", "compare")
    return {name: (folder / f"{name}.html", HOST if name == "explain" else "") for name in names}


if __name__ == "__main__":
    main(sys.argv[1:])
