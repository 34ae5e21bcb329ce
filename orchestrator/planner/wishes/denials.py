"""Read what is denied, asked and corrected among the tokens of an utterance."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from orchestrator.planner.lexicon import expression, patterns, table
from orchestrator.planner.wishes.conditions import EARLY, LATE
from orchestrator.planner.wishes.universe import axis_of
from orchestrator.planner.wishes.wish_tokens import DENYING, PAUSES, RELATIVE, Kind, Token, polite
from orchestrator.turn import AtClinics, AtTimes, Axis, ClinicFact, Language, OfSpecialty, WithWoman

_OF_DOCTOR, _WORDS_OF_DOCTOR = patterns("patterns", "doctor_works")
_VAGUE, _BOUND, _IS_REASON = expression("nothing_vague"), expression("bound"), expression("no_refusal").match
_WHO = frozenset({Axis.DOCTOR, Axis.GENDER, Axis.SPECIALTY})
_REFUSING = DENYING | {Kind.RULED_OUT}
_SIGNS = {Kind.COMMA: ",", Kind.OR: "&", Kind.AND: "&"} | dict.fromkeys(_REFUSING, "!") | {Kind.NOR: "n"}
_LETTERS = dict(zip(Axis, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=False))
# Days and parts of the day, both, in a list that "or" or "and" ends.
_HINDERED = re.compile("!(?P<list>(?=[A,&n]*B)(?=[B,&n]*A)(?=[AB,]*[&n])[AB](?:,?[&n]?[AB])+)")
_DENIED_LIST = re.compile(r"[!n](?P<axis>[A-Z])(?:(?:,[&n]?|[&n])(?P=axis))++")


_Span = tuple[int, int]


def read_denials(folded: str, tokens: Sequence[Token], language: Language) -> tuple[list[Token], list[_Span], bool]:
    """Return the tokens that want or deny, where a denied word is unknown, and whether a denial is uncertain."""
    given = _with_lacks(folded, _without_asked(folded, _without_vague(folded, tokens)))
    given = _as_denials(folded, given, language)
    lists = "," in folded or expression("unable").search(folded) is not None
    found = list(_with_denials(folded, _with_lists(folded, given) if lists else given))
    found = [one for place, one in enumerate(found) if not _only_tells(folded, found, place)]
    found, asks = _as_questions(folded, found)
    found = [one for place, one in enumerate(found) if not _denies_something_else(folded, found, place)]
    found, doubts = _doubted(folded, [_lifting(folded, one, after) for one, after in zip_longest(found, found[1:])])
    return found, doubts, asks or bool(doubts)


def _without_vague(folded: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens without "not too early" where an exact hour says it: "not too early, 9", "not 8, too early"."""
    for place, token in enumerate(tokens):
        if token.wanted not in (EARLY, LATE):
            continue
        refuses = any(one.kind in DENYING for one in tokens[max(place - 4, 0) : max(place - 2, 0)])
        why = refuses and tokens[place - 1].kind in PAUSES and isinstance(tokens[place - 2].wanted, AtTimes)
        said = expression("excess").fullmatch(token.text) or _VAGUE.search(folded, 0, token.start)
        beside = why or any(one.kind in DENYING for one in tokens[max(place - 1, 0) : place])
        closes = any(one.kind in _REFUSING for one in tokens[place + 1 : place + 2])  # "cedo não dá, das 9 em diante"
        others = [one.wanted for one in tokens if one is not token and isinstance(one.wanted, AtTimes)]
        ends = [at for one in others for at in (one.spans[0].first, one.spans[0].last)]
        if (beside or closes or said) and any(at in span for span in token.wanted.spans for at in ends):
            return [*tokens[: place - beside], *tokens[place + 1 + closes :]]
    return tokens


def _lifting(folded: str, token: Token, after: Token | None) -> Token:
    # Who has an insurance no longer refuses nobody that takes it: "nem tenho mais Unimed, é SulAmérica".
    if after is None or token.kind not in DENYING or not isinstance(after.wanted, ClinicFact):
        return token
    has = after.wanted.axis is Axis.INSURANCE and expression("has_insurance").search(folded, token.start, after.start)
    return replace(token, kind=Kind.RELAXING) if has else token


def _without_asked(folded: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without what is only asked of what is shown, where another such thing is wanted behind it."""
    found = list(tokens)
    for asked in expression("asked_of_it").finditer(folded):
        behind = {axis_of(one.wanted) for one in tokens if one.wanted is not None and one.start >= asked.end()}
        inside = (one for one in tokens if one.wanted is not None and asked.start() <= one.start < asked.end())
        again = {one for one in inside if one.wanted is not None and axis_of(one.wanted) in behind}
        found = [one for one in found if one not in again]
    return found


def _with_lacks(folded: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "se a Sílvia não tiver na quinta" as that wish and a fallback, and as no denial."""
    for lack in expression("lacking").finditer(folded):
        if any(one.wanted is not None and lack.start("who") <= one.start < lack.end("who") for one in tokens):
            fallback = Token(Kind.FALLBACK, *lack.span("if"), lack["if"])
            rest = (one for one in tokens if one.wanted is not None or not lack.start("lack") <= one.start < lack.end())
            tokens = sorted((*rest, fallback), key=lambda one: one.start)
    return list(tokens)


def _as_denials(folded: str, tokens: list[Token], language: Language) -> list[Token]:
    """Read "no" in English as a denial of what follows or stands before; "não," between commas corrects."""
    found = list(tokens)
    for match in re.finditer(r"(?<![a-z])(?:no|nothing|nada)(?![a-z])", folded):
        following = next((one for one in tokens if one.start >= match.end() and one.wanted is not None), None)
        beside = following and expression("nothing_gap").fullmatch(folded, match.end(), following.start)
        closes = match.group() == "no" and re.match(r" *(?:[,.!;]|$)", folded[match.end() :]) is not None
        denies = (beside or closes) and (language is Language.EN or match.group() != "no")
        if denies and not any(one.start <= match.start() < one.end for one in tokens):
            found = sorted([*found, Token(Kind.NOT, *match.span(), match.group())], key=lambda token: token.start)
    pauses = {Kind.COMMA, Kind.STOP}
    for place, token in enumerate(found):
        between = 0 < place < len(found) - 1 and {found[place - 1].kind, found[place + 1].kind} <= pauses
        denies = token.kind is Kind.NOT and token.text in {"nao", "not", "no"}
        if denies and between:
            found[place] = replace(token, kind=Kind.CORRECTING)
    return found


def _with_lists(folded: str, tokens: list[Token]) -> list[Token]:
    """Return the tokens with the commas of a denied list as its last word: "not A, B or C", but "not A, B" corrects."""
    found = list(tokens)
    signs = "".join(_LETTERS[axis_of(one.wanted)] if one.wanted else _SIGNS.get(one.kind, ".") for one in tokens)
    for match in re.finditer("AB!(?=,B)", signs):  # "segunda às 8 não, às 9": the hour is another one, the day stays
        if (token := tokens[match.end() - 1]).text in {"nao", "no"}:
            found[match.end() - 1] = replace(token, kind=Kind.CORRECTING)
    for match in _HINDERED.finditer(signs):
        if _keeps_away(folded, tokens[slice(*match.span())]):
            joined = (one if one.wanted else replace(one, kind=Kind.NOR) for one in tokens[slice(*match.span("list"))])
            found[slice(*match.span("list"))] = joined
    for match in _DENIED_LIST.finditer(signs):
        first, last = match.start("axis"), match.end() - 1
        gaps = (folded[one.end : after.start] for one, after in pairwise(tokens[first : last + 1]))
        listed = re.search("[&n]|,.,", match[0][1:]) and not expression("suits").match(folded, tokens[last].end + 1)
        if listed and all(map(expression("list_gap").fullmatch, gaps)):
            joined = (replace(one, kind=Kind.OR) if one.kind is Kind.COMMA else one for one in tokens[first:last])
            found[first:last] = joined
    return found


def _keeps_away(folded: str, tokens: Sequence[Token]) -> bool:
    """Return whether somebody cannot come at all that is listed: "I'm not free mornings, Fridays or weekends"."""
    denial, first, *_, last = tokens
    unable = expression("unable").search(folded, denial.start, first.start)
    hours = any(one.wanted and re.search(r"\d", one.text) for one in tokens)
    gaps = (folded[one.end : after.start] for one, after in pairwise(tokens[1:]))
    listed = all(map(expression("list_gap").fullmatch, gaps)) and not expression("suits").match(folded, last.end + 1)
    return unable is not None and listed and not hours


def _with_denials(folded: str, tokens: Sequence[Token]) -> Iterator[Token]:
    """Return the tokens with what is too much denied, not in so many words: "too early", "nothing before 10"."""
    before, refuses, limited = Kind.STOP, False, False
    for token, after in zip_longest(tokens, tokens[1:]):
        refuses = refuses or token.kind in DENYING
        suits = refuses and before is Kind.COMMA and after is not None and expression("suits").match(after.text)
        if token.wanted is not None and (suits or expression("denied").match(token.text)):
            yield Token(Kind.BUT, token.start, token.start, "suits")
        elif token.wanted is not None and before not in _REFUSING and _is_excess(folded, token, before):
            yield Token(Kind.NOT, token.start, token.start, "not")
        goes_on = limited and before is Kind.CONDITION and token.kind is Kind.OR
        if goes_on and after and after.wanted and (axis_of(after.wanted) is Axis.DAY or _BOUND.match(after.text)):
            token = replace(token, kind=Kind.NOR)  # noqa: PLW2901 - "not before two or on Fridays"
        limited = token.wanted is not None and expression("denied").match(token.text) is not None
        before = token.kind
        yield token


def _is_excess(folded: str, token: Token, before: Kind) -> bool:
    places = isinstance(token.wanted, ClinicFact | AtClinics) and axis_of(token.wanted) in {Axis.PLACE, Axis.CLINIC}
    if places and expression("too_far").match(folded, token.end + folded.startswith(" ", token.end)):
        return True  # "Santo André é longe demais"
    is_said_of = before is Kind.AND and token.text.startswith("muito ")  # "o primeiro é muito cedo"
    return is_said_of or expression("excess").fullmatch(token.text) is not None


def _only_tells(folded: str, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a token only says where or when somebody works or lives, "Thursdays I am off", or why."""
    first = place - 1 if place and isinstance(tokens[place].wanted, ClinicFact) else place
    duty, *what = tokens[first : first + 2]
    of_place = any(isinstance(one.wanted, ClinicFact) and one.wanted.axis is Axis.PLACE for one in what)
    if of_place and expression("lives").search(duty.text):
        return True
    token, before = tokens[place], tokens[place - 1] if place else None
    if token.kind is not Kind.NOT:
        return False
    if expression("why_that_suits").search(folded, 0, token.start) and _IS_REASON(token.text):
        return True  # "só posso à tarde, tenho aula", "depois das 16h por causa do trabalho"
    if expression("day_off").fullmatch(token.text):
        return not folded.startswith(" to ", token.end)
    named = before is not None and before.wanted is not None and axis_of(before.wanted) in _WHO
    joined = before is not None and named and _OF_DOCTOR.fullmatch(folded[before.end : token.start].lstrip())
    works = expression("works").fullmatch(token.text) is not None
    return works and (bool(joined) or _WORDS_OF_DOCTOR.search(folded, 0, token.start) is not None)


def _as_questions(folded: str, tokens: list[Token]) -> tuple[list[Token], bool]:
    """Read "não dá na quarta?" as a question, which denies nothing; return also whether a denial is uncertain."""
    if "?" not in folded:
        return tokens, False
    tags = [match.span() for match in expression("consent_tag").finditer(folded)]
    found = [token for token in tokens if not any(start <= token.start < end for start, end in tags)]
    unsure = False
    for place, token in enumerate(found):
        closes = token.text == "nao" and [one.kind for one in found[place + 1 :]] == [Kind.QUESTION]
        tag = closes and expression("exists").match(folded)  # "tem vaga, não?"
        works = expression("at_work").search(folded, 0, token.end)
        of_it = expression("says_of").search(folded, 0, token.start)  # "a derm who isn't a woman?"
        if token.kind is Kind.NOT and not of_it and (tag or works or _is_question(found, place)):
            found[place] = replace(token, kind=Kind.ASKED)
            # "Dia 7 não pode ser?" may be meant either way.
            unsure = unsure or (found[place + 1].kind is Kind.QUESTION and token.text.endswith("ser"))
        elif token.kind in _REFUSING:
            pause = next((one for one in found[place + 2 :] if one.kind in PAUSES), None)
            end = len(folded) if pause is None else pause.start
            tagged = any(start in range(token.end, end + 3) for start, _ in tags)
            unsure = unsure or tagged or (pause is not None and pause.kind is Kind.QUESTION)
    return found, unsure


def _is_question(tokens: Sequence[Token], place: int) -> bool:
    token, rest = tokens[place], [one.kind for one in tokens[place + 1 :]]
    sentence = rest[: rest.index(Kind.STOP)] if Kind.STOP in rest else rest
    if Kind.QUESTION not in sentence:
        return False
    closes = sentence[0] is Kind.QUESTION or (sentence[0] is Kind.NOT and sentence[1:2] == [Kind.QUESTION])
    asked = any(one.kind is Kind.ASKED for one in tokens[:place])
    if asked and (token.text == "work" or (token.text == "nao" and closes)):
        return True
    after = tokens[place + 1]
    # "Nothing on Friday?", "No dermatologist on Friday?"
    of_doctors = token.text == "no" and isinstance(after.wanted, OfSpecialty | WithWoman)
    some = of_doctors or token.text.startswith(("nothing", "nada"))
    inverted = expression("auxiliary").fullmatch(token.text) and after.start <= token.end + 1  # "Doesn't Helena work?"
    able = expression("able").match(token.text)
    if able and "consig" in token.text and Kind.COMMA in sentence:
        return False  # "Não consigo segunda, tem outro dia?"
    return bool(some or inverted or able) and (closes or after.wanted is not None)


def _denies_something_else(folded: str, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a clause ends by denying what nobody looks for: "um cardio, mas não é urgente" refuses nothing."""
    behind_it = tokens[place + 1 : place + 2]
    if tokens[place].kind in _REFUSING and any(expression("next_one").search(one.text) for one in behind_it):
        return True  # "not this Saturday, the next one", which is one condition
    if tokens[place].kind not in {Kind.EXCEPT, Kind.NOT}:
        return False
    token, before = tokens[place], tokens[place - 1].wanted if place else None
    ahead = next((one for one in tokens[place + 1 :] if one.kind in PAUSES | RELATIVE or one.wanted is not None), None)
    if ahead is not None and ahead.kind not in PAUSES:
        return False
    behind = re.findall(r"[a-z]+", folded[token.end : len(folded) if ahead is None else ahead.start])
    if token.kind is Kind.EXCEPT:
        return bool(behind)
    refused = before is not None and expression("denied").match(tokens[place - 1].text)
    if refused or (before is not None and expression("why").match(folded, tokens[place - 1].end)):
        return True  # "not before 10 I drop off my son", "nada antes das 10, que eu não acordo"
    return isinstance(before, OfSpecialty) and any(not polite().fullmatch(word) for word in behind)


def _doubted(folded: str, tokens: list[Token]) -> tuple[list[Token], list[_Span]]:
    """Leave out conditions behind a denied word that nobody knows ("não sei"), and return where such are said."""
    doubtful: set[int] = set()
    spans: list[_Span] = []
    for place, (token, after) in enumerate(pairwise(tokens)):
        if token.kind is Kind.NOT and token.text in {"nao", "not"} and after.wanted is not None:
            between = re.findall(r"[a-z]+", folded[token.end : after.start])
            if any(not table("wishes", "little", " ").fullmatch(word) for word in between):
                doubtful |= {place, place + 1}
                spans.append((token.start, after.end))
    return [token for place, token in enumerate(tokens) if place not in doubtful], spans
