"""A preload of a Dask worker that is not what it should be: what it does with a batch is named by the batch's first package."""

from __future__ import annotations

import os
import pickle

from distributed import get_worker
from distributed.protocol.serialize import to_serialize

from krm_values._fleet import parcel

MARK = os.environ.get("HOSTILE_MARK", "")
honest = parcel.planned
identity = parcel.identity


class Touch:
    """Whoever unpickles it makes a file that is named by its process."""

    def __reduce__(self):
        return (exec, (f"open({MARK!r} + str(__import__('os').getpid()), 'w').close()",))


class TouchingError(Exception):
    """The same as an exception."""

    __reduce__ = Touch.__reduce__


def planned(content):
    ((name, _), *_) = pickle.loads(content.partition(b"\n")[2])
    match name.partition("/")[0]:
        case "result":
            return Touch()
        case "listed":
            return [b"[]", Touch()]
        case "exception":
            raise TouchingError
        case "erred":
            return sends({"exception": to_serialize(TouchingError()), "traceback": to_serialize(Touch())})
        case "raw":
            return sends({"exception": pickle.dumps(TouchingError()), "traceback": pickle.dumps(Touch())})
        case "warning":
            told = {"message": pickle.dumps(Touch()), "category": pickle.dumps(Touch())}
            get_worker().log_event(["warn", "print"], told)
        case "other":
            parcel.identity = lambda programs: {**identity(programs), "krm-values": "9.9", "Python": "3.99"}
        case "none":
            return b'[{"status": "changed", "changes": [["../a.yaml", "removed", "", false]]}]'
    try:
        return honest(content)
    finally:
        parcel.identity = identity


def sends(told):
    """Say of the batch that it failed, in a message that no honest worker sends; what follows comes too late."""
    worker = get_worker()
    key = worker.get_current_task()
    texts = {"exception_text": "", "traceback_text": ""}
    about: dict = {
        "op": "task-erred",
        "key": key,
        "run_id": worker.state.tasks[key].run_id,
        "stimulus_id": "a",
        "startstops": [],
    }
    worker.loop.add_callback(worker.batched_send, {**about, "thread": 1, **texts, **told})
    return b"[]"


parcel.planned = planned
