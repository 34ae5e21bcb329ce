"""Read a command line into one frozen value. Name and CPF are no arguments: other people read process lists."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import click
from click import shell_completion

from orchestrator.cli.command_options import COUNT_EXPECTED, SectionOption, given, read_parameters

PROGRAM = "clinic-mesh"
COMPLETION_VARIABLE = "_CLINIC_MESH_COMPLETE"  # where a completion script says what the shell wants to know

_USAGE = 2
_TEXT_WITH_DASH = re.compile(r"-(?:\d+(?:[.,]\d+)?|[^\w-].*|.* .*)", re.DOTALL)
_NEGATIVE = re.compile(r"-[0-9].*")
_TOGETHER = 56  # an example up to this length has its remark beside it; else the remark stands below


@dataclass(frozen=True, slots=True)
class Arguments:
    """A command line; the help of `command_options` says what each option is for."""

    command: str = ""  # the command; "" for the terminal and piped input
    settings: Mapping[str, str] = field(default_factory=dict)  # the settings that were given, by field name
    text: str = ""
    clinic: str = ""  # the clinic of a command about one; "" for all
    agent: str = ""
    tool: str = ""
    pairs: tuple[str, ...] = ()  # arguments of a tool, as name=value
    json: str = ""  # the same as a JSON object; "-" reads standard input
    ttl_s: int = 900
    audience: str = ""  # the URL of a gateway that a token is for
    http: str = ""  # where the gateway listens; empty for standard input and output
    proposal: str = ""
    is_detached: bool = False
    wait_s: float = 20.0
    lines: int = 20
    follows: bool = False
    counts_calls: bool = False
    shell: str = ""
    starts_clinics: bool = True
    output: str = "text"  # "text", or "jsonl" for turns, "json" for `status` and `stats`
    consent_given: bool = False
    moves_patients: bool = False
    confirmed: str | None = None  # the id of the proposal whose writes are made, as typed
    identity_file: Path | None = None
    identity_fd: int | None = None
    is_incognito: bool = False
    action: str = ""  # of the command memory
    file: Path | None = None  # that it reads or writes
    ics: Path | None = None  # the calendar file that is written at the end
    planner: str = "local"
    input: str = "-"
    runs: int = 1
    suite: Path | None = None  # none for the queries of the source checkout
    report: Path | None = None
    patients: int = 0  # none for the queries of the suite
    seed: int = 1
    is_desk: bool = False  # whether the research desk is measured, and no planner
    turn_id: str = "last"
    log: Path | None = None  # none for all logs in the log folder
    session: str | None = None  # none for a new session of the research desk
    deleted_session: str = ""
    lists_sessions: bool = False
    date: str = ""  # none for today
    protos: Path = Path("protos")
    out: Path = Path()


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Return the parsed command line; raise SystemExit, with 2 after a message about wrong usage, 0 after --help."""
    program = build_program()
    try:
        with program.make_context(PROGRAM, list(argv), help_option_names=["-h", "--help"]) as context:
            arguments: Arguments = program.invoke(context)
    except OSError:  # nobody reads the help any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except click.exceptions.Exit as end:
        raise SystemExit(end.exit_code) from None
    except click.UsageError as error:
        _complain(error, error.ctx or click.Context(program, info_name=PROGRAM))
    return arguments


def _complain(error: click.UsageError, context: click.Context) -> NoReturn:
    # The message repeats nothing of what was given: somebody may try a CPF as an argument.
    match error:
        case click.NoSuchOption() if re.fullmatch("-{1,2}[a-z-]+", error.option_name):
            message = f"no such option: {error.option_name}"
        case click.MissingParameter(param=click.Parameter() as missing):
            message = f"{missing.metavar if isinstance(missing, click.Argument) else missing.opts[0]} is required"
        case click.BadParameter() | click.BadOptionUsage():
            message = error.format_message()
        case click.NoSuchOption():
            message = "there is no such option"
        case click.NoSuchCommand():
            known = f"known are {', '.join(build_program().commands)}"
            hint = f"did you mean {error.possibilities[0]}?" if error.possibilities else known
            message = f"there is no such command; {hint}"
        case _:
            message = "there are more arguments than the command takes"
    sys.stderr.write(f"{context.get_usage()}\n{PROGRAM}: {message}\n")
    raise SystemExit(_USAGE)


class _Command(click.Command):
    """A command whose help has the sections of its options, and examples that can be pasted."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args if "--" in args else self._unambiguous(ctx, args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that the usage shown is the command's
            raise

    def _unambiguous(self, ctx: click.Context, args: list[str]) -> list[str]:
        # For click, what begins with a dash is an option where one may stand: also a text, and a number after --wait.
        options = {name: one for one in self.params if isinstance(one, click.Option) for name in one.opts}
        kept: list[str] = []
        texts: list[str] = []
        awaiting: click.Option | None = None  # the option that the next word is a value of
        for arg in args:
            name, is_joined, value = arg.partition("=")
            option = options.get(name)
            given = option if is_joined else awaiting
            if given is not None and given.name == "wait_s" and _NEGATIVE.fullmatch(value if is_joined else arg):
                raise click.BadParameter(COUNT_EXPECTED, ctx, given)
            is_text = self.name == "ask" and awaiting is None and _TEXT_WITH_DASH.fullmatch(arg)
            (texts if is_text else kept).append(arg)
            awaiting = None if option is None or option.is_flag or is_joined else option
        return [*kept, *(["--", *texts] if texts else [])]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                section = parameter.section if isinstance(parameter, SectionOption) else "Options"  # --help is click's
                sections.setdefault(section, []).append(record)
        for section in ("Options", "Settings", "Conversation"):
            if section in sections:
                with formatter.section(section):
                    formatter.write_dl(sections[section])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        formatter.write(f"\n{self.epilog}\n")


class _Program(_Command, click.Group):
    """The command without a sub-command, and its sub-commands, in their order."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@cache
def pages() -> Mapping[str, Mapping[str, Any]]:
    """Return what `commands.toml` says of each command."""
    return tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))


def build_program() -> click.Group:
    """Return the whole command line."""
    parameters = read_parameters()

    def described(page: Mapping[str, Any]) -> dict[str, Any]:
        taken = [each for name in page["takes"] for each in parameters[name]]
        texts = {"help": page["help"], "short_help": page["help"], "epilog": _epilog(page)}
        return {"params": taken, "callback": _arguments, **texts}

    program = described(pages()[PROGRAM])
    commands = [_Command(name, **described(page)) for name, page in pages().items() if name != PROGRAM]
    group = _Program(PROGRAM, commands=commands, invoke_without_command=True, **program)
    return click.version_option(package_name=PROGRAM, message="%(prog)s %(version)s")(group)


def _epilog(page: Mapping[str, Any]) -> str:
    width = max(len(line) for line, _ in page["examples"])
    width, gap = (width, "  ") if width <= _TOGETHER else (0, "\n      ")
    lines = [f"  {line:<{width}}{gap}{remark}".rstrip() for line, remark in page["examples"]]
    return "\n".join(["examples:", *lines, *(["", page["notes"].rstrip()] if "notes" in page else [])])


@click.pass_context
def _arguments(context: click.Context, /, **_: object) -> Arguments | None:
    if context.invoked_subcommand is not None:
        return None  # which reads the options before it, too
    settings, options = given(context)
    for option in context.command.params:
        if isinstance(option, SectionOption) and option.name in options:
            for other in option.against.keys() & options.keys():
                raise click.BadOptionUsage(option.name, option.against[other], context)
    command = "" if context.parent is None else context.info_name or ""
    if command == "token" and options.keys().isdisjoint({"clinic", "audience"}):
        raise click.BadOptionUsage("clinic", "--clinic is required, or --audience for a gateway", context)
    return Arguments(command, settings, **options)


def completion_script(shell: str) -> str:
    """Return the script that makes a shell ask the command what completes a line; LookupError for another shell."""
    kind = shell_completion.get_completion_class(shell)
    if kind is None:
        raise LookupError(shell)
    return kind(build_program(), {}, PROGRAM, COMPLETION_VARIABLE).source()


def answer_shell() -> int | None:
    """Answer a shell that asks what fits at its prompt, and return the exit code; None where no shell asks."""
    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction is None:
        return None
    return shell_completion.shell_complete(build_program(), {}, PROGRAM, COMPLETION_VARIABLE, instruction)
