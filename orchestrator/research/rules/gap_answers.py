"""Read which open gaps a person's answer fills, and which elements they correct; other words change nothing."""

import re

from orchestrator.planner.lexicon import sections
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.question import Element, Elements, gaps, settled
from orchestrator.research.rules.reading import marked, read, requested
from orchestrator.research.rules.vocabulary import LEXICON, answers_nothing, measures, names_people, wording, words_for
from orchestrator.texts import one_of
from orchestrator.turn import Language

_PARTS = re.compile(r"[;,\n]+\s*|\.\s+|\s+(?:e também|and also)\s+")
_SWAPPED = tuple(map(re.compile, sections("answers", LEXICON)["swapped"]))
_SAID = {name: re.compile(one_of(*rows)) for name, rows in sections("answers", LEXICON).items() if name != "swapped"}
_ANSWERED_FREELY = (Element.EXPOSURE, Element.OUTCOME, Element.COMPARISON)
"""What may be anything: the rules cannot tell a good exposure from a bad one."""

_TOLD_APART = (Element.POPULATION, Element.TIME, Element.COMPARISON, Element.MEASURE)
"""What a few words can be seen to be; an exposure or an outcome is corrected by its name, or beside the old one."""
_OF_WHAT = re.compile(r" (?:com|with) .+")


def corrected(elements: Elements, utterance: str, language: Language) -> tuple[Elements, str]:
    """Return the elements of a version with what an utterance corrects of them, and the rest of the utterance."""
    before, said = elements, FoldedText.of(utterance).cut()
    lead = _SAID["correcting"].match(said.folded)
    for swap in filter(None, (pattern.fullmatch(said.folded) for pattern in _SWAPPED)):
        old, new = said.cut(*swap.span("old")), said.cut(*swap.span("new"))
        for element in elements.present:
            kept = FoldedText.of(elements[element])
            place = re.search(rf"(?<!\w){re.escape(old.folded)}(?!\w)", kept.folded)
            if place is not None and old.folded:
                text = f"{kept.original[: place.start()]}{new.original}{kept.original[place.end() :]}"
                return _put(elements, element, text, language), ""
    others = []
    for part in filter(None, _PARTS.split(said.after(_SAID["correcting"]).original)):
        correction = _correction(elements, part, language, is_led=lead is not None)
        elements = elements if correction is None else _put(elements, *correction, language)
        others += [part] if correction is None else []
    return elements, utterance if elements == before else "; ".join(others)


def _correction(elements: Elements, part: str, language: Language, *, is_led: bool) -> tuple[Element, str] | None:
    said = FoldedText.of(part).cut()
    marks, bare = marked(part, language)[0], said.after(_SAID["led_by"])
    for element in Element:
        named = _SAID[element].fullmatch(said.folded)
        if elements[element] and (named or (is_led and marks[element])):
            return element, said.cut(*named.span("new")).original if named else marks[element]
    for element in _TOLD_APART if is_led else ():
        if elements[element] and _fits(element, bare):
            # "No, teenagers" are teenagers with what the adults had.
            kept = _OF_WHAT.search(elements[element]) if element is Element.POPULATION else None
            tail = kept[0] if kept is not None and _OF_WHAT.search(bare.original) is None else ""
            return element, _worded(element, bare.original, language) + tail
    return None


def answered(elements: Elements, utterance: str, language: Language) -> Elements:
    """Return the elements of a version with what an answer corrects and adds; the same when it does neither."""
    elements, utterance = corrected(elements, utterance, language)
    told = read(utterance, language)
    if utterance.rstrip().endswith("?") and not told.can_be_asked:
        return elements
    said, rest = marked(utterance, language)
    result = elements
    for element in Element:
        text = said[element] or told[element]
        result = _put(result, element, text, language) if text and not result[element] else result
    # Beside a request for a kind of work stand words of its own: "second thoughts: a review, please".
    if not read(rest, language).can_be_asked and requested(utterance, language)[0] is None:
        for part in filter(None, _PARTS.split(rest)):
            result = _with_part(result, FoldedText.of(part), language)
    return result


def _with_part(elements: Elements, part: FoldedText, language: Language) -> Elements:
    known = {FoldedText.of(elements[element]).folded for element in elements.present}
    if not part.folded or answers_nothing(part.cut().folded) or part.cut().folded in known:
        return elements
    bare = part.cut().after(_SAID["led_by"])
    for element in _fitting(elements, bare):
        longer = _put(elements, element, _worded(element, bare.original, language), language)
        if longer != elements:
            return longer
    return elements


def _fitting(elements: Elements, part: FoldedText) -> list[Element]:
    open_gaps = gaps(elements)
    fitting = [element for element in open_gaps if _fits(element, part)]
    if not fitting and {Element.EXPOSURE, Element.OUTCOME}.isdisjoint(open_gaps):
        # Not asked for, and welcome.
        fitting = [each for each in (Element.TIME, Element.MEASURE) if not elements[each] and _fits(each, part)][:1]
    return fitting or [element for element in open_gaps if element in _ANSWERED_FREELY][:1]


def _worded(element: Element, text: str, language: Language) -> str:
    match element:
        case Element.POPULATION if _SAID["ages"].match(FoldedText.of(text).folded):
            return _SAID["ages"].sub(rf"{wording('aged', language)} \g<0>", text, count=1)
        case Element.COMPARISON:
            without, absence = words_for("absent", language), wording("absence", language)
            return re.sub(f"^{without}", f"{absence} ", text, flags=re.IGNORECASE)
        case _:
            return text


def _fits(element: Element, part: FoldedText) -> bool:
    match element:
        case Element.TIME:
            return _SAID["period"].search(part.folded) is not None and _SAID["ages"].search(part.folded) is None
        case Element.MEASURE:
            return measures(part.original)
        case Element.POPULATION:
            is_people = names_people(part.folded) or _SAID["ages"].match(part.folded) is not None
            return is_people and not _SAID["others"].match(part.folded)
        case Element.COMPARISON:
            return _SAID["others"].match(part.folded) is not None
        case Element.EXPOSURE | Element.OUTCOME:
            return False


def _put(elements: Elements, element: Element, text: str, language: Language) -> Elements:
    # Left as it is where the question could not be parsed again.
    told = settled(elements.having(element, text), language)
    return told if told.present else elements
