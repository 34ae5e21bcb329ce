"""Whether the extra `research` is installed; nothing of it is loaded to find out."""

from __future__ import annotations

from importlib.util import find_spec

_MODULES = ("langgraph.graph", "langgraph.checkpoint.sqlite")


class NotInstalledError(Exception):
    """The desk was asked for and LangGraph is not installed; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "the research desk takes LangGraph, which is not installed: run `pip install 'clinic-mesh[research]'`, "
            "or in the folder of clinic-mesh `python -m pip install --editable '.[research]'`"
        )


def is_installed() -> bool:
    """Return whether the packages of the extra are there."""
    try:
        return all(find_spec(module) is not None for module in _MODULES)
    except ModuleNotFoundError:
        return False
