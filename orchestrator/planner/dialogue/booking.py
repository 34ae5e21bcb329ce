"""Plan to take an opening: one shown that fits, or a slot named in full. A question ("tem às 10?") takes none."""

from dataclasses import replace
from datetime import time
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import minute_beside
from orchestrator.planner.dialogue.clinic_questions import chooses_place, stated
from orchestrator.planner.dialogue.on_the_table import agrees, in_sight, list_wish, lists_openings, moment_noted
from orchestrator.planner.dialogue.plan_builders import call, say, which_offer
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.written_out import shows_others
from orchestrator.planner.lexicon import expression
from orchestrator.planner.text import is_known
from orchestrator.planner.understanding import Intent, answer
from orchestrator.planner.wishes import Kind, name_words

_CLOSE = (0, 20, 60)  # minutes from "about ten" that an opening may be away, the closest first
_KINDS = "condition then but comma stop correcting and only preferably woman man"
_PLAIN = frozenset(map(Kind, _KINDS.split(" ")))
"""Words with which an opening is named and nothing is asked, denied or compared."""


def pick_offer(here: Situation) -> turn.Plan | None:
    """Take one of the openings shown, by number, name, day, time, or as the earliest."""
    if not here.session.offers or here.session.proposal:
        return None
    # A number means the rows that were shown last, which may be appointments or doctors.
    other_rows = not here.is_asked(turn.Topic.ASK_WHICH_OFFER) and here.question.choices
    means_others = here.is_asked(turn.Topic.ASK_NEW_TIME) or (here.said.pointer.numbers and other_rows)
    elsewhere = bool(here.said.text.words[1:] and chooses_place(here))
    freed = here.requests[0].freed  # "tanto faz o dia" widens a list of one day, "tanto faz" takes any of it
    widens = freed & turn.axes_of(here.question.wish.filter) and not freed >= {turn.Axis.DAY, turn.Axis.DOCTOR}
    elsewhere = elsewhere or bool(widens or (here.said.pointer.other_doctor and here.said.moments))
    if means_others or elsewhere:
        return None
    return picked(here) or (_shown_before(here) if here.slot and commits(here) else None)


def _shown_before(here: Situation) -> turn.Plan | None:
    """Take the one opening of the named day and hour that lists before this one showed, be it one of any Friday."""
    named = turn.without(here.said.wishes.alone[0].wish.filter, frozenset({turn.Axis.DAY}))
    shown = {*here.session.known_openings} - {offer.slot for offer in here.session.offers}
    fitting = [one for one in shown if _is_on_that_day(here, one, timed=True) and turn.fits(named, one)]
    steps = [turn.booking_step(one) for one in fitting if not here.is_past(one.date, one.time)]
    return call(here, steps, "It is an opening that was shown before.") if len(steps) == 1 else None


def picked(here: Situation) -> turn.Plan | None:
    """Return the booking of the opening shown that is meant, or the question which it is."""
    pointer, pool = here.said.pointer, offers_meant(here)
    if not pool:
        return None
    if _names_rows_alone(here):
        return _by_number(here, pool) if pointer.numbers else _the_other(here, pool)
    if not commits(here) and not _shown_is_meant(here):
        return None
    suiting = here.at_every_moment(pool)
    fitting = tuple(offer for offer in pool if offer in suiting or offer.number in pointer.perhaps)
    near = _near_hour(here, pool) if here.said.moments and here.says("patterns", "about") else ()
    later = any(one.kind is Kind.LATER and one.axis is not turn.Axis.DAY for one in here.said.wishes.tokens)
    # "O de quinta, mais tarde" and "ela, mais tarde" are the later hour of one day, and no later day.
    later = later and bool(here.said.moments or here.doctors) and len({offer.date for offer in fitting}) == 1
    if near or pointer.earliest or pointer.latest or later:
        fitting = tuple(offer for offer in fitting if not offer.unsuitable) or fitting
        wished = here.said.wishes.alone[0].wish.filter  # "prefiro mulher, o quanto antes"
        fitting = tuple(offer for offer in fitting if turn.fits(wished, offer)) or fitting
        meant = near or _furthest(here, fitting)
        return take_one(here, meant) or (which_offer(here) if len(meant) > 1 else None)
    says_time = any(moment.times for moment in here.said.moments)
    rows = tuple(offer for offer in pool if offer.number and _is_on_that_day(here, offer, timed=True))
    if says_time and (len(rows) == 1 or not fitting):
        fitting = rows  # "The Monday one at 3" is a row on a Monday, though it is not the coming one
    alone = pointer.choosing and len(pool) == 1  # "sexta serve", of the one row
    if (pointer.row or alone) and not says_time:
        fitting = tuple(offer for offer in pool if _is_on_that_day(here, offer))
    if len(pointer.numbers) == 1 and here.said.moments and not says_time:
        # "O primeiro de segunda" is that number on such a day, else the first on it.
        days = fitting or tuple(offer for offer in pool if _is_on_that_day(here, offer))
        row = _numbered(here, days) if str(pointer.numbers[0]) in here.said.text.folded else ()
        fitting = row or days[pointer.numbers[0] - 1 : pointer.numbers[0]]  # "her second slot"
    in_vain = shows_others(here.session)  # a row is taken by what it is then, whatever was wanted
    waits = bool(in_vain or here.question.waiting) and narrows(here)
    takes = says_time or pointer.taking or pointer.numbers or alone or waits
    if (here.said.moments or here.said.doctors.found) and takes:
        # "Pode ser sexta" takes none of several on that day, of which one was printed.
        return take_one(here, fitting if says_time or pointer.row or in_vain or len(fitting) == 1 else ())
    chosen = _asked_first(here, _named_above(here, pool)) or take_one(here, pool) or which_offer(here)
    return chosen if _shown_is_meant(here) else None


def _near_hour(here: Situation, pool: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the openings that are closest to a time that is no certain one, "lá pras 10", within the hour of it."""
    found = [(one, at) for said in here.said.moments for at in said.times for one in pool if said.matches(one.date, at)]
    if here.said.pointer.earliest and found:  # "the nearest to four", however far
        return turn.best_of(tuple(one for one, _ in found), turn.rank_of(turn.Order.NEAREST, found[0][1]))
    near = [[one for one, at in found if minute_beside(at, -by) <= one.time <= minute_beside(at, by)] for by in _CLOSE]
    return tuple(next(filter(None, near), ()))


def _furthest(here: Situation, offers: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the earliest or the last of some openings; of the day, all at the earliest or last hour."""
    earliest, one_day = here.said.pointer.earliest, len({offer.date for offer in offers}) == 1
    if not earliest and here.says("patterns", "last_row"):
        return tuple(sorted(in_sight(offers), key=attrgetter("number")))[-1:]  # "a última opção", whatever its day
    if not earliest and "latest" in here.known:
        return turn.best_of(offers, turn.rank_of(turn.Order(here.known["latest"])))[:1]  # told above the list
    if not here.said.pointer.of_day:
        return offers[:1] if earliest else (offers if here.said.moments or one_day else in_sight(offers))[-1:]
    return turn.best_of(offers, turn.rank_of(turn.Order.EARLIEST_HOUR if earliest else turn.Order.LATEST_HOUR))[:1]


def _names_rows_alone(here: Situation) -> bool:
    pointer, said = here.said.pointer, here.said
    limited = said.wishes.is_relative or pointer.earliest or pointer.latest or here.says("patterns", "either_but")
    one = (pointer.other or (pointer.either and not limited)) and not (said.doctors.found or said.wishes.named)
    apart = said.moments or said.relation or _asks_about_row(here)
    return bool(pointer.numbers or one) and not apart


def _asks_about_row(here: Situation) -> bool:
    asks = "?" in here.said.text.folded and here.says("references", "about_row")
    return bool(here.session.offers) and (asks or here.says("patterns", "asks_of_row"))


def _the_other(here: Situation, pool: tuple[turn.Offer, ...]) -> turn.Plan | None:
    if here.said.pointer.either:
        return _asked_first(here, pool[:1])  # "tanto faz"
    named = {here.proposed, *(one.slot for one in _named_above(here, pool))}
    if here.proposed is None and here.wish != here.wanted_before:
        return None  # "e a outra?" is another doctor or clinic
    rest = tuple(offer for offer in pool if offer.slot not in named)
    rest = tuple(one for one in rest if {one.date} == {slot.date for slot in named if slot}) or rest  # of that day
    return _asked_first(here, rest if rest != pool else ()) or which_offer(here)


def _is_on_that_day(here: Situation, offer: turn.Offer | turn.Appointment, *, timed: bool = False) -> bool:
    return all(
        moment.weekday == offer.date.weekday()
        and (not timed or offer.time in moment.times)
        and (not moment.hours or any(span.first <= offer.time <= span.last for span in moment.hours))
        if moment.weekday is not None
        else moment.matches(offer.date, offer.time)
        for moment in here.said.moments
    )


def _asked_first(here: Situation, fitting: tuple[turn.Offer, ...]) -> turn.Plan | None:
    """Propose what was not chosen in so many words, and ask even where consent was given beforehand."""
    return (chosen := take_one(here, fitting)) and replace(chosen, asks_first=True)


def _named_above(here: Situation, pool: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the opening that was asked about, or named as the earliest or last; above the nearest none is."""
    asked = here.session.asked.clinics if here.session.asked is not None else ()
    told = tuple(offer for offer in in_sight(pool) if offer.clinic in asked)
    if len(told) == 1:
        return told
    if not all(turn.fits(here.question.wish.widest, offer.slot) for offer in pool):
        return ()
    return pool[:1] if "nearest" in here.known else _furthest(here, pool) if "latest" in here.known else ()


def _shown_is_meant(here: Situation) -> bool:
    text, several, books = here.said.text, len(offers_meant(here)) > 1, here.said.cues.books
    thanks = several and expression("only_thanks").match(text.folded) is not None
    on_table = lists_openings(here.session) or bool(here.question.waiting)
    lists = on_table and not here.is_asked(turn.Topic.ASK_ANOTHER_TIME)
    alone = lists and not several and "?" not in text.folded
    narrows = several and bool(here.said.specialties or here.said.wishes.named)  # "just that clinic then"
    agreed = agrees(text.original, turn.BOOK, None if several else next((one.slot for one in offers_meant(here)), None))
    if agreed or (alone and answer(text.original, turn.MOVE)):
        return here.awaits_answer and not thanks and lists and not narrows
    takes = (here.said.pointer.choosing or books or here.said.is_bare) and not narrows
    points = here.said.pointer.this or ((alone or "nearest" in here.known) and books and not here.said.wishes.named)
    return points and takes and not thanks and not here.said.moments and commits(here)


def offers_meant(here: Situation) -> tuple[turn.Offer, ...]:
    """Return the openings shown that are as the names in the utterance say, the earliest first."""
    taken = {(held.doctor, held.date, held.time) for held in here.session.appointments}
    doctors, waits = {doctor.name for doctor in here.doctors}, here.question.waiting and here.session.proposal is None
    queue, facts = here.question.wish.widest if waits else None, stated(here)
    named = (
        offer
        for offer in here.session.offers
        if (offer.doctor, offer.date, offer.time) not in taken
        and (queue is None or turn.fits(queue, offer))
        and turn.fits(facts, offer)
        and (not doctors or offer.doctor in doctors)
        and (not here.said.clinics or offer.clinic in here.said.clinics)
        and (not here.said.specialties or here.specialty_of(offer.clinic) in here.said.specialties)
    )
    return tuple(sorted(named, key=attrgetter("unsuitable", "date", "time", "number")))


def _numbered(here: Situation, offers: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    return tuple(offer for offer in offers if offer.number in here.said.pointer.numbers)


def _by_number(here: Situation, pool: tuple[turn.Offer, ...]) -> turn.Plan | None:
    pointer, numbers = here.said.pointer, here.said.pointer.numbers
    chosen, digits = _numbered(here, pool), any(map(str.isdigit, here.said.text.folded))
    counts = not chosen or (not digits and turn.Axis.GENDER in here.said.wishes.named)  # "the second with a woman"
    if counts and len(numbers) == 1 and (here.said.doctors.found or turn.conditions_of(stated(here))):
        chosen = pool[numbers[0] - 1 : numbers[0]]  # "só a Sílvia, o primeiro dela", "the first with Unimed"
    if not chosen and len(numbers) == 1 and digits and not here.says("patterns", "row_by_name"):  # as "second" is
        chosen = tuple(offer for offer in pool if offer.date.day == numbers[0])
        beyond = numbers[0] > len(here.session.offers) and len(here.said.text.words) > 1  # an hour: "5 it is"
        hours = {time(hour) for hour in (numbers[0], numbers[0] + 12 * (pointer.taking or beyond)) if hour < 24}
        chosen = chosen or tuple(offer for offer in in_sight(pool) if offer.time in hours)
    if not chosen and min(numbers) > len(here.session.offers) == len(here.session.printed):
        return say(here, turn.Topic.ALL_SHOWN, "The list has no such row.")
    return take_one(here, chosen) or which_offer(here)


def take_one(here: Situation, fitting: tuple[turn.Offer, ...]) -> turn.Plan | None:
    """Return the booking of the one opening that fits; None where several do, or none."""
    if len(in_sight(fitting)) != 1:
        return None
    offer = in_sight(fitting)[0]
    if here.is_past(offer.date, offer.time):
        return say(here, turn.Topic.MOMENT_IN_PAST, "The slot has already begun.")
    plan = call(here, [turn.booking_step(offer)], f"What was said fits offer {offer.number} and no other.")
    source = list_wish(here.session)
    if not turn.fits(source.filter, offer):  # picked beyond what was looked for
        source = replace(source, otherwise=(*source.otherwise, here.wish.filter))
    return replace(plan, chosen_from=source)


def asks_openings(here: Situation) -> bool:
    """Return whether openings are asked about, and none is taken."""
    cues, pointer = here.said.cues, here.said.pointer
    rows = pointer.numbers or pointer.of_day
    takes = pointer.choosing or pointer.other or cues.books
    asks = cues.wonders or cues.follows_up or (Intent.OPENINGS in cues.intents and not rows)
    if pointer.asking or _asks_about_row(here) or (asks and not takes):
        return True
    return not (takes or pointer.numbers) and here.says("patterns", "asks_of_somebody")


def commits(here: Situation) -> bool:
    """Return whether the person decides on an opening and does not only ask, deny or tell."""
    # A denial, or talk of an existing appointment, books nothing; a leading no ("não, melhor 10:30") only corrects.
    cues, pointer, corrects = here.said.cues, here.said.pointer, here.session.proposal is not None
    tells = (cues.states and not cues.books) or (cues.denies and not corrects)
    if tells or not here.said.wishes.is_certain or asks_openings(here):
        return False
    asks = cues.question or "?" in here.said.text.folded
    wants = cues.books or pointer.choosing or pointer.taking
    best = bool(pointer.numbers) or (not here.said.wishes.is_relative and (pointer.earliest or pointer.latest))
    return wants or corrects or (not asks and (here.said.is_bare or best or _names_row(here)))


def narrows(here: Situation) -> bool:
    """Return whether the one opening that fits is taken, nothing being asked or told: "o de santo andré", "com ela"."""
    said, asked = here.said, "?" in here.said.text.folded and not here.said.cues.books
    counts = max(said.pointer.numbers, default=1) > 1 and bool(said.moments)  # "the second on Friday", and no other
    if asked or counts or not (said.moments or here.session.offers) or said.relation or said.wishes.is_relative:
        return False
    lists = lists_openings(here.session) or bool(here.question.waiting)  # what is left of several
    kinds = {token.kind for token in said.wishes.tokens}
    plain = lists and said.wishes.is_certain and not (said.cues.question or said.cues.states or asks_openings(here))
    if not ((plain and kinds <= {*_PLAIN, *[Kind.NOT] * said.pointer.taking}) or commits(here)):
        return False
    tells = said.wishes.named == {turn.Axis.INSURANCE} or (Kind.BOUND in kinds and here.proposed is None)
    wants = any(turn.conditions_of(one.wish.filter, denied=False) for one in said.wishes.alone)
    return wants and (said.pointer.taking or said.cues.books or not tells)


def _names_row(here: Situation) -> bool:
    """Return whether one row that was shown is at the hour that is named: "hmm ok, ricardo after all, the half ten"."""
    if not any(one.times for one in here.said.moments) or not lists_openings(here.session):
        return False
    plain = all(token.wanted is not None or token.kind in _PLAIN for token in here.said.wishes.tokens)
    names = {word for one in here.doctors for word in name_words(one.name)}
    known = all(is_known(word.text) or word.text in names or word.text.isdigit() for word in here.said.text.words)
    if not (plain and known) or here.said.cues.intents:
        return False
    return len(here.at_every_moment(one for one in offers_meant(here) if one.number)) == 1


def book_named_slot(here: Situation) -> turn.Plan | None:
    """Book a slot named in full: doctor, day and time, all certain."""
    asked = here.is_asked(turn.Topic.ASK_WHICH_DOCTOR) and here.question.action == turn.BOOK
    slot_asked = moment_noted(here.known).slot if asked and not here.said.moments else None
    doctor, slot = here.doctor, here.slot or slot_asked
    if doctor is None or slot is None or not commits(here):
        return None
    if here.is_past(*slot):
        return say(here, turn.Topic.MOMENT_IN_PAST, "The slot has already begun.")
    named = turn.Appointment(doctor.clinic, doctor.name, *slot)
    if not turn.fits(turn.on_coming_days(here.wish.filter), named):
        return None
    question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, turn.booking_step(named).parameters)
    plan = call(here, [turn.booking_step(named)], "Doctor, day and time were named in full.", question=question)
    return replace(plan, chosen_from=turn.Wish(turn.WithDoctors(frozenset({named.doctor}))))
