"""Covers the digits of a CPF that somebody types into the conversation, on the screen and in the scrollback.

The line itself is not changed: what is sent is what was typed.
"""

from __future__ import annotations

from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments

from orchestrator.privacy import PersonalKind, Redactor

_REDACTOR = Redactor()


class CpfCover(Processor):
    """Draws an asterisk for each digit of a CPF in the line."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the line as it is drawn; every character keeps its place, and so does the cursor."""
        characters = explode_text_fragments(transformation_input.fragments)
        for found in _REDACTOR.find(fragment_list_to_text(characters)):
            if found.kind is PersonalKind.CPF:
                for place in range(found.start, found.end):
                    style, character, *_ = characters[place]
                    characters[place] = (style, "*" if character.isdigit() else character)
        return Transformation(characters)
