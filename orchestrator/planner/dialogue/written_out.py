"""Write out what is said of a slot or a visit as its day and hours: "the week after", "same day as the skin one"."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from orchestrator import turn
from orchestrator.planner.calendar import minute_beside, week_of
from orchestrator.planner.dialogue.on_the_table import in_hand, list_wish, lists_openings
from orchestrator.planner.lexicon import pairs, pattern
from orchestrator.planner.wishes import BODY, find_specialties, name_words

_WAY_MIN = 90  # from the beginning of one visit to that of another: half an hour there, and the way
Written = tuple[tuple[int, int], str]  # where something stands in the folded text, and what is written for it


def beside_slots(folded: str, session: turn.Session, beside: turn.Appointment | None) -> Iterator[Written]:
    """Yield what is written out of the one slot on the table, the visit that was just booked, and the only one held."""
    only_visit = session.appointments[0] if len(session.appointments) == 1 else None
    on_table = session.proposal is not None or lists_openings(session)
    slots = {"in_hand": in_hand(session), "beside": beside, "only_visit": only_visit}
    slots["moved"] = None if on_table or not session.receipts else session.receipts[-1].original
    slots["just_booked"] = None if on_table or beside not in session.appointments else beside
    for kind, slot in slots.items():
        if slot is not None:
            known = _told(slot)
            for name, meant in pairs("written_out", f"{session.language}_{kind}").items():
                found = pattern("patterns", name).finditer(folded)
                yield from ((one.span(), one.expand(meant.format(**known))) for one in found)


def beside_days(folded: str, session: turn.Session) -> Iterator[Written]:
    """Yield what is written out of the week or weekday that was looked for, or of days on which somebody is away."""
    known: dict[str, dict[str, object]] = {}
    shown = sorted({one.date for one in session.offers})
    if len(shown) > 1 and len({day.weekday() for day in shown}) == 1:
        known["weekday"] = {"SECOND": shown[1]}
    for part in turn.conjuncts(list_wish(session).filter):
        kind, days = ("away", part.part) if isinstance(part, turn.Not) else ("week", part)
        spans = turn.spans_of(days) if isinstance(days, turn.OnDates) else ()
        if len(spans) == 1 and 0 < (spans[0].last - spans[0].first).days < (7 if kind == "week" else 90):
            week, (first, last) = week_of(spans[0].last), (spans[0].first, spans[0].last)
            known[kind] = {"UNTIL": first - timedelta(days=1), "FROM": last + timedelta(days=1)}
            known[kind] |= {"NEXT_FROM": week.first + timedelta(days=7), "NEXT_TO": week.last + timedelta(days=7)}
    for kind, values in known.items():
        for name, meant in pairs("written_out", f"{session.language}_{kind}").items():
            yield from ((one.span(), meant.format(**values)) for one in pattern("patterns", name).finditer(folded))


def beside_visits(folded: str, session: turn.Session, clinics: Sequence[turn.Clinic]) -> Iterator[Written]:
    """Yield what is written out of the visit that is named: "the same day as the skin one", "depois da Helena"."""
    specialties = {one.id: one.specialty for one in clinics}
    for name, meant in pairs("written_out", f"{session.language}_visit").items():
        for match in pattern("patterns", name).finditer(folded):
            who = match["who"]
            codes = find_specialties(who, clinics) or find_specialties(who, clinics, BODY)
            named = [one for one in session.appointments if specialties.get(one.clinic) in codes]
            named += [one for one in session.appointments if not {*name_words(one.doctor)}.isdisjoint(who.split())]
            if len({*named}) == 1:
                yield match.span(), meant.format(**_told(named[0]))


def _told(slot: turn.Appointment) -> dict[str, object]:
    """Return what may be written of a slot: who, its day and hours, and those around it."""
    times = {"THERE": -_WAY_MIN, "HOUR_BACK": -60, "AT": 0, "END": turn.USUAL_MIN, "HOUR_ON": 60, "BACK": _WAY_MIN}
    days = {"PREVIOUS": -1, "DAY": 0, "NEXT": 1, "WEEK_ON": 7}
    known = {"WHO": slot.doctor, **{name: slot.date + timedelta(days=ahead) for name, ahead in days.items()}}
    return known | {name: turn.clock(minute_beside(slot.time, way)) for name, way in times.items()}
