"""Tags `$(path)$` of a template: replaced by values of a context (rules 60 to 70), and the params to which a body refers.

Text that looks like a tag without its closing `$` is stamped as text. The code of a ytt body is searched as text and not run: an
undetermined name counts as any name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars import like, source_of
from krm_values._go import encoding_json
from krm_values._go.jsonpath import Raw, boxed
from krm_values._krm.plan import Finding, part_of
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.kinds import CONTEXT, RUN_CONTEXT, RUN_TEMPLATE
from krm_values.cartographer_params.paths import PathError, RunBudget, WaitsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue, Unknown
    from krm_values._krm.item import Item

OWNERS = ("workload", "deliverable", "runnable")
"""The names of the owner in tags."""
_OPEN, _CLOSE = "$(", ")$"
_OWNER_PARAMS = ("spec", "params")
_OPENED = re.compile(r"\$\((\w+)[.\[]")
_BRACKET = re.compile(r"[()]")
_TEKTON = "tekton.dev/"
_LONGEST = 200  # characters of a text that are shown


@record
class Fault:
    """A string of a template that cannot be stamped.

    path: within the template. expression: as written between `$(` and `)$`. fact: what is wrong, as a predicate. missing: the path
    found nothing, as opposed to an expression that is never valid. is_null: a null within a longer string.
    """

    path: Path
    expression: str
    fact: str
    missing: bool = False
    is_null: bool = False


@record
class Stamped:
    """A template with its tags replaced; `value` is valid only without waiting expressions and faults.

    waiting: the expressions that refer to an unknown output, as written, once each, sorted. faults: in the template's order.
    """

    value: JSON
    waiting: tuple[str, ...]
    faults: tuple[Fault, ...]


def context_of(plain: Mapping[str, JSON | Unknown], **typed: GoValue) -> dict[str, GoValue]:
    """Return the context for paths. plain: plain data, which may hold UNKNOWN anywhere. typed: typed values, such as `workload`.

    Every number becomes a float, every entry of `params` is opaque (rules 69 and 75).
    """
    context: dict[str, GoValue] = {key: boxed(value) for key, value in plain.items() if key != "params"}
    params = plain.get("params")
    if isinstance(params, dict):
        context["params"] = {name: Raw(value) for name, value in params.items()}
    return {**context, **typed}


def stamp(template: JSON, context: Mapping[str, Any], budget: RunBudget | None = None) -> Stamped:
    """Replace every tag in every string of the template, at any depth; keys are left alone.

    context: made by `context_of`. budget: that of the run. Numbers of the template pass through 64-bit floats as well (rule 75).
    """
    stamper = _Stamper(dict(context), budget or RunBudget())
    value = stamper.value(template, ())
    return Stamped(value, tuple(sorted(set(stamper.waiting))), tuple(stamper.faults))


class _Stamper:
    """The state of one replacement: the context, and the faults and waiting expressions so far."""

    __slots__ = ("_budget", "_context", "_known", "faults", "waiting")

    def __init__(self, context: dict[str, GoValue], budget: RunBudget) -> None:
        self._context, self._budget = context, budget
        self._known: dict[str, JSON | WaitsError | PathError] = {}
        self.waiting: list[str] = []
        self.faults: list[Fault] = []

    def value(self, value: JSON, path: Path) -> JSON:
        if isinstance(value, dict):
            return like(value, {key: self.value(below, (*path, key)) for key, below in value.items()})
        if isinstance(value, list):
            return like(value, [self.value(below, (*path, index)) for index, below in enumerate(value)])
        if isinstance(value, str):
            return self._string(value, path) if _OPEN in value else value
        try:
            return _kept(value)
        except ValueError as error:
            self.faults.append(Fault(path, "", str(error)))
            return None

    def _string(self, written: str, path: Path) -> JSON:
        if _is_single(written):
            return self._found(_expression(written), path)
        return "".join(self._inserted(piece, path) if is_tag else piece for piece, is_tag in _pieces(written))

    def _inserted(self, expression: str, path: Path) -> str:
        before = len(self.waiting) + len(self.faults)
        found = self._found(expression, path)
        if found is None and before == len(self.waiting) + len(self.faults):
            self.faults.append(Fault(path, expression, "is null, which cannot be inserted into a longer string", is_null=True))
        return found if isinstance(found, str) else encoding_json.text(found)

    def _found(self, expression: str, path: Path) -> JSON:
        if self._budget.is_spent:
            return None
        try:
            found = self._one(expression)
            if not (fault := self._budget.insert(found)):
                return found
            self.faults.append(Fault(path, expression, fault))
        except WaitsError:
            self.waiting.append(expression)
        except PathError as error:
            fact = error.fact if expression else f"has an empty tag: `{_OPEN}{_CLOSE}`"
            self.faults.append(Fault(path, expression, fact, error.missing))
        return None

    def _one(self, expression: str) -> JSON:
        """Return the one value that an expression finds; WaitsError or PathError if there is none. It is evaluated once."""
        if expression not in self._known:
            try:
                self._known[expression] = paths.one(expression, self._context, self._budget)
            except (WaitsError, PathError) as error:
                self._known[expression] = error
        found = self._known[expression]
        if isinstance(found, (WaitsError, PathError)):
            raise found.with_traceback(None)
        return found


def _kept(value: JSON) -> JSON:
    """Return a literal as written if a 64-bit float keeps its value, else the float's. Raises ValueError if a float cannot hold it."""
    held = encoding_json.normalised(value)
    return value if source_of(value) and held == value else held


def expressions(template: JSON) -> list[str]:
    """Return all expressions of a template, in order."""
    if isinstance(template, dict):
        return [found for below in template.values() for found in expressions(below)]
    if isinstance(template, list):
        return [found for below in template for found in expressions(below)]
    if not isinstance(template, str):
        return []
    if _is_single(template):
        return [_expression(template)]
    return [piece for piece, is_tag in _pieces(template) if is_tag]


def _is_single(written: str) -> bool:
    """Return whether a string counts as a single tag, so that the value keeps its type (rule 62)."""
    return written.startswith(_OPEN) and written.endswith(_CLOSE) and written.count(_OPEN) == 1


def _expression(written: str) -> str:
    return written.removesuffix(_CLOSE).removeprefix(_OPEN)


def _pieces(written: str) -> list[tuple[str, bool]]:
    """Split a string into (text, False) and (expression, True), as fasttemplate v1.2.2 does."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    while (opened := written.find(_OPEN, at)) >= 0 and (closed := written.find(_CLOSE, opened + len(_OPEN))) >= 0:
        pieces += [(written[at:opened], False), (written[opened + len(_OPEN) : closed], True)]
        at = closed + len(_CLOSE)
    return [*pieces, (written[at:], False)]


def params_of(template: JSON) -> list[str]:
    """Return the params to which a template's tags refer, once each; "" if a tag may refer to any."""
    found = [names for expression in expressions(template) if (names := paths.names(expression))]
    return list(dict.fromkeys(names[1] if len(names) > 1 else "" for names in found if names[0] in ("params", "")))


def param_of(template: JSON) -> str:
    """Return the param that a text is as a whole; "" if it is more than one tag, or another one."""
    found = paths.names(_expression(template)) if isinstance(template, str) and _is_single(template) else None
    return found[1] if found and len(found) == 2 and found[0] == "params" else ""


def takes_owner_params(template: JSON) -> bool:
    """Return whether a tag may read `spec.params` of the owner: by itself or as part of the owner."""
    found = (names for expression in expressions(template) if (names := paths.names(expression)))
    return any(
        names[0] in ("workload", "deliverable", "")
        and all(name in (wanted, "") for name, wanted in zip(names[1:], _OWNER_PARAMS, strict=False))
        for names in found
    )


def unclosed_tags(item: Item, kind: str, body: JSON, path: Path) -> Iterator[Finding]:
    """Yield a warning for each text of the body, which is at `path`, that looks like a tag without its closing `$`."""
    known = _first_names(kind, body)
    for at, text in _unclosed(body, known, path):
        message = f"`{text}` is plain text and not a tag, because a tag ends with `)$`; write `{text}$`"
        yield Finding(
            "warning",
            "unclosed-tag",
            "S16",
            message,
            item,
            at,
            tags={"text": text},
            inside=part_of(item, at, text.removesuffix("...")),
        )


def unclosed_params(kind: str, body: JSON) -> frozenset[str]:
    """Return the params to which tags without their closing `$` refer; "" if one may refer to any."""
    texts = (text for _, text in _unclosed(body, _first_names(kind, body), ()))
    found = (paths.names(text.removeprefix("$(").removesuffix(")")) for text in texts)
    return frozenset(parts[1] if len(parts) > 1 else "" for parts in found if parts and parts[0] == "params")


def _first_names(kind: str, body: JSON) -> frozenset[str]:
    """Return the names with which a tag of this body may begin. In an object of Tekton `$(params.x)` is Tekton's own reference."""
    if kind == RUN_TEMPLATE:
        return frozenset(RUN_CONTEXT)
    version = body.get("apiVersion") if isinstance(body, dict) else None
    return frozenset(CONTEXT) - ({"params"} if str(version).startswith(_TEKTON) else set())


def _unclosed(value: JSON, known: frozenset[str], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each, in the order of the body; once per string and text."""
    if isinstance(value, (dict, list)):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _unclosed(below, known, (*path, key))
    elif isinstance(value, str) and "$(" in value:
        after = "" if _is_single(value) else _pieces(value)[-1][0]  # the last tag: only there `$(` is plain text
        yield from ((path, text) for text in dict.fromkeys(_of_string(after, known)))


def _of_string(text: str, known: frozenset[str]) -> Iterator[str]:
    """Yield each closed `$(` of a text without tags that begins like a tag."""
    ends = _ends(text)
    for match in _OPENED.finditer(text):
        end = ends.get(match.start() + 1)
        if match[1] in known and end:
            yield text[match.start() : min(end, match.start() + _LONGEST)] + ("..." if end - match.start() > _LONGEST else "")


def _ends(text: str) -> dict[int, int]:
    """Map the position of each closed `(` to the position after its `)`."""
    opened: list[int] = []
    ends = {}
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.end()
    return ends


_COMMENT = re.compile(r"#@[^\n]*")
_ALIAS = re.compile(r"(?m)^#@\s*(\w+)\s*=\s*data\.values\.params\s*$")
_NAMED = r"\s*(?:\.\s*(\w+)|\[\s*[\"']([^\"']+)[\"']\s*\]|,\s*[\"']([^\"']+)[\"'])"
_WORD = re.compile(rf"(?<![\w\"'])(?<!\.spec\.)(\w+)\b(?=(?:{_NAMED})?)")
_ALL = re.compile(r"\bvalues\b(?!\s*\.|\s*,\s*[\"'])|\[\s*[\"']params[\"']")
_OWNER = re.compile(r"\bspec\.params\b|\b(?:workload|deliverable)(?:\.spec)?\s*[,)]")


def ytt_params(text: str) -> frozenset[str]:
    """Return the params to which the code of a ytt body refers; "" if it may refer to any."""
    code = _code(text)
    words = {"params", *_ALIAS.findall(code)}
    found = ("".join(named) for word, *named in _WORD.findall(_ALIAS.sub("", code)) if word in words)
    return frozenset([*found, *([""] if _ALL.search(code) else [])])


def ytt_takes_owner_params(text: str) -> bool:
    """Return whether the code of a ytt body may read `spec.params` of the owner."""
    return bool(_OWNER.search(_code(text)))


def _code(text: str) -> str:
    """Return the code that ytt runs: the rest of lines after `#@`, and the text between `(@` and `@)`."""
    inside = (piece.partition("@)") for piece in text.split("(@")[1:])
    return "\n".join([*_COMMENT.findall(text), *(code for code, closed, _ in inside if closed)])
