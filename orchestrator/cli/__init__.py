"""The command `clinic-mesh`; each subcommand loads what it needs when called, so that help is quick."""

import codecs
import gc
import io
import json
import os
import signal
import sys

from mesh.core_dumps import forbid_core_dumps

_INTERRUPTED = 130  # `ExitCode.INTERRUPTED`, which is not loaded yet
_JSON_ESCAPES = "clinic-mesh.json"


def main() -> int:
    """Run the command that the process's arguments ask for, and return its exit code."""
    forbid_core_dumps()
    interrupt = signal.getsignal(signal.SIGINT)
    if interrupt is signal.default_int_handler:
        # While modules load there is nothing to end in order, and an exception amid an import would show a traceback.
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    _write_any_text("replace")
    from orchestrator.cli.command_line import answer_shell, parse_arguments  # noqa: PLC0415 - click takes a while

    if (code := answer_shell()) is not None:
        return code
    arguments = parse_arguments(sys.argv[1:])
    # What gRPC's core says about a clinic that is down would land in the middle of a prompt or a table.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if arguments.output != "text" or arguments.command == "plan":  # what is printed is JSON
        _write_any_text(_JSON_ESCAPES)
    # A closed window or a plain kill ends the program in order: the clinics that it started are stopped.
    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, lambda number, _: sys.exit(128 + number))
    if arguments.command in {"", "ask"}:
        # Looking for garbage among modules is a tenth of the time to the prompt; `converse` begins with it.
        gc.disable()
    from orchestrator.cli.commands import run  # noqa: PLC0415 - --help and usage errors need none of it

    signal.signal(signal.SIGINT, interrupt)
    return run(arguments)


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_JSON_ESCAPES, _escape)


def _write_any_text(errors: str) -> None:
    # Standard output may be in an encoding that lacks the accents of Portuguese; standard error copes by itself.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=errors)
