"""What a language model fills in of each tool: the contract's arguments, with a slot by one handle.

Everything comes from the catalogue. What the contract marks `injected` is not there; a date and a time with a common
prefix, and the doctor beside them, are one slot. Dates of a tool that only reads are nobody's to fill in: when it suits
is a filter over the answers, read by the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Argument, Tool
from mesh.schema import not_injected
from orchestrator.turn import CATALOGUE, is_write

DOCTOR = "doctor"
"""The argument that says whose slot it is, in every tool of the contract that knows doctors."""

_MOMENTS = frozenset({options_pb2.FORMAT_DATE, options_pb2.FORMAT_TIME})


@dataclass(frozen=True, slots=True)
class SlotForm:
    """A slot among the arguments of a write.

    Attributes:
        handle: What a model calls it: "slot", "original_slot", "new_slot".
        date: The argument that holds its day.
        time: The argument that holds its time of day.
    """

    handle: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class ToolForm:
    """A tool as a model fills it in.

    Attributes:
        tool: The tool.
        writes: Whether it changes something.
        gives_back: Whether its first slot is one that the person holds.
        texts: Arguments that are filled in as text, in the contract's order.
        slots: Arguments that are filled in by handle.
        injected: Names that are the orchestrator's to fill in.
    """

    tool: Tool
    writes: bool
    gives_back: bool
    texts: tuple[Argument, ...]
    slots: tuple[SlotForm, ...]
    injected: frozenset[str]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that a model may use."""
        return (*(slot.handle for slot in self.slots), *(argument.name for argument in self.texts))

    @property
    def literals(self) -> frozenset[str]:
        """The contract's names for what a handle stands for."""
        return frozenset(
            {DOCTOR} | {name for slot in self.slots for name in (slot.date, slot.time)} if self.slots else ()
        )


@cache
def tool_forms() -> Mapping[str, ToolForm]:
    """The form of every tool of the catalogue, by name."""
    return {name: _form_of(tool) for name, tool in CATALOGUE.items()}


def _form_of(tool: Tool) -> ToolForm:
    writes = is_write(tool.name)
    slots = _slots_of(tool) if writes else ()
    return ToolForm(
        tool=tool,
        writes=writes,
        gives_back=tool.options.destructive,
        texts=tuple(
            argument
            for argument in tool.arguments
            if not_injected(argument) and argument.format not in _MOMENTS and not (slots and argument.name == DOCTOR)
        ),
        slots=slots,
        injected=frozenset(argument.name for argument in tool.arguments if argument.options.injected),
    )


def _slots_of(tool: Tool) -> tuple[SlotForm, ...]:
    formats = {argument.name: argument.format for argument in tool.arguments}
    prefixes = [
        name.removesuffix("date")
        for name, form in formats.items()
        if form == options_pb2.FORMAT_DATE and name.endswith("date")
    ]
    return tuple(
        SlotForm(f"{prefix}slot", f"{prefix}date", f"{prefix}time")
        for prefix in prefixes
        if formats.get(f"{prefix}time") == options_pb2.FORMAT_TIME
    )
