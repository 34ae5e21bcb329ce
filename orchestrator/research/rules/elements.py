"""The elements of a research question (PICOT), the four aspects under which gaps are reported, and the gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from orchestrator.research.rules.vocabulary import Intent, counts_events, is_graded, is_measurable


class Aspect(StrEnum):
    """The subject of an improvement; the values are those of the state, in every language."""

    POPULATION = "população"
    METRICS = "métricas"
    VARIABLES = "variáveis"
    TESTABILITY = "testabilidade"


class Element(StrEnum):
    """A part of a question; the values are the fields of `Elements`, in the order in which they are asked for."""

    EXPOSURE = "exposure"
    OUTCOME = "outcome"
    POPULATION = "population"
    COMPARISON = "comparison"
    MEASURE = "measure"
    TIME = "time"


ASPECTS: Mapping[Element, Aspect] = {
    Element.EXPOSURE: Aspect.VARIABLES,
    Element.OUTCOME: Aspect.VARIABLES,
    Element.POPULATION: Aspect.POPULATION,
    Element.COMPARISON: Aspect.TESTABILITY,
    Element.MEASURE: Aspect.METRICS,
    Element.TIME: Aspect.TESTABILITY,
}
"""Under which aspect a missing element is reported."""


@dataclass(frozen=True, slots=True)
class Elements:
    """What a text says of each element, in the person's words; empty where it says nothing."""

    exposure: str = ""  # the intervention or exposure, the independent variable
    outcome: str = ""  # what changes, the dependent variable
    population: str = ""
    comparison: str = ""  # what the exposure is compared with
    measure: str = ""  # how the outcome is measured
    time: str = ""

    def __getitem__(self, element: Element) -> str:
        return str(getattr(self, element.value))

    def having(self, element: Element, text: str) -> Elements:
        """Return a copy with one element set."""
        return replace(self, **{element.value: text})

    @property
    def present(self) -> frozenset[Element]:
        """The elements that are not empty."""
        return frozenset(element for element in Element if self[element])

    @property
    def can_be_asked(self) -> bool:
        """Whether there is enough for a question: an outcome or an exposure."""
        return bool(self.exposure or self.outcome)

    def completed_by(self, others: Elements) -> Elements:
        """Return a copy whose empty elements are taken from `others`."""
        return Elements(**{element.value: self[element] or others[element] for element in Element})


def gaps(elements: Elements, intent: Intent = "test_hypothesis") -> tuple[Element, ...]:
    """Return the elements that a question lacks, in the order of `Element`; empty: it can be worked on.

    Population, exposure and outcome are always required, a measure for an outcome that is no number by itself, a time
    for one that counts events, and a comparison for an exposure that has no degrees: so a hypothesis is tested.
    A theory needs the first three, and a review those by which studies are found: a population, and one of the others.
    """
    return tuple(element for element in Element if not elements[element] and _is_needed(element, elements, intent))


def _is_needed(element: Element, elements: Elements, intent: Intent) -> bool:
    match element:
        case Element.EXPOSURE | Element.OUTCOME if intent == "review_literature":
            return not elements.can_be_asked
        case Element.COMPARISON | Element.MEASURE | Element.TIME if intent != "test_hypothesis":
            return False
        case Element.COMPARISON:
            return bool(elements.exposure) and not is_graded(elements.exposure)
        case Element.MEASURE:
            return bool(elements.outcome) and not is_measurable(elements.outcome)
        case Element.TIME:
            return counts_events(f"{elements.outcome} {elements.measure}")
        case Element.EXPOSURE | Element.OUTCOME | Element.POPULATION:
            return True
