"""Every attack fails, and docs/hostile.md is up to date."""

from __future__ import annotations

import pytest

from tests.hostile import families, running, table

ATTACKS = [attack for _, attacks in families.ALL for attack in attacks]
WRITTEN = table.FILE.read_text("utf-8") if table.FILE.exists() else ""
ROWS = {line.split(" | ")[0].removeprefix("| "): line for line in WRITTEN.splitlines() if line.startswith("| ")}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_stood_as_the_table_says(attack):
    ended = running.carried_out(attack)
    found = table.without_cost(table.row(attack, ended))
    assert found == table.without_cost(ROWS.get(attack.name, "")), "run `python -m tests.hostile`"


def test_the_table_holds_each_attack_once_and_nothing_else():
    rows = {title: [f"{ROWS.get(attack.name, '')}\n" for attack in attacks] for title, attacks in families.ALL}
    assert table.document(rows.items()) == WRITTEN
    names = [attack.name for attack in ATTACKS]
    assert len(set(names)) == len(names) >= 100
