"""Read which elements of a research question a text names; nothing is guessed or filled in."""

import re
from functools import cache

from orchestrator.research.rules.elements import Element, Elements
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.question import parse, settled
from orchestrator.research.rules.relations import RELATIONS, Intent, Relations
from orchestrator.research.rules.vocabulary import (
    PEOPLE,
    PEOPLE_PHRASE,
    PERIOD,
    answers_nothing,
    is_graded,
    names_people,
)
from orchestrator.turn import Language

_LONGEST_ELEMENT = 200
_FEW_WORDS = 8
_DOERS = re.compile(rf" (?:(?:o|a|os|as|the) )?(?P<who>{PEOPLE}) [a-z]+$")
_OWN = re.compile(r"(?:their|its|his|her|seus?|suas?)\s")
_THE = re.compile(r"(?:[oa]s|o|the|a(?= (?:ultim|proxim)))\s")
_ARTICLE = re.compile(r"(?:os|as|o|a|um|uma|the|an|that|que|se|if)\s")


def read(text: str, language: Language) -> Elements:
    """Return the elements that any text names, such that `compose` and `parse` keep them."""
    found = parse(requested(text, language)[1].original, language)
    if not found.present:
        found = _described(text, language)
    return settled(found, language)


def requested(text: str, language: Language) -> tuple[Intent | None, FoldedText]:
    """Return what a person says the work is to be, if they do, and the text without those words."""
    said = FoldedText.of(text)
    for intent, pattern in RELATIONS[language].requests.items():
        request = pattern.search(said.folded)
        if request is not None:
            return intent, said.without(*request.span())
    return None, said


def topic(text: str, language: Language) -> Elements:
    """Return a few words of a person, said of known people, as an outcome; empty for what says nothing."""
    phrase = requested(text, language)[1].cut()
    if "?" in text or not phrase.folded or answers_nothing(phrase.folded) or len(phrase.words) > _FEW_WORDS:
        return Elements()
    return settled(_related({"outcome": phrase}, Elements(), RELATIONS[language]), language)


def marked(text: str, language: Language) -> tuple[Elements, str]:
    """Return the elements that words such as "comparado com" or "durante" introduce, and the text without them."""
    relations = RELATIONS[language]
    rest, found = _with_marks(*_with_time(requested(text, language)[1], relations), relations)
    return found, rest.original


def _described(text: str, language: Language) -> Elements:
    relations = RELATIONS[language]
    intent, said = requested(text, language)
    rest, found = _with_marks(*_with_time(said, relations), relations)
    rest = rest.after(relations.opening)
    for shape in relations.shapes:
        match = shape.fullmatch(rest.folded)
        if match is not None and not names_people(match.groupdict().get("exposure", "")):
            return _related({name: rest.cut(*match.span(name)) for name in match.groupdict()}, found, relations)
    seen = _seen(rest, relations)
    if seen is not None:
        return found.completed_by(seen)
    topic = relations.topic.fullmatch(rest.folded)
    if topic is not None:
        return _related({"outcome": rest.cut(*topic.span("outcome"))}, found, relations)
    if names_people(rest.folded) and len(rest.words) <= _FEW_WORDS:
        return found.completed_by(Elements(population=rest.original))
    return _related({"outcome": rest}, found, relations) if intent is not None and rest.folded else found


def _with_time(text: FoldedText, relations: Relations) -> tuple[FoldedText, Elements]:
    # A time that is an age, as in "adults of 18 to 40 years", does not count.
    for time in re.finditer(
        rf"(?<![a-z]){relations.lasting}\s(?P<time>{PERIOD})(?!\s(?:de idade|old|ou mais))", text.folded
    ):
        if not _tells_age(text.folded[: time.start()].rstrip(), time[0]):
            lasting = text.cut(*time.span("time")).after(_THE)  # "a year" keeps its article, which is a number
            return text.without(*time.span()), Elements(time=lasting.original)
    return text, Elements()


def _tells_age(before: str, time: str) -> bool:
    return bool(
        re.search(r"\b(?:acima|abaixo|mais|menos|maiores|menores|idade|age)$", before)
        or (
            re.search(rf"{PEOPLE_PHRASE}(?: com| de| of| aged| entre)?$", before)
            and re.search(r"^(?:de|com|of|entre|aged|between) |\b(?:1[89]|[2-9]\d) (?:anos|years)", time)
        )
    )


def _with_marks(text: FoldedText, found: Elements, relations: Relations) -> tuple[FoldedText, Elements]:
    marks = {Element.COMPARISON: relations.contrast, Element.MEASURE: relations.measured}
    places = sorted(
        (match.start(), match.end(), element)
        for element, mark in marks.items()
        if (match := re.search(rf"(?<![a-z])(?:e |and )?{mark}\s", text.folded)) is not None
    )
    if not places:
        return text, found
    ends = [*(start for start, _, _ in places[1:]), len(text.folded)]
    for (_, start, element), end in zip(places, ends, strict=True):
        found = found.having(element, _tidy(text.cut(start, end), relations).original)
    return text.cut(0, places[0][0]), found


def _related(parts: dict[str, FoldedText], found: Elements, relations: Relations) -> Elements:
    amount = parts.pop("amount", None)
    doers = None if amount is None else _DOERS.search(amount.folded)
    if amount is not None and doers is not None:  # "the more coffee nurses drink"
        found = found.completed_by(Elements(population=amount.cut(*doers.span("who")).original))
        amount = amount.cut(0, doers.start())
    if amount is not None:
        parts["exposure"] = (
            amount if is_graded(amount.folded) else FoldedText.of(f"{relations.amount} {amount.original}")
        )
    for name in ("outcome", "exposure"):
        if name in parts:
            parts[name], population = _without_people(parts[name], relations)
            found = found.completed_by(Elements(population=population))
    return found.completed_by(Elements(**{name: _tidy(part, relations).original for name, part in parts.items()}))


def _without_people(text: FoldedText, relations: Relations) -> tuple[FoldedText, str]:
    # Split "the blood pressure of patients with diabetes" into what is measured and in whom.
    place = re.search(rf"(?<![a-z]){relations.of_people}\s(?={PEOPLE_PHRASE})", text.folded)
    if place is None or not text.cut(0, place.start()).folded:
        return text, ""
    return text.cut(0, place.start()), _tidy(text.cut(place.end()), relations, keep_article=False).original


def _seen(text: FoldedText, relations: Relations) -> Elements | None:
    # An observation of people: "patients who walk miss fewer appointments".
    patterns = (*relations.seen, *(_done(verb) for verb, noun in relations.nouns.items() if noun))
    match = next((found for pattern in patterns if (found := pattern.fullmatch(text.folded)) is not None), None)
    if match is None:
        return None
    subject = text.cut(*match.span("subject"))
    rest = text.cut(*match.span("rest")) if match["rest"] else FoldedText("", "")
    rest, inside = _without_people(rest, relations)
    outcome = _outcome(match["verb"], text.cut(*match.span("verb")).original, rest, relations)
    people, act = _people_and_act(subject, relations)
    return Elements(exposure=act, outcome=outcome, population=people or inside)


@cache
def _done(verb: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<subject>.+?) (?P<verb>{verb})(?P<rest> .+)?")


def _outcome(folded: str, verb: str, rest: FoldedText, relations: Relations) -> str:
    noun, rest = relations.nouns.get(folded), rest.after(_OWN)  # "their appointments"
    if noun is None:
        return f"{relations.how_much} {verb} {rest.original}".strip()
    return f"{noun} {rest.original}".strip() if noun or rest.folded else f"{relations.how_much} {verb}"


def _people_and_act(subject: FoldedText, relations: Relations) -> tuple[str, str]:
    doing = relations.doing.search(subject.folded) or relations.doers.match(subject.folded)
    who, act = subject, FoldedText("", "")
    if doing is not None:
        who, act = subject.cut(0, doing.start()), subject.cut(doing.end())
    if not names_people(who.folded):
        # What was seen is no people's: then it is what makes the difference, "the new reminders bring more visits".
        return "", _act(act, relations) or _tidy(who, relations).original
    return _tidy(who, relations, keep_article=False).original, _act(act, relations)


def _act(act: FoldedText, relations: Relations) -> str:
    verb, _, rest = act.folded.partition(" ")
    if not verb:
        return ""
    name = relations.acts.get(verb)
    return act.original if name is None else f"{name} {act.cut(len(verb)).original}".strip() if rest else name


def _tidy(text: FoldedText, relations: Relations, *, keep_article: bool = True) -> FoldedText:
    # As it is worded in a question: lower first letter, without a contraction's preposition.
    text = text.after(relations.contracted).after(_OWN)
    article = _ARTICLE.match(text.folded)
    if article is not None and not keep_article:
        text = text.cut(article.end())
    original = text.original[:_LONGEST_ELEMENT].strip()
    if original[1:2].islower() or (article is not None and keep_article):
        original = original[:1].lower() + original[1:]
    return FoldedText.of(original)
