"""What each command takes, as click's parameters; their help and what a shell completes of them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from orchestrator.settings_table import SETTINGS, Setting

WAIT_S = 20.0  # seconds that started clinics may take to answer, unless the command line says otherwise

_STANDARD_ERROR = 2


class _Choice(click.Choice[str]):
    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = value.removeprefix("=")  # "-o=json"
        if value not in self.choices:
            self.fail(f"not allowed (choose from {', '.join(self.choices)})", param, ctx)
        return value


class _Number(click.ParamType[int]):
    """A whole number from `least` on."""

    name = "number"

    def __init__(self, least: int, expected: str, most_digits: int = 18) -> None:
        self._least = least
        self._expected = expected
        self._most_digits = most_digits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 - click's
        if isinstance(value, int):
            return value
        if re.fullmatch("[0-9]+", value) is None or len(value) > self._most_digits or int(value) < self._least:
            self.fail(self._expected, param, ctx)
        return int(value)


class _OfTable(click.ParamType[str]):
    """A setting: the table judges its value once flags and variables are put together."""

    name = "value"

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        param: click.Parameter,  # noqa: ARG002 - click's
        incomplete: str,
    ) -> list[CompletionItem]:
        path = {"folder": "dir", "file": "file"}.get(self._setting.kind)
        if path is not None:
            return [CompletionItem(incomplete, type=path)]
        return [CompletionItem(choice) for choice in self._setting.choices if choice.startswith(incomplete)]


def _option(*names: str, text: str, **settings: Any) -> click.Option:  # noqa: ANN401 - as click takes them
    return click.Option(names, help=text, **settings)


COUNT_EXPECTED = "1 or more is expected"
_COUNT = _Number(1, COUNT_EXPECTED)
_FILE = click.Path(path_type=Path)
_FOLDER = click.Path(path_type=Path, file_okay=False)

_OF_SETTINGS = [
    _option(f"--{row.name.replace('_', '-')}", text=row.flag, type=_OfTable(row), metavar="VALUE")
    for row in SETTINGS.values()
    if row.flag
]
SETTING_NAMES = frozenset(row.name for row in SETTINGS.values() if row.flag)

_IDENTITY = [
    _option("--identity-file", text="two lines, full name and CPF", type=_FILE, metavar="FILE"),
    _option(
        "--identity-fd",
        text="the same, from open descriptor N",
        type=_Number(_STANDARD_ERROR + 1, "the number of an open descriptor, 3 or more, is expected", most_digits=6),
        metavar="N",
    ),
]
_FORM_OF_TURNS = _option("--output", text="form of the results (text)", type=_Choice(["text", "jsonl"]))
_FORM = _option("-o", "--output", text="form of the result (text)", type=_Choice(["text", "json"]))
_READS = [
    *_IDENTITY,
    _FORM_OF_TURNS,
    _option("--incognito", "is_incognito", text="keep no history, no log, no memory", is_flag=True),
    _option("--no-start", "no_start", text="use only clinics that run", is_flag=True),
]
_TURNS = [
    *_READS,
    _option("--yes", "consent_given", text="make writes without asking", is_flag=True),
    _option(
        "--confirm", "confirmed", text="make the writes of this proposal, if the same comes out again", metavar="ID"
    ),
]
SECTIONS = {
    **dict.fromkeys(SETTING_NAMES, "Settings"),
    **{option.name or "": "Conversation" for option in _TURNS if option is not _FORM_OF_TURNS},
}
WAIT = _option(
    "--wait",
    "wait_s",
    text=f"seconds until all must answer; else what was started is stopped again ({WAIT_S:g})",
    type=_COUNT,
    is_flag=False,
    flag_value=int(WAIT_S),
    metavar="S",
)
_PLANNER = _option(
    "--planner",
    text="local: the offline engine; llm, cot: the configured language model, directly or with a chain of thought",
    type=_Choice(["local", *SETTINGS["CLINIC_MESH_LLM_PLANNER"].choices]),
)
_LOG = _option("--log", text="the log file (those of the log folder)", type=_FILE, metavar="FILE")


def settings_given(ctx: click.Context) -> Mapping[str, str]:
    """Return the settings of a command line by field name; those behind the command win."""
    before = settings_given(ctx.parent) if ctx.parent is not None else {}
    return {**before, **{name: ctx.params[name] for name in SETTING_NAMES if ctx.params.get(name) is not None}}


def _clinics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    from orchestrator.cli.commands import known_clinics  # noqa: PLC0415 - only a completion reads the registry here

    return [clinic for clinic in known_clinics(settings_given(ctx)) if clinic.startswith(incomplete)]


_CLINIC = click.Argument(["clinic"], metavar="ID", shell_complete=_clinics)
_ANY_CLINIC = click.Argument(["clinic"], metavar="[ID]", required=False, shell_complete=_clinics)

OF_PROGRAM = [*_OF_SETTINGS, *_TURNS]  # what the program takes without a command

COMMANDS: Mapping[str, Sequence[click.Parameter]] = {
    "up": [
        *_OF_SETTINGS,
        _option("--detach", "-d", "is_detached", text="leave them running and return", is_flag=True),
        WAIT,
    ],
    "down": [*_OF_SETTINGS, _ANY_CLINIC],
    "restart": [*_OF_SETTINGS, _CLINIC, WAIT],
    "status": [*_OF_SETTINGS, _FORM],
    "logs": [
        *_OF_SETTINGS,
        _ANY_CLINIC,
        _option("-f", "--follow", "follows", text="go on until Ctrl-C", is_flag=True),
        _option("-n", "--lines", text="how many of each, from the end (20)", type=_COUNT, metavar="N"),
    ],
    "clinic": [*_OF_SETTINGS, _CLINIC],
    "token": [
        *_OF_SETTINGS,
        *_IDENTITY,
        _option(
            "--clinic", text="the clinic's id, such as clinic_a", required=True, metavar="ID", shell_complete=_clinics
        ),
        _option("--ttl", "ttl_s", text="seconds that it lives (900)", type=_COUNT, metavar="S"),
    ],
    "certs": _OF_SETTINGS,
    "ask": [
        *_OF_SETTINGS,
        *_TURNS,
        _option("--ics", text="write what was booked, moved or cancelled as a calendar", type=_FILE, metavar="FILE"),
        click.Argument(["text"], metavar="TEXT"),
    ],
    "calendar": [*_OF_SETTINGS, *_READS, click.Argument(["ics"], metavar="FILE", type=_FILE)],
    "plan": [
        *_OF_SETTINGS,
        _PLANNER,
        _option(
            "--input",
            text='a case a line of JSON; "-" reads standard input',
            required=True,
            type=click.Path(allow_dash=True),
            metavar="FILE",
        ),
    ],
    # No settings: its clinics, their agenda and its log are its own.
    "eval": [
        _PLANNER,
        _option("--runs", text="how often each query is run (1)", type=_COUNT, metavar="K"),
        _option("--suite", text="the queries (tests/test_queries.json)", type=_FILE, metavar="FILE"),
        _option("--patients", text="let so many simulated patients talk to the desk instead", type=_COUNT, metavar="N"),
        _option("--seed", text="what they want and say is drawn from (1)", type=_COUNT, metavar="S"),
        _option("--report", text="write report, chart and logs into this folder", type=_FOLDER, metavar="DIR"),
    ],
    "trace": [*_OF_SETTINGS, click.Argument(["turn_id"], metavar="TURN_ID|last"), _LOG],
    "stats": [
        *_OF_SETTINGS,
        _LOG,
        _option("--report", text="the report of an `eval`, for the misroute rate", type=_FOLDER, metavar="DIR"),
        _FORM,
    ],
    "research": [
        *_OF_SETTINGS,
        _option("--session", text="take a session up again; the beginning of its id will do", metavar="ID"),
        _option("--list", "lists_sessions", text="list the sessions that are kept", is_flag=True),
        _option("--delete", "deleted_session", text="delete a session", metavar="ID"),
        _FORM_OF_TURNS,
        _option("--no-start", "no_start", text="count only in clinics that run", is_flag=True),
    ],
    "doctor": _OF_SETTINGS,
    "completion": [*_OF_SETTINGS, click.Argument(["shell"], metavar="SHELL", type=_Choice(["bash", "zsh", "fish"]))],
}
