"""Scan an utterance: its conditions, the words that join and deny them, and what nobody knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import phrases, rows, sections, table, words
from orchestrator.planner.text import Text
from orchestrator.planner.wishes.conditions import find_conditions, lone_hours
from orchestrator.planner.wishes.wish_tokens import Kind, Token, connectives
from orchestrator.turn import Clinic, Language, WithWoman


def scan(text: Text, reference: Reference, clinics: Sequence[Clinic]) -> tuple[list[Token], tuple[str, ...], bool]:
    """Return the tokens of a text, the phrases that were not understood, and whether a denial is uncertain."""
    tokens = find_conditions(text, clinics, reference)
    tokens, strange = _with_connectives(text, tokens)
    for hour in lone_hours(text.folded, tokens):
        tokens.append(hour)
        strange = [one for one in strange if not (one[0] < hour.end and hour.start < one[1])]
    tokens.sort(key=lambda token: token.start)
    tokens = _as_questions(text.folded, _as_denials(text.folded, tokens, reference.language))
    tokens, unsure = _doubted(text.folded, tokens)
    return tokens, tuple(_typed(text, *span) for span in strange), unsure


def _with_connectives(text: Text, conditions: list[Token]) -> tuple[list[Token], list[tuple[int, int]]]:
    tokens = list(conditions)
    strange: list[tuple[int, int]] = []
    claimed = _claimed(text.folded)
    at = 0
    for start, end in [*((token.start, token.end) for token in conditions), (len(text.folded), len(text.folded))]:
        lead: int | None = None
        for piece in connectives(text.folded, at, start):
            if isinstance(piece, Token):
                tokens.append(_gendered(piece))
                lead = None
                continue
            word = piece.group()
            if _lead().fullmatch(word):
                lead = piece.start()
            elif word.isalpha() and len(word) > 2 and not any(s <= piece.start() < e for s, e in claimed):
                strange.append((piece.start() if lead is None else lead, piece.end()))
                lead = None
            elif not _polite().fullmatch(word):
                lead = None
        at = end
    return tokens, strange


def _gendered(token: Token) -> Token:
    if token.kind not in {Kind.WOMAN, Kind.MAN}:
        return token
    return replace(token, kind=Kind.CONDITION, wanted=WithWoman(token.kind is Kind.WOMAN))


@cache
def _lead() -> re.Pattern[str]:
    return phrases(rows("wishes", "lead"), " ")


@cache
def _polite() -> re.Pattern[str]:
    return phrases((*rows("wishes", "polite"), *words("bare")), " ")


@cache
def _understood() -> tuple[re.Pattern[str], ...]:
    files = ("requests", "references", "smalltalk", "safety", "specialties", "shifts", "memories")
    skipped = {"off_topic", "polite", "others"}
    tables = []
    for file in files:
        for section in sections(file):
            if section in skipped or section in {"ordinals", "cardinals"}:
                continue
            try:
                tables.append(table(file, section))
            except (KeyError, ValueError):
                continue
    return tuple(tables)


def _claimed(folded: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in _polite().finditer(folded)]
    for pattern in _understood():
        spans += [match.span() for match in pattern.finditer(folded)]
    return spans


def _typed(text: Text, start: int, end: int) -> str:
    first, last = text.original_span(start, end)
    return text.original[first:last]


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
        if token.kind is Kind.NOT and token.text in {"nao", "not", "no"} and between:
            found[place] = replace(token, kind=Kind.CORRECTING)
        if token.text == "nao e" and place and found[place - 1].wanted is not None and _beside(found, place):
            found[place] = replace(token, text="nao")
            found.insert(place + 1, Token(Kind.AND, token.end - 1, token.end, "e"))
    return found


def _beside(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].start - tokens[place - 1].end <= 1


def _as_questions(folded: str, tokens: list[Token]) -> list[Token]:
    """Read "não dá na quarta?" as a question, which denies nothing."""
    if "?" not in folded:
        return tokens
    found = list(tokens)
    for place, token in enumerate(found):
        able = re.match(r"(?:nao (?:da|pode|daria|poderia|rola|consigo|conseguiria)|can not|could not)\b", token.text)
        if token.kind is not Kind.NOT or not able:
            continue
        after = found[place + 1] if place + 1 < len(found) else None
        behind = after is not None and after.wanted is not None and "?" in folded[after.end :]
        closes = re.match(r" *(?:nao)? *\?", folded[token.end :]) is not None
        if behind or closes:
            found[place] = replace(token, kind=Kind.ASKED)
            for n in range(place + 1, len(found)):
                if found[n].text == "nao" and re.match(r" *\?", folded[found[n].end :]):
                    found[n] = replace(found[n], kind=Kind.ASKED)
    return found


@cache
def _little() -> re.Pattern[str]:
    return phrases(rows("wishes", "little"), " ")


def _doubted(folded: str, tokens: list[Token]) -> tuple[list[Token], bool]:
    """Leave out conditions behind a denied word that nobody knows: "não curto quinta" denies it, "não sei" does not."""
    found = list(tokens)
    unsure = False
    for place, token in enumerate(tokens[:-1]):
        after = tokens[place + 1]
        if token.kind is not Kind.NOT or token.text not in {"nao", "not"} or after.wanted is None:
            continue
        between = re.findall(r"[a-z]+", folded[token.end : after.start])
        if any(not _little().fullmatch(word) for word in between):
            found[place] = replace(token, kind=Kind.UNSURE)
            found[place + 1] = replace(after, kind=Kind.UNSURE, wanted=None)
            unsure = True
    return [token for token in found if token.kind is not Kind.UNSURE], unsure
