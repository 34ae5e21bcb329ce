"""Scan an utterance: its conditions, the words that join and deny them, and what nobody knows."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import pattern, phrases, rows, sections, table, words
from orchestrator.planner.text import Text, is_nearly_known
from orchestrator.planner.wishes.conditions import as_stated, find_conditions, lone_hours
from orchestrator.planner.wishes.specialties import BODY, COMPLAINTS, NAMES, specialties_at
from orchestrator.planner.wishes.universe import axis_of
from orchestrator.planner.wishes.wish_tokens import (
    DENYING,
    PAUSES,
    RELATIVE,
    Kind,
    Piece,
    Token,
    answers_question,
    clauses,
    connectives,
    corrected,
    tells_own_place,
    with_lacks,
)
from orchestrator.turn import Axis, Clinic, ClinicFact, Language, OfSpecialty, WithWoman


def scan(text: Text, reference: Reference, clinics: Sequence[Clinic]) -> tuple[list[Token], tuple[str, ...], bool]:
    """Return the tokens of a text, the phrases that were not understood, and whether a denial is uncertain."""
    tokens = find_conditions(text, clinics, reference)
    tokens, strange = _with_connectives(text, tokens, clinics)
    for hour in lone_hours(text.folded, tokens):
        tokens.append(hour)
        strange = [one for one in strange if not (one[0] < hour.end and hour.start < one[1])]
    tokens += _line_ends(text, tokens)
    tokens = with_lacks(text.folded, sorted((as_stated(one, clinics) for one in tokens), key=lambda one: one.start))
    tokens = list(_with_denials(corrected(_as_denials(text.folded, tokens, reference.language))))
    tokens = [one for place, one in enumerate(tokens) if not tells_own_place(tokens, place)]
    tokens, asks = _as_questions(text.folded, tokens)
    tokens = [one for place, one in enumerate(tokens) if not _denies_something_else(text.folded, tokens, place)]
    tokens, doubts = _doubted(text.folded, tokens)
    return tokens, tuple(text.typed(*span) for span in strange), asks or doubts


def _line_ends(text: Text, tokens: Sequence[Token]) -> list[Token]:
    """Return the ends of lines as pauses: what a new line begins stands for itself."""
    places = [at for at, one in enumerate(text.folded) if one == " " and text.original[text.offsets[at]] == "\n"]
    inside = {at for at in places for token in tokens if token.start <= at < token.end}
    return [Token(Kind.STOP, at, at + 1, "\n") for at in places if at not in inside]


_LONG_WORD = re.compile(r"[a-z]{3,}")
_EXCESS, _TAG = pattern("patterns", "excess"), pattern("patterns", "consent_tag")
_ABLE, _AUXILIARY = pattern("patterns", "able"), pattern("patterns", "auxiliary")
_AT_WORK, _DENIED = pattern("patterns", "at_work"), pattern("patterns", "denied")


def _with_connectives(
    text: Text, conditions: list[Token], clinics: Sequence[Clinic]
) -> tuple[list[Token], list[tuple[int, int]]]:
    pieces: list[Piece] = []
    at = 0
    for condition in conditions:
        pieces += (*_with_facts(text, at, condition.start), condition)
        at = condition.end
    pieces += _with_facts(text, at, len(text.folded))
    found = [piece for clause in clauses(pieces) for piece in _strange(clause)]
    known = set(_known_places(text.folded, clinics) if found else ())
    strange = [
        (start, end)
        for start, word, end in found
        if not known.issuperset(match.start() for match in _LONG_WORD.finditer(text.folded, word, end))
    ]
    return [piece for piece in pieces if isinstance(piece, Token)], strange


_FACTS = frozenset({Kind.INSURANCE, Kind.PRICE, Kind.PLACE, Kind.LANGUAGE})


def _with_facts(text: Text, start: int, end: int) -> Iterator[Piece]:
    """Return the connectives of a stretch; the gender of a doctor and facts of a clinic are conditions."""
    for piece in connectives(text.folded, start, end):
        if isinstance(piece, Token) and piece.kind in {Kind.WOMAN, Kind.MAN}:
            yield replace(piece, kind=Kind.CONDITION, wanted=WithWoman(piece.kind is Kind.WOMAN))
        elif isinstance(piece, Token) and piece.kind in _FACTS:
            fact = ClinicFact(Axis(piece.kind), text.typed(piece.start, piece.end))
            yield replace(piece, kind=Kind.CONDITION, wanted=fact)
        else:
            yield piece


def _strange(clause: Sequence[Piece]) -> Iterator[tuple[int, int, int]]:
    """Return the stretches of a clause that stand as a condition would: begin, first unknown word, end.

    That is what follows a preposition in a clause that restricts something or that begins with it, what stands beside
    a denial, and what is nearly a word that a request hangs on.
    """
    restricts = any(isinstance(piece, Token) and piece.wanted is not None for piece in clause)
    lead: int | None = None
    begins = True
    found: list[tuple[int, int, int]] = []
    for place, piece in enumerate(clause):
        if isinstance(piece, Token):
            lead, begins = None, begins and piece.wanted is None
            continue
        word = piece.group()
        if table("wishes", "lead", " ").fullmatch(word):
            lead = piece.start() if lead is None else lead
        elif not word.isalpha() or len(word) < 3 or _polite().fullmatch(word):
            begins = begins and lead is not None
        elif found and found[-1][2] == piece.start() - 1:
            found[-1] = (*found[-1][:2], piece.end())
        elif (
            (lead is not None and (restricts or begins))
            or (restricts and _beside_denial(clause, place))
            or is_nearly_known(word)
            or table("wishes", "unserved", " ").fullmatch(word)
        ):
            found.append((piece.start() if lead is None else lead, piece.start(), piece.end()))
            lead = None
        else:
            lead, begins = None, False
    yield from found


def _beside_denial(clause: Sequence[Piece], place: int) -> bool:
    before = clause[place - 1] if place else None
    after = clause[place + 1] if place + 1 < len(clause) else None
    return any(isinstance(one, Token) and one.kind in DENYING for one in (before, after))


@cache
def _polite() -> re.Pattern[str]:
    return phrases((*rows("wishes", "polite"), *words("bare")), " ")


def _known_places(folded: str, clinics: Sequence[Clinic]) -> Iterator[int]:
    for known in _understood():
        for match in known.finditer(folded):
            yield from range(*match.span())
    for kind in (NAMES, COMPLAINTS, BODY):
        for start, end, _ in specialties_at(folded, clinics, kind):
            yield from range(start, end)


@cache
def _understood() -> tuple[re.Pattern[str], ...]:
    files = ("requests", "references", "smalltalk", "safety", "shifts", "memories")
    skipped = {"off_topic", "polite", "others", "ordinals", "cardinals"}
    tables = []
    for name, section in [(file, one) for file in files for one in sections(file) if one not in skipped]:
        with suppress(KeyError, ValueError):
            tables.append(table(name, section))
    return tuple(tables)


def _as_denials(folded: str, tokens: list[Token], language: Language) -> list[Token]:
    """Read "no" in English as a denial of what follows or stands before; "não," between commas corrects."""
    found = list(tokens)
    if language is Language.EN:
        for match in re.finditer(r"(?<![a-z])no(?![a-z])", folded):
            following = next((one for one in tokens if one.start >= match.end()), None)
            beside = following is not None and following.wanted is not None and following.start - match.end() <= 1
            closes = re.match(r" *(?:[,.!;]|$)", folded[match.end() :]) is not None
            if (beside or closes) and not any(one.start <= match.start() < one.end for one in tokens):
                found.append(Token(Kind.NOT, *match.span(), "no"))
        found.sort(key=lambda token: token.start)
    pauses = {Kind.COMMA, Kind.STOP}
    for place, token in enumerate(found):
        between = 0 < place < len(found) - 1 and {found[place - 1].kind, found[place + 1].kind} <= pauses
        denies = token.kind is Kind.NOT and token.text in {"nao", "not", "no"}
        goes_on = token.kind is Kind.THEN and token.text == "entao" and answers_question(found, place)
        if goes_on or (denies and (between or (token.text != "not" and _corrects_hour(found, place)))):
            found[place] = replace(token, kind=Kind.CORRECTING)
        decides = (
            token.kind is Kind.THEN and token.text == "it is" and place > 1 and found[place - 1].wanted is not None
        )
        if decides and found[place - 2].kind in pauses:
            found[place - 2] = replace(found[place - 2], kind=Kind.CORRECTING)  # "thursday or friday, friday it is"
        if (
            token.text == "nao e"
            and place
            and found[place - 1].wanted is not None
            and token.start - found[place - 1].end <= 1
        ):
            found[place] = replace(token, text="nao")
            found.insert(place + 1, Token(Kind.AND, token.end - 1, token.end, "e"))
    return found


def _with_denials(tokens: Sequence[Token]) -> Iterator[Token]:
    """Return the tokens with what is too much denied, where it is not denied in so many words: "too early".

    What is denied in itself is parted from a denial before: "not early and not after 4".
    """
    before, denies = Kind.STOP, False
    for token in tokens:
        denies = token.kind not in PAUSES and (denies or token.kind in DENYING)
        if token.wanted is not None and denies and _DENIED.match(token.text):
            yield Token(Kind.BUT, token.start, token.start, "but")
        elif token.wanted is not None and before not in _REFUSING and _is_excess(token, before):
            yield Token(Kind.NOT, token.start, token.start, "not")
        before = token.kind
        yield token


def _is_excess(token: Token, before: Kind) -> bool:
    is_said_of = before is Kind.AND and token.text.startswith("muito ")  # "o primeiro é muito cedo"
    return is_said_of or _EXCESS.fullmatch(token.text) is not None


def _corrects_hour(tokens: Sequence[Token], place: int) -> bool:
    # "Segunda às 8 não, às 9": the hour is another one, the day stays.
    beside = [*tokens[max(place - 2, 0) : place], *tokens[place + 2 : place + 3]]
    axes = [None if one.wanted is None else axis_of(one.wanted) for one in beside]
    comma = place + 1 < len(tokens) and tokens[place + 1].kind is Kind.COMMA
    return comma and axes == [Axis.DAY, Axis.TIME, Axis.TIME]


_REFUSING = DENYING | {Kind.RULED_OUT}


def _as_questions(folded: str, tokens: list[Token]) -> tuple[list[Token], bool]:
    """Read "não dá na quarta?" as a question, which denies nothing; return also whether a denial is uncertain."""
    if "?" not in folded:
        return tokens, False
    tags = [match.span() for match in _TAG.finditer(folded)]
    found = [token for token in tokens if not any(start <= token.start < end for start, end in tags)]
    unsure = False
    for place, token in enumerate(found):
        if token.kind is Kind.NOT and (_is_question(found, place) or _AT_WORK.search(folded, 0, token.end)):
            found[place] = replace(token, kind=Kind.ASKED)
            # "Dia 7 não pode ser?" may be meant either way.
            unsure = unsure or (found[place + 1].kind is Kind.QUESTION and token.text.endswith("ser"))
        elif token.kind is Kind.NOR and place == 0 and found[-1].kind is Kind.QUESTION:
            found[place] = replace(token, kind=Kind.ASKED)  # "nem de tarde?"
        elif token.kind in _REFUSING:
            pause = next((one for one in found[place + 2 :] if one.kind in PAUSES), None)
            end = len(folded) if pause is None else pause.start
            tagged = any(start in range(token.end, end + 3) for start, _ in tags)
            unsure = unsure or tagged or (pause is not None and pause.kind is Kind.QUESTION)
    return found, unsure


def _is_question(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    rest = [one.kind for one in tokens[place + 1 :]]
    sentence = rest[: rest.index(Kind.STOP)] if Kind.STOP in rest else rest
    if Kind.QUESTION not in sentence:
        return False
    closes = sentence[0] is Kind.QUESTION or (sentence[0] is Kind.NOT and sentence[1:2] == [Kind.QUESTION])
    asked = any(one.kind is Kind.ASKED for one in tokens[:place])
    if asked and (token.text == "work" or (token.text == "nao" and closes)):
        return True
    after = tokens[place + 1]
    nothing = token.text.startswith(("nothing", "nada"))  # "Nothing on Friday?"
    none_of = token.text == "no" and isinstance(after.wanted, OfSpecialty | WithWoman)  # "No dermatologist on Friday?"
    some = nothing or none_of
    inverted = _AUXILIARY.fullmatch(token.text) is not None and after.start <= token.end + 1  # "Doesn't Helena work?"
    able = _ABLE.match(token.text) is not None
    if able and "consig" in token.text and Kind.COMMA in sentence:
        return False  # "Não consigo segunda, tem outro dia?"
    return (some or inverted or able) and (closes or after.wanted is not None)


def _denies_something_else(folded: str, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a clause ends by denying what nobody looks for: "um cardio, mas não é urgente" refuses nothing."""
    if tokens[place].kind not in {Kind.EXCEPT, Kind.NOT}:
        return False
    token, before = tokens[place], tokens[place - 1].wanted if place else None
    ahead = next((one for one in tokens[place + 1 :] if one.kind in PAUSES | RELATIVE or one.wanted is not None), None)
    if ahead is not None and ahead.kind not in PAUSES:
        return False
    behind = re.findall(r"[a-z]+", folded[token.end : len(folded) if ahead is None else ahead.start])
    if token.kind is Kind.EXCEPT:
        return bool(behind)
    return isinstance(before, OfSpecialty) and any(not _polite().fullmatch(word) for word in behind)


def _doubted(folded: str, tokens: list[Token]) -> tuple[list[Token], bool]:
    """Leave out conditions behind a denied word that nobody knows: "não curto quinta" denies it, "não sei" does not."""
    found = list(tokens)
    unsure = False
    for place, token in enumerate(tokens[:-1]):
        after = tokens[place + 1]
        if token.kind is not Kind.NOT or token.text not in {"nao", "not"} or after.wanted is None:
            continue
        between = re.findall(r"[a-z]+", folded[token.end : after.start])
        if any(not table("wishes", "little", " ").fullmatch(word) for word in between):
            found[place] = replace(token, kind=Kind.UNSURE)
            found[place + 1] = replace(after, kind=Kind.UNSURE, wanted=None)
            unsure = True
    return [token for token in found if token.kind is not Kind.UNSURE], unsure
