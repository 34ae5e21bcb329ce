"""Guesses the language of an utterance from its everyday words."""

from __future__ import annotations

from orchestrator.language import Language
from orchestrator.planner.lexicon.tables import words
from orchestrator.planner.normalise import Text


def guess_language(text: Text, otherwise: Language) -> Language:
    """The language with more of its everyday words in the text.

    Args:
        text: The utterance, normalised.
        otherwise: The answer for a tie, such as a bare number or a name.
    """
    portuguese = sum(word.text in words("portuguese") for word in text.words)
    english = sum(word.text in words("english") for word in text.words)
    if portuguese == english:
        return otherwise
    return Language.PT if portuguese > english else Language.EN
