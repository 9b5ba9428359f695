"""The functionConfig: which function it names, and its fields as the function's model."""

from __future__ import annotations

from krm_values._kit import names, scalars
from krm_values._kit.errors import ConfigError, InputError
from krm_values._kit.model import aliases, fitting, takes_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._kit.data import JSON

_TOP = ("apiVersion", "kind", "metadata", "spec")
_DATA = ("apiVersion", "kind", "metadata", "data")


def is_missing(config: JSON) -> bool:
    """Whether there is no config: none, `{}`, or the empty ConfigMap that kpt sends in its place."""
    if not isinstance(config, dict) or not config:
        return config is None or config == {}
    metadata = config.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return config.get("kind") == "ConfigMap" and name == "function-input" and not config.get("data")


def function_name(config: JSON) -> str:
    """The function whose kind the config has; "" if it is a ConfigMap, missing or of another group."""
    if not isinstance(config, dict) or not str(config.get("apiVersion", "")).startswith(names.GROUP + "/"):
        return ""
    return names.argument(str(config.get("kind") or ""))


def read(model: Any, name: str, config: JSON) -> Any:
    """The model's value of the function called `name`. ConfigError with every mistake."""
    root, spec = ("spec", {}) if is_missing(config) else _spec(model, name, config)
    value = fitting(model, spec)
    if value is not None:
        return value
    from krm_values._kit.modelcheck import field_path, validate  # noqa: PLC0415 - pydantic is slow to import

    value, mistakes = validate(model, spec)
    if not mistakes:
        return value
    texts = tuple((field_path(path, root), text) for path, text in mistakes)
    if is_missing(config):
        texts = (*texts, ("", f"a minimal functionConfig: {minimal(name)}"))
    raise ConfigError(texts)


def minimal(name: str) -> str:
    """The shortest config, on one line."""
    kind = names.kind(name)
    return f"{{apiVersion: {names.API_VERSION}, kind: {kind}, metadata: {{name: {name}}}, spec: {{}}}}"


def unknown_kind(config: JSON, functions: list[str]) -> str:
    """What to say of a config whose kind names none of these functions."""
    kind = str(config.get("kind") or "") if isinstance(config, dict) else ""
    kinds = [names.kind(function) for function in functions]
    text = f"must be one of {', '.join(f'`{known}`' for known in kinds)} of `{names.API_VERSION}`"
    if kind != "ConfigMap":
        return f'{text}; found "{kind}"{names.hint(kind, kinds)}'
    return (
        f"{text}; a ConfigMap names no function: call `krm-values run FUNCTION` or set KRM_FUNCTION "
        "(in an image: build it with --build-arg FUNCTION=...)"
    )


def _spec(model: Any, name: str, config: JSON) -> tuple[str, object]:
    if not isinstance(config, dict):
        raise ConfigError((("", f"functionConfig must be a map, for example {minimal(name)}"),))
    api_version, kind = str(config.get("apiVersion") or ""), str(config.get("kind") or "")
    if kind == "ConfigMap" and api_version in ("v1", ""):
        _check_top(model, config, _DATA)
        return "data", _from_texts(model, config.get("data") or {})
    if (api_version, kind) != (names.API_VERSION, names.kind(name)):
        found = f'found "{api_version}" "{kind}"'
        accepted = f"`apiVersion: {names.API_VERSION}`, `kind: {names.kind(name)}`, or a ConfigMap"
        raise ConfigError((("kind", f"must be {accepted}; {found}"),))
    _check_top(model, config, _TOP)
    spec = config.get("spec")
    return "spec", {} if spec is None else spec


def _check_top(model: Any, config: dict[str, JSON], known: tuple[str, ...]) -> None:
    mistakes = []
    for key in config:
        if key in aliases(model):
            mistakes.append((key, f"must stand below `{known[-1]}`: `{known[-1]}.{key}`"))
        elif key not in known:
            mistakes.append((key, f"must be one of {', '.join(f'`{name}`' for name in known)}{names.hint(key, known)}"))
    if mistakes:
        raise ConfigError(tuple(mistakes))


def _from_texts(model: Any, data: JSON) -> JSON:
    """A ConfigMap's data as the model's fields: text fields as they stand, all others read as YAML."""
    if not isinstance(data, dict):
        raise ConfigError((("data", "must be a map of texts"),))
    known = aliases(model)
    return {key: _from_text(key, value, as_text=key not in known or takes_text(model, key)) for key, value in data.items()}


def _from_text(key: str, value: JSON, *, as_text: bool) -> JSON:
    if isinstance(value, dict | list):
        raise ConfigError(((f"data.{key}", "must be text in a ConfigMap: write what is nested as YAML text (`|`)"),))
    text = scalars.text_of(value)
    if as_text:
        return text
    from krm_values._kit import yaml  # noqa: PLC0415 - only where something is nested

    try:
        return yaml.to_data(yaml.parse(text + "\n"))
    except InputError as error:
        raise ConfigError(((f"data.{key}", f"must be YAML text: {error}"),)) from None
