"""The page of `--html` in a real browser: what it shows, how it is used, and what it must not do."""
