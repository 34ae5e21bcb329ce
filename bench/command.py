"""The command `clinic-mesh` of a tree, with settings and a data folder of its own."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.processes import NOW, ROOT, kept_environment, scratch

COMMAND = (sys.executable, "-m", "orchestrator.cli")


def command_environment(data: Path, tree: Path = ROOT) -> Mapping[str, str]:
    """Return the variables for a command of the modules in `tree`: an identity, free ports, no language model."""
    settings = {
        "CLINIC_MESH_DATA_DIR": str(data),
        "CLINIC_MESH_BASE_PORT": str(_free_base_port()),
        "CLINIC_MESH_NAME": "Maria Souza",
        "CLINIC_MESH_CPF": "529.982.247-25",
        "CLINIC_MESH_LLM": "off",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(tree),
        "PYTHONSAFEPATH": "1",
    }
    kept = {name: value for name, value in kept_environment().items() if not name.startswith("CLINIC_MESH_")}
    return {**kept, **settings}


@contextmanager
def running_clinics(environment: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Start the six clinics with `up --detach`, and end them with `down`."""
    _run("up", "--detach", environment=environment, folder=folder)
    try:
        yield
    finally:
        _run("down", environment=environment, folder=folder)


@dataclass(frozen=True, slots=True)
class ListingTurns:
    """A conversation of its own process that takes one turn, over two clinics, again and again.

    Attributes:
        process: The conversation.
    """

    process: subprocess.Popen[str]

    def take(self) -> None:
        """Take one turn and return when its record is there."""
        said, heard = self.process.stdin, self.process.stdout
        if said is None or heard is None:
            raise RuntimeError("the conversation has no pipes")
        said.write("quero um cardiologista\n")
        said.flush()
        record = heard.readline()
        if "clinic_a" not in record or "clinic_c" not in record:
            raise RuntimeError("the turn did not list two clinics")

    def cpu_s(self) -> float:
        """Return the seconds that the process has computed, in steps of a clock tick."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def listing_turns(tree: Path) -> Iterator[ListingTurns]:
    """Yield a conversation of the modules in `tree`, with clinics of its own.

    Utterances go in by standard input and records come back as lines of JSON, both of which the product keeps stable.
    Nothing is logged or remembered (`--incognito`).
    """
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        fixed = {"CLINIC_MESH_AGENDA": "blueprint", "CLINIC_MESH_NOW": NOW, "CLINIC_MESH_RATE": "off"}
        environment = {**command_environment(folder / "data", tree), **fixed}
        parts.enter_context(running_clinics(environment, folder))
        process = subprocess.Popen(
            [*COMMAND, "--incognito", "--no-start", "--output", "jsonl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=folder,
            text=True,
        )
        # Leaving it closes its standard input, which ends it.
        yield ListingTurns(parts.enter_context(process))


def _run(*arguments: str, environment: Mapping[str, str], folder: Path) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments], env=environment, cwd=folder, check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"clinic-mesh {' '.join(arguments)}: {done.stderr.strip()}")


def _free_base_port() -> int:
    while True:
        base = random.randrange(20000, 32000)
        with ExitStack() as held:
            try:
                for port in range(base, base + 6):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return base
