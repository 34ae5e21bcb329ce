"""Patterns are compiled once for all processes, and are the same wherever they come from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from orchestrator.planner.lexicon import compiled, pattern, sections, table

_ROOT = Path(__file__).parents[3]
_SAID = "quero marcar com a dra beatriz na quinta às 8, pode ser? great, thanks"
_ASKED = f"""
import json
from re import _parser
parse, parsed = _parser.parse, []
_parser.parse = lambda *given: parsed.append(given[0]) or parse(*given)
from orchestrator.planner.lexicon import sections, table
parsed.clear()
found = [str(table("smalltalk", name).search({_SAID!r})) for name in sections("smalltalk")]
print(json.dumps([len(parsed), found]))
"""


@dataclass(frozen=True)
class Folder:
    """A folder for what Python compiles, and the processes that use it."""

    path: Path

    @property
    def file(self) -> Path:
        return next(self.path.rglob("compiled_patterns.*.json"))

    def found(self, *, writes: bool = True) -> tuple[int, list[str]]:
        """Return how many patterns a new process had to compile, and what they find."""
        environment = {"PYTHONPYCACHEPREFIX": str(self.path), "PYTHONDONTWRITEBYTECODE": "" if writes else "1"}
        command = [sys.executable, "-c", _ASKED]
        environment = {**os.environ, **environment}
        answer = subprocess.run(command, cwd=_ROOT, env=environment, check=True, capture_output=True, text=True)
        compiled_now, found = json.loads(answer.stdout)
        return compiled_now, found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A folder in which Python has compiled the modules, and no pattern is kept."""
    folder = Folder(tmp_path_factory.mktemp("compiled"))
    folder.found()
    folder.file.unlink()
    return folder


def test_what_one_process_compiled_the_next_one_does_not(folder: Folder) -> None:
    at_first, found = folder.found()
    assert at_first > 20
    assert folder.found() == (0, found)


@pytest.mark.parametrize("spoil", ["cut", "bare", "another python", "no json"])
def test_a_file_of_no_use_changes_nothing_that_is_found(folder: Folder, spoil: str) -> None:
    _, found = folder.found()
    kept = json.loads(folder.file.read_bytes())
    patterns: dict[str, Any] = kept["patterns"]
    spoiled: dict[str, object] = {
        "cut": {**kept, "patterns": {one: [*entry[:3], entry[3][:40]] for one, entry in patterns.items()}},
        "bare": {**kept, "patterns": dict.fromkeys(patterns, 7)},
        "another python": {"made_for": "2.7", "patterns": {one: [0, 1, {}, ""] for one in patterns}},
    }
    folder.file.write_text("{" if spoil == "no json" else json.dumps(spoiled[spoil]))
    compiled_now, found_then = folder.found(writes=False)
    folder.file.unlink()
    assert compiled_now > 20
    assert found_then == found


def test_nothing_is_kept_where_python_is_told_to_write_nothing(folder: Folder) -> None:
    folder.found(writes=False)
    assert list(folder.path.rglob("*.json")) == []


def test_a_pattern_is_what_re_makes_of_it() -> None:
    kept = [table("smalltalk", name) for name in sections("smalltalk")]
    kept += [pattern("patterns", "weekday_range"), compiled(r"(?i)(?P<day>\d+)-(?P<month>[a-z]+)|(x)?")]
    again = [re.compile(one.pattern) for one in kept]
    assert kept == again
    assert [one.groupindex for one in kept] == [one.groupindex for one in again]
