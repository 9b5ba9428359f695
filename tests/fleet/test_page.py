"""`fleet render --html`: the page is written beside the other reports; what it shows is tested in `tests/page/test_fleet.py`."""

from __future__ import annotations

import json
import re

from tests.cli.packages import command


def test_the_page_says_what_the_results_say(fleet):
    done = command("fleet", "render", ".", "--html", "../page.html", "--results", "../results", "--jobs", "2", cwd=fleet)
    assert done.returncode == 1
    text = (fleet.parent / "page.html").read_text("utf-8")
    found = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text)[1])
    strings, statuses = found["strings"], found["statuses"]
    rows = [json.loads(line) for line in (fleet.parent / "results").read_text().splitlines()]
    assert [
        {"package": strings[name], "status": statuses[status], "changed": [strings[at] for at in changed]}
        for name, _, _, status, changed, *_ in found["packages"]
    ] == [{key: row[key] for key in ("package", "status", "changed")} for row in rows]
    assert [[strings[at] for _, at in one[5]] for one in found["packages"]] == [
        [finding["message"] for finding in row["findings"]] for row in rows
    ]


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_rendered(fleet):
    (fleet.parent / "mine.html").write_text("mine")
    done = command("fleet", "render", ".", "--html", "../mine.html", cwd=fleet)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not a page of krm-values" in done.stderr
