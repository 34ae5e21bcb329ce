"""`python -m bench.compare BASE`: compares what two versions answer to everything that the test suite says.

BASE is a commit, or the folder of a checkout, whose own .venv is then used. The other version is this checkout. Both
run as commands, on the blueprint agenda with the clock of July 2025: `plan --input`, and turns of `clinic-mesh ask`. It
prints what differs and ends with 1 if anything does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.processes import NOW, ROOT
from bench.utterances import Conversation, conversations, lines

_PORTS = (30100, 30200)
_TURNS_A_SESSION = 150
_LISTING = "quero um cardiologista"
_PEOPLE = ("529.982.247-25", "935.411.347-80", "123.456.789-09", "111.444.777-35", "987.654.321-00")
_ROLES = ("patient", "operator")
_CHANGING = (
    (re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r"\b[b-z]{6}-[b-z]{6}-[b-z]{6}\b"), "PROPOSAL"),
    (re.compile(r"\(\d+[,.]\d s\)"), "(TIME)"),
    (re.compile(r'"appointment_id": "[a-z]{24}"'), '"appointment_id": "ID"'),
    (re.compile(r"after \d+\.\d ms"), "after TIME"),
    (re.compile(r'"elapsed_ms": \d+(?:\.\d+)?'), '"elapsed_ms": 0'),
)
"""What no two runs have in common, and what stands for it."""

Answers = dict[str, str]
"""What a version printed, by what it was asked."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the project that can be run.

    Attributes:
        root: Its checkout.
        python: The interpreter that has its dependencies.
        home: A folder of its own for data and logs.
        base_port: The port of its first clinic.
    """

    root: Path
    python: str
    home: Path
    base_port: int

    def run(self, *arguments: str, said: str, person: str = _PEOPLE[0], role: str = "patient") -> tuple[str, str]:
        """Run the command and return its output, and its exit code and errors.

        Args:
            *arguments: Its command line.
            said: Its standard input.
            person: The CPF of the person who speaks.
            role: The role of the person who speaks.
        """
        variables = {**self._environment(), "CLINIC_MESH_ROLE": role, "CLINIC_MESH_CPF": person}
        ended = subprocess.run(
            self._command(*arguments),
            input=said,
            env=variables,
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )
        return self._same(ended.stdout), f"exit code {ended.returncode}\n{_in_any_order(self._same(ended.stderr))}"

    @contextmanager
    def clinics(self) -> Iterator[None]:
        """Run the six clinics."""
        up = subprocess.Popen(
            self._command("up"),
            env=self._environment(),
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            if not any(str(self.base_port + 5) in line for line in up.stdout or ()):
                raise RuntimeError(f"the clinics of {self.root} did not start")
            yield
        finally:
            up.send_signal(signal.SIGINT)
            up.communicate()

    def _command(self, *arguments: str) -> list[str]:
        return [self.python, "-m", "orchestrator.cli", *arguments]

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(self.root),
            "PYTHONSAFEPATH": "1",
            "CLINIC_MESH_DATA_DIR": str(self.home / "data"),
            "CLINIC_MESH_BASE_PORT": str(self.base_port),
            "CLINIC_MESH_AGENDA": "blueprint",
            "CLINIC_MESH_NOW": NOW,
            "CLINIC_MESH_RATE": "off",
            "CLINIC_MESH_NAME": "Carlos Exemplo Teste",
        }

    def _same(self, text: str) -> str:
        """Return a text without what differs from run to run."""
        named = text.replace(str(self.home), "HOME").replace(str(self.root), "ROOT")
        for what, stands in _CHANGING:
            named = what.sub(stands, named)
        return named


def main() -> int:
    """Compare two versions; return 0 when nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("base", metavar="BASE", help="a commit, or the folder of a checkout")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth line of text (1: all)")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="differences to print in full (20)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-compare-") as folder:
        base, own = _versions(options.base, Path(folder))
        said = list(dict.fromkeys([*conversations(base.root), *conversations(own.root)]))
        texts = sorted({*lines(base.root), *lines(own.root)})[:: options.every]
        with ThreadPoolExecutor(2) as side_by_side:
            before, after = side_by_side.map(lambda version: _answers(version, said, texts), (base, own))
    return _report(before, after, options.show)


def _versions(base: str, folder: Path) -> tuple[Version, Version]:
    homes = [folder / "base", folder / "own"]
    for home in homes:
        home.mkdir()
    root, python = Path(base).resolve(), sys.executable
    if not root.is_dir():
        root = folder / "checkout"
        root.mkdir()
        archive = subprocess.run(["git", "archive", base], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", str(root)], input=archive, check=True)
    elif (root / ".venv" / "bin" / "python").exists():
        python = str(root / ".venv" / "bin" / "python")
    return Version(root, python, homes[0], _PORTS[0]), Version(ROOT, sys.executable, homes[1], _PORTS[1])


def _answers(version: Version, said: list[Conversation], texts: list[str]) -> Answers:
    with version.clinics():
        return {**_plans(version, said, texts), **_turns(version, said, texts)}


def _in_any_order(text: str) -> str:
    return "\n".join(sorted(text.splitlines()))


def _plans(version: Version, said: list[Conversation], texts: list[str]) -> Answers:
    """Return the plan of every utterance after those before it, and of every text as utterance and as answer."""
    found: Answers = {}
    for role in _ROLES:
        cases = [case for each in said if each.role == role for case in _prefixes(each)]
        if role == "patient":
            cases += [_case(f"said: {text}", [], text) for text in texts]
            heard = [{"role": "user", "content": _LISTING}]
            cases += [
                _case(f"answered: {text}", [*heard, {"role": "assistant", "content": text}], "sim") for text in texts
            ]
        output, errors = version.run("plan", "--input", "-", said="\n".join(map(json.dumps, cases)), role=role)
        found[f"plan --input as {role}, how it ended"] = errors
        for line in output.splitlines():
            found[f"plan as {role}: {json.loads(line)['id']}"] = line
    return found


def _prefixes(conversation: Conversation) -> Iterator[Mapping[str, object]]:
    history: list[dict[str, str]] = []
    for number, utterance in enumerate(conversation.said, 1):
        yield _case(f"{conversation.name}, turn {number}: {utterance}", list(history), utterance)
        history.append({"role": "user", "content": utterance})


def _case(name: str, history: list[dict[str, str]], utterance: str) -> Mapping[str, object]:
    return {"id": name, "history": history, "utterance": utterance}


def _turns(version: Version, said: list[Conversation], texts: list[str]) -> Answers:
    """Return the record of every turn: of the conversations without and with --yes, and of the texts."""
    found: Answers = {}
    for role in _ROLES:
        utterances = [line for each in said if each.role == role for line in each.said]
        for yes in ((), ("--yes",)):
            found.update(_sessions(version, utterances, role, yes))
    found.update(_sessions(version, texts, "patient", ()))
    return found


def _sessions(version: Version, utterances: list[str], role: str, options: tuple[str, ...]) -> Answers:
    found: Answers = {}
    for start in range(0, len(utterances), _TURNS_A_SESSION):
        session = f"session as {role} {' '.join(options)} from {start + 1} on"
        person = _PEOPLE[start // _TURNS_A_SESSION % len(_PEOPLE)]
        told = "\n".join(utterances[start : start + _TURNS_A_SESSION])
        output, errors = version.run(
            "ask", "-", "--no-start", "--output", "jsonl", *options, said=told, person=person, role=role
        )
        found[f"{session}, how it ended"] = errors
        for line in output.splitlines():
            number = json.loads(line)["turn"]
            found[f"{session}, turn {number}: {utterances[start + number - 1]}"] = line
    return found


def _report(before: Answers, after: Answers, show: int) -> int:
    differing = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    for name in differing[:show]:
        print(f"{name}\n  base {before.get(name, 'nothing')}\n  own  {after.get(name, 'nothing')}")
    print(f"{len(differing)} of {len({**before, **after})} answers differ")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
