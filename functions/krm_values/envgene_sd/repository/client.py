"""A client for artifact servers with retries, redirects and limits. Each address is requested once."""

from __future__ import annotations

import queue
import threading
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values.envgene_sd.repository import redirects
from krm_values.envgene_sd.repository.faults import fault
from krm_values.envgene_sd.repository.transport import NoReplyError, Reply, Transport
from krm_values.envgene_sd.repository.web import origin, split

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_RULE = "94"
_FOUND, _ABSENT, _DENIED, _BUSY = 200, 404, (401, 403), 429


@record
class Limits:
    """Limits of a request in seconds, tries and bytes. `total` runs from the first try to the last byte, redirects and pauses included."""

    connect: float = 5.0
    read: float = 30.0
    total: float = 60.0
    tries: int = 3
    pause: float = 0.5
    retry_after: float = 10.0
    redirects: int = 5
    body: int = 10 << 20


@record
class Answer:
    """The answer of an address: 200 with its body and the checksums that the server announces for it, 404, 401 or 403."""

    status: int
    body: bytes
    checksums: Mapping[str, str]


class Client:
    """Requests addresses. An answer is kept for later requests with the same credentials."""

    __slots__ = ("_answers", "_limits", "_transport")

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._transport = Transport(self._limits.connect, self._limits.read, self._limits.body)
        self._answers: dict[tuple[str, str], Answer] = {}

    def get(self, address: str, authorization: str = "") -> Answer:
        """Return the answer of an address. FaultsError of rule 94 for any status but 200, 404, 401 and 403.

        authorization: the value of the header; it is sent to the scheme, host and port of `address` only.
        """
        key = (address, authorization)
        if key not in self._answers:
            reply = self._asked(address, authorization)
            self._answers[key] = Answer(reply.status, reply.body, reply.checksums)
        return self._answers[key]

    def _asked(self, address: str, authorization: str) -> Reply:
        until = time.monotonic() + self._limits.total
        here, left, may_be_local = address, self._limits.redirects, True
        while True:
            headers = {"Authorization": authorization} if authorization and origin(here) == origin(address) else {}
            reply = self._tried(address, here, headers, until, may_be_local=may_be_local)
            if reply.status in (_FOUND, _ABSENT, *_DENIED):
                return reply
            if reply.status not in redirects.STATUSES:
                raise _refused(address, f"the server answers {reply.status}")
            left -= 1
            if left < 0:
                raise _refused(address, f"the server redirects more than {self._limits.redirects} times")
            may_be_local = may_be_local and reply.is_local
            try:
                here = redirects.follow(here, reply.location)
            except redirects.RedirectError as error:
                raise _refused(address, f"the server redirects {error}") from None

    def _tried(self, address: str, here: str, headers: Mapping[str, str], until: float, *, may_be_local: bool) -> Reply:
        """Return the reply of `here` once the server is not busy. FaultsError when the tries or the time are used up."""
        for number in range(1, self._limits.tries + 1):
            pause = self._limits.pause * 2 ** (number - 1)
            try:
                reply = within(until, lambda: self._transport.get(here, headers, may_be_local=may_be_local))
                reason = f"the server answers {reply.status}"
                if reply.status != _BUSY and reply.status < 500:
                    return reply
                pause = max(pause, _wished(reply.retry_after)) if reply.retry_after.strip() != "0" else 0.0
                final = _wished(reply.retry_after) > self._limits.retry_after
            except NoReplyError as error:
                reason, final = error.reason, not error.passing
            if final or number == self._limits.tries or time.monotonic() + pause >= until:
                break
            time.sleep(pause)
        raise _refused(address, reason if here == address else f"the server redirects to {split(here).authority}: {reason}")


def within(until: float, call: Callable[[], Reply]) -> Reply:
    """Return the result of a call, or raise NoReplyError at the time `until`.

    A socket's own timeout restarts with each byte, and resolving a name has none: a slow server could block the run forever.
    """
    results: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()

    def work() -> None:
        try:
            results.put(call())
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            results.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        found = results.get(timeout=max(0.0, until - time.monotonic()))
    except queue.Empty:
        raise NoReplyError("the server does not answer in time") from None
    if isinstance(found, Exception):
        raise found
    return found


def _wished(retry_after: str) -> float:
    """Return the seconds of a `Retry-After` header, which is a number or a date; 0 if it cannot be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, OSError, IndexError):
        return 0.0


def _refused(address: str, reason: str) -> Exception:
    return fault(_RULE, f"{address}: {reason}; try again when that is fixed", "fetch")
