"""What may stand behind `clinic-mesh`, read by argparse into one frozen value.

Nothing is decided or opened here. Name and CPF cannot be arguments: other people read process lists.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeAlias

from orchestrator.cli.examples import examples_of
from orchestrator.cli.fleet_arguments import WAIT_S, add_fleet_commands, count
from orchestrator.llm import PlannerVariant

_EPILOG = """\
exit codes, the first that applies to any turn:
  7 outcome of a write unknown · 1 internal · 130 interrupted · 69 all clinics down · 6 identity · 2 usage
  8 not what --confirm stands for · 5 refused · 4 confirmation required · 3 some clinics down · 0 ok

Every setting is also a variable, in the environment or in .env: --data-dir is CLINIC_MESH_DATA_DIR.
Name and CPF are CLINIC_MESH_NAME and CLINIC_MESH_CPF only, or the two lines of --identity-file or --identity-fd.
The keys of a language model are variables only, too: .env.example names them, `clinic-mesh doctor` checks them.
"""

_DOCTOR_EPILOG = """\
exit codes, the first that applies to any check:
  69 the language model is not reached, or fails · 2 a setting, a file or a folder cannot be used, or the credentials
  or the model's name are not accepted · 5 the model answers, but not what it was asked for · 0 all is well
"""

_SETTINGS: Mapping[str, str] = {
    "data_dir": "folder of the agendas and the history",
    "log_dir": "folder of the logs",
    "agenda": "rolling or blueprint",
    "now": "ISO 8601 instant with an offset, at which appointments' time stands still",
    "base_port": "port of the first clinic",
    "registry": "file of the agents, in the form of orchestrator/capabilities.yaml",
    "role": "patient or operator",
    "keys_dir": "folder of the keys that sign who is calling",
    "tls_dir": "folder of certificates, such as `certs` makes; without it, no TLS",
    "tls": "mutual or server: whether the orchestrator shows a certificate too",
    "rate": "reads and writes per second that a clinic takes from one caller, such as 20,5, or off",
    "history": "what the terminal's history keeps: commands, redacted (lines without what identifies people) or off",
    "telemetry": "on or off: OpenTelemetry traces and metrics (where OTEL_EXPORTER_OTLP_ENDPOINT is set)",
    "llm": "who plans and writes: off, azure or openai",
    "llm_model": "the language model; on Azure the deployment",
}


_STANDARD_ERROR = 2


@dataclass(frozen=True, slots=True)
class Arguments:
    """A command line.

    Attributes:
        command: "up", "down", "restart", "status", "logs", "clinic", "ask", "plan", "eval", "trace", "stats", "doctor",
            "token", "certs", "completion", "research", or "" for the terminal and piped input.
        settings: Settings by field name, those that were given.
        text: What `ask` asks; "-" reads standard input.
        clinic: Which clinic `clinic` runs, `token` is for, `restart` restarts; of `down` and `logs`, "" is all of them.
        ttl_s: Seconds that the token of `token` lives.
        is_detached: `up` leaves the clinics running and returns.
        wait_s: Seconds that clinics which `up` or `restart` starts may take to answer.
        lines: How many lines of each clinic `logs` prints.
        follows: `logs` goes on with what is written next.
        shell: For which shell `completion` prints a script.
        starts_clinics: Missing clinics are started.
        output: "text", or "jsonl" for turns, "json" for `status` and `stats`.
        consent_given: Writes are made without asking.
        confirmed: The id of the proposal whose writes are made, as typed.
        identity_file: A file that says who speaks.
        identity_fd: An open descriptor that says it.
        is_incognito: Neither history nor log nor anything else of the conversation is kept.
        planner: Which planner `plan` and `eval` run.
        input: The cases of `plan`; "-" reads standard input.
        runs: How often `eval` runs every query.
        suite: The queries of `eval`; None for those of the source checkout.
        report: The folder of `eval`'s report and logs; None prints the figures only. `stats` reads one.
        turn_id: Which turn `trace` draws; "last" is the newest.
        log: The log file of `trace` and `stats`; None for all in the log folder.
        session: The session that `research` takes up again, or the beginning of its id; None for a new one.
        deleted_session: The session that `research` deletes; empty for none.
        lists_sessions: `research` lists its sessions.
    """

    command: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    clinic: str = ""
    ttl_s: int = 900
    is_detached: bool = False
    wait_s: float = WAIT_S
    lines: int = 20
    follows: bool = False
    shell: str = ""
    starts_clinics: bool = True
    output: str = "text"
    consent_given: bool = False
    confirmed: str | None = None
    identity_file: Path | None = None
    identity_fd: int | None = None
    is_incognito: bool = False
    planner: str = "local"
    input: str = "-"
    runs: int = 1
    suite: Path | None = None
    report: Path | None = None
    turn_id: str = "last"
    log: Path | None = None
    session: str | None = None
    deleted_session: str = ""
    lists_sessions: bool = False


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Return what a command line says.

    Args:
        argv: The arguments behind the command's name.

    Raises:
        SystemExit: With 2 after a message about wrong usage, with 0 after --help.
    """
    parser = build_parser()
    given = vars(parser.parse_args(argv))
    if {"identity_file", "identity_fd"} <= given.keys():
        parser.error("--identity-file and --identity-fd both say who speaks: give one of them")
    settings = {name: given.pop(name) for name in _SETTINGS if name in given}
    arguments = Arguments(settings=settings, **given)
    if arguments.consent_given and arguments.confirmed is not None:
        parser.error("--yes makes any write and --confirm one: give one of them")
    return arguments


class _DiscreetParser(argparse.ArgumentParser):
    """A parser whose complaints do not repeat what was given: somebody may try a CPF as an argument."""

    def error(self, message: str) -> NoReturn:
        """End with 2 after the usage and a message without values."""
        message = re.sub(r"invalid choice: .* \(choose", "not allowed (choose", message, flags=re.DOTALL)
        message = re.sub(r"invalid \w+ value: .*", "a value that cannot be used", message, flags=re.DOTALL)
        name, colon, rest = message.partition("unrecognized arguments: ")
        options = [word.partition("=")[0] for word in rest.split() if word.startswith("-")]
        super().error(f"{name}{colon}{' '.join(options)}".rstrip(": "))


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    settings, turns = _settings(), _turns()
    parser = _DiscreetParser(
        "clinic-mesh",
        description="Talk to six clinics: book, reschedule and cancel, in Portuguese or English.",
        epilog=f"{examples_of('')}\n\n{_EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[settings, turns],
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", required=False, parser_class=_DiscreetParser
    )

    def add(name: str, text: str, *parents: _DiscreetParser) -> argparse.ArgumentParser:
        return _add_command(commands, name, text, settings, *parents)

    add_fleet_commands(add)
    token = add("token", "print a token for calls of one clinic by other programs, such as grpcurl", _identity())
    token.add_argument("--clinic", required=True, metavar="ID", help="the clinic's id, such as clinic_a")
    token.add_argument("--ttl", dest="ttl_s", type=count, default=900, metavar="S", help="seconds that it lives (900)")
    add("certs", "make a development CA, and certificates for the clinics and the orchestrator")
    ask = add("ask", "take one turn and print the answer", turns)
    ask.add_argument("text", metavar="TEXT", help='what to ask; "-" takes a turn for each line of standard input')
    plan = add("plan", "plan the utterances of a file and write nothing anywhere")
    _add_planner(plan)
    plan.add_argument("--input", required=True, metavar="FILE", help='a case a line of JSON; "-" reads standard input')
    # No settings: its clinics, their agenda and its log are its own.
    _add_eval(_add_command(commands, "eval", "measure a planner over clinics of its own"))
    trace = add("trace", "print a turn of the log as a Mermaid sequence diagram")
    trace.add_argument("turn_id", metavar="TURN_ID|last", help="a turn_id of the log or its beginning, or the newest")
    trace.add_argument("--log", type=Path, metavar="FILE", help="the log file (those of the log folder)")
    stats = add("stats", "print what the logs come to: outcomes, times, the language model, the clinics")
    stats.add_argument("--log", type=Path, metavar="FILE", help="the log file (those of the log folder)")
    stats.add_argument("--report", type=Path, metavar="DIR", help="the report of an `eval`, for the misroute rate")
    stats.add_argument("-o", "--output", choices=("text", "json"), default="text", help="form of the result (text)")
    _add_research(add("research", "turn an observation into a research question that can be tested"))
    doctor = add("doctor", "check the settings, the folders and the language model")
    doctor.epilog = f"{doctor.epilog}\n\n{_DOCTOR_EPILOG}"
    completion = add("completion", "print a script that makes a shell complete this command")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    parser.set_defaults(command="")
    return parser


_Commands: TypeAlias = "argparse._SubParsersAction[_DiscreetParser]"  # noqa: SLF001 - it has no public name


def _add_command(commands: _Commands, name: str, text: str, *parents: _DiscreetParser) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=text,
        description=text,
        epilog=examples_of(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=parents,
        allow_abbrev=False,
    )


def _add_eval(parser: argparse.ArgumentParser) -> None:
    _add_planner(parser)
    parser.add_argument("--runs", type=count, default=1, metavar="K", help="how often each query is run (1)")
    parser.add_argument("--suite", type=Path, metavar="FILE", help="the queries (tests/test_queries.json)")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write report, chart and logs into this folder")


def _add_research(parser: argparse.ArgumentParser) -> None:
    sessions = parser.add_mutually_exclusive_group()
    sessions.add_argument("--session", metavar="ID", help="take a session up again; the beginning of its id will do")
    sessions.add_argument("--list", dest="lists_sessions", action="store_true", help="list the sessions that are kept")
    sessions.add_argument("--delete", dest="deleted_session", default="", metavar="ID", help="delete a session")
    parser.add_argument("--output", choices=("text", "jsonl"), default="text", help="form of the results (text)")
    parser.add_argument(
        "--no-start", dest="starts_clinics", action="store_false", help="count only in clinics that run"
    )


def _add_planner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--planner",
        choices=("local", *PlannerVariant),
        default="local",
        help="local: the offline engine; llm, cot: the configured language model, directly or with a chain of thought",
    )


def _descriptor(text: str) -> int:
    if re.fullmatch("[0-9]{1,6}", text) is None or int(text) <= _STANDARD_ERROR:
        raise argparse.ArgumentTypeError("the number of an open descriptor is expected, 3 or more")
    return int(text)


def _shared(*parents: _DiscreetParser) -> _DiscreetParser:
    # What is not given is not in the result, so that a subcommand's parser does not undo what stood before it.
    return _DiscreetParser(add_help=False, argument_default=argparse.SUPPRESS, parents=parents)


def _settings() -> _DiscreetParser:
    parser = _shared()
    group = parser.add_argument_group("settings")
    for name, text in _SETTINGS.items():
        group.add_argument(f"--{name.replace('_', '-')}", metavar="VALUE", help=text)
    return parser


def _identity() -> _DiscreetParser:
    parser = _shared()
    parser.add_argument("--identity-file", type=Path, metavar="FILE", help="two lines, full name and CPF")
    parser.add_argument("--identity-fd", type=_descriptor, metavar="N", help="the same, from open descriptor N")
    return parser


def _turns() -> _DiscreetParser:
    parser = _shared(_identity())
    group = parser.add_argument_group("conversation")
    group.add_argument("--output", choices=("text", "jsonl"), help="form of the results (text)")
    group.add_argument("--yes", dest="consent_given", action="store_true", help="make writes without asking")
    group.add_argument(
        "--incognito", dest="is_incognito", action="store_true", help="keep no history, no log, no memory"
    )
    group.add_argument(
        "--confirm",
        dest="confirmed",
        metavar="ID",
        help="make the writes of this proposal, if the same comes out again",
    )
    group.add_argument("--no-start", dest="starts_clinics", action="store_false", help="use only clinics that run")
    return parser
