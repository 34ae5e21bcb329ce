"""Covers the digits of a CPF that somebody types, from the ninth digit on, on the screen and in the scrollback.

The line itself is not changed: what is sent is what was typed. What counts as a CPF is `orchestrator.privacy`'s to say.
"""

from __future__ import annotations

from typing import TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout.controls import SearchBufferControl
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments

from orchestrator.privacy import cpfs_begun

_T = TypeVar("_T")


class CpfCover(Processor):
    """Draws an asterisk for each digit of what is a CPF or may become one."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the line as it is drawn; every character keeps its place, and so does the cursor."""
        characters = explode_text_fragments(transformation_input.fragments)
        for start, end in _covered(transformation_input, fragment_list_to_text(characters)):
            for place in range(start, end):
                style, character, *_ = characters[place]
                characters[place] = (style, "*" if character.isdigit() else character)
        return Transformation(characters)


def cover_search(prompt: PromptSession[_T]) -> None:
    """Cover what is typed into a prompt's search in its history (Ctrl-R), too."""
    for control in prompt.app.layout.find_all_controls():
        if isinstance(control, SearchBufferControl):
            control.input_processors = [*(control.input_processors or []), CpfCover()]


def _covered(line: TransformationInput, drawn: str) -> list[tuple[int, int]]:
    """Return the places of a drawn line that are covered: a CPF may go on from one line of the message to the next."""
    lines = line.document.lines
    if not drawn.startswith(lines[line.lineno]):
        return cpfs_begun(drawn)  # a search draws more than what was typed into it
    lines = [*lines[: line.lineno], drawn, *lines[line.lineno + 1 :]]
    first = sum(len(each) + 1 for each in lines[: line.lineno])
    last = first + len(drawn)
    return [
        (max(start, first) - first, min(end, last) - first)
        for start, end in cpfs_begun("\n".join(lines))
        if start < last and end > first
    ]
