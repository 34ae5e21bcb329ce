"""Read which open gaps a person's answer fills. It only adds; words that fit no open gap add nothing."""

import re

from orchestrator.planner.lexicon import sections
from orchestrator.research.rules.elements import Element, Elements, gaps
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.question import settled
from orchestrator.research.rules.reading import marked, read
from orchestrator.research.rules.relations import LEXICON, any_of
from orchestrator.research.rules.vocabulary import PERIOD, answers_nothing, measures, names_people
from orchestrator.turn import Language

_PARTS = re.compile(r"[;,\n]+\s*|\.\s+|\s+(?:e também|and also)\s+")
_SAID = sections("answers", LEXICON)
_OTHERS = re.compile(any_of(_SAID["others"]))
_AGES = re.compile(any_of(_SAID["ages"]))
_LED_BY = re.compile(any_of(_SAID["led_by"]))
_ANSWERED_FREELY = (Element.EXPOSURE, Element.OUTCOME, Element.COMPARISON)
"""What may be anything: the rules cannot tell a good exposure from a bad one."""


def answered(elements: Elements, utterance: str, language: Language) -> Elements:
    """Return the elements of a version with what an answer adds to them; the same when it adds nothing."""
    told = read(utterance, language)
    if utterance.rstrip().endswith("?") and not told.can_be_asked:
        return elements
    said, rest = marked(utterance, language)
    result = elements
    for element in Element:
        result = _with(result, element, said[element] or told[element], language)
    if not read(rest, language).can_be_asked:
        for part in filter(None, _PARTS.split(rest)):
            result = _with_part(result, FoldedText.of(part), language)
    return result


def _with_part(elements: Elements, part: FoldedText, language: Language) -> Elements:
    known = {FoldedText.of(elements[element]).folded for element in elements.present}
    if not part.folded or answers_nothing(part.cut().folded) or part.cut().folded in known:
        return elements
    led = _LED_BY.match(part.folded)
    bare = part.cut(led.end()) if led is not None else part.cut()
    for element in _fitting(elements, bare):
        longer = _with(elements, element, _worded(element, bare.original, language), language)
        if longer != elements:
            return longer
    return elements


def _fitting(elements: Elements, part: FoldedText) -> list[Element]:
    open_gaps = gaps(elements)
    fitting = [element for element in open_gaps if _fits(element, part)]
    if not fitting and {Element.EXPOSURE, Element.OUTCOME}.isdisjoint(open_gaps) and _fits(Element.MEASURE, part):
        return [Element.MEASURE]  # not asked for, and welcome
    return fitting or [element for element in open_gaps if element in _ANSWERED_FREELY][:1]


def _worded(element: Element, text: str, language: Language) -> str:
    match element:
        case Element.POPULATION if _AGES.match(FoldedText.of(text).folded):
            return _AGES.sub(_PEOPLE_OF_AGE[language], text, count=1)
        case Element.COMPARISON:
            without, absence = _ABSENCE[language]
            return without.sub(absence, text)
        case _:
            return text


_PEOPLE_OF_AGE = {Language.PT: r"pessoas de \g<0>", Language.EN: r"people aged \g<0>"}
_ABSENCE = {
    Language.PT: (re.compile(r"^sem\s", re.IGNORECASE), "a ausência de "),
    Language.EN: (re.compile(r"^without\s(?:any\s)?", re.IGNORECASE), "no "),
}


def _fits(element: Element, part: FoldedText) -> bool:
    match element:
        case Element.TIME:
            return re.search(PERIOD, part.folded) is not None and _AGES.search(part.folded) is None
        case Element.MEASURE:
            return measures(part.original)
        case Element.POPULATION:
            is_people = names_people(part.folded) or _AGES.match(part.folded) is not None
            return is_people and not _OTHERS.match(part.folded)
        case Element.COMPARISON:
            return _OTHERS.match(part.folded) is not None
        case Element.EXPOSURE | Element.OUTCOME:
            return False


def _with(elements: Elements, element: Element, text: str, language: Language) -> Elements:
    # Left as it is where the question could not be parsed again.
    if not text or elements[element]:
        return elements
    longer = elements.having(element, text)
    told = settled(longer, language)
    return told if told.present else elements
