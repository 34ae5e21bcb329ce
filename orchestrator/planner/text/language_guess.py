"""Guesses the language of an utterance from its everyday words; those of both languages tell nothing."""

from __future__ import annotations

from orchestrator.planner.lexicon import words
from orchestrator.planner.text.normalised_text import Text
from orchestrator.turn import Language


def guess_language(text: Text, otherwise: Language) -> Language:
    """The language with more of its everyday words in the text.

    Args:
        text: The utterance, normalised.
        otherwise: The answer for a tie, such as a bare number or a name.
    """
    telling = {word.text for word in text.words} & (words("portuguese") ^ words("english"))
    portuguese = len(telling & words("portuguese"))
    english = len(telling) - portuguese
    if portuguese == english:
        return otherwise
    return Language.PT if portuguese > english else Language.EN
