"""Let clinics take their time in tests: a machine that is busy or stalls for seconds is no fault of theirs.

The tests install it, and a command that they start does so by itself, because this folder is on its PYTHONPATH.
Wherever the hub says how long it waits for a clinic, it says PATIENCE_S. A test of what silence costs sets less.

Nor do they wait until a disk holds what was written, which took a quarter of a conversation's time. What is written
outlives a kill all the same; only a failure of power could tell. What is synced, and when, the tests of `Disk` see, and
`make torture` starts its clinics without this folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

VARIABLE = "TEST_PATIENCE_S"
PATIENCE_S = 30.0
LIMITS = {
    "orchestrator.agents.router": ("READ_TIMEOUT_S", "WRITE_TIMEOUT_S", "CONNECT_TIMEOUT_S"),
    "orchestrator.agents.mesh_directory": ("_TIMEOUT_S",),
    "orchestrator.fleet.fleet_status": ("_TOOLS_TIMEOUT_S", "_HEALTH_TIMEOUT_S"),
    "orchestrator.evaluation.evaluation": ("_TIMEOUT_S",),
    "orchestrator.fleet.clinic_probe": ("probe",),
}
"""The names of such limits in each module that has some, and of functions whose last argument is one by default."""

_patience_s = PATIENCE_S


class _PatientLoader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _change(module)


class _PatientFinder:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name in LIMITS else None
        if spec is not None and spec.origin is not None:
            spec.loader = _PatientLoader(name, spec.origin)
        return spec


def install() -> None:
    """Change the limits of the modules that are loaded from now on."""
    sys.meta_path.insert(0, _PatientFinder)


def leave_the_disk_alone() -> None:
    """Let the syncing of files return at once."""
    os.fsync = _check_descriptor


def _check_descriptor(fd: Any) -> None:
    os.fstat(fd)


def be_patient(seconds: float) -> None:
    """Change the limits of all modules, loaded or not."""
    global _patience_s  # noqa: PLW0603 - of the process, as what it changes is
    _patience_s = seconds
    for module in LIMITS.keys() & sys.modules.keys():
        _change(sys.modules[module])


def _change(module: ModuleType) -> None:
    for name in LIMITS[module.__name__]:
        limit = getattr(module, name)
        if callable(limit):
            *others, seconds = limit.__defaults__
            limit.__defaults__ = (*others, _patience_s)
        else:
            seconds = limit
            setattr(module, name, _patience_s)
        assert isinstance(seconds, float), f"{module.__name__}.{name} is no limit"


if __name__ == "sitecustomize":
    install()
    leave_the_disk_alone()
    be_patient(float(os.environ.get(VARIABLE, PATIENCE_S)))
