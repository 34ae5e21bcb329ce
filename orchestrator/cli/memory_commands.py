"""Write what is remembered of a person to a file or take it from one (`memory`)."""

import sys
from pathlib import Path

from mesh import private_file
from mesh.strict_document import DocumentError
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import prepare_folders
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.composition import memory_of
from orchestrator.memory import StoreError
from orchestrator.memory.keeping import LARGEST_FILE, read_memories, written
from orchestrator.settings import Settings, SettingsError


def run(arguments: Arguments, settings: Settings, _: Registry) -> ExitCode:
    """Run the command and return its exit code."""
    prepare_folders(settings)
    speaker = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    path = arguments.file
    if not settings.memory or (path is None and arguments.action == "import"):
        raise SettingsError("memory import: FILE is required" if settings.memory else "the memory is off")
    with memory_of(settings, settings.role) as memory:
        try:
            if arguments.action == "import" and path is not None:
                given = read_memories(_content_of(path))
                added = memory.handler.take(speaker, given)
                complain(f"{path}: {added} noted, {len(given) - added} known already or over")
            else:
                text = written(memory.handler.memories(speaker))
                sys.stdout.write(text) if path is None else private_file.create(path, text.encode())
        except (OSError, DocumentError, StoreError) as error:
            fault = error.strerror if isinstance(error, OSError) else error
            raise SettingsError(f"{path or 'memory'}: {fault}; nothing was noted or written") from None
    return ExitCode.OK


def _content_of(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise DocumentError(f"it is larger than {LARGEST_FILE} bytes")
    if private_file.is_shared(path):
        complain(f"{path}: other users can read it; run chmod 600 on it")
    return content
