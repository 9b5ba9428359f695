"""Headless Chromium, driven by the DevTools protocol over two pipes: JSON messages that end with a NUL, so that no library is needed."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 60
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--mute-audio",
)
KEYS = {
    "ArrowDown": 40,
    "ArrowUp": 38,
    "Enter": 13,
    "Escape": 27,
    "PageDown": 34,
    "PageUp": 33,
    "Home": 36,
    "End": 35,
    "Tab": 9,
}


def program() -> str | None:
    """The browser on PATH, None if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class BrowserError(AssertionError):
    """What the browser refuses, or an exception of a script."""


class Browser:
    """One process of the browser, without the machine's profile or proxy."""

    def __init__(self) -> None:
        found = program()
        if found is None:
            raise FileNotFoundError("no Chromium is on PATH")
        self._home = tempfile.mkdtemp(prefix="browser-")
        theirs, self._out = os.pipe()
        self._in, answers = os.pipe()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        words = [found, *_OPTIONS, *sandbox, f"--user-data-dir={self._home}/profile", "about:blank"]
        environment = {**os.environ, "HOME": self._home, "XDG_CONFIG_HOME": self._home, "XDG_CACHE_HOME": self._home}
        theirs, answers = _high(theirs), _high(answers)
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs, 3),
            (os.POSIX_SPAWN_DUP2, answers, 4),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        self._process = os.posix_spawn(found, words, environment, file_actions=actions, setpgroup=0)
        os.close(theirs)
        os.close(answers)
        self._number, self._left = 0, b""
        self.pages: dict[str, Page] = {}
        self._traced: list[dict[str, Any]] | None = None
        self._is_traced = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, BrowserError):
            self.send("Browser.close")
        os.close(self._out)
        os.close(self._in)
        for _attempt in range(50):
            if os.waitpid(self._process, os.WNOHANG)[0]:
                break
            time.sleep(0.1)
        else:
            os.killpg(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        shutil.rmtree(self._home, ignore_errors=True)

    def send(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Call a method and wait for its result."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + SECONDS
        while True:
            found = self._read(until)
            if found.get("id") == number:
                if "error" in found:
                    raise BrowserError(f"{method}: {found['error']}")
                return found["result"]
            self._note(found)

    def pump(self, seconds: float) -> None:
        """Take in what the browser says for a while."""
        until = time.monotonic() + seconds
        with contextlib.suppress(TimeoutError):
            while True:
                self._note(self._read(until))

    def _read(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError("the browser has ended")
            self._left += piece
        message, _, self._left = self._left.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    @contextlib.contextmanager
    def trace(self) -> Iterator[list[dict[str, Any]]]:
        """The browser's own trace of what happens inside: filled at the end, times in microseconds."""
        found: list[dict[str, Any]] = []
        self.send(
            "Tracing.start", categories="devtools.timeline,loading,blink.user_timing,toplevel", transferMode="ReportEvents"
        )
        yield found
        self._traced, self._is_traced = found, False
        self.send("Tracing.end")
        until = time.monotonic() + SECONDS
        while not self._is_traced:
            self._note(self._read(until))
        self._traced = None

    def _note(self, message: dict[str, Any]) -> None:
        if self._traced is not None and message.get("method") == "Tracing.dataCollected":
            self._traced += message["params"]["value"]
        self._is_traced = self._is_traced or message.get("method") == "Tracing.tracingComplete"
        page = self.pages.get(message.get("sessionId", ""))
        if page is not None and "method" in message:
            page.events.append((message["method"], message["params"]))

    def page(self, width: int = 1440, height: int = 900, *, dark: bool = False) -> Page:
        """A new tab."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, target, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.resize(width, height)
        page.media(dark=dark)
        return page


@dataclass
class Page:
    """A tab. events: what the browser reported about it."""

    browser: Browser
    target: str
    session: str
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.browser.send(method, self.session, **parameters)

    def resize(self, width: int, height: int) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind: str = "", *, dark: bool = False) -> None:
        """Emulate a medium, as "print", and a colour scheme."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media=kind, features=scheme)

    def open(self, file: Path, fragment: str = "") -> Page:
        """Load a file of this machine and wait until its script has run."""
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        self.send("Page.navigate", url=file.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        self.until("document.readyState === 'complete' && document.documentElement.dataset.ready")
        self.frames()
        return self

    def evaluate(self, script: str) -> Any:
        """The value of an expression; a promise is waited for."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise BrowserError(str(found["exceptionDetails"].get("exception", found["exceptionDetails"])))
        return found["result"].get("value")

    def until(self, script: str, seconds: float = SECONDS) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate(script):
                return
            time.sleep(0.02)
        raise BrowserError(f"never true: {script}")

    def frames(self) -> None:
        """Wait until what was asked for is painted."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that fit."""
        found: list[str] = self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")
        return found

    def text(self, selector: str) -> str:
        found: str = self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")
        return found

    def press(self, *keys: str) -> None:
        """Press keys, one after the other; a key is a character or one of `KEYS`."""
        for key in keys:
            form: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
            form |= {"text": key} if len(key) == 1 else {"code": key}
            self.send("Input.dispatchKeyEvent", type="keyDown", **form)
            self.send("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in form.items() if k != "text"})
        self.frames()

    def type(self, text: str) -> None:
        """Insert a text where the focus is."""
        self.send("Input.insertText", text=text)
        self.frames()

    def click(self, selector: str, number: int = 0) -> None:
        """Click the middle of an element as a mouse does."""
        x, y = self.evaluate(
            f"(e => {{ e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelectorAll({json.dumps(selector)})[{number}])"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.frames()

    def screenshot(self, file: Path) -> None:
        self.frames()
        file.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def pdf(self) -> bytes:
        return base64.b64decode(self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def messages(self) -> list[str]:
        """What the console and the browser's log say."""
        self.browser.pump(0.2)
        return [*self._messages()]

    def _messages(self) -> Iterator[str]:
        for method, found in self.events:
            if method == "Runtime.consoleAPICalled":
                yield f"console: {found['args']}"
            elif method == "Runtime.exceptionThrown":
                yield f"exception: {found['exceptionDetails']}"
            elif method == "Log.entryAdded":
                yield f"log: {found['entry']['text']}"
            elif method in ("Page.javascriptDialogOpening", "Page.windowOpen", "Page.downloadWillBegin"):
                yield f"{method}: {found}"

    def requests(self) -> list[str]:
        """Addresses that were asked for, without the page's own."""
        self.browser.pump(0.2)
        asked = [found["request"]["url"] for method, found in self.events if method == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith("file:") or url.partition("#")[0] != asked[0].partition("#")[0]]

    def close(self) -> None:
        self.browser.send("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session, None)


def _high(descriptor: int) -> int:
    """The same pipe under a number that no `dup2` to 3 or 4 overwrites."""
    if descriptor > 10:
        return descriptor
    found = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 16)
    os.close(descriptor)
    return found
