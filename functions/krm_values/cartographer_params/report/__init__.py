"""Reports: resolved params, tables of params, and lints of chains, templates and owners."""
