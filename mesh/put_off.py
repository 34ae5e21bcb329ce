"""Spares a node the load of what its libraries import and it never uses: a sixth of its start, a tenth of its memory.

gRPC's packages import asyncio and their own halves for it, protobuf its messages in pure Python. Here each of these
modules stands in its place unloaded, and loads itself at the first look into it: who does use one finds all of it.
"""

from __future__ import annotations

import sys
import threading
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType

ASYNCIO = "asyncio"
"""For a node without an event loop."""

UNUSED = (
    "grpc.aio",
    "grpc.experimental.aio",
    "grpc_health.v1._async",
    "grpc_reflection.v1alpha._async",
    "grpc_status._async",
    "google.protobuf.internal.python_message",
)
"""Halves for asyncio of gRPC's packages, and what protobuf has for machines without its compiled messages."""

_lock = threading.RLock()


class _Unloaded(ModuleType):
    """A module that has a place and a name, and no content yet."""

    def __getattr__(self, name: str) -> object:
        with _lock:
            if self.__dict__.pop("_is_unloaded", False):
                spec = self.__spec__
                if spec is not None and spec.loader is not None:
                    spec.loader.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment] # what a module's class may be set to
        if name in self.__dict__:
            return self.__dict__[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def put_off(*modules: str) -> None:
    """Let modules wait until they are used; what is loaded stays so.

    Args:
        *modules: Their names. No part of a package that is put off may be imported before the package was looked into.
    """
    for name in modules:
        spec = None if name in sys.modules else _find(name)
        if spec is not None:
            module = module_from_spec(spec)
            module.__dict__["_is_unloaded"] = True
            module.__class__ = _Unloaded
            sys.modules[name] = module


@cache
def _find(name: str) -> ModuleSpec | None:
    """Return where a module is, without importing the packages that it is in."""
    package = name.rpartition(".")[0]
    if not package:
        return PathFinder.find_spec(name)
    spec = _find(package)
    return None if spec is None else PathFinder.find_spec(name, spec.submodule_search_locations)
