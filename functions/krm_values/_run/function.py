"""The declaration of a function: its planner, its functionConfig, and the resources that it works on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._krm import names
from krm_values._krm.names import Writer

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from krm_values._krm.config import Form
    from krm_values._krm.plan import Plan, Severity
    from krm_values._krm.resources import Resources
    from krm_values._krm.shapes import Served

    Planner: TypeAlias = Callable[[Any, Resources, Any], Plan]
    Group: TypeAlias = Callable[[str, str, tuple[str, ...]], Callable[..., ArgumentParser]]


@record
class Function:
    """A function as its package declares it: `Function(__name__, "config:TektonParams", "plan:plan")`."""

    package: str
    model: str
    """`module:class` of the config's model, which is imported only to explain an invalid config."""
    planner: str | Planner
    """`module:name` of the planner, which is imported when it runs, so that commands are found without it; or the planner itself."""
    record: Callable[[Any], bool] | None = None
    """Returns whether undo records are kept with this config; None: the function has none, unless they are kept on request."""
    records_on_request: bool = False
    """Whether records are kept only where the config has `record: true`, and in resources that have one of another step."""
    removal: Callable[[Any], Severity] | None = None
    """Returns the severity of the finding on a generated object that is removed because nothing generates it any more; None: an information."""
    tools: tuple[str, ...] = ()
    """The programs that a run may get."""
    serves: tuple[Served, ...] = ()
    """The API groups that the planner reads."""
    kinds: tuple[str, ...] = ()
    """What it works on, as `Kind.group`; a run that finds none of them says so."""
    named: bool = False
    """Whether several configs may run side by side, each with its own generated objects and undo records, which the config's name keeps apart."""
    precedence: str = ""
    """The order of its layers in words, for the rule that `explain` prints."""
    order: tuple[str, ...] = ()
    """The same as names of layers, lowest first: a layer's name without index, its kind and band, or `*` for all others, in the order of the notes."""
    misspelt: str | None = None
    """Its rule about headers that are near to those of `serves`."""
    minimal: str = "{}"
    """The `spec` of a valid functionConfig, for messages."""

    @property
    def name(self) -> str:
        """The name as an argument: `tekton-params`."""
        return names.argument(self.package)

    def form(self) -> Form:
        """Return the fields of the functionConfig: the shipped schema (`config.json` beside `config.py`), or one made from the model if there is none."""
        try:
            (folder,) = __import__(self.package, fromlist=["__path__"]).__path__
            with open(f"{folder}/config.json", encoding="utf-8") as file:
                schema = json.load(file)
        except FileNotFoundError:
            from krm_values._krm.model import schema as made  # noqa: PLC0415 - pydantic is slow to import

            schema = made(self.load_model())
        from krm_values._krm.config import Form  # noqa: PLC0415 - not needed to declare a function

        return Form(schema, self.load_model, self.named, self.minimal)

    def plan(self, config: Any, resources: Resources, tools: Any) -> Plan:
        """Run the planner."""
        planner: Planner = self._load(self.planner) if isinstance(self.planner, str) else self.planner
        return planner(config, resources, tools)

    def writer(self, config: Any) -> Writer:
        """Return the identity under which the function writes when it runs with this config alone."""
        return Writer(self.name, config.config_name if self.named else "", named=self.named)

    def load_model(self) -> Any:
        """Import and return the model of the functionConfig."""
        return self._load(self.model)

    def _load(self, place: str) -> Any:
        """Import and return `module:name` of the function's package."""
        module, _, attribute = place.partition(":")
        return getattr(__import__(f"{self.package}.{module}", fromlist=[attribute]), attribute)


# What a function may provide besides its planner: commands of its own, and external programs.
#
# `commands.py` or `commands/` of a function exports one record `commands`, `tools.py` one record `tools`. Neither imports the planner.


@record
class Commands:
    """What a function adds to the command line; None adds nothing. Each callable that takes the options returns the exit code.

    grammar, run: a command group; `group(name, summary, examples)` creates it and returns the object that adds its commands. lint:
    `lint FUNCTION`, if it is more than the findings of a run. schema_arguments, schema: another schema for `schema FUNCTION`; `schema` returns None if the schema of the functionConfig
    is wanted.
    """

    grammar: Callable[[Group], None] | None = None
    run: Callable[[Namespace], int] | None = None
    lint: Callable[[Namespace], int] | None = None
    schema_arguments: Callable[[ArgumentParser], None] | None = None
    schema: Callable[[Namespace], int | None] | None = None


@record
class Tools:
    """The external programs that the caller of a function may name.

    names: the purpose of each tool of `Function.tools`. make: converts the named programs, by tool, to the object that the planner gets.
    """

    names: Mapping[str, str]
    make: Callable[[Mapping[str, str]], object]
