"""What a conversation is about: the focal argument, from the person's words and what was read in them."""

from __future__ import annotations

import re
from typing import Any, Literal

from orchestrator.research.graph.structures import FocalArgument
from orchestrator.research.rules import Elements, FoldedText, is_measurable

_Intent = Literal["test_hypothesis", "review_literature", "build_theory"]
_Article = Literal["empirical", "review", "theoretical"]

_KINDS: tuple[tuple[re.Pattern[str], _Intent, _Article], ...] = (
    (
        re.compile(
            r"\b(?:revisao|revisar|estado da arte|o que se sabe|literatura|review|literature|state of the art)\b"
        ),
        "review_literature",
        "review",
    ),
    (
        re.compile(r"\b(?:teoria|modelo conceitual|modelo teorico|arcabouco|theory|conceptual model|framework)\b"),
        "build_theory",
        "theoretical",
    ),
)


def focus_of(text: str, elements: Elements, before: dict[str, Any] | None) -> FocalArgument:
    """Return the focal argument after some words.

    Args:
        text: What the person said last.
        elements: All that is known of the question.
        before: The focal argument until now; None before the first words.
    """
    folded = FoldedText.of(text).folded
    intent, article_type = next(
        ((intent, article) for pattern, intent, article in _KINDS if pattern.search(folded)), _kind_of(before)
    )
    outcome = FoldedText.of(elements.outcome)
    counted = elements.outcome if is_measurable(outcome.original, outcome.folded) else ""
    return FocalArgument(
        intent=intent,
        subject=" → ".join(filter(None, (elements.exposure, elements.outcome))),
        population=elements.population,
        metrics=elements.measure or counted,
        article_type=article_type,
    )


def _kind_of(before: dict[str, Any] | None) -> tuple[_Intent, _Article]:
    if before is None:
        return "test_hypothesis", "empirical"
    earlier = FocalArgument.model_validate(before)
    return earlier.intent, earlier.article_type
