"""Files that lie in a package and look like those that a writer stages."""

from __future__ import annotations

import json

from tests.hostile.attack import Attack
from tests.hostile.families.files import link
from tests.hostile.families.parts import BUILD, DIFF, RENDER, tekton

STAGED = ".krm-values-" + "0" * 32
JOURNAL = json.dumps({"entries": [{"target": "../home/.bashrc", "old": "removed", "new": "0" * 64, "staged": STAGED}]})
WRITES = ("package",)
ATTACKS = [
    Attack(
        "a journal of version 0.1.0",
        "overwrite ~/.bashrc by recovery",
        RENDER,
        "1 step run",
        0,
        tekton({".krm-values/journal": JOURNAL, ".krm-values/0": ""}),
        writes=WRITES,
    ),
    Attack(
        "`.krm-values` as a link",
        "delete what it leads to",
        RENDER,
        "1 step run",
        0,
        BUILD,
        link(".krm-values", "../home"),
        writes=WRITES,
    ),
    Attack("`.krm-values` as a file", "block every run", RENDER, "1 step run", 0, tekton({".krm-values": "x"}), writes=WRITES),
    Attack(
        "a staged file of nobody, read only",
        "be read as a resource",
        DIFF,
        "+        value: $(params.url)",
        1,
        tekton({STAGED: "kind: ["}),
    ),
    Attack(
        "a staged file of nobody", "be renamed over a file", RENDER, "1 step run", 0, tekton({STAGED: "evil"}), writes=WRITES
    ),
    Attack(
        "a staged name that is a link",
        "be removed or followed",
        RENDER,
        "looks like a file that another user has staged",
        0,
        BUILD,
        link(STAGED, "../home/.bashrc"),
        writes=WRITES,
    ),
]
