"""Make click's parameters of the settings and of `command_options.toml`, and say what a shell completes of them."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from orchestrator.settings_table import SETTINGS

COUNT_EXPECTED = "1 or more is expected"
_PATHS = {"folder": click.Path(file_okay=False), "file": click.Path()}
_SETTINGS = frozenset(row.name for row in SETTINGS.values() if row.flag)


class _Choice(click.Choice[str]):
    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = value.removeprefix("=")  # "-o=json"
        if value not in self.choices:
            self.fail(f"not allowed (choose from {', '.join(self.choices)})", param, ctx)
        return value


def _number_from(least: int, expected: str, most_digits: int = 18) -> Callable[[str], int]:
    def number(text: str) -> int:
        if re.fullmatch("[0-9]+", text) is None or len(text) > most_digits or int(text) < least:
            raise click.BadParameter(expected)
        return int(text)

    return number


def given(ctx: click.Context) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the settings and what else a command line gives, by name; what stands behind the command wins."""
    settings, others = given(ctx.parent) if ctx.parent is not None else ({}, {})
    for name, value in ctx.params.items():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            (settings if name in _SETTINGS else others)[name] = value
    return settings, others


def _completed(kind: str) -> Mapping[str, Any]:
    def complete(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        from orchestrator.cli.commands import known_names  # noqa: PLC0415 - only a completion reads the registry here

        return [one for one in known_names(kind, *given(ctx)) if one.startswith(incomplete)]

    return {"shell_complete": complete}


_KINDS: Mapping[str, Mapping[str, Any]] = {
    **{kind: _completed(kind) for kind in ("agent", "argument", "clinic", "tool")},
    "count": {"type": _number_from(1, COUNT_EXPECTED)},
    "descriptor": {"type": _number_from(3, "the number of an open descriptor, 3 or more, is expected", most_digits=6)},
    "file": {"type": click.Path(path_type=Path)},
    "folder": {"type": click.Path(path_type=Path, file_okay=False)},
    "source": {"type": click.Path(allow_dash=True)},
}  # what click is given for each `kind` of a row


def read_parameters() -> Mapping[str, Sequence[click.Parameter]]:
    """Return the parameters by the names of their rows; `settings` are all that have a flag."""
    rows = tomllib.loads(Path(__file__).with_name("command_options.toml").read_text("utf-8"))
    return {"settings": [*_of_settings()], **{name: [_parameter(**row)] for name, row in rows.items()}}


def _of_settings() -> Iterator[click.Option]:
    # The table judges a value once flags and variables are put together.
    for row in SETTINGS.values():
        if row.flag:
            flag = f"--{row.name.replace('_', '-')}"
            complete = _PATHS.get(row.kind, click.Choice(row.choices)).shell_complete
            yield SectionOption([flag], section="Settings", help=row.flag, metavar="VALUE", shell_complete=complete)


def _parameter(names: Sequence[str], kind: str = "", **settings: Any) -> click.Parameter:  # noqa: ANN401 - as click takes them
    if "choices" in settings:
        settings["type"] = _Choice(settings.pop("choices"))
    make = SectionOption if names[0].startswith("-") else click.Argument
    return make(names, **_KINDS.get(kind, {}), **settings)


class SectionOption(click.Option):
    """An option that knows the section of --help that lists it, and what it cannot be given with."""

    def __init__(self, names: Sequence[str], **settings: Any) -> None:  # noqa: ANN401 - click's
        self.section: str = settings.pop("section", "Options")
        self.against: Mapping[str, str] = settings.pop("against", {})
        super().__init__(names, **settings)
