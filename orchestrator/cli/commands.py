"""Find the command that a command line names, and the exit code of an error."""

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import generated
from mesh.errors import UsageError
from orchestrator.agents import read_registry
from orchestrator.cli.command_line import Arguments, completion_script, pages
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.composition import fleet_of, live_registry
from orchestrator.fleet import FleetError
from orchestrator.privacy import describe_fault
from orchestrator.security import CredentialError
from orchestrator.settings import read_settings
from orchestrator.turn import IdentityError

# What the errors that a person can do something about end with.
_CODES: Mapping[type[Exception], ExitCode] = {
    UsageError: ExitCode.USAGE,
    IdentityError: ExitCode.IDENTITY,
    CredentialError: ExitCode.IDENTITY,
    FleetError: ExitCode.ALL_DOWN,
}


def run(arguments: Arguments) -> ExitCode:
    """Run a command and return its exit code; what went wrong is on standard error."""
    try:
        return _run(arguments)
    except tuple(_CODES) as error:
        complain(error)
        return next(code for kind, code in _CODES.items() if isinstance(error, kind))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Nobody reads the results any more; nothing is left to be flushed to them at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of the program: a script gets a code, nobody gets values
        complain(f"internal error: {describe_fault(error)}")
        return ExitCode.INTERNAL


def known_names(kind: str, flags: Mapping[str, str], given: Mapping[str, Any]) -> Iterable[str]:
    """Return what a shell completes a parameter of a kind with: nothing where it is not at hand, nobody is asked."""
    with suppress(UsageError, KeyError):  # an agent or a tool that there is not
        settings = read_settings(flags, os.environ, Path(".env"))
        registry = read_registry(settings.base_port, settings.registry)
        if kind in {"clinic", "agent"}:
            return registry if kind == "clinic" else registry.with_services
        from orchestrator.agents.service_contract import contract_of  # noqa: PLC0415 - loads server reflection

        tools = contract_of(registry.with_services[given["agent"]]).tools
        if kind == "tool":
            return tools
        return [f"{one.name}=" for one in tools[given["tool"]].arguments if not one.options.injected]
    return ()


def _run(arguments: Arguments) -> ExitCode:
    if arguments.command == "completion":
        sys.stdout.write(completion_script(arguments.shell))
        return ExitCode.OK
    if arguments.command == "doctor":
        from orchestrator.cli import doctor  # noqa: PLC0415 - as above

        return doctor.run(arguments)
    if arguments.command == "generate":
        from mesh.code_generation import generate_code  # noqa: PLC0415 - as above

        sources = generate_code(arguments.protos, arguments.out, (Path(generated.__path__[0]),))
        sys.stdout.write("".join(f"{source}\n" for source in sources))
        return ExitCode.OK
    settings = read_settings(arguments.settings, os.environ, Path(".env"))
    if arguments.command in {"", "ask", "calendar"}:
        from orchestrator.cli import converse  # noqa: PLC0415 - as above

        live = live_registry(settings)
        return converse.run(arguments, settings, live, fleet_of(settings, live))
    module = import_module(f"{__package__}.{pages()[arguments.command].get('module', arguments.command)}")
    code: ExitCode = module.run(arguments, settings, read_registry(settings.base_port, settings.registry))
    return code
