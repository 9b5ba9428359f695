"""A step that is not ours, for tests: what it does is in its functionConfig. It edits text, so that it needs no library and keeps every style."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time

END = "functionConfig:"
RESULT = """\
results:
- message: {message}
  severity: {severity}
  resourceRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  field: {{path: spec.replicas, currentValue: 1, proposedValue: 3}}
  file: {{path: web.yaml}}
  tags: {{rule: R1}}
"""
NEW = """\
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: made
    namespace: shop
{annotations}  data:
    b: "1"
    a: text
"""
PLACED = """\
    annotations:
      config.kubernetes.io/path: {path}
      internal.config.kubernetes.io/path: {path}
"""


def replicas(text: str) -> str:
    return re.sub(r"\breplicas: 1\b", "replicas: 3", text)


def label(text: str) -> str:
    return re.sub(r"^(    name: .*\n)(?=    annotations:)", r"\1    labels:\n      team: shop\n", text, flags=re.MULTILINE)


def added(text: str, new: str) -> str:
    head, mark, tail = text.partition(END)
    return head + new + mark + tail


def gone(text: str) -> str:
    """Remove each ConfigMap that is called gone."""
    head, mark, tail = text.partition(END)
    first, *items = re.split(r"^- ", head, flags=re.MULTILINE)
    return "".join([first, *(f"- {item}" for item in items if "name: gone" not in item)]) + mark + tail


def moved(text: str, path: str) -> str:
    return re.sub(r"\bpath: '?web.yaml'?$", f"path: {path}", text, flags=re.MULTILINE)


def element(text: str) -> str:
    """Put a container before the first one, and remove the second."""
    text = re.sub(r"^( +)- name: main\n", r"\1- name: first\n\1  image: first:1\n\1- name: main\n", text, flags=re.MULTILINE)
    return re.sub(r"^ +- name: last.*\n( +)image: .*\n", "", text, flags=re.MULTILINE)


def isolation(text: str) -> str:
    """Tell what the step may do."""
    writable = []
    for folder in ("/", "/opt", "/tmp", "/var", "/dev/shm"):
        try:
            with open(os.path.join(folder, "written"), "w", encoding="utf-8"):
                writable.append(folder)
        except OSError:
            pass
    with open("/proc/self/status", encoding="utf-8") as file:
        status = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line)
    interfaces = sorted(
        name for _, name in socket.if_nameindex() if name == "lo" or not name.startswith(("ip", "sit", "gre", "tun"))
    )
    told = f"{os.getuid()} {writable} {interfaces} {status['NoNewPrivs']} {status['CapEff']} {'SECRET_OF_CALLER' in os.environ}"
    return text + RESULT.format(message=f'"{told}"', severity="info")


def crash(text: str) -> str:
    raise ValueError("of the step itself")


def hang(text: str) -> str:
    time.sleep(600)
    return text


def much(text: str) -> str:
    while True:
        print("x" * 65536)


def bad_bytes(text: str) -> str:
    sys.stdout.buffer.write(b"\xff\xfe")
    return ""


HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
DOES = {
    "replicas": replicas,
    "label": label,
    "element": element,
    "gone": gone,
    "new": lambda text: added(text, NEW.format(annotations=PLACED.format(path="made/here.yaml"))),
    "new-beside": lambda text: added(text, NEW.replace('"1"', "one").format(annotations=PLACED.format(path="web.yaml"))),
    "new-without-path": lambda text: added(text, NEW.format(annotations="")),
    "new-outside": lambda text: added(text, NEW.format(annotations=PLACED.format(path="../x.yaml"))),
    "new-twice": lambda text: added(text, 2 * NEW.format(annotations=PLACED.format(path="made/here.yaml"))),
    "index-of-5000-digits": lambda text: re.sub(r"\bindex: '0'$", f"index: '{'9' * 5000}'", label(text), flags=re.MULTILINE),
    "ids-of-5000-digits": lambda text: re.sub(r"^(.*/id): .*", rf"\1: '{'9' * 5000}'", text, flags=re.MULTILINE),
    "move": lambda text: moved(text, "moved/web.yaml"),
    "move-out": lambda text: moved(text, "../web.yaml"),
    "move-to-git": lambda text: moved(text, ".git/hooks/pre-commit"),
    "move-to-a-drive": lambda text: moved(text, "'C:web.yaml'"),
    "without-ids": lambda text: re.sub(r"^      [a-z.]*config[a-z0-9.]*io/id: .*\n", "", replicas(text), flags=re.MULTILINE),
    "tell": lambda text: replicas(text) + RESULT.format(message="look here", severity="warning"),
    "tell-error": lambda text: replicas(text) + RESULT.format(message="look here", severity="error"),
    "fail": lambda text: text + RESULT.format(message="is refused", severity="error"),
    "crash": crash,
    "nonsense": lambda _: "hello\nworld: [\n",
    "no-list": lambda _: "kind: List\nitems: []\n",
    "no-resource": lambda _: f"{HEAD}items:\n- kind: A\n",
    "no-item": lambda _: f"{HEAD}items: []\n",
    "bytes": bad_bytes,
    "hang": hang,
    "memory": lambda _: str(len(bytearray(b"x" * (1 << 30)))),
    "much": much,
    "processes": lambda _: str([subprocess.Popen(["sleep", "60"]) for _ in range(2000)]),
    "isolation": isolation,
    "nothing": lambda _: "",
}


def main() -> int:
    text = sys.stdin.read()
    found = re.search(r"\bdo: ['\"]?([\w-]+)", text.partition(END)[2])
    what = found[1] if found else ""
    print(DOES.get(what, str)(text), end="")
    return int(what == "fail")


if __name__ == "__main__":
    sys.exit(main())
