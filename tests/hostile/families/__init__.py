"""All attacks, by what they attack."""

from __future__ import annotations

from tests.hostile.families import (
    config,
    envgene,
    files,
    generated,
    git,
    ignore,
    kptfile,
    markdown,
    network,
    page,
    placing,
    records,
    sops,
    staged,
    templates,
    terminal,
    yaml_texts,
)

ALL = (
    ("Files and links", files.ATTACKS),
    ("Staged files", staged.ATTACKS),
    ("`.krmignore`", ignore.ATTACKS),
    ("YAML and JSON texts", yaml_texts.ATTACKS),
    ("Kptfiles and pipelines", kptfile.ATTACKS),
    ("functionConfigs", config.ATTACKS),
    ("Annotations of hosts, and lists", placing.ATTACKS),
    ("Undo records and marks", records.ATTACKS),
    ("Generated objects and their files", generated.ATTACKS),
    ("Templates, patches, paths and patterns", templates.ATTACKS),
    ("Instance repositories", envgene.ATTACKS),
    ("Servers and credentials", network.ATTACKS),
    ("sops", sops.ATTACKS),
    ("Terminals and logs", terminal.ATTACKS),
    ("The page of `--html`, in a browser", page.ATTACKS),
    ("Markdown for a pull request", markdown.ATTACKS),
    ("Repositories of git", git.ATTACKS),
)
