"""Resolve words that lean on something else: "outro sábado", "mais cedo", "depois da primeira", "tanto faz o dia"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from itertools import zip_longest

from orchestrator import turn
from orchestrator.planner.calendar import minute_beside, week_of
from orchestrator.planner.lexicon import expression, numbers
from orchestrator.planner.wishes.conditions import at_times
from orchestrator.planner.wishes.specialties import find_specialties
from orchestrator.planner.wishes.universe import axis_of
from orchestrator.planner.wishes.wish_tokens import DENYING, RELATIVE, Kind, Token

_DROPPED = frozenset({Kind.ASKED, Kind.THEN, Kind.EITHER})
_REFUSED_ASIDE = frozenset({turn.Axis.DOCTOR, turn.Axis.PLACE, turn.Axis.CLINIC, turn.Axis.TIME})
_THE_OTHER = ("a ", "o ", "na ", "no ", "other")  # "e a outra?", but not "quero outra com ela"
_ALIKE = {
    turn.Axis.DOCTOR: {turn.Axis.DOCTOR, turn.Axis.GENDER, turn.Axis.CLINIC},
    turn.Axis.CLINIC: {turn.Axis.CLINIC, turn.Axis.PLACE},
}  # what may be an exception from any of an axis: "any doctor but a man"
_EVERY_AXIS = frozenset({turn.Axis.DAY, turn.Axis.TIME, turn.Axis.DOCTOR, turn.Axis.GENDER, turn.Axis.CLINIC})


@dataclass(frozen=True, slots=True)
class Relation:
    """Where an opening lies beside something else, with its place in the text."""

    start: int
    end: int
    later: bool | None = None  # after it, or before it; None: on its day
    row: int | None = None  # the row of what was shown
    own: bool = False  # an appointment of one's own; neither that nor a row: what is proposed or was just booked
    specialties: tuple[str, ...] = ()  # codes that the appointment is named by
    name: str = ""  # the last word that it is named by, maybe its doctor's


def find_relation(folded: str, clinics: Sequence[turn.Clinic]) -> Relation | None:
    """Return what a folded utterance wants an opening beside, None where it says nothing of the kind."""
    if match := expression("on_its_day").search(folded):
        start, end = match.span("own")  # "mesmo dia" is read as it is anywhere
        later, row = None, None
    elif match := expression("before_or_after").search(folded):
        start, end = match.span()
        later, row = match["later"] is not None, match["row"]
    else:
        return None
    if row is not None:
        return Relation(start, end, later, int(row) if row.isdigit() else numbers("references", "ordinals")[row])
    named = match["own"] or ""
    codes, name = find_specialties(named, clinics), named.rpartition(" ")[2]
    return Relation(start, end, later, own=bool(named), specialties=codes, name=name)


def grounded(
    tokens: Sequence[Token], held: turn.Appointment | None, before: turn.Filter, beside: turn.Appointment | None = None
) -> list[Token]:
    """Return the tokens with relative words made conditions around an appointment, or what was wanted `before`."""
    found: list[Token] = []
    tokens = [*_beside_what_follows(tokens, before)]
    same = (one for one in tokens if one.kind is Kind.SAME and one.axis is turn.Axis.DAY and not _names_week(one))
    same_day = bool(held or beside) and any(same)
    if held is None:
        bare = not any(one.wanted is not None for one in tokens)  # "na outra quinta" is no other doctor
        begins = any(isinstance(one.wanted, turn.OfSpecialty) for one in tokens)  # whose other day is none of the visit
        for token in tokens:
            if token.kind is Kind.OTHER and token.axis is None and not (bare and token.text.startswith(_THE_OTHER)):
                continue
            if beside and same_day and token.kind in {Kind.EARLIER, Kind.LATER}:  # "same day but later" than that visit
                found.append(token.wanting(_on_its_day(token, beside, lasts_min=turn.USUAL_MIN - 1)))
            else:
                found += _beyond(token, before, beside, begins=begins)
        return found
    other_week = any(_is_of_weeks(token.wanted) for token in tokens)
    for token, after in zip_longest(tokens, tokens[1:]):
        if token.kind is Kind.SAME and token.axis is turn.Axis.DAY and not _names_week(token):
            weekday = turn.OnWeekdays(frozenset({held.date.weekday()}))
            own = [weekday if other_week else _own(held, turn.Axis.DAY)]
            and_hour = re.search(r" (?:e|and) .*(?:hor[ao]|time)", token.text)  # "mesmo dia e hora"
            own += [_own(held, turn.Axis.TIME)] if and_hour else []
            found += map(token.wanting, own)
        elif token.kind in {Kind.EARLIER, Kind.LATER}:
            found.append(token.wanting(_on_its_day(token, held) if same_day else _shifted(token, held)))
        else:
            found += _grounded(token, after, held, before) if token.kind in RELATIVE else [token]
    return found


def _beside_what_follows(tokens: Sequence[Token], before: turn.Filter) -> Iterator[Token]:
    """Yield the tokens as what follows them shows: "tira sábado", which was not wanted, "outra médica"."""
    seen = next((one.start for one in tokens if isinstance(one.wanted, turn.WithDoctors)), None)
    others = [] if seen is None else [one for one in tokens if one.start > seen and one.text.endswith(" else")]
    tokens = [replace(one, kind=Kind.OTHER) if one in others and one.axis else one for one in tokens]  # than the named
    denied = [one for one in tokens if one.kind in {*DENYING, Kind.RULED_OUT}]
    named = _REFUSED_ASIDE & {axis for one in tokens if denied and one.wanted for axis in turn.axes_of(one.wanted)}
    for place, (said, after) in enumerate(zip_longest(tokens, tokens[1:])):
        until = place if said.kind is Kind.SAME and said.axis in {turn.Axis.DAY, turn.Axis.DOCTOR} else 0
        alike = [one.wanted for one in tokens[:until] if one.wanted and turn.axes_of(one.wanted) == {said.axis}]
        token = said.wanting(alike[-1]) if alike and not (_is_of_weeks(alike[-1]) or _names_week(said)) else said
        if named and token.kind is Kind.OTHER and token.axis in {None, *(named & {turn.Axis.DOCTOR})}:
            continue  # "outro médico que não o Caio" says who is not wanted, "Perdizes is a trek, the other" where not
        takes_out = token.kind is Kind.RELAXING and expression("takes_out").match(token.text)
        says_who = after is not None and isinstance(after.wanted, turn.OfSpecialty | turn.WithWoman)
        lifts = after is not None and after.wanted is not None and before != turn.ANY_OPENING
        if takes_out and not (lifts and _is_dropped(tokens[place + 1 :], before)):
            yield replace(token, kind=Kind.EXCEPT if lifts else Kind.NOT)
        elif after is None or takes_out:
            yield token
        elif token.kind is Kind.OTHER and says_who and after.start - token.end <= len(" da "):
            yield replace(token, axis=token.axis or turn.Axis.DOCTOR)
        elif token.kind is not Kind.FREEING or after.kind is not Kind.OTHER:  # "any other?"
            yield token


def _is_dropped(tokens: Sequence[Token], before: turn.Filter) -> bool:
    """Return whether a day or else was wanted, or gives way to another: "esquece a sexta, quero segunda"."""
    part, behind = tokens[0].wanted or turn.ANY_OPENING, [one.kind for one in tokens[1:]]
    proposed = {one.first.weekday() for one in turn.spans_of(before) if one.first == one.last}
    wanted = part in turn.conditions_of(before) or not turn.weekdays_of(part).isdisjoint(proposed)
    other = tokens[2].wanted if behind[:2] == [Kind.COMMA, Kind.CONDITION] and Kind.AND not in behind else None
    days = other is not None and axis_of(part) is axis_of(other) is turn.Axis.DAY
    return behind[:1] != [Kind.AND] and (wanted or days)


def _grounded(token: Token, after: Token | None, held: turn.Appointment, before: turn.Filter) -> list[Token]:
    # "Outro sábado" is another than the appointment's; in "outra hora no sábado" the hour is.
    of_day = token.axis is None and after is not None and after.wanted and axis_of(after.wanted) is turn.Axis.DAY
    own = _own(held, turn.Axis.DAY if of_day and token.kind is Kind.OTHER else token.axis)
    if token.kind is Kind.OTHER and token.axis is None and not of_day:
        # "Essa não, a outra", where a Monday was asked for, is another Monday, and "tem outro?" another opening.
        another_day = token.text in {"a outra", "na outra"} and turn.weekdays_of(before) & {*range(5)}
        axes = (turn.Axis.DAY,) if another_day else (turn.Axis.DAY, turn.Axis.TIME)
        return _other(token, *(_own(held, axis) for axis in axes))
    if own is None:
        return []
    weeks = of_day and after is not None and _is_of_weeks(after.wanted)  # "outra semana" is none of its days
    own = _in_its_week(own) if weeks or _names_week(token) else own
    if token.kind is not Kind.OTHER:
        return [token.wanting(own)]
    frees = token.axis is turn.Axis.DAY and not any(map(_spans_days, turn.conjuncts(before)))  # and no longer a Tuesday
    return [*([replace(token, kind=Kind.FREEING)] if frees else []), *_other(token, own)]


def _other(token: Token, *own: turn.Filter | None) -> list[Token]:
    return [replace(token, kind=Kind.NOT), *map(token.wanting, own), replace(token, kind=Kind.BUT)]


def _on_its_day(token: Token, visit: turn.Appointment, lasts_min: int = 0) -> turn.Filter:
    end = minute_beside(visit.time, lasts_min)
    return turn.AtTimes((_hours_beside(visit.time, end, earlier=token.kind is Kind.EARLIER),))


def _shifted(token: Token, held: turn.Appointment) -> turn.Filter:
    earlier = token.kind is Kind.EARLIER
    if token.axis is turn.Axis.DAY:
        day = timedelta(days=1)
        ends = (date.min, held.date - day) if earlier else (held.date + day, date.max)
        return turn.OnDates((turn.DateRange(*ends),))
    return turn.Beside(held.begin, later=not earlier)


def _hours_beside(first: time, last: time, *, earlier: bool) -> turn.TimeRange:
    return turn.TimeRange(*(time.min, minute_beside(first, -1)) if earlier else (minute_beside(last, 1), time.max))


def _spans_days(part: turn.Filter) -> bool:
    return any(span.first < span.last for span in turn.spans_of(part))


def _beyond(token: Token, before: turn.Filter, beside: turn.Appointment | None, *, begins: bool) -> list[Token]:
    if token.kind not in RELATIVE:
        return [token]
    axes = {turn.Axis.DOCTOR, turn.Axis.CLINIC} if token.kind is Kind.OTHER and token.axis is None else {token.axis}
    axes |= {turn.Axis.PLACE} if turn.Axis.CLINIC in axes and token.axis is not None else set()  # "em outro lugar"
    wanted_before = [part for part in turn.conjuncts(before) if turn.axes_of(part) and not isinstance(part, turn.Not)]
    own: list[turn.Filter] = [part for part in wanted_before if turn.axes_of(part) <= axes]
    spread = token.axis is turn.Axis.DAY and any(map(_spans_days, own))
    if beside and (not own or spread) and (token.kind is Kind.SAME or (begins and token.axis is turn.Axis.DAY)):
        own = [one for one in (_own(beside, token.axis),) if one is not None]
    if _names_week(token):
        own = [_in_its_week(part) for part in own]
    if token.kind is Kind.SAME:  # "cardio and derm on the same day, Tuesday": that is said of both
        both = [replace(token, kind=Kind.BOTH)] if token.axis is turn.Axis.DAY else []
        return [*map(token.wanting, own)] or both
    if token.kind is Kind.OTHER:
        # "The other day that is after lunch", of a week, is none of another week.
        days = own if _names_week(token) else [part for part in own if not _spans_days(part)]
        return [token, *(one for part in days for one in _other(token, part))]
    wanted = next((part for part in turn.conjuncts(before) if isinstance(part, turn.AtTimes)), None)
    if wanted is None or token.kind not in {Kind.EARLIER, Kind.LATER} or token.axis is turn.Axis.DAY:
        return _beside_trip(token, before) if wanted is None else []
    first, last = min(span.first for span in wanted.spans), max(span.last for span in wanted.spans)
    if (last >= time(23, 59)) if token.kind is Kind.LATER else (first <= time(6)):
        return []  # nothing is later than "from 13:00 on", nor earlier than "early in the morning"
    span = _hours_beside(first, last, earlier=token.kind is Kind.EARLIER)
    if token.kind is Kind.LATER and first < last < span.first == time(12):
        span = turn.TimeRange(span.first, time(17, 59))  # after a morning comes the afternoon
    return [token.wanting(turn.AtTimes((span,)))]


def _beside_trip(token: Token, before: turn.Filter) -> list[Token]:
    """Return "melhor antes" as before the days that do not suit."""
    away = [one for part in turn.conjuncts(before) if isinstance(part, turn.Not) for one in turn.spans_of(part)]
    if not away or token.kind not in {Kind.EARLIER, Kind.LATER}:
        return []
    first, last = (away[0].last, date.max) if token.kind is Kind.LATER else (date.min, away[0].first)
    return [token.wanting(turn.OnDates((turn.DateRange(first, last),)))]


def _names_week(token: Token) -> bool:
    return token.kind is Kind.SAME and token.text.endswith(("semana", "week"))


def _is_of_weeks(wanted: turn.Filter | None) -> bool:
    return isinstance(wanted, turn.OnDates) and all(
        timedelta(days=6) <= one.last - one.first < timedelta(days=32) for one in wanted.spans
    )


def _in_its_week(days: turn.Filter) -> turn.Filter:
    if not isinstance(days, turn.OnDates):
        return days
    return turn.OnDates(tuple(turn.DateRange(week_of(one.first).first, week_of(one.last).last) for one in days.spans))


def _own(held: turn.Appointment, axis: turn.Axis | None) -> turn.Filter | None:
    own: dict[turn.Axis | None, turn.Filter] = {
        turn.Axis.DAY: turn.OnDates((turn.DateRange(held.date, held.date),)),
        turn.Axis.TIME: at_times([held.time]),
        turn.Axis.DOCTOR: turn.WithDoctors(frozenset({held.doctor})),
        turn.Axis.CLINIC: turn.AtClinics(frozenset({held.clinic})),
    }
    return own.get(axis)


def lifted(tokens: Sequence[Token]) -> tuple[list[Token], frozenset[turn.Axis]]:
    """Return the tokens that still restrict something, and the axes that were left open ("tanto faz o dia")."""
    rest = list(tokens)
    found: list[Token] = []
    freed: set[turn.Axis] = set()
    place = 0
    while place < len(rest):
        token, after = rest[place], rest[place + 1] if place + 1 < len(rest) else None
        if token.kind is Kind.FREEING:
            if token.axis is not None and any(one.kind is Kind.FALLBACK for one in rest[:place]):
                found.append(replace(token, kind=Kind.LIFTED))
            else:
                freed |= _freed_by(token, tokens)
            _mend_exceptions(rest, place)
        elif token.kind is Kind.RELAXING and after is not None and after.wanted is not None:
            freed |= {axis_of(after.wanted), *turn.axes_of(after.wanted)}
            place += 1
        elif token.kind is Kind.OR and _opens_pair(rest, place, found):
            found.append(replace(token, kind=Kind.COMMA))
        elif token.kind is Kind.THEN and after and after.wanted and any(one.kind is Kind.FALLBACK for one in found):
            found.append(replace(token, kind=Kind.COMMA))  # "if there is nothing on Monday, then Perdizes"
        elif token.kind not in _DROPPED and not (token.text.endswith(" but") and after and after.kind is Kind.ONLY):
            found.append(token)  # "any day but only mornings" excepts none
        place += 1
    return found, frozenset(freed)


def _freed_by(token: Token, tokens: Sequence[Token]) -> set[turn.Axis]:
    if token.axis is turn.Axis.DOCTOR and turn.Axis.PLACE not in {axis_of(one.wanted) for one in tokens if one.wanted}:
        return {turn.Axis.DOCTOR, turn.Axis.GENDER}
    if token.axis is not None:
        return {token.axis}
    return set() if any(one.wanted is not None for one in tokens) else set(_EVERY_AXIS)


def _mend_exceptions(rest: list[Token], place: int) -> None:
    # "Any day but Monday": what follows is excepted. "Qualquer dia, mas de manhã" only narrows, as all behind "mas".
    for n in range(place + 1, min(place + 4, len(rest))):
        if rest[n].kind is Kind.BUT and rest[n].text in {"", "but"}:
            axes = [axis_of(one.wanted) for one in rest[n + 1 : n + 3] if one.wanted is not None]
            freed, limits = rest[place].axis, rest[n + 1 : n + 2] and rest[n + 1].kind in {Kind.BUT, Kind.ONLY}
            if limits or (freed is not None and _ALIKE.get(freed, {freed}).isdisjoint(axes)):
                return  # "any derm on Monday but not after one", "any doctor but in Santana"
            rest[n] = replace(rest[n], kind=Kind.EXCEPT)
        elif rest[n].kind not in {Kind.CONDITION, Kind.FREEING}:
            return


def _opens_pair(rest: Sequence[Token], place: int, found: Sequence[Token]) -> bool:
    # "Ou terça ou quinta": the first "ou" opens a pair.
    after = rest[place + 1] if place + 1 < len(rest) else None
    if after is None or after.wanted is None or not found:
        return False
    again = any(one.kind is Kind.OR for one in rest[place + 2 :])
    axis = axis_of(after.wanted)
    return again and not any(one.wanted is not None and axis_of(one.wanted) == axis for one in found)
