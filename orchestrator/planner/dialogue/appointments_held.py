"""The person's appointments: find the one that is meant, show what is held, ask somebody who cannot come what to do.

An appointment is one of this conversation's, or one named in full. A change is split into two ends first, the
appointment as it is and the slot wanted in its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Moment, MomentRole
from orchestrator.planner.dialogue import other_people as others
from orchestrator.planner.dialogue.on_the_table import Shown, moment_noted, noted, shown_last, told_receipt
from orchestrator.planner.dialogue.plan_builders import ask, ask_question, choice, none_held, say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.visits_named import in_any_week
from orchestrator.planner.dialogue.written_out import told_none
from orchestrator.planner.lexicon import expression, table, words
from orchestrator.planner.understanding import Intent, answer, is_only
from orchestrator.planner.wishes import NamedDoctor, naming_visits

_SHOWN, _DESCRIBING = (frozenset(map(turn.Topic, words(one, "topics"))) for one in ("of_rows_held", "describing"))


@dataclass(frozen=True, slots=True)
class End:
    """What was said of one end of a change: when, with whom, and in which clinics by id."""

    moments: tuple[Moment, ...] = ()
    doctors: tuple[NamedDoctor, ...] = ()
    clinics: tuple[str, ...] = ()


def ends(here: Situation) -> tuple[End, End]:
    """Return the appointment as it is, and the slot that is wanted."""
    old, new = _moments(here)
    wanted = tuple(doctor for doctor in here.doctors if _is_wanted(here, doctor))
    others = tuple(doctor for doctor in here.doctors if doctor not in wanted)
    places, own = _places(here), here.session.appointments
    moved = own if here.in_question is None else [here.in_question]
    is_held = any(held.clinic in places for held in moved)
    if not wanted and _names_wanted(here) and own and not is_held:
        return End(old, others), End(new, wanted, places)
    return End(old, others, places if is_held or not wanted else ()), End(new, wanted)


def all_of(here: Situation) -> End:
    """Return all that was said as one end, since a cancellation has no other; "as duas" are two, and no hour."""
    both = here.said.pointer.both and here.session.appointments
    moments = () if both else tuple(in_any_week(one, here.session.appointments) for one in here.said.moments)
    return End(moments, here.doctors, _places(here))


def _moments(here: Situation) -> tuple[tuple[Moment, ...], tuple[Moment, ...]]:
    found = here.said.moments
    asked = here.is_asked(turn.Topic.ASK_APPOINTMENT, turn.Topic.ASK_WHICH_APPOINTMENT)
    if asked and Intent.MOVE not in here.said.cues.intents:
        own, names = here.session.appointments, here.doctors or _places(here)
        is_own = any(one.matches(it.date, it.time) for one in found[:1] for it in own)
        to = own and names and not is_own and here.question.action == turn.MOVE  # "a do Ricardo, pra sexta às 9"
        return ((), found[:1]) if to else (found[:1], found[1:])
    if here.said.shift is not None and here.in_question is None:
        # The amount tells the new day, so a day that is named is the appointment's: "on July 21 by two days".
        of_day = tuple(one for one in found if one.dates or one.days)
        return of_day, tuple(one for one in found if one not in of_day)
    if len(found) > 1:
        backwards = found[0].role is MomentRole.TARGET and found[1].role is not MomentRole.TARGET
        return (found[1:2], found[:1]) if backwards else (found[:1], found[1:2])
    held = any(moment.matches(one.date, one.time) for moment in found for one in here.session.appointments)
    if here.said.cues.missing and held:
        return found, ()
    preferred = (here.said.puts_right or here.said.pointer.instead) and not held
    if found and found[0].role is MomentRole.SOURCE and here.in_question is None and not preferred:
        return found, ()
    return (), found


def _is_wanted(here: Situation, doctor: NamedDoctor) -> bool:
    doctors, own, moved = here.doctors, here.session.appointments, here.in_question
    if any(held.doctor == doctor.name for held in ([moved] if moved is not None else own)):
        return False
    if own and here.said.puts_right and Intent.MOVE not in here.said.cues.intents:
        return True  # "how about Beatriz on Tuesday", of the visit that was just booked
    if not _names_wanted(here):
        return False
    towards, folded = expression("towards"), here.said.text.folded
    if len(doctors) == 1 and any(towards.search(folded[:start]) for start, _ in here.said.doctors.spans):
        return True
    if own:
        return len(doctors) > 1 or all(moment.role is not MomentRole.SOURCE for moment in here.said.moments)
    return len(doctors) == len(here.said.doctors.spans) == 2 and doctor == doctors[1]


def _names_wanted(here: Situation) -> bool:
    said = here.said
    return Intent.MOVE in said.cues.intents or here.in_question is not None or said.pointer.instead or said.cues.regrets


def _places(here: Situation) -> tuple[str, ...]:
    codes = here.said.specialties or here.said.body  # "the skin one"
    return here.said.clinics or tuple(clinic for code in codes for clinic in here.clinics_of(code))


def held(here: Situation, end: End) -> tuple[turn.Appointment, ...]:
    """Return the appointments that fit what was said of them; one when it is certain which."""
    settled = here.in_question
    several = here.said.pointer.all or here.said.pointer.both  # "cancela todas", and not the one that is being moved
    if settled is not None and not (end.moments or several) and fits(here, settled, end):
        return (settled,)
    leaves_out = here.said.wishes.refused and expression("keeps_visit").search(here.said.text.folded)
    if leaves_out and here.is_asked(turn.Topic.ASK_WHICH_APPOINTMENT):
        return asked_about(here)[1]  # "não a do Ricardo", of two that were shown
    moments = end.moments or _said_before(here)
    described = tuple(in_any_week(moment, here.session.appointments) for moment in moments)
    if fitting := tuple(one for one in here.session.appointments if fits(here, one, replace(end, moments=described))):
        return _chosen(here, fitting, is_named=bool(end.moments or end.doctors or end.clinics))
    known = partly_known(here, End(moments, end.doctors)) if all(moment.exists for moment in moments) else {}
    return tuple(filter(None, [here.slot_in(known)]))


def _described_before(here: Situation) -> dict[str, str]:
    """Return what was said of the appointment before, where the open question goes on with it."""
    # What is gone on with may be a booking, whose slot is nobody's appointment yet.
    books = (here.question.topic, here.question.action) == (turn.Topic.ASK_GO_ON, turn.BOOK)
    if books or not here.is_asked(*_DESCRIBING):
        return {}
    return {name: here.known[name] for name in ("doctor", "date", "time") if name in here.known}


def _said_before(here: Situation) -> tuple[Moment, ...]:
    moment = moment_noted(_described_before(here))
    return (moment,) if moment.dates or moment.times else ()


def asked_about(here: Situation) -> tuple[turn.Wish, tuple[turn.Appointment, ...]]:
    """Return what a question says of the person's appointments, and those that are so, in order."""
    said = turn.any_of(request.wish.widest for request in here.said.wishes.alone)
    said = turn.without(said, frozenset(turn.FACT_OF))  # what is asked about their clinics
    found = tuple(sorted((one for one in here.session.appointments if turn.fits(said, one)), key=attrgetter("begin")))
    if not (found and here.said.pointer.next_visit):
        return turn.Wish(said), found
    is_next = turn.Not(turn.Beside(found[0].begin, later=True))
    return turn.Wish(turn.all_of((said, is_next))), tuple(one for one in found if turn.fits(is_next, one))


def fits(here: Situation, one: turn.Appointment, end: End) -> bool:
    """Return whether an appointment is what was said of it in this turn or before."""
    moments = end.moments or _said_before(here)
    doctors = {doctor.name for doctor in end.doctors} or {_described_before(here).get("doctor", one.doctor)}
    named = one.doctor in doctors and (not end.clinics or one.clinic in end.clinics)
    return named and (all(moment.matches(one.date, one.time) for moment in moments) or _may_be_chosen(here, one))


def _chosen(here: Situation, fitting: tuple[turn.Appointment, ...], *, is_named: bool) -> tuple[turn.Appointment, ...]:
    pointer, is_shown = here.said.pointer, here.is_asked(*_SHOWN)
    # "Cancel the earlier one" is about what is held; in a move or a booking it is about the new one.
    placed = (pointer.earliest or pointer.latest) and (is_shown or here.said.cues.intents == (Intent.CANCEL,))
    if placed or pointer.next_visit:
        return ((max if pointer.latest and not pointer.next_visit else min)(fitting, key=attrgetter("begin")),)
    if not is_shown:
        told = told_receipt(here.session)
        # "Push it to 11", "muda pra 11h", "quero mudar pra outro dia", but not "muda minha consulta"
        wishes = here.said.wishes
        points = wishes.is_relative or wishes.refused or here.said.cues.regrets or here.says("references", "this")
        names_one = is_named or Intent.CANCEL in here.said.cues.intents or here.says("references", "own")
        names_one = names_one or here.says("references", "one_of_own")
        one_alone = told and (points or not names_one) and not (pointer.all or pointer.both)
        written = here.session.receipts[-1].appointment if one_alone else None
        other = pointer.other and not (pointer.other_clinic or pointer.other_doctor)
        return tuple(one for one in fitting if written and (one == written) != other) or fitting
    shown = tuple(one for one in fitting if choice(one, here.language) in here.question.choices) or fitting
    return tuple(one for one in shown if _may_be_chosen(here, one) and not pointer.perhaps) or shown


def _may_be_chosen(here: Situation, one: turn.Appointment) -> bool:
    rows = {here.question.choices[number - 1] for number in here.chosen} if here.is_asked(*_SHOWN) else ()
    return choice(one, here.language) in rows


def partly_known(here: Situation, end: End) -> dict[str, str]:
    """Return what is known so far of an appointment that is not found yet."""
    known = _described_before(here)
    if len(end.doctors) == 1:
        known["doctor"] = end.doctors[0].name
    for moment in end.moments:
        known |= noted(moment.date, moment.time)
    return known


def own_appointments(here: Situation) -> turn.Plan | None:
    """Show what the person holds."""
    cues, said, own = here.said.cues, here.said, here.session.appointments
    rows = said.pointer.numbers and here.is_asked(turn.Topic.MY_APPOINTMENTS) and here.chosen  # "a 1": what with it?
    if rows and not (cues.intents or cues.question or said.moments or said.wishes.named):
        return shown_appointments(here, turn.ANYTHING, [one for one in own if _may_be_chosen(here, one)])
    says_booked = here.says("patterns", "says_booked")
    asks_openings = Intent.OPENINGS in cues.intents and (said.specialties or said.doctors.found) and not says_booked
    changes = cues.missing or not {Intent.MOVE, Intent.CANCEL}.isdisjoint(cues.intents)
    listed = own and here.is_asked(turn.Topic.MY_APPOINTMENTS, turn.Topic.NO_APPOINTMENT_THEN)
    both = said.pointer.both and said.pointer.asking and not (said.wishes.named or here.awaits_answer)
    goes_on = (cues.follows_up and listed) or (both and len(own) > 1)  # "show me both"
    of_visit = listed or (here.session.receipts and told_receipt(here.session, 2) and not here.awaits_answer)
    typed = said.text.original.casefold() if of_visit else ""
    checks = (said.wishes.named and expression("checks").search(typed)) or expression("asks_of_slot").search(typed)
    without = expression("of_held").sub("_", said.text.folded) if said.pointer.choosing else ""  # "vou na de cardio"
    wants = without and table("references", "choosing").search(without)
    looks = wants and not said.pointer.asking and said.specialties and not said.pointer.next_visit
    looks = looks and not (said.pointer.mine and here.says("patterns", "only_asks_booked"))
    pointed = said.moments and (said.pointer.this or said.pointer.row or here.says("patterns", "which_date"))
    listing = shown_last(here.session) is Shown.OPENINGS
    looks = looks or bool(said.complaints or (listing and (said.pointer.numbers or pointed)))  # "esse é onde?"
    looks = looks and not table("references", "own").search(naming_visits(said.text.folded, here.clinics))
    of_held = own and here.says("patterns", "asks_of_visit")  # and not of a row: "onde é a de sexta?"
    if of_held:
        shown = [*(one.slot for one in here.session.offers if listing), *filter(None, [here.proposed])]
        of_held = not any(turn.fits(asked_about(here)[0].widest, one) for one in shown)
    free = own and (listed or not here.awaits_answer or of_held) and not said.wishes.refused_days
    free = free and Intent.OPENINGS not in cues.intents and (of_held or not listing)
    named = free and (of_held or here.session.proposal is None) and speaks_of_own(here)
    leans = not (said.specialties or said.moments) and (said.wishes.is_relative or said.pointer.earliest)
    meant = not listing and told_none(here.session) and (leans or here.says("patterns", "means_a_visit"))
    looks = (looks and not meant) or (here.awaits_answer and is_only(said.text.folded, "hesitations"))  # "let me see"
    asks_openings = asks_openings and not (said.pointer.mine and here.says("references", "own"))
    asks = said.pointer.mine or goes_on or checks or meant or (named and asked_about(here)[1])
    if not asks or cues.books or asks_openings or changes or looks:
        return None
    if said.for_whom is not None and not said.for_whom.with_speaker:
        return others.somebody_else(here)  # "o que ela tem marcado?"
    waits = here.session.proposal if here.proposed is not None and not here.session.appointments else None
    if waits is not None and not (says_booked or said.wishes.is_relative):  # "do I have anything else that day?"
        return replace(waits.plan, note=turn.Topic.NO_APPOINTMENTS)  # "quando é a consulta?", that waits for a yes
    return shown_appointments(here, *asked_about(here))


def speaks_of_own(here: Situation) -> bool:
    """Return whether a visit is spoken of as one that there is: "a de quarta", "my dermatologist"."""
    called = naming_visits(here.said.text.folded, here.clinics)
    return bool(table("references", "own").search(called) or expression("of_held").search(called))


def shown_appointments(here: Situation, wish: turn.Wish, found: Sequence[turn.Appointment]) -> turn.Plan:
    """Show some of what the person holds; all of it, and that nothing is as they wish, where `found` is empty."""
    if not (own := here.session.appointments):
        return none_held(here, "The person holds no appointment.")
    choices = [choice(held, here.language) for held in found or own]
    topic = turn.Topic.MY_APPOINTMENTS if found else turn.Topic.NO_APPOINTMENT_THEN
    days = {one.first.isoformat() for one in turn.spans_of(wish.filter) if one.first == one.last}
    known = {"asked_date": days.pop()} if len(days) == 1 else {}  # "then add a skin check that day"
    question = turn.Question(topic, known=known, choices=tuple(choices))  # what was asked is not looked for afterwards
    return replace(ask_question(here, question, "What the person holds, of what was asked."), wish=wish)


def absence(here: Situation) -> turn.Plan | None:
    """Ask what to do when somebody cannot come; that is no order to cancel."""
    cues, said = here.said.cues, here.said
    own, proposal = here.session.appointments, here.session.proposal
    if cues.missing and not own and proposal is not None and not proposal.attempted:
        if here.said.wishes.is_relative or here.said.wishes.refused or Intent.MOVE in cues.intents:
            return None  # "I can't make that one, is there another?", "I can't make it Thursday"
        return replace(say(here, turn.Topic.NOTHING_DONE, "What was proposed is not kept."), question=None)
    looks = bool(not own or proposal or here.said.specialties or here.said.doctors.found)
    looks = looks or (here.is_asked(turn.Topic.ASK_WHICH_OFFER) and here.awaits_answer)
    excluded = [] if looks else [one for one in own if any(turn.fits(day, one) for day in said.wishes.refused_days)]
    picks = here.said.pointer.earliest or here.said.pointer.latest  # "I changed my mind, the earliest"
    changes_mind = cues.regrets and bool(own) and not (said.moments or picks) and here.session.proposal is None
    cannot_come = cues.missing or excluded or changes_mind
    if not cannot_come or cues.books or {Intent.MOVE, Intent.CANCEL} & set(cues.intents):
        return None
    searches = here.session.offers or here.said.specialties  # "can't do weekdays, need a skin doctor"
    asked = here.awaits_answer and not here.is_asked(turn.Topic.MY_APPOINTMENTS, turn.Topic.ASK_CHANGE)
    drops = asked and proposal is None and answer(said.text.original) is False  # "desisti", of what is asked
    if drops or (not own and here.said.wishes.named and searches and not here.says("references", "own")):
        return None
    if not (own or here.session.offers) and here.session.knows_own and not here.session.silent:
        return none_held(here, "Somebody cannot come to what is not booked.")
    meant = {"doctor": excluded[0].doctor, "date": excluded[0].date.isoformat()} if len(excluded) == 1 else {}
    known = partly_known(here, all_of(here)) or meant
    return ask(here, turn.Topic.ASK_CHANGE, "Whether to move or to cancel was not said.", known=known)


def appointment_meant(here: Situation) -> turn.Appointment | None:
    """Return the person's appointment on the day or with the doctor that is named, else the next one."""
    _, fitting = asked_about(here)
    rows, numbers = here.question.choices, here.said.pointer.numbers or (1,)
    if numbers[0] <= len(rows) and (here.said.pointer.numbers or len(rows) == 1):
        row = rows[numbers[0] - 1]
        fitting = tuple(one for one in here.session.appointments if choice(one, here.language) == row) or fitting
    return min(fitting or here.session.appointments, key=attrgetter("begin"), default=None)
