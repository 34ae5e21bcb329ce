"""What a question still lacks to be testable: the table of docs/research.md, in the order in which it is asked for."""

from __future__ import annotations

from orchestrator.research.rules.elements import Element, Elements
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.vocabulary import counts_events, is_graded, is_measurable


def gaps(elements: Elements) -> tuple[Element, ...]:
    """Return the elements that a question lacks, in the order of `Element`; none: it is testable.

    Population, exposure and outcome are always needed. An outcome that tells no number by itself needs a measure; one
    that
    counts events needs a time; an exposure that is had or not had needs something to be compared with.
    """
    return tuple(element for element in Element if not elements[element] and _is_needed(element, elements))


def _is_needed(element: Element, elements: Elements) -> bool:
    match element:
        case Element.COMPARISON:
            return bool(elements.exposure) and not is_graded(FoldedText.of(elements.exposure).folded)
        case Element.MEASURE:
            outcome = FoldedText.of(elements.outcome)
            return bool(elements.outcome) and not is_measurable(outcome.original, outcome.folded)
        case Element.TIME:
            return counts_events(FoldedText.of(f"{elements.outcome} {elements.measure}").folded)
        case Element.EXPOSURE | Element.OUTCOME | Element.POPULATION:
            return True
