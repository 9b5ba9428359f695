"""python scripts/libyaml.py: fail, with the command that mends it, if this Python's PyYAML came without libyaml."""

from __future__ import annotations

import shutil
import sys

import yaml

if not yaml.__with_libyaml__:
    install = "brew install libyaml" if shutil.which("brew") else "apt-get install gcc libyaml-dev python3-dev"
    again = f"{sys.executable} -m pip install --force-reinstall --no-cache-dir --no-binary PyYAML PyYAML"
    sys.exit(f"error: PyYAML came without libyaml, whose parser is needed: {install} && {again}, then run make again")
