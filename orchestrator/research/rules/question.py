"""The elements of a research question (PICOT) and its gaps; its canonical form, composed of them and parsed back.

Only the question of a version is kept in the state; its elements are parsed from it.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.resources import files

from pydantic import TypeAdapter

from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.vocabulary import PEOPLE_PHRASE, Intent, counts_events, is_graded, is_measurable
from orchestrator.turn import Language

_FILE = files("orchestrator.research.lexicon").joinpath("question_forms.toml")

# A part of a question; the values are the fields of `Elements`, in the order in which they are asked for.
Element = StrEnum("Element", "EXPOSURE OUTCOME POPULATION COMPARISON MEASURE TIME")


class Aspect(StrEnum):
    """The subject of an improvement; the values are those of the state, in every language."""

    POPULATION = "população"
    METRICS = "métricas"
    VARIABLES = "variáveis"
    TESTABILITY = "testabilidade"


ASPECTS: Mapping[Element, Aspect] = {
    Element.EXPOSURE: Aspect.VARIABLES,
    Element.OUTCOME: Aspect.VARIABLES,
    Element.POPULATION: Aspect.POPULATION,
    Element.COMPARISON: Aspect.TESTABILITY,
    Element.MEASURE: Aspect.METRICS,
    Element.TIME: Aspect.TESTABILITY,
}  # under which aspect a missing element is reported


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

    def having(self, element: Element, text: str) -> "Elements":
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

    def completed_by(self, others: "Elements") -> "Elements":
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


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A language's form, from `lexicon/question_forms.toml`."""

    both: str  # a question with exposure and outcome
    verbs: tuple[str, str]  # the verb for one exposure, and for several
    outcome_only: str  # a question that seeks its exposure
    exposure_only: str  # a question that seeks its outcome
    tails: Mapping[Element, str]  # what introduces each further element, in the order of the question
    # The noun that decides whether an exposure is singular: the first in Portuguese, in English the last before a
    # preposition
    head: re.Pattern[str]
    singulars: frozenset[str]  # singular words that end in s


FORMS = TypeAdapter(dict[Language, QuestionForm]).validate_python(tomllib.loads(_FILE.read_text("utf-8")))


def compose(elements: Elements, language: Language) -> str:
    """Return the question of some elements, which have an exposure or an outcome."""
    form = FORMS[language]
    if elements.exposure and elements.outcome:
        verb = form.verbs[_is_plural(elements.exposure, form)]
        core = form.both.format(exposure=elements.exposure, verb=verb, outcome=elements.outcome)
    elif elements.outcome:
        core = form.outcome_only.format(outcome=elements.outcome)
    else:
        core = form.exposure_only.format(exposure=elements.exposure)
    tails = (mark + elements[element] for element, mark in form.tails.items() if elements[element])
    return f"{core}{''.join(tails)}?"


def parse(question: str, language: Language) -> Elements:
    """Return the elements of a question in the canonical form; empty for any other text."""
    form, text = FORMS[language], FoldedText.of(question)
    tails = list(form.tails.items())
    found = Elements()
    for element, mark in reversed(tails[1:]):
        place = text.folded.rfind(FoldedText.of(f"x{mark}x").folded[1:-1])
        if place >= 0:
            found = found.having(element, text.cut(place + len(mark)).original)
            text = text.cut(0, place)
    if (population := re.search(rf"{tails[0][1]}(?={PEOPLE_PHRASE})", text.folded)) is not None:
        found = found.having(Element.POPULATION, text.cut(population.end()).original)
        text = text.cut(0, population.start())
    for shape in (form.both, form.outcome_only, form.exposure_only):
        pattern = re.escape(FoldedText.of(shape).folded).replace(r"\{verb\}", f"(?:{'|'.join(form.verbs)})")
        pattern = re.sub(r"\\\{(exposure|outcome)\\\}", r"(?P<\1>.+?)", pattern)
        if (core := re.fullmatch(pattern, text.folded)) is not None:
            named = {name: text.cut(*core.span(name)).original for name in core.groupdict()}
            return found.completed_by(Elements(**named))
    return Elements()


def settled(elements: Elements, language: Language) -> Elements:
    """Return elements of which a question can be made that says as much, or none at all; else empty ones."""
    # A text with a word of the form itself ("a rotina que impacta o sono impacta ...") is better asked for again.
    is_kept = not elements.can_be_asked or parse(compose(elements, language), language) == elements
    return elements if is_kept else Elements()


def _is_plural(phrase: str, form: QuestionForm) -> bool:
    head = form.head.match(FoldedText.of(phrase).folded)  # a wrong guess costs an ending
    if head is None:
        return False
    noun = head["noun"]
    return noun.endswith("s") and not noun.endswith("ss") and noun not in form.singulars
