"""Random fields that may hold references to the names that are seen there."""

from __future__ import annotations

from tests.reference.tekton.generate.dice import Dice, Json, Kinds, spelled

LOOKALIKES = (
    "$( params.{0} )",
    "$(params. {0})",
    "${{params.{0}}}",
    "$(param.{0})",
    '$(params["{0}"].k)',
    '$(params.{0}["k"])',
)

WRONG = ("$(params.{0}.k.j)", "$(params.{0}.k)", "$(params.{0}[9])", "$(params.{0}[*])", "$(params.{0})")


class Fields:
    """Texts, entries, steps and tasks that read some of the names `seen` (name to type)."""

    def __init__(self, dice: Dice, seen: Kinds) -> None:
        self.dice, self.seen = dice, seen
        self.chance, self.odd, self.pick = dice.chance, dice.odd, dice.pick

    def name(self) -> str:
        if self.odd(2) or not self.seen:
            return str(self.pick(("zz", "a", "o"))) if self.odd(9) else ""
        return str(self.pick(self.seen))

    def read(self, name: str, suffix: str = "") -> str:
        """One of the spellings of a reference."""
        if "." in name:
            return str(self.pick((f'$(params["{name}"]{suffix})', f"$(params['{name}']{suffix})")))
        spellings = (f"$(params.{name}{suffix})",) * 5 + (f'$(params["{name}"]{suffix})', f"$(params['{name}']{suffix})")
        return str(self.pick(spellings))

    def text(self) -> str:
        """A text with a reference that fits into a string field, or none."""
        return f"{self.pick(('', 'x', '$'))}{self.one()}{self.pick(('', ' y'))}{self.one() if self.chance(0.2) else ''}"

    def one(self) -> str:
        name = self.name()
        if not name or self.chance(0.15):
            return "plain"
        if self.chance(0.1):
            return str(self.pick(LOOKALIKES)).format(name)
        if self.odd():
            return str(self.pick(WRONG)).format(name.split(".")[0])
        kind = self.seen.get(name, "string")
        if kind == "array":
            return self.read(name, "[0]") if self.odd(5) or self.chance(0.02) else "list"
        if kind == "object":
            return f"$(params.{name}.{self.pick(('k', 'j', 'h-1') if self.odd(2) else ('k', 'j'))})"
        return self.read(name)

    def entry(self, *, guard: bool = False) -> str:
        """An entry of a list."""
        arrays = [name for name, kind in self.seen.items() if kind == "array"]
        if arrays and self.chance(0.4):
            name = self.pick(arrays)
            glued = "x" if self.odd(2) else ""
            return glued + self.read(name, "" if self.odd() or (not guard and self.chance(0.3)) else "[*]")
        return self.text()

    def entries(self, *, guard: bool = False) -> list[str]:
        return [self.entry(guard=guard) for _ in range(self.pick((1, 1, 2)))]

    def guard(self) -> dict[str, Json]:
        if self.chance(0.1):
            return {"cel": f"'{self.text()}' == 'x'"}
        return {"input": self.text(), "operator": "in", "values": self.entries(guard=True)}

    def on_error(self) -> str:
        """A text that begins with a reference, or a word [S6]."""
        made = self.text()
        return made if made.startswith("$(params") else str(self.pick(("continue", "stopAndFail")))

    def container(self, name: str, *, step: bool = True) -> dict[str, Json]:
        """A step or a sidecar with a few of its fields."""
        makers: dict[str, Json] = {
            "script": lambda: f"echo {self.text()}",
            "args": self.entries,
            "command": self.entries,
            "workingDir": self.text,
            "env": lambda: [self.variable()],
            "envFrom": lambda: [{"prefix": self.text(), "secretRef": {"name": self.text()}}],
            "volumeMounts": lambda: [{"name": "v", "mountPath": "/m", "subPath": self.text()}],
            "onError": self.on_error,
            "imagePullPolicy": self.text,
            "stdoutConfig": lambda: {"path": self.text()},
            "stderrConfig": lambda: {"path": self.text()},
            "when": lambda: [self.guard()],
            "computeResources": lambda: {"limits": {"cpu": "$(params.nobody)"}},
            "displayName": lambda: "$(params.nobody)",
        }
        made: dict[str, Json] = {"name": name, "image": self.text() if self.chance(0.15) else "busybox"}
        if step and self.chance(0.1):
            return {"name": name, "ref": {"name": "action"}, "params": [self.argument()]}
        if not step:
            for key in ("onError", "stdoutConfig", "stderrConfig", "when"):
                del makers[key]
        for key in ("script", *self.dice.random.sample(list(makers), 2)):
            made[key] = makers[key]()
        if self.chance(0.1):
            strings = [name for name, kind in self.seen.items() if kind == "string" and "." not in name]
            if strings:
                made["script"] = f"old $(inputs.params.{self.pick(('o', 'zz') if self.odd(5) else strings)})"
        return made

    def argument(self) -> dict[str, Json]:
        """A param of a step that refers to a step action."""
        name = self.name()
        kind = self.seen.get(name, "")
        if kind in ("array", "object") and self.chance(0.6):
            return {"name": "act", "value": spelled(name, "[*]") if "." not in name else [spelled(name, "[*]")]}
        return {"name": "act", "value": self.entries() if self.chance(0.3) else self.text()}

    def variable(self) -> dict[str, Json]:
        roll = self.dice.random.random()
        if roll < 0.6:
            return {"name": "E", "value": self.text()}
        source = "secretKeyRef" if roll < 0.8 else "configMapKeyRef"
        return {"name": "E", "valueFrom": {source: {"name": self.text(), "key": self.text()}}}

    def task(self) -> dict[str, Json]:
        """The parts of a task's spec that run."""
        made: dict[str, Json] = {"steps": [self.container(f"s{number}") for number in range(self.pick((1, 1, 2)))]}
        if self.chance(0.1):
            made["stepTemplate"] = {"image": "busybox", "env": [self.variable()]}
        if self.chance(0.1):
            made["sidecars"] = [self.container("side", step=False)]
        if self.chance(0.1):
            made["volumes"] = [{"name": "v", "configMap": {"name": self.text()}}]
        if self.chance(0.1):
            made["workspaces"] = [{"name": "w", "mountPath": self.text(), "description": "$(params.nobody)"}]
        if self.chance(0.1):
            made["description"] = "$(params.nobody)"
        return made
