"""Where each value comes from: the commands `explain`, `values`, `why`, `impact` and `compare`, a module each.

All of them ask the same three: `steps` has what each step decided, `ways` follows a layer back to the file it comes from, and `values` gives
one answer per value. `masking` says which values must not be shown, `masked_text` writes texts without them. `text`, `as_json` and `page` are
the forms of an answer.
"""
