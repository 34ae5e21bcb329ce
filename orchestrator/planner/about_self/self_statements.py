"""Find what people state of themselves: when, with whom and where it suits, whom they dislike, who they are.

A clause counts when all of its words are accounted for, or it begins as a statement about nobody else and no health.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache

from orchestrator import turn
from orchestrator.planner.about_self.clauses import (
    Clause,
    Habit,
    clauses,
    is_about_the_speaker,
    is_filler,
    is_reported,
    read_habit,
)
from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import pairs, pattern, phrases, rows, table
from orchestrator.planner.text import Text, blanked, normalise
from orchestrator.planner.wishes import Kind, Token, Wishes, clinics_at, doctors_at, named_by_clinics, resolved

_is_name = re.compile(r"\s*[dn][ao]s? [A-ZÀ-Ý]").match
_FIT = {"never": turn.MemoryKind.RESTRICTION, "only": turn.MemoryKind.RESTRICTION, "prefer": turn.MemoryKind.PREFERENCE}
_WHEN = frozenset({turn.Axis.DAY, turn.Axis.TIME, turn.Axis.GENDER})
_WORKDAYS = turn.OnWeekdays(frozenset(range(5)))
_OF_WORK = frozenset({"works", "starts", "ends"})
_CLOSED = frozenset({"family", "standing", "tastes"})  # statements that are said by their first words alone
_DETAIL = re.compile(r" (?:d[eao]s?|n[ao]s?|em|a|at|of|in|for) [a-z]")
_TELLING = frozenset({"work", "duty", "days_off", "tastes", "insured", "insured_bare"})  # what they tell may say when or where it suits
_LONGEST_TAIL = 12


@dataclass(frozen=True, slots=True)
class SelfStatement:
    """One thing that somebody states of themselves."""

    span: tuple[int, int]  # where it begins and ends in the folded text
    clause: tuple[int, int]  # where its clauses begin and end, with their leads
    kind: turn.MemoryKind
    habitual: bool = True  # the words alone make it a habit; otherwise what is being talked of might be meant
    suits: turn.Filter = turn.ANY_OPENING  # the openings that are as it says
    picks: bool = False  # it speaks well of doctors or clinics, which might only choose one of them
    dislikes: bool = False  # it speaks ill of doctors, clinics or something else
    expires_on: date | None = None  # the last day on which it holds; None for no end
    tells_when: bool = True  # it says what suits; a vacation may suit or not


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a clause is read against."""

    text: Text  # the utterance
    now: datetime
    language: turn.Language
    clinics: Sequence[turn.Clinic]
    standing: bool  # what is said holds for good, a single weekday too


def find_statements(
    text: Text,
    now: datetime,
    language: turn.Language,
    clinics: Sequence[turn.Clinic],
    *,
    standing: bool = False,
) -> tuple[SelfStatement, ...]:
    """Return the statements of an utterance, or of what was remembered of one; `now` is when it was said.

    What follows a statement as its reason or its consequence is a part of it. With `standing`, or where somebody asks
    for it to be remembered, or tells nothing but what holds for good, a single weekday is every one.
    """
    if is_reported(text.folded) or not table("memories", "marks_of_statements").search(text.folded):
        return ()
    standing = standing or table("memories", "to_be_remembered").search(text.folded) is not None
    found = _statements(_Reading(text, now, language, clinics, standing))
    if standing or not found:
        return found
    rather = _statements(_Reading(text, now, language, clinics, standing=True))
    told = blanked(text.folded, (one.clause for one in rather))
    beside = all(turn.weekdays_of(one.suits) for one in rather if one.clause not in {each.clause for each in found})
    return rather if len(rather) > len(found) and beside and not re.search("[a-z]{3}", told) else found


def _statements(reading: _Reading) -> tuple[SelfStatement, ...]:
    found: list[SelfStatement] = []
    goes_on = False
    for clause in clauses(reading.text.folded):
        last = found[-1] if goes_on and found else None
        later = last is not None and last.expires_on and table("memories", "after_that").match(clause.folded)
        follows = last is not None and (clause.joint == "consequence" or bool(later))
        statement = None if clause.asked else _statement(clause, reading, follows=follows)
        goes_on = True
        if last is not None and statement is not None and later:
            found[-1] = _joined(last, _from_then(last, statement))
        elif last is not None and statement is not None and (follows or clause.joint == "reason"):
            found[-1] = _joined(last, statement)
        elif statement is not None:
            found.append(statement)
        elif last is not None and _belongs_to(clause):
            ends = clause.own_span[1], clause.end
            found[-1] = replace(last, span=(last.span[0], ends[0]), clause=(last.clause[0], ends[1]))
        else:
            goes_on = False
    return tuple(found)


def _joined(first: SelfStatement, second: SelfStatement) -> SelfStatement:
    background = first.kind is turn.MemoryKind.PERSONAL or first.expires_on is not None
    main, told = second if background else first, [one for one in (first, second) if one.tells_when]
    suits = turn.all_of(one.suits for one in told)
    span, clause = (first.span[0], second.span[1]), (first.clause[0], second.clause[1])
    return replace(main, span=span, clause=clause, suits=suits)


def _from_then(absence: SelfStatement, statement: SelfStatement) -> SelfStatement:
    """Return a statement that holds from the end of an absence: "de férias até dia 4, depois só de tarde"."""
    until = turn.OnDates((turn.DateRange(date.min, absence.expires_on or date.min),))
    return replace(statement, suits=turn.any_of((until, statement.suits)))


def _belongs_to(clause: Clause) -> bool:
    """Return whether a clause says more of the statement before it: why, or a remark that asks nothing."""
    folded = re.sub(r"^(?:que|who|which) ", "", clause.folded)
    if clause.joint == "addition" and table("memories", "refusal").match(folded):
        return not clause.asked
    if clause.asked or any(table("own_words", name).search(folded) for name in ("requests", "passing", "others_do")):
        return False
    if any(table("memories", name).search(folded) for name in ("health_words", "passing", "street", *_FIT)):
        return False
    is_remark = table("own_words", "first_person").search(folded) or table("memories", "remarks").match(clause.folded)
    return clause.joint == "reason" or (clause.joint is not None and is_remark is not None)


def tells_of_health(text: Text) -> bool:
    """Return whether a clause states a condition or a treatment of the speaker."""
    health, others = table("memories", "health"), table("memories", "others")
    own = (one for one in clauses(text.folded) if not one.asked and not others.search(one.folded))
    return any(health.match(one.folded, one.lead) for one in own)


def _statement(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    taken_back = pattern("patterns", "exception").search(clause.folded)  # more than can be remembered
    if taken_back or table("memories", "health_words").search(clause.folded):
        return None
    fit = _of_absence(clause, reading) or _of_taste(clause, reading) or _of_fit(clause, reading, follows=follows)
    return fit or _of_oneself(clause, reading) or _of_days(clause, reading, follows=follows)


def _told(clause: Clause, kind: turn.MemoryKind, suits: turn.Filter = turn.ANY_OPENING) -> SelfStatement:
    return SelfStatement(clause.own_span, (clause.start, clause.end), kind, suits=suits)


def _of_taste(clause: Clause, reading: _Reading) -> SelfStatement | None:
    """Return whom or what a clause likes or dislikes; a dislike may be of anything, the rest is of whom it names."""
    (named, spans), start = _named(clause, reading, places=True), clause.lead
    calls_somebody = spans or table("memories", "visited").search(clause.folded)
    tastes = ("dislike", "refusal", "declining", "liking", "verdict", "praise") if calls_somebody else ("dislike", "liking")
    for name in tastes:
        read, said = table("memories", name), clause.folded.replace(".", " ")  # the point of a title would end a phrase
        head = read.search(said, start) if name in {"verdict", "praise"} else read.match(said, start)
        if head is None or not _is_short(clause.reasoned[head.end() :]):
            continue
        likes = name in {"liking", "praise"}
        typed = reading.text.typed(clause.start + head.end(), clause.end)
        names_it = calls_somebody or not likes or _is_name(typed)
        if not names_it or table("memories", "these").search(clause.folded, start):
            return None
        kind = turn.MemoryKind.PREFERENCE if likes else turn.MemoryKind.RESTRICTION
        wished = None if spans or likes else _wished(clause, reading, always=True)
        if wished is not None and turn.axes_of(wished[1]) <= _WHEN:  # "odeio ir de manhã" is of mornings
            named = [one.part for one in turn.conjuncts(wished[1]) if isinstance(one, turn.Not)]
        suits, picks = turn.all_of(named if likes else map(turn.Not, named)), name in {"liking", "declining", "praise"}
        return replace(_told(clause, kind, suits), picks=picks, dislikes=not likes)
    return None


def _of_fit(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    """Return what a clause says of when and with whom it suits."""
    phrase = next((name for name in _FIT if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    named, spans = _named(clause, reading)
    always = follows or reading.standing or table("memories", "always").search(clause.folded) is not None
    remainder = _without(clause.reasoned, table("memories", phrase), *spans)
    habit = read_habit(remainder, reading.now, reading.language, always=always)
    says_month = phrase != "prefer" and _months().search(clause.folded) is not None
    momentary = habit.one_day or habit.one_time or (habit.dates and not says_month)
    says_when = habit.weekdays or habit.times or habit.dates
    if momentary or not is_filler(habit.rest) or not (says_when or spans or follows):
        return None
    if spans and phrase != "prefer":
        return None
    habitual = always or bool(habit.weekdays)
    speakers = ("speaker", "impersonal") if habitual else ("speaker",)  # who speaks of a habit may be left out
    if not follows and not any(table("memories", who).search(clause.folded) for who in speakers):
        return None
    kind = turn.MemoryKind.AVAILABILITY if habit.dates else _FIT[phrase]
    told = _told(clause, kind, turn.all_of((_suiting(clause, habit, phrase, reading), *named)))
    return replace(told, habitual=habitual, picks=bool(spans), expires_on=_end_of(habit.dates))


def _suiting(clause: Clause, habit: Habit, phrase: str, reading: _Reading) -> turn.Filter:
    if len(habit.weekdays) > 1 and len(habit.times) > 1:  # pairs stay pairs
        scanned = Wishes.scanned(normalise(clause.reasoned), Reference(reading.now, reading.language), reading.clinics)
        return scanned.requests()[0].wish.filter
    when = turn.when_in(habit.dates, habit.times, habit.weekdays)
    only = table("memories", phrase).search(clause.folded)
    if phrase == "only" and habit.weekdays and habit.times and only and habit.speaks_of_days(only.start()):
        return turn.any_of((turn.Not(turn.when_in(weekdays=habit.weekdays)), turn.when_in(habit.dates, habit.times)))
    return turn.Not(when) if phrase == "never" else when


@cache
def _months() -> re.Pattern[str]:
    return phrases([row for n in range(1, 13) for lang in turn.Language for row in rows("calendar", f"{lang}.MON{n}")])


def _end_of(dates: Sequence[turn.DateRange]) -> date | None:
    return max((span.first if span.last == date.max else span.last for span in dates), default=None)


def _of_absence(clause: Clause, reading: _Reading) -> SelfStatement | None:
    phrase = next((name for name in ("away", "vacation") if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    remainder = _without(clause.reasoned, table("memories", phrase))
    habit = read_habit(remainder, reading.now, reading.language, always=False)
    until = _end_of(habit.dates)
    ended = until is None or until < reading.now.date()
    rest = pattern("patterns", "now_or_there").sub(" ", habit.rest)
    if habit.one_day or habit.one_time or ended or not is_filler(rest):
        return None
    away, there = phrase == "away", turn.when_in(habit.dates)
    told = _told(clause, turn.MemoryKind.AVAILABILITY, turn.Not(there) if away else there)
    return replace(told, tells_when=away, expires_on=until)


def _of_oneself(clause: Clause, reading: _Reading) -> SelfStatement | None:
    start = clause.lead
    for name, kind in pairs("own_words", "of_oneself").items():
        head = table("memories", name).match(clause.folded, start)
        if head is None or (name == "insured_bare" and not reading.standing):
            continue
        tail = clause.reasoned[head.end() :]
        if name in _CLOSED and not is_filler(tail) and (name == "tastes" or _DETAIL.match(tail) is None):
            return None
        # Nobody works, or is off, on one Saturday alone without saying so.
        wished = _wished(clause, reading, always=reading.standing or name in {"duty", "days_off"})
        strange = any(table("memories", other).search(tail) for other in ("others", "passing", "street"))
        strange = strange or wished is None or not _is_short(tail)
        if strange or wished is None or (name == "home" and not _names(head, tail)):
            return None
        suits = wished[1] if name in _TELLING else turn.ANY_OPENING
        if name.startswith("insured") and not any(isinstance(one, turn.ClinicFact) for one in turn.conjuncts(suits)):
            return None
        told = _told(clause, turn.MemoryKind[kind.upper()], suits)
        return replace(told, tells_when=all(isinstance(one, turn.Not) for one in turn.conjuncts(suits)))
    return None


def _of_days(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    """Return what keeps somebody as a rule, or suits them, in words that only the reader of wishes knows."""
    wished = _wished(clause, reading, always=follows or reading.standing)
    if wished is None or not turn.axes_of(wished[1]) or turn.axes_of(wished[1]) - _WHEN:
        return None
    tokens, suits = wished
    words, told = clause.reasoned, turn.conditions_of(suits)
    reasons = {one.text for one in tokens if one.kind is Kind.BOUND and one.wanted != turn.ANY_OPENING}
    ever = follows or reading.standing or table("memories", "ever").search(words) is not None
    ever = ever or any(isinstance(one, turn.OnWeekdays) and one != _WORKDAYS for one in told)
    ever = ever or bool(reasons & _OF_WORK and table("memories", "working").search(words))
    denied = bool(reasons) or all(isinstance(one, turn.Not) for one in turn.conjuncts(suits))
    denied = denied or (ever and table("own_words", "denial").search(words) is not None)
    prefers = not denied and table("memories", "suiting").search(words) is not None
    rule = ever or table("memories", "always").search(words) or turn.axes_of(suits) == {turn.Axis.GENDER}
    only_day = table("memories", "only").search(words) and turn.weekdays_of(suits)
    if not (rule and (denied or prefers)) or only_day or not _is_short(words):
        return None
    rest = blanked(words, ((one.start, one.end) for one in tokens))
    if not (follows or is_about_the_speaker(words) or (ever and is_filler(rest))):
        return None
    binds = denied or (table("wishes", "only").search(words) and turn.axes_of(suits) != {turn.Axis.GENDER})
    kind = turn.MemoryKind.RESTRICTION if binds else turn.MemoryKind.PREFERENCE
    return replace(_told(clause, kind, suits), habitual=ever)


def _wished(clause: Clause, reading: _Reading, *, always: bool) -> tuple[tuple[Token, ...], turn.Filter] | None:
    """Return the conditions of a clause and what they make together; None where it speaks of one day or one time."""
    reference = Reference(reading.now, reading.language)
    wishes = Wishes.scanned(normalise(clause.reasoned), reference, reading.clinics)
    suits = wishes.requests()[0].wish.filter
    told = turn.conditions_of(suits)
    # "Segunda e quarta eu trabalho": nobody does so on two days of this week alone without saying so.
    weekly = len(turn.weekdays_of(suits)) > 1 and any(one.text in _OF_WORK | {"meets"} for one in wishes.tokens)
    one_day = any(isinstance(one, turn.OnWeekdays) and one.coming for one in told) and not (always or weekly)
    exact = any(span.first == span.last for one in told if isinstance(one, turn.AtTimes) for span in one.spans)
    if one_day or exact or any(isinstance(one, turn.OnDates | turn.Beside) for one in told):
        return None
    if denied := [one for one in turn.conjuncts(suits) if isinstance(one, turn.Not)]:
        suits = turn.all_of(denied)  # "I can't do Thursdays, Thursdays are the problem": what is refused is wished nowhere
    # Who works on weekdays, and does not say until when, comes some time.
    suits = turn.ANY_OPENING if suits == turn.Not(_WORKDAYS) else suits
    return wishes.tokens, suits


def _is_short(tail: str) -> bool:
    return len(tail.split()) <= _LONGEST_TAIL


def _names(head: re.Match[str], tail: str) -> bool:
    return re.search(r"[a-z]{2}", tail) is not None or head.group().split()[-1].startswith(("sozinh", "alone"))


def _named(
    clause: Clause, reading: _Reading, *, places: bool = False
) -> tuple[list[turn.Filter], list[tuple[int, int]]]:
    """Return the doctors and the clinics of a clause, as conditions, and where it names them, by their place too."""
    inside = range(clause.start, clause.end)
    doctors = [found for found in doctors_at(reading.text, reading.clinics) if found[0] in inside]
    named = [(*one[:2], {one[2]}) for one in clinics_at(reading.text, reading.clinics) if one[0] in inside]
    for begin, end, fact in named_by_clinics(reading.text, reading.clinics) if places and not named else ():
        known = resolved(fact, reading.text.folded[begin:end], reading.clinics).clinics
        named += [(begin, end, {*known})] if known and fact.axis is turn.Axis.PLACE and begin in inside else []
    found: list[turn.Filter] = [turn.AtClinics(frozenset().union(*(ids for _, _, ids in named)))] if named else []
    if doctors and all(len(group) == 1 for _, _, group in doctors):
        found.append(turn.WithDoctors(frozenset(one.name for _, _, group in doctors for one in group)))
    return found, [(start - clause.start, end - clause.start) for start, end, _ in (*doctors, *named)]


def _without(folded: str, phrase: re.Pattern[str], *spans: tuple[int, int]) -> str:
    first = phrase.search(folded)
    return blanked(folded, (*spans, *([first.span()] if first else [])))
