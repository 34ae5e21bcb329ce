"""Compose a question in its canonical form from elements, and parse it back into them.

Only the question of a version is kept in the state; its elements are parsed from it.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from pydantic import TypeAdapter

from orchestrator.research.rules.elements import Element, Elements
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.vocabulary import PEOPLE_PHRASE
from orchestrator.turn import Language


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


_FILE = files("orchestrator.research.lexicon").joinpath("question_forms.toml")
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
    form = FORMS[language]
    text = FoldedText.of(question)
    tails = list(form.tails.items())
    found = Elements()
    for element, mark in reversed(tails[1:]):
        place = text.folded.rfind(FoldedText.of(f"x{mark}x").folded[1:-1])
        if place >= 0:
            found = found.having(element, text.cut(place + len(mark)).original)
            text = text.cut(0, place)
    population = re.search(rf"{tails[0][1]}(?={PEOPLE_PHRASE})", text.folded)
    if population is not None:
        found = found.having(Element.POPULATION, text.cut(population.end()).original)
        text = text.cut(0, population.start())
    for shape in (form.both, form.outcome_only, form.exposure_only):
        core = re.fullmatch(_shape(shape, form), text.folded)
        if core is not None:
            return found.completed_by(
                Elements(**{name: text.cut(*core.span(name)).original for name in core.groupdict()})
            )
    return Elements()


def settled(elements: Elements, language: Language) -> Elements:
    """Return elements of which a question can be made that says as much, or none at all; else empty ones.

    A text with a word of the form itself ("a rotina que impacta o sono impacta ...") is better asked for again.
    """
    is_kept = not elements.can_be_asked or parse(compose(elements, language), language) == elements
    return elements if is_kept else Elements()


def _shape(shape: str, form: QuestionForm) -> str:
    pattern = re.escape(FoldedText.of(shape).folded)
    pattern = pattern.replace(r"\{verb\}", f"(?:{'|'.join(form.verbs)})")
    return re.sub(r"\\\{(exposure|outcome)\\\}", r"(?P<\1>.+?)", pattern)


def _is_plural(phrase: str, form: QuestionForm) -> bool:
    # A wrong guess costs an ending.
    head = form.head.match(FoldedText.of(phrase).folded)
    if head is None:
        return False
    noun = head["noun"]
    return noun.endswith("s") and not noun.endswith("ss") and noun not in form.singulars
