"""The packages of the lock files: versions, hashes, and which package asks for which."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

DEVELOPMENT = ("dev", "bench", "deploy")
EXTRAS: Sequence[str] = tuple(extra for extra in PROJECT["optional-dependencies"] if extra not in DEVELOPMENT)
"""What users may install; each has a lock file of its own name."""

_PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?P<rest>.*\n(?: .*\n)*)", re.MULTILINE)
_ASKER = re.compile(r"^    #(?: via |   )(\w[\w.-]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A package that a lock file pins."""

    name: str
    version: str
    hashes: Sequence[str]  # SHA-256, of each file of the release
    wanted_by: Sequence[str]  # packages, clinic-mesh among them


def locked_packages(lock: str) -> Iterator[LockedPackage]:
    """Yield the packages of a lock file, by the file's name without its ending."""
    for pin in _PIN.finditer((ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")):
        hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", pin["rest"])
        yield LockedPackage(pin["name"], pin["version"], hashes, _ASKER.findall(pin["rest"]))
