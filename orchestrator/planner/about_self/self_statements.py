"""Find what people state of themselves: when, with whom and where it suits, whom they dislike, who they are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from mesh.clock import ZONE
from orchestrator import turn
from orchestrator.planner import wishes as room
from orchestrator.planner.about_self.clauses import Clause, clauses, is_filler, is_of_speaker, is_reported, read_habit
from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import expression, pairs, table
from orchestrator.planner.text import Text, blanked, normalise
from orchestrator.planner.wishes import Kind, Token, Wishes

WHEN = frozenset({turn.Axis.DAY, turn.Axis.TIME, turn.Axis.GENDER})
_WHOM = frozenset({turn.Axis.DOCTOR, turn.Axis.CLINIC, turn.Axis.PLACE})
_WORKDAYS = turn.OnWeekdays(frozenset(range(5)))
WORKDAYS_OFF = turn.Not(_WORKDAYS)  # who works then, and does not say until when, comes some time
_TASTES = ("dislike", "refusal", "declining", "liking", "verdict", "praise")
_CLOSED = frozenset({"family", "standing", "tastes"})  # statements that are said by their first words alone
_is_name = re.compile(r"\s*[dn][ao]s? [A-ZÀ-Ý]").match
_OF_CLINICS = {"insured": turn.Axis.INSURANCE, "budget": turn.Axis.PRICE, "speaks": turn.Axis.LANGUAGE}
_TELLING = frozenset({"work", "duty", "days_off", "tastes", "insured_bare", *_OF_CLINICS})  # may say when it suits
_NOT, _NOT_OWN, _LONGEST_TAIL = {"nao", "not", "no"}, ("requests", "others_do"), 12


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
    words: str = ""  # what is kept in its place, where its own words tell of health


@dataclass(frozen=True, slots=True)
class _Reading:
    text: Text  # the utterance
    now: datetime
    language: turn.Language
    clinics: Sequence[turn.Clinic]
    standing: bool  # what is said holds for good, a single weekday too


def find_statements(
    text: Text, now: datetime, language: turn.Language, clinics: Sequence[turn.Clinic], *, standing: bool = False
) -> tuple[SelfStatement, ...]:
    """Return the statements of an utterance, or of a note, said at `now`; with `standing` a weekday is every one."""
    if is_reported(text.folded) or not _says(text.folded, "marks_of_statements"):
        return ()
    standing = standing or _says(text.folded, "to_be_remembered")
    found = _statements(_Reading(text, now, language, clinics, standing))
    rather = found if standing else _statements(_Reading(text, now, language, clinics, standing=True))
    new = [one for one in rather if one.clause not in {each.clause for each in found}]
    all_told = found and re.search("[a-z]{3}", blanked(text.folded, (one.clause for one in rather))) is None
    reasoned = expression("reason_of_life").search(blanked(text.folded, (one.clause for one in found)))
    return rather if new and (reasoned or (all_told and all(turn.weekdays_of(one.suits) for one in new))) else found


def noted(text: str, now: datetime, language: turn.Language, clinics: Sequence[turn.Clinic]) -> turn.SaveMemory:
    """Return the save of what somebody notes of themselves by a command, of the kind that the grammar reads in it."""
    found = find_statements(normalise(text), now.astimezone(ZONE).replace(tzinfo=None), language, clinics)
    kind, expires_on = (found[0].kind, found[0].expires_on) if found else (turn.MemoryKind.PERSONAL, None)
    return turn.SaveMemory(kind, text, expires_on=expires_on, source=turn.Source.MANUAL)


def _statements(reading: _Reading) -> tuple[SelfStatement, ...]:
    found: list[SelfStatement] = []
    goes_on = False
    bounds = room.bounds_in(reading.text, Reference(reading.now, reading.language), reading.clinics)
    for clause in clauses(reading.text.folded, [(one.start, one.end) for one in bounds]):
        last = found[-1] if goes_on and found else None
        leans = expression("leans_on_leave").match(clause.folded)
        away = last is not None and last.expires_on is not None
        follows = last is not None and (clause.joint == "consequence" or (away and leans is not None))
        rest = expression("rest_of_days").match(clause.folded)  # of those that were told, and nothing by itself
        loose = leans is not None and leans["before"] and not away  # "only mornings until then", of nothing told
        told = not (rest or loose) and (not clause.asked or _says(clause.folded, "to_be_remembered"))  # "note that ..?"
        statement = _statement(clause, reading, follows=follows) if told else None
        goes_on = True
        if last is not None and statement is not None and (follows or clause.joint == "reason"):
            found[-1] = _joined(last, statement, leans.lastgroup if leans and away else None)
        elif statement is not None:
            found.append(statement)
        elif last is not None and (rest or clause.goes_on):
            ends = clause.own_span[1], clause.end
            found[-1] = replace(last, span=(last.span[0], ends[0]), clause=(last.clause[0], ends[1]))
        else:
            goes_on = False
    return tuple(found)


def _joined(first: SelfStatement, second: SelfStatement, leans: str | None) -> SelfStatement:
    if leans:  # "de férias até dia 4, depois só de tarde", "férias a partir do dia 14, antes disso só de noite"
        begin = min((span.first for span in turn.spans_of(first.suits)), default=date.max)
        free = (date.min, first.expires_on or date.min) if leans == "after" else (begin, date.max)
        second = replace(second, suits=turn.any_of((turn.OnDates((turn.DateRange(*free),)), second.suits)))
    main = second if leans or first.kind is turn.MemoryKind.PERSONAL else first
    suits = turn.all_of(one.suits for one in (first, second) if one.tells_when)
    return replace(main, span=(first.span[0], second.span[1]), clause=(first.clause[0], second.clause[1]), suits=suits)


def _statement(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    if _says(clause.folded, "health_words"):  # a reason about health is left out, and what it is a reason for is not
        clause = replace(clause, folded=clause.reasoned, end=clause.start + len(clause.reasoned))
    if expression("exception").search(clause.folded):  # more than can be remembered, but for days
        return _of_days(clause, reading, follows=follows) if expression("excepted_day").search(clause.folded) else None
    if _says(clause.folded, "health_words"):
        return _of_treatment(clause, reading)
    fit = _of_taste(clause, reading) or _of_fit(clause, reading, follows=follows)
    return fit or _of_oneself(clause, reading) or _of_days(clause, reading, follows=follows)


def _of_treatment(clause: Clause, reading: _Reading) -> SelfStatement | None:
    """Return when something of health keeps somebody as a rule, in words that do not tell what."""
    told, alone = _of_days(clause, reading, follows=False), clause.when(reading.text, reading.now, reading.language)
    if told is None or not _refusals(told.suits) or _says(normalise(alone).folded, "health_words"):
        return None
    said = f"{pairs('written_out', f'phrases_{reading.language}')['cannot']} {alone.removeprefix('on ')}"
    again = find_statements(normalise(said), reading.now, reading.language, reading.clinics, standing=True)
    ways = [(turn.hours_of(one.suits), one.expires_on) for one in (told, *again)]  # "at 2, done by 3" differs
    return replace(told, suits=again[0].suits, words=said) if again and ways.count(ways[0]) == len(ways) else None


def _told(clause: Clause, kind: turn.MemoryKind, suits: turn.Filter = turn.ANY_OPENING) -> SelfStatement:
    return SelfStatement(clause.own_span, (clause.start, clause.end), kind, suits=suits)


def _of_taste(clause: Clause, reading: _Reading) -> SelfStatement | None:
    """Return whom or what a clause likes or dislikes; a dislike may be of anything, the rest is of whom it names."""
    (named, spans), start = clause.named(reading.text, reading.clinics), clause.lead
    for_good = reading.standing or expression("for_good_of_whom").search(reading.text.folded)
    calls_somebody = spans or _says(clause.folded, "visited")
    for name in _TASTES if calls_somebody else ("dislike", "liking"):
        read, said = table("memories", name), clause.folded.replace(".", " ")  # the point of a title would end a phrase
        head = read.search(said, start) if name in {"verdict", "praise"} else read.match(said, start)
        if head is None or not _is_short(clause.reasoned[head.end() :]):
            continue
        likes = name in {"liking", "praise"}
        typed = reading.text.typed(clause.start + head.end(), clause.end)
        on_screen = expression("these_slots").search(clause.folded, start)
        if on_screen or (likes and not calls_somebody and not _is_name(typed)):
            return None
        kind = turn.MemoryKind.PREFERENCE if likes else turn.MemoryKind.RESTRICTION
        wished = None if spans or likes else _wished(clause, reading, always=True)
        if wished is not None and turn.axes_of(wished[1]) <= WHEN:  # "odeio ir de manhã" is of mornings
            named = [one.part for one in _refusals(wished[1])]
        suits = turn.all_of(named if likes else map(turn.Not, named))
        picks = name in {"liking", "praise"} or (name == "declining" and not for_good)
        return replace(_told(clause, kind, suits), picks=picks, dislikes=not likes)
    return _of_whom(clause, reading) if spans and for_good else None


def _of_whom(clause: Clause, reading: _Reading) -> SelfStatement | None:
    """Return with whom or where alone, or never again, in words for good that only the reader of wishes knows."""
    _, suits = _wished(clause, reading, always=True) or ((), turn.ANY_OPENING)
    refused, doctors = bool(_refusals(suits)), turn.doctors_named(suits)
    told_of = turn.axes_of(suits) - _WHOM or table("own_words", "others_do").search(clause.folded)
    if told_of or not (refused or (doctors and expression("nobody_else").search(reading.text.folded))):
        return None
    codes = {one.specialty for one in room.doctors_of(reading.clinics) if one.name in doctors and not refused}
    others = turn.Not(turn.AtClinics(frozenset(one.id for one in reading.clinics if one.specialty in codes)))
    suits = suits if refused else turn.any_of((turn.WithDoctors(doctors), others))
    return replace(_told(clause, turn.MemoryKind.RESTRICTION, suits), dislikes=refused)


def _of_fit(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    """Return what a clause says of when and with whom it suits, or until when somebody is away."""
    phrase = next((name for name in pairs("own_words", "fit") if _says(clause.folded, name)), None)
    if phrase is None:
        return None
    absent = phrase in {"away", "vacation"}
    named, spans = ([], []) if absent else clause.named(reading.text, reading.clinics)
    always = not absent and (follows or reading.standing or _says(clause.folded, "always"))
    first = table("memories", phrase).search(clause.reasoned)
    remainder = blanked(clause.reasoned, (*spans, *([first.span()] if first else [])))
    habit = read_habit(remainder, reading.now, reading.language, always=always)
    until = max((span.first if span.last == date.max else span.last for span in habit.dates), default=None)
    dated = until is not None and (until >= reading.now.date() if absent else _says(clause.folded, "months"))
    rest = expression("now_or_there").sub(" ", habit.rest) if absent else habit.rest
    told_when = dated if absent else habit.weekdays or habit.times or dated or spans or follows
    momentary = habit.once or dated != bool(habit.dates)
    if momentary or not told_when or not is_filler(rest) or ((spans or dated) and phrase == "prefer") != bool(spans):
        return None
    habitual = absent or always or bool(habit.weekdays)
    speakers = ("speaker", "impersonal") if habitual else ("speaker",)  # who speaks of a habit may be left out
    if not (absent or follows or _says(clause.folded, *speakers)):
        return None
    suits = turn.when_in(habit.dates, habit.times, habit.weekdays)
    # "Às quintas só posso de tarde" and "só posso de tarde às quintas" say nothing of other days.
    of_days = habit.weekdays and habit.times and not expression("only_on_days").search(clause.folded)
    if len(habit.weekdays) > 1 and len(habit.times) > 1 and (pairs_kept := _wished(clause, reading, always=True)):
        suits = pairs_kept[1]
    elif phrase == "only" and of_days:
        bad = turn.Not(turn.when_in(habit.dates, habit.times))
        suits = turn.Not(turn.all_of((turn.when_in(weekdays=habit.weekdays), bad)))
    elif phrase in {"never", "away"}:
        suits = turn.Not(suits)
    kind = turn.MemoryKind["AVAILABILITY" if dated else pairs("own_words", "fit")[phrase].upper()]
    told = _told(clause, kind, turn.all_of((suits, *named)))
    return replace(told, habitual=habitual, picks=bool(spans), expires_on=until, tells_when=phrase != "vacation")


def _of_oneself(clause: Clause, reading: _Reading) -> SelfStatement | None:
    start = clause.lead
    for name, kind in pairs("own_words", "of_oneself").items():
        head = table("memories", name).match(clause.folded, start)
        if head is None or (name == "insured_bare" and not (reading.standing or _says(clause.folded, "newly"))):
            continue
        tail = clause.reasoned[head.end() :]
        if name in _CLOSED and not is_filler(tail) and (name == "tastes" or not expression("of_what").match(tail)):
            return None
        # Nobody works, or is off, on one Saturday alone without saying so.
        if of := _OF_CLINICS.get(name.removesuffix("_bare")):  # "mudei para Amil esse mês" holds from now on
            said = table("memories", "passing").sub(lambda one: " " * len(one[0]), clause.folded)
            clause, tail = replace(clause, folded=said), ""
        wished = _wished(clause, reading, always=reading.standing or name in {"duty", "days_off"})
        strange = _says(tail, "others", "passing", "street") or not _is_short(tail)
        strange |= bool(wished and (turn.spans_of(wished[1]) or (of and of not in turn.axes_of(wished[1]))))  # a trip
        nowhere = name == "home" and not re.search("[a-z]{2}", tail) and not re.search("sozinh|alone", head.group())
        if wished is None or strange or nowhere:
            continue
        suits = wished[1] if name in _TELLING else turn.ANY_OPENING
        told = replace(_told(clause, turn.MemoryKind[kind.upper()], suits), tells_when=bool(_refusals(suits)))
        short = of is turn.Axis.INSURANCE and told.span[1] - told.span[0] <= turn.MIN_CONTENT  # "it's Amil now"
        plan = table("wishes", "insurer").search(clause.folded) if short else None
        own = pairs("written_out", f"phrases_{reading.language}")["my_plan"]
        return replace(told, words=f"{own} {plan[0]}") if plan else told
    return None


def _of_days(clause: Clause, reading: _Reading, *, follows: bool) -> SelfStatement | None:
    """Return what keeps somebody as a rule, or suits them, in words that only the reader of wishes knows."""
    words, for_good = clause.reasoned, follows or reading.standing or _says(clause.reasoned, "ever")
    works = expression("works_as_a_rule").search(words)
    wished = _wished(clause, reading, always=bool(for_good or works))
    if wished is None or not turn.axes_of(wished[1]) or turn.axes_of(wished[1]) - WHEN:
        return None
    tokens, suits = wished
    reasons = {one.text for one in tokens if one.kind is Kind.BOUND and one.wanted != turn.ANY_OPENING}
    away = [span.last for span in turn.spans_of(suits)] if _refusals(suits) and reasons - {"works"} else []
    until = max((last for last in away if last > reading.now.date()), default=None)
    if turn.spans_of(suits) and until is None:
        return None
    weekly = turn.weekdays_of(suits) and _WORKDAYS not in turn.conditions_of(suits)
    ever = bool(for_good or weekly or until or (works and (_refusals(suits) or reasons & {"works", "starts", "ends"})))
    of_taste = turn.axes_of(suits) == {turn.Axis.GENDER}  # "médico homem me deixa sem jeito" bars nobody
    denied = reasons or (ever and (_refusals(suits) or (not of_taste and table("own_words", "denial").search(words))))
    holds = (ever or of_taste or _says(words, "always")) and (denied or _says(words, "limiting", "suiting"))
    heard = (one for one in tokens if one.wanted or one.kind is Kind.RULED_OUT or one.text in _NOT)
    rest = blanked(words, ((one.start, one.end) for one in heard))
    own = follows or is_of_speaker(words) or (ever and is_filler(rest))
    own |= bool(ever and reasons) and not any(table("own_words", one).search(words) for one in _NOT_OWN)
    now_alone = _says(words, "only", "that_day_alone") and weekly and not (for_good or _refusals(suits))
    unread = turn.axes_of(suits) == {turn.Axis.DAY} and not (reasons or _refusals(suits) or _says(words, "only"))
    unread &= table("own_words", "denial").search(words) is not None  # "Fridays do not" something that nobody knows
    if now_alone or unread or not (holds and own and _is_short(rest)):
        return None
    kind = "RESTRICTION" if denied or (_says(words, "limiting", "only") and not of_taste) else "PREFERENCE"
    told = _told(clause, turn.MemoryKind["AVAILABILITY" if until else kind], suits)
    return replace(told, habitual=ever, expires_on=until)


def _wished(clause: Clause, reading: _Reading, *, always: bool) -> tuple[tuple[Token, ...], turn.Filter] | None:
    """Return the conditions of a clause and what they make together; None where it speaks of one day."""
    wishes = Wishes.scanned(normalise(clause.reasoned), Reference(reading.now, reading.language), reading.clinics)
    suits = wishes.requests()[0].wish.filter
    for one in turn.conditions_of(suits):
        one_day = isinstance(one, turn.OnWeekdays) and one.coming and not always
        ends = all(span.first < span.last < date.max for span in turn.spans_of(one))
        if one_day or not ends or isinstance(one, turn.Beside | turn.OfSpecialty):
            return None
    # "I can't do Thursdays, Thursdays are the problem" wishes none, and nobody knows of "I work Tuesday, Thursday".
    suits, told = turn.all_of(_refusals(suits) or [suits]), turn.weekdays_of(suits)
    if told != turn.weekdays_of(suits):
        return None
    return wishes.tokens, turn.ANY_OPENING if suits == WORKDAYS_OFF else suits


def _refusals(suits: turn.Filter) -> list[turn.Not]:
    return [one for one in turn.conjuncts(suits) if isinstance(one, turn.Not)]


def _says(words: str, *sections: str) -> bool:
    return any(table("memories", one).search(words) for one in sections)


def _is_short(tail: str) -> bool:
    return len(tail.split()) <= _LONGEST_TAIL
