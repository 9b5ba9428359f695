"""What is legal, but probably a mistake: in chains and templates, in an owner's params, and in keys of the functionConfig."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.shown import cut
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding, part_of
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.kinds import ALLOWED, CONTEXT, DELIVERY, OWNER_NAME
from krm_values.cartographer_params.realise import ANY
from krm_values.cartographer_params.resolve import effective, owner_layers, owner_names, scope
from krm_values.cartographer_params.tags import OWNERS, expressions

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from krm_values.cartographer_params.blueprints import Blueprints, Template
    from krm_values.cartographer_params.chains import Chain, Requirement, Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.realise import Realised

_ALWAYS = ("spec.serviceAccountName", "spec.build")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def of_blueprints(blueprints: Blueprints, config: CartographerParams) -> Iterator[Finding]:
    """Yield what is probably a mistake in chains and templates, whichever owners select them."""
    first: dict[object, Chain] = {}
    for chain in blueprints.chains:
        yield from _tie(chain, first)
        for selector in chain.selectors:
            yield from _always_there(chain, selector.fields)
        yield from _dead(chain)
    yield from _unused_in_templates(blueprints)
    for chain in blueprints.chains:
        if blueprints.is_complete(chain):
            yield from _unused_in_chain(chain, blueprints)
    for chain in blueprints.chains:
        yield from _renamed_twice(chain, config)
        yield from _never_arriving(chain)
        for param in (*chain.params.values(), *(param for step in chain.steps for param in step.params.values())):
            yield from _tags_in_param(param, chain)
        yield from _collisions(chain, blueprints, config)


def of_owner(owner: Owner, chain: Chain, steps: Sequence[Realised], config: CartographerParams) -> Iterator[Finding]:
    """Yield an info finding for each value that RFC 0010 would ignore, and a warning for each param that nothing uses."""
    if config.precedence != "rfc0010":
        yield from _overrides(owner, chain, steps)
    if not any(done.template and done.template.takes_owner_params for done in steps):
        yield from _unused_by_owner(owner, chain, steps, config)


def unselected(blueprints: Blueprints, selected: Iterable[Chain | None]) -> Iterator[Finding]:
    """Yield a warning for each missing template of a chain that no owner selects."""
    labels = {chain.label for chain in selected if chain}
    for chain in blueprints.chains:
        for step, name in blueprints.missing(chain) if chain.label not in labels else ():
            text = f"{step.kind} `{name}` is not in the list: the chain is not ready, although no owner of the list selects it"
            text += blueprints.near(step.kind, name)
            path = (*step.path, "templateRef")
            yield Finding("warning", "missing-template", "32", text, chain.item, path, None, {"step": step.name})


def _tie(chain: Chain, first: dict[object, Chain]) -> Iterator[Finding]:
    """Yield a warning if an earlier chain has the same requirements. first: the first chain of each selector so far."""
    other = first.setdefault((chain.kind, chain.selector.asks), chain)
    if chain.selector.count and other is not chain:
        text = f"selects the same owners as `{other.name}`: both fit equally well, so every such owner is refused; add a requirement to one of them"
        yield Finding("warning", "tie", "42", text, chain.item, ("spec",))


def _dead(chain: Chain) -> Iterator[Finding]:
    if key := _contradiction(chain.selector.labels, chain.selector.fields):
        text = f"can fit no owner: its requirements on `{key}` contradict each other"
        yield Finding("warning", "dead-selector", "13.2", text, chain.item, ("spec",))
        return
    for step in chain.steps:
        for option in step.options:
            labels = [*chain.selector.labels, *option.selector.labels]
            if key := _contradiction(labels, [*chain.selector.fields, *option.selector.fields]):
                text = f"the option `{option.label}` is never taken: its requirements and those of the chain on `{key}` contradict each other"
                path, tags = (*option.path, "selector"), {"step": step.name}
                yield Finding("warning", "dead-option", "13.2", text, chain.item, path, None, tags)


def _contradiction(labels: Iterable[Requirement], fields: Iterable[Requirement]) -> str:
    """Return the key of two requirements that contradict each other, or ""."""
    for asked in (labels, fields):
        by_key: dict[str, list[Requirement]] = {}
        for one in asked:
            by_key.setdefault(one.key, []).append(one)
        for key, several in by_key.items():
            if _excludes(several):
                return key
    return ""


def _excludes(several: Sequence[Requirement]) -> bool:
    operators = {one.operator for one in several}
    if "DoesNotExist" in operators and operators & {"In", "Exists"}:
        return True
    wanted = [set(one.values) for one in several if one.operator == "In"]
    refused = {value for one in several if one.operator == "NotIn" for value in one.values}
    return bool(wanted) and not set.intersection(*wanted) - refused


def _always_there(chain: Chain, fields: Iterable[Requirement]) -> Iterator[Finding]:
    for asked in fields:
        if asked.key in _ALWAYS and asked.operator in ("Exists", "DoesNotExist"):
            holds = "always" if asked.operator == "Exists" else "never"
            text = f"{holds} holds: for the controller `{asked.key}` exists on every owner, written or not; compare its value instead"
            yield Finding("warning", "always-there", "45", text, chain.item, asked.path)


def _never_arriving(chain: Chain) -> Iterator[Finding]:
    """Yield a warning for each input that never arrives: from a later step or the step itself, or, in a delivery, from no fitting step."""
    before: dict[str, str] = {}
    every = {step.name: step.output for step in chain.steps if step.name}
    unclear = {step.name for step in chain.steps if step.kind not in ALLOWED[chain.kind]}
    for step in chain.steps:
        for one in step.inputs:
            kind = "source" if one.kind == "deployment" else one.kind
            path, tags = (*one.path, "resource"), {"step": step.name}
            if one.resource in every and one.resource not in before:
                where = "itself" if one.resource == step.name else "a later step"
                text = f"never arrives: it is the output of {where}, and a step sees the outputs of earlier steps only; found {{found}}"
                yield Finding("warning", "forward-reference", "100", text, chain.item, path, one.resource, tags)
            elif chain.kind == DELIVERY and not one.resource:
                text = "never arrives: it must name a step of the delivery; found nothing"
                yield Finding("warning", "no-such-output", "27", text, chain.item, path, None, tags)
            elif chain.kind == DELIVERY and every.get(one.resource) != kind and one.resource not in unclear:
                why = (
                    f"has no {kind} as output"
                    if one.resource in every
                    else f"does not exist{suggest.hint(one.resource, every)}"
                )
                text = f"never arrives: the step `{one.resource}` {why}"
                yield Finding("warning", "no-such-output", "27", text, chain.item, path, one.resource, tags)
        before[step.name] = step.output


def _renamed_twice(chain: Chain, config: CartographerParams) -> Iterator[Finding]:
    """Yield an error for each param whose entry and `rename` of the functionConfig name different params of the owner."""
    for step in chain.steps:
        for name, other in config.rename.get(chain.label, {}).get(step.name, {}).items():
            entry = effective(chain, step, name)
            if entry and entry.owner_name not in ("", other):
                text = (
                    f"names the owner's param `{entry.owner_name}`, but `rename` of the functionConfig names `{other}` "
                    f"for `{name}` of the step `{step.name}`: keep one"
                )
                path = (*entry.path[:-1], OWNER_NAME)
                yield Finding("error", "owner-name", "S15", text, chain.item, path, None, {"step": step.name, "param": name})


def _tags_in_param(param: Param, chain: Chain) -> Iterator[Finding]:
    """Yield a warning for each tag in a param of a chain or step, where Cartographer has not evaluated any since RFC 0010."""
    for expression in dict.fromkeys(expressions(param.value)):
        names = paths.names(expression) or [""]
        if names[0] not in CONTEXT:
            continue
        tag, field = f"$({cut(expression)})$", param.path[-1]
        text = f"`{tag}` in a param of a chain is plain text: since RFC 0010 only templates have tags"
        if names[0] not in OWNERS or names[1:3] != ["spec", "params"]:
            advice = f"write it in a template: `{tag}`"
        elif param.name in _quoted([expression]) or param.name in names[3:]:
            advice = f"write `default: ...` in place of `{field}`, and the owner's param `{param.name}` sets it"
        else:
            other = min(_quoted([expression]), default="")
            rename = f"`rename: {{{chain.label}: {{STEP: {{{param.name}: {other or 'NAME'}}}}}}}` in the functionConfig"
            advice = f"write `default: ...` in place of `{field}`: the owner's param `{param.name}` then sets it, or another one with {rename}"
        inside = part_of(param.item, param.path, tag) if isinstance(param.item, Item) and isinstance(param.value, str) else None
        yield Finding(
            "warning",
            "tag-in-chain",
            "S17",
            f"{text}; {advice}",
            param.item,
            param.path,
            tags={"param": param.name},
            inside=inside,
        )


def _quoted(texts: Iterable[str]) -> set[str]:
    """Return the quoted words of expressions."""
    return {word for text in texts for found in _QUOTED.findall(text) for word in found if word}


def _collisions(chain: Chain, blueprints: Blueprints, config: CartographerParams) -> Iterator[Finding]:
    """Yield an info finding for each name that two templates declare with different defaults while the owner may set it."""
    declared: dict[str, list[tuple[Step, Template, Param]]] = {}
    for step in chain.steps:
        for template in blueprints.of_step(step, chain):
            for name, param in template.params.items():
                if _may_set(chain, step, name, config):
                    renamed = owner_names(chain, step, config)
                    declared.setdefault(renamed.get(name, name), []).append((step, template, param))
    for name, found in sorted(declared.items()):
        first, *others = found
        other = next((one for one in others if not data_edits.same(one[2].value, first[2].value)), None)
        if other:
            means = " and ".join(
                f"of {template.kind} `{template.name}` in the step `{step.name}`" for step, template, _ in (first, other)
            )
            text = f"the owner's param `{name}` sets two params with different defaults, {means}: separate them with `rename` or `scoped`, or lock one"
            yield Finding("info", "collision", "13.3", text, chain.item, (), None, {"param": name})


def _may_set(chain: Chain, step: Step, name: str, config: CartographerParams) -> bool:
    entry = effective(chain, step, name)
    return entry.origin.endswith(".default") if entry else config.precedence == "released"


def _unused_in_templates(blueprints: Blueprints) -> Iterator[Finding]:
    for template in blueprints.templates:
        known = sorted(template.known - {*template.params})
        for param in template.params.values() if template.body is not None or template.ytt else ():
            if not template.refers(param.name) and not template.may_mean(param.name):
                perhaps = "perhaps " if template.body is None else ""
                yield _unused(param, f"is {perhaps}never referred to in this template", known)


def _unused_in_chain(chain: Chain, blueprints: Blueprints) -> Iterator[Finding]:
    """Yield a warning for each param of a chain, and of its steps, that no template uses."""
    every = [template for step in chain.steps for template in blueprints.of_step(step, chain)]
    yield from _unused_by(every, chain.params, "is used by no template of the chain")
    for step in chain.steps:
        text = f"is used by no template of the step `{step.name}`"
        yield from _unused_by(blueprints.of_step(step, chain), step.params, text, {"step": step.name})


def _unused_by(
    templates: Sequence[Template], params: Mapping[str, Param], text: str, tags: dict[str, str] | None = None
) -> Iterator[Finding]:
    known = sorted({name for template in templates for name in template.known})
    names, takes_any = frozenset(known), any(template.refers("") for template in templates)
    for param in params.values():
        if param.name not in names and not takes_any and not any(one.may_mean(param.name) for one in templates):
            yield _unused(param, text, known, tags)


def _unused(param: Param, text: str, known: list[str], more: dict[str, str] | None = None) -> Finding:
    hint = suggest.hint(param.name, (name for name in known if name != param.name)) or "; remove it or correct its name"
    message, tags = f"the param `{param.name}` {text}{hint}", {**(more or {}), "param": param.name}
    return Finding("warning", "unused-param", "13.2", message, param.item, param.path[:-1], None, tags)


def _overrides(owner: Owner, chain: Chain, steps: Sequence[Realised]) -> Iterator[Finding]:
    """Yield an info finding for each value of the owner that counts although the chain does not offer the name."""
    for done in steps:
        for resolved in done.params:
            silent = resolved.name not in done.step.params and resolved.name not in chain.params
            if done.template and resolved.name in done.template.params and silent and resolved.winner.origin == "owner.value":
                text = (
                    f"the param `{resolved.winner.name}` overrides the default of {done.step.kind} `{done.template.name}` in the step "
                    f"`{done.step.name}`, although the chain does not offer it: RFC 0010 keeps the default (`precedence: rfc0010`)"
                )
                tags = {"owner": owner.key, "step": done.step.name, "param": resolved.name}
                yield Finding("info", "override", "6", text, owner.item, resolved.winner.path[:-1], None, tags)


def _unused_by_owner(owner: Owner, chain: Chain, steps: Sequence[Realised], config: CartographerParams) -> Iterator[Finding]:
    """Yield a warning for each param of an owner that none of its templates and no selector uses."""
    used = {param.name for done in steps for param in _used(owner, chain, done, config)}
    known = sorted({name for done in steps for name in _settable(chain, done, config)})
    asked = [one.key for selector in chain.selectors for one in selector.fields]
    given = [param for params in (chain.params, *(step.params for step in chain.steps)) for param in params.values()]
    quoted = _quoted([*asked, *(found for param in given for found in expressions(param.value))])
    for name, param in owner.params.items():
        if name not in used and name not in quoted:
            text, more = f"is used by no template of {chain.kind} `{chain.name}`", {"owner": owner.key}
            parts = None if config.scoped else scope(name, chain)
            if parts:
                text += f"; `scoped: true` in the functionConfig makes it set `{parts[1]}` of the step `{parts[0]}`"
                yield Finding(
                    "warning",
                    "unused-param",
                    "13.2",
                    f"the param `{name}` {text}",
                    param.item,
                    param.path[:-1],
                    tags={**more, "param": name},
                )
            else:
                yield _unused(param, text, known, more)


def _used(owner: Owner, chain: Chain, done: Realised, config: CartographerParams) -> Iterator[Param]:
    """Yield the owner's params that the step's template may use under some name."""
    if done.template:
        for name, params in owner_layers(owner, chain, done.step, config).items():
            if done.template.uses(name) or done.template.may_mean(name):
                yield from params


def _settable(chain: Chain, done: Realised, config: CartographerParams) -> set[str]:
    """Return the names by which an owner can set params of a step."""
    step = done.step
    renamed = owner_names(chain, step, config)
    inside = {*(done.template.known if done.template else ()), *step.params, *chain.params}
    scoped = {f"{step.name}/{name}" for name in inside} if config.scoped else set()
    return {renamed.get(name, name) for name in inside} | scoped


def unmatched(
    config: CartographerParams, chains: Mapping[str, Chain | None], blueprints: Blueprints, unread: Container[str]
) -> Iterator[Finding]:
    """Yield a warning for each key of the functionConfig that matches nothing.

    chains: the chain of each owner by its key. unread: the keys of the owners that cannot be read.
    """
    for key, steps in config.step_outputs.items():
        if key in unread:
            continue
        if key != ANY and key not in chains:
            yield _warning(("stepOutputs", key), "names no owner of the list", chains, "107")
            continue
        if key != ANY and chains[key] is None:
            continue
        named = chains.values() if key == ANY else (chains[key],)
        known = dict.fromkeys(step.name for chain in named if chain for step in chain.steps)
        for step in steps:
            if step not in known:
                yield _warning(("stepOutputs", key, step), "names no step of its chain", known, "107")
    yield from _unmatched_renames(config, blueprints)


def _unmatched_renames(config: CartographerParams, blueprints: Blueprints) -> Iterator[Finding]:
    chains = {chain.label: chain for chain in blueprints.chains}
    unread = {f"{kind}/{name}" for kind, name in blueprints.unread}
    for label, steps in config.rename.items():
        if label in unread:
            continue
        if label not in chains:
            near = [each for each in chains if suggest.nearest(_name(label), [_name(each)])]
            yield _warning(("rename", label), "names no chain of the list", near, "10.3")
            continue
        known = {step.name: step for step in chains[label].steps}
        for name, params in steps.items():
            if name not in known:
                yield _warning(("rename", label, name), "names no step of the chain", known, "10.3")
            elif blueprints.is_complete(chains[label]):
                yield from _unmatched_params(("rename", label, name), params, chains[label], known[name], blueprints)


def _name(label: str) -> str:
    return label.partition("/")[2]


def _unmatched_params(
    path: tuple[str, ...], params: Iterable[str], chain: Chain, step: Step, blueprints: Blueprints
) -> Iterator[Finding]:
    """Yield a warning for each param of a `rename` that neither a template of the step, the step nor the chain has."""
    templates = blueprints.of_step(step, chain)
    known = {*chain.params, *step.params, *(name for template in templates for name in template.known)}
    for param in params:
        if param not in known and not any(template.refers("") or template.may_mean(param) for template in templates):
            text = "names no param of the step, so it renames nothing"
            yield _warning((*path, param), text, sorted(known), "10.3")


def _warning(path: tuple[str, ...], text: str, known: Iterable[str], rule: str) -> Finding:
    hint = suggest.hint(path[-1], known) or "; remove it or correct it"
    field = f"spec.{path[0]}" + "".join(f'["{part}"]' for part in path[1:])
    return Finding("warning", "config-unmatched", rule, f"functionConfig `{field}` {text}{hint}", config=path)
