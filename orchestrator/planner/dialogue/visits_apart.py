"""What lies between visits, and until them, and which of several are kept: "two weeks apart", "drop the later one"."""

from dataclasses import replace
from datetime import date, time, timedelta
from itertools import product
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue import on_the_table
from orchestrator.planner.dialogue.appointments_held import appointment_meant, asked_about
from orchestrator.planner.dialogue.plan_builders import call, choice, say, until
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import expression, numbers
from orchestrator.planner.understanding import row_said
from orchestrator.planner.wishes import find_specialties
from orchestrator.texts import texts_in

_DAY = 24 * 60
_WHOM = frozenset({turn.Axis.DOCTOR, turn.Axis.SPECIALTY})
_LISTED = 4  # words of a clause that only goes on: "drop the skin one and the heart one"
_UNITS = (("h", 60), ("m", 1), ("d", _DAY), ("n", _DAY), ("w", 7 * _DAY), ("s", 7 * _DAY))
_COUNTS = {"a": 1, "an": 1, "um": 1, "uma": 1, "half an": 0.5, "meia": 0.5, "a couple of": 2, "a few": 3}
_COUNTS |= {"alguns": 3, "algumas": 3}


def apart(here: Situation) -> dict[str, str]:
    """Return what lies between several visits for a question's `known`: minutes, at least and at most."""
    folded = here.said.text.folded
    if expression("different_days").search(folded):
        return {"apart": "0 days"}
    said = expression("apart").search(folded)
    amount = expression("apart_amount").search(said[0]) if said else None
    if amount is None:
        return {}
    unit = next(minutes for letters, minutes in _UNITS if amount["unit"].startswith(letters))
    counts = {**numbers("calendar", "pt numbers"), **numbers("calendar", "en numbers"), **_COUNTS}
    count = counts.get(amount["count"]) or float(amount["count"])
    least = int((count + 0.5 * bool(amount["half"] or amount["and_half"])) * unit)
    about = 1 if unit == _DAY else 3  # days by which "two weeks apart" may be missed
    slack = 0 if amount["least"] or unit < _DAY else about * _DAY
    return {"apart": f"{least - slack} {least + slack if slack else ''}"}


def behind(here: Situation, slot: turn.Appointment) -> turn.Filter:
    """Return the openings that lie beside a slot as was said: on its day, days behind it, or hours away."""
    least, _, most = here.known.get("apart", "").partition(" ")
    day = turn.OnDates((turn.DateRange(slot.date, slot.date),))
    if "same_day" in here.known:
        there = turn.all_of([day, _hours_away(slot, int(least))]) if least else day
        others = (one for one in here.session.offers if one.slot != slot)
        return there if any(turn.fits(there, one) for one in others) else turn.ANY_OPENING
    if not least:
        return turn.ANY_OPENING
    if most == "days":
        return turn.Not(day)
    if int(least) >= _DAY:
        first, last = (slot.date + timedelta(minutes=int(one)) if one else date.max for one in (least, most))
        return turn.OnDates((turn.DateRange(first, last),))
    return turn.any_of([turn.Not(day), _hours_away(slot, int(least))])


def time_left(here: Situation) -> turn.Plan | None:
    """Answer how long it is until visits, which of them comes first, and how long one leaves until the next."""
    asked = expression("asks_of_times").search(here.said.text.folded)
    if asked is None or (asked.lastgroup is None and turn.AskedFact.ADDRESS in here.said.cues.clinic_facts):
        return None  # "dá pra chegar de ônibus?" asks for the way
    card = here.session.proposal  # where a visit is to be moved, its new hour counts
    shown = on_the_table.in_hand(here.session) or (on_the_table.named_above(here.session) if asked["order"] else None)
    slots = {shown} if card is None else {step.taken for step in card.plan.steps}
    held = asked_about(here)[1] if asked["until"] else here.session.appointments
    visits = {*held, *slots} - {None} if slots <= {None} or asked["order"] else slots - {None}
    if len(visits) < (2 if asked["order"] else 1):
        return None
    facts = {"times": until(filter(None, visits), here.now, here.language)}
    return replace(say(here, turn.Topic.TIME_LEFT, "It is asked when visits are."), facts=facts)


def _hours_away(slot: turn.Appointment, least: int) -> turn.Filter:
    """Return the times, for the day of a slot, that leave at least so many minutes before it or behind it."""
    length = timedelta(minutes=slot.duration_min or turn.USUAL_MIN)
    first, last = slot.begin - length - timedelta(minutes=least), slot.begin + length + timedelta(minutes=least)
    hours = [turn.TimeRange(time.min, first.time())] if first.date() == slot.date else []
    hours += [turn.TimeRange(last.time(), time.max)] if last.date() == slot.date else []
    return turn.AtTimes(tuple(hours)) if hours else turn.Not(turn.ANY_OPENING)


def part_of_card(here: Situation) -> turn.Plan | None:
    """Propose what is left of several visits, on a card or waiting behind it: "drop the skin one, keep the heart"."""
    proposal = here.session.proposal
    if proposal is None or proposal.attempted:
        return None
    steps, behind_it = proposal.plan.steps, here.question.waiting
    visits = [[step.taken] for step in steps if isinstance(step.call, turn.Book) and step.taken]
    if not visits or len(visits) < len(steps) or len(visits) + len(behind_it) < 2:
        return None
    whom = [[(one.id, by) for one in here.clinics for by in turn.fitting_doctors(to.widest, one)] for to in behind_it]
    when = [[one.first for one in turn.spans_of(turn.on_coming_days(to.widest))] or [date.max] for to in behind_it]
    visits += [[turn.Appointment(*one, day, time.max) for one, day in each] for each in map(product, whom, when)]
    kept, dropped, signs, found = set[int](), set[int](), [""], False
    for clause in expression("part_clause").finditer(here.said.text.folded):
        own = [one.lastgroup or "" for one in expression("keeps_or_drops").finditer(clause[0])]
        signs += ["drops"] if "drops" in own else own
        named = _named(here, visits, range(*clause.span()), kept | dropped or ({0} if len(steps) == 1 else set()))
        goes_on = own or named is None or (named and len(clause[0].split()) <= _LISTED)
        if {"denies", "drops"} <= {*own} or not goes_on:
            return proposal.plan if found and named else None  # "do not cancel it", or something else is wanted
        if signs[-1]:
            (kept if signs[-1] == "keeps" else dropped).update(named or ())
        found |= named is not None
    limits = here.said.moments or (here.said.wishes.named and here.said.wishes.named.isdisjoint(_WHOM))
    of_day = limits and not ("drops" in signs or here.says("patterns", "visit_said"))
    left = sorted((kept or {*range(len(visits))}) - dropped)
    if of_day or not 0 < len(left) < len(visits):
        return proposal.plan if found and "drops" in signs else None
    booked = [replace(steps[n], request_id=None) for n in left if n < len(steps)]
    waiting = tuple(behind_it[n - len(steps)] for n in left if n >= len(steps))
    wish = turn.Wish.of_either(waiting) if waiting else turn.ANYTHING
    listed = [turn.listing_step(one.id) for one in here.clinics if turn.fitting_doctors(wish.widest, one)]
    asked = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, {}, wish, waiting=waiting if booked else ())
    return replace(call(here, booked or listed, "Some are not wanted.", question=asked, wish=wish), asks_first=True)


def _named(here: Situation, visits: list[list[turn.Appointment]], at: range, before: set[int]) -> set[int] | None:
    """Return which of several visits a clause names, "the other" being none of those before; None for none at all."""
    tokens = [one.wanted for one in here.said.wishes.tokens if one.wanted and one.start in at]
    said = [*expression("visit_said").finditer(here.said.text.folded, at.start, at.stop)]
    codes = find_specialties(here.said.text.folded[at.start : at.stop], here.clinics, attrgetter("body"))
    if not (tokens or said or codes) or any(one["all"] for one in said):
        return None
    wanted, every = turn.all_of(tokens or [here.of_specialties(codes)]), {*range(len(visits))}
    named = {n for n in every if (tokens or codes) and any(turn.fits(wanted, slot) for slot in visits[n])}
    in_time = sorted(every, key=lambda n: [slot.begin for slot in visits[n]])
    for one in said:
        row = row_said(f"the {one['said']}") if one["said"] else None
        by_row = [n for n in every for it in here.session.printed if it.number == row and it.slot in visits[n]]
        place = in_time[:1] if one["earlier"] else in_time[-1:] if one["later"] else [(row or 0) - 1]
        named |= {*(by_row or place)} & every | (every - before if one["other"] else before if one["this"] else set())
    return named


def visit_length(here: Situation) -> turn.Plan | None:
    """Answer how long the visit takes that is meant: what is proposed or listed, else an appointment."""
    if not here.says("requests", "visit_length") or here.says("patterns", "how_early"):
        return None
    listed = [one.slot for one in here.session.offers if here.proposed in {None, one.slot}]
    of_own = here.said.pointer.mine or on_the_table.told_receipt(here.session, 2)
    held = appointment_meant(here) if of_own or not listed else None
    visits = listed if held is None else [held]
    lengths = sorted({one.duration_min for one in visits} - {0})
    if not lengths and here.said.cues.clinic_facts:
        return None  # "quanto custa, e demora muito?", of no visit
    if not lengths:
        asks = here.proposed is not None or here.says("requests", "a_visit")
        return say(here, turn.Topic.LENGTH_BY_SLOT, "How long a visit takes; none is talked of.") if asks else None
    texts, codes = texts_in(here.language), dict.fromkeys(here.specialty_of(one.clinic) for one in visits)
    names = [one.specialty_name(here.language) for code in codes for one in here.clinics if one.specialty == code]
    visit = choice(visits[0], here.language) if len(visits) == 1 else texts.all_of(dict.fromkeys(names))
    facts = {"visit": visit, "minutes": texts.one_of(map(str, lengths))}
    return replace(say(here, turn.Topic.VISIT_LENGTH, "It is asked how long a visit takes."), facts=facts)
