"""Read which elements of a research question a text names; nothing is guessed or filled in."""

import re
from functools import cache

from orchestrator.planner.lexicon import sections
from orchestrator.research.rules import vocabulary
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.question import Element, Elements, parse, settled
from orchestrator.texts import one_of
from orchestrator.turn import Language

_LONGEST_ELEMENT = 200
_FEW_WORDS = 8
_DOERS = re.compile(rf" (?:(?:o|a|os|as|the) )?(?P<who>{vocabulary.PEOPLE}) [a-z]+$")
_OPINION = one_of(*sections("answers", vocabulary.LEXICON)["opinion"])
_OWN = re.compile(r"(?:their|its|his|her|seus?|suas?)\s")
_THE = re.compile(r"(?:[oa]s|o|the|a(?= (?:ultim|proxim)))\s")
_ARTICLE = re.compile(r"(?:os|as|o|a|um|uma|the|an|that|que|se|if)\s")


def read(text: str, language: Language) -> Elements:
    """Return the elements that any text names, such that `compose` and `parse` keep them."""
    found = parse(requested(text, language)[1].original, language)
    if not found.present:
        found = _described(text, language)
    return settled(found, language)


def requested(text: str, language: Language) -> tuple[vocabulary.Intent | None, FoldedText]:
    """Return what a person says the work is to be, if they do, and the text without those words."""
    said = FoldedText.of(text)
    for intent in vocabulary.REQUESTED:
        request = re.search(rf"(?:^|(?<=[,.;:!?] )){vocabulary.words_for(intent, language)}", said.folded)
        if request is not None:
            return intent, said.without(*request.span())
    return None, said


def topic(text: str, language: Language) -> Elements:
    """Return a few words of a person, said of known people, as an outcome; empty for what says nothing."""
    phrase = requested(text, language)[1].cut()
    if "?" in text or not phrase.folded or vocabulary.answers_nothing(phrase.folded) or len(phrase.words) > _FEW_WORDS:
        return Elements()
    cause = phrase.after(_OPINION)  # an opinion, "I think it is loneliness", is about what makes the difference
    named = {"outcome": phrase} if cause == phrase else {"exposure": cause}
    return settled(_related(named, Elements(), language), language)


def marked(text: str, language: Language) -> tuple[Elements, str]:
    """Return the elements that words such as "comparado com" or "durante" introduce, and the text without them."""
    rest, found = _with_marks(*_with_time(requested(text, language)[1], language), language)
    return found, rest.original


def _described(text: str, language: Language) -> Elements:
    intent, said = requested(text, language)
    rest, found = _with_marks(*_with_time(said, language), language)
    rest = rest.after(f"{vocabulary.words_for('opening', language)}+")
    for shape in vocabulary.patterns("shapes", language):
        match = shape.fullmatch(rest.folded)
        if match is not None and not vocabulary.names_people(match.groupdict().get("exposure", "")):
            return _related({name: rest.cut(*match.span(name)) for name in match.groupdict()}, found, language)
    if (seen := _seen(rest, language)) is not None:
        return found.completed_by(seen)
    topic = re.fullmatch(vocabulary.words_for("topic", language), rest.folded)
    about = rest if topic is None else rest.cut(*topic.span("outcome"))
    if vocabulary.names_people(about.folded) and len(about.words) <= _FEW_WORDS:
        return found.completed_by(Elements(population=about.original))
    is_asked = topic is not None or (intent is not None and rest.folded)
    return _related({"outcome": about}, found, language) if is_asked else found


def _with_time(text: FoldedText, language: Language) -> tuple[FoldedText, Elements]:
    # A time that is an age, as in "adults of 18 to 40 years", does not count.
    lasting = rf"(?<![a-z]){vocabulary.words_for('lasting', language)}\s(?P<time>{vocabulary.PERIOD})"
    for time in re.finditer(rf"{lasting}(?!\s(?:de idade|old|ou mais))", text.folded):
        if not _tells_age(text.folded[: time.start()].rstrip(), time[0]):
            said = text.cut(*time.span("time")).after(_THE)  # "a year" keeps its article, which is a number
            return text.without(*time.span()), Elements(time=said.original)
    return text, Elements()


def _tells_age(before: str, time: str) -> bool:
    return bool(
        re.search(r"\b(?:acima|abaixo|mais|menos|maiores|menores|idade|age)$", before)
        or (
            re.search(rf"{vocabulary.PEOPLE_PHRASE}(?: com| de| of| aged| entre)?$", before)
            and re.search(r"^(?:de|com|of|entre|aged|between) |\b(?:1[89]|[2-9]\d) (?:anos|years)", time)
        )
    )


def _with_marks(text: FoldedText, found: Elements, language: Language) -> tuple[FoldedText, Elements]:
    marks = {
        Element.COMPARISON: vocabulary.words_for("contrast", language),
        Element.MEASURE: vocabulary.words_for("measured", language),
    }
    places = sorted(
        (match.start(), match.end(), element)
        for element, mark in marks.items()
        if (match := re.search(rf"(?<![a-z])(?:e |and )?{mark}\s", text.folded)) is not None
    )
    if not places:
        return text, found
    ends = [*(start for start, _, _ in places[1:]), len(text.folded)]
    for (_, start, element), end in zip(places, ends, strict=True):
        found = found.having(element, _tidy(text.cut(start, end), language).original)
    return text.cut(0, places[0][0]), found


def _related(parts: dict[str, FoldedText], found: Elements, language: Language) -> Elements:
    amount = parts.pop("amount", None)
    doers = None if amount is None else _DOERS.search(amount.folded)
    if amount is not None and doers is not None:  # "the more coffee nurses drink"
        found = found.completed_by(Elements(population=amount.cut(*doers.span("who")).original))
        amount = amount.cut(0, doers.start())
    if amount is not None:
        much = "" if vocabulary.is_graded(amount.folded) else vocabulary.wording("amount", language)
        parts["exposure"] = FoldedText.of(f"{much} {amount.original}")
    for name in ("outcome", "exposure"):
        if name in parts:
            parts[name], population = _without_people(parts[name], language)
            found = found.completed_by(Elements(population=population))
    return found.completed_by(Elements(**{name: _tidy(part, language).original for name, part in parts.items()}))


def _without_people(text: FoldedText, language: Language) -> tuple[FoldedText, str]:
    # Split "the blood pressure of patients with diabetes" into what is measured and in whom.
    mark = vocabulary.words_for("of_people", language)
    place = re.search(rf"(?<![a-z]){mark}\s(?={vocabulary.PEOPLE_PHRASE})", text.folded)
    if place is None or not text.cut(0, place.start()).folded:
        return text, ""
    return text.cut(0, place.start()), _tidy(text.cut(place.end()), language, keep_article=False).original


def _seen(text: FoldedText, language: Language) -> Elements | None:
    # An observation of people: "patients who walk miss fewer appointments".
    done = (_done(verb) for verb, noun in vocabulary.meanings("nouns", language).items() if noun)
    acting = vocabulary.patterns("acting", language) if vocabulary.names_people(text.folded) else ()
    trials = (pattern.fullmatch(text.folded) for pattern in (*vocabulary.patterns("seen", language), *done, *acting))
    match = next(filter(None, trials), None)
    if match is None:
        return None
    subject = text.cut(*match.span("subject"))
    rest = text.cut(*match.span("rest")) if match["rest"] else FoldedText("", "")
    rest, inside = _without_people(rest, language)
    outcome = _outcome(match["verb"], text.cut(*match.span("verb")).original, rest, language)
    people, act = _people_and_act(subject, language)
    return Elements(exposure=act, outcome=outcome, population=people or inside)


@cache
def _done(verb: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<subject>.+?)(?<! que)(?<! who)(?<! that) (?P<verb>{verb})(?P<rest> .+)?")


def _outcome(folded: str, verb: str, rest: FoldedText, language: Language) -> str:
    noun, rest = vocabulary.meanings("nouns", language).get(folded), rest.after(_OWN)  # "their appointments"
    if noun is None or not (noun or rest.folded):
        noun = f"{vocabulary.wording('how_much', language)} {verb}"
    elif noun and language is Language.PT and re.match(r"(?:os?|as|a(?! \w+s\b)) ", rest.original):
        return f"{noun} d{rest.original}"  # "o abandono do tratamento"
    return f"{noun} {rest.original}".strip()


def _people_and_act(subject: FoldedText, language: Language) -> tuple[str, str]:
    that, whoever = (vocabulary.words_for(section, language) for section in ("doing", "doers"))
    doing = re.search(that, subject.folded) or re.match(whoever, subject.folded)
    who, act = subject, FoldedText("", "")
    if doing is not None:
        who, act = subject.cut(0, doing.start()), subject.cut(doing.end())
    if not vocabulary.names_people(who.folded):
        # What was seen is no people's: then it is what makes the difference, "the new reminders bring more visits".
        return "", _act(act, language) or _tidy(who, language).original
    return _tidy(who, language, keep_article=False).original, _act(act, language)


def _act(act: FoldedText, language: Language) -> str:
    verb, _, rest = act.folded.partition(" ")
    if not verb:
        return ""
    name = vocabulary.meanings("acts", language).get(verb)
    return act.original if name is None else f"{name} {act.cut(len(verb)).original}".strip() if rest else name


def _tidy(text: FoldedText, language: Language, *, keep_article: bool = True) -> FoldedText:
    # As it is worded in a question: lower first letter, without a contraction's preposition.
    text = text.after(vocabulary.words_for("contracted", language)).after(_OWN)
    article = _ARTICLE.match(text.folded)
    if article is not None and not keep_article:
        text = text.cut(article.end())
    original = text.original[:_LONGEST_ELEMENT].strip()
    if original[1:2].islower() or (article is not None and keep_article):
        original = original[:1].lower() + original[1:]
    return FoldedText.of(original)
