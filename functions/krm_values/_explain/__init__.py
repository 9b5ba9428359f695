"""Where each value comes from: the commands `explain`, `values`, `why`, `impact` and `compare`, a module each.

All of them ask the `ledger`. `steps` has what each step decided, by document and place; `values` collects from them the last decision about each
value; `follow` makes of that the cells of a value (`model`): what was ranked for it, each followed back through the steps (`ways`) to the file in
which it was written, and why its layer is there (`references`). `uses` asks the other way, from a line to values. `compare` has two `sides`, each
with a ledger: `changed` finds what differs in their sources, `differences` in what they came to, `causes` brings both together.

`shown` is what may be shown of values, by the rules of `masking`; `masked_text` hides in texts. `text`, `as_json` and `page` are the forms of an answer.
"""
