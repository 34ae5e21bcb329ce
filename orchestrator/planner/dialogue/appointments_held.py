"""Answer what is asked of the person's own appointments, and somebody who cannot come."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from orchestrator.planner.dialogue import named_appointment as appointments
from orchestrator.planner.dialogue import other_people as others
from orchestrator.planner.dialogue.named_appointment import all_of
from orchestrator.planner.dialogue.on_the_table import Shown, shown_last
from orchestrator.planner.dialogue.plan_builders import ask, ask_question, choice, say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import table
from orchestrator.planner.understanding import Intent, is_only
from orchestrator.planner.wishes import naming_visits
from orchestrator.texts import texts_in
from orchestrator.turn import Appointment, Plan, Question, Topic, Wish, fits


def own_appointments(here: Situation) -> Plan | None:
    """Show what the person holds."""
    cues, said = here.said.cues, here.said
    asks_openings = Intent.OPENINGS in cues.intents and (said.specialties or said.doctors.found)
    changes = cues.missing or not {Intent.MOVE, Intent.CANCEL}.isdisjoint(cues.intents)
    goes_on = cues.follows_up and here.is_asked(Topic.MY_APPOINTMENTS, Topic.NO_APPOINTMENT_THEN)
    both = said.pointer.both and said.pointer.asking and not (said.wishes.named or here.awaits_answer)
    goes_on = goes_on or (both and len(here.session.appointments) > 1)  # "show me both"
    looks = said.pointer.choosing and not said.pointer.asking and said.specialties and not said.pointer.next_visit
    looks = looks or bool(said.complaints)  # "my knee hurts, who do I see?"
    of_list = (said.pointer.this or said.pointer.row) and shown_last(here.session) is Shown.OPENINGS
    looks = looks or (of_list and bool(said.moments))  # "esse da sexta é em qual clínica?"
    looks = looks and not table("references", "own").search(naming_visits(said.text.folded, here.clinics))
    looks = looks or (here.awaits_answer and is_only(said.text.folded, "hesitations"))  # "deixa eu ver minha agenda"
    if not (said.pointer.mine or goes_on) or cues.books or asks_openings or changes or looks:
        return None
    if said.for_whom is not None and not said.for_whom.with_speaker:
        return others.somebody_else(here)  # "o que ela tem marcado?"
    own = here.session.appointments
    if not own and here.session.proposal and here.proposed is not None and not here.says("patterns", "says_booked"):
        return here.session.proposal.plan  # "que horas é mesmo?" of what waits for a yes
    return shown_appointments(here, *appointments.asked_about(here))


def shown_appointments(here: Situation, wish: Wish, found: Sequence[Appointment]) -> Plan:
    """Show some of what the person holds; all of it, and that nothing is as they wish, where `found` is empty."""
    own = here.session.appointments
    if not own:
        return say(here, Topic.NO_APPOINTMENTS, "The person holds no appointment.")
    choices = [choice(held, here.language) for held in found or own]
    topic = Topic.MY_APPOINTMENTS if found else Topic.NO_APPOINTMENT_THEN
    question = Question(topic, choices=tuple(choices))  # what was asked of them is not looked for afterwards
    return replace(ask_question(here, question, "What the person holds, of what was asked."), wish=wish)


def absence(here: Situation) -> Plan | None:
    """Ask what to do when somebody cannot come; that is no order to cancel."""
    cues, moments = here.said.cues, here.said.moments
    own, proposal = here.session.appointments, here.session.proposal
    if cues.missing and not own and proposal is not None and not proposal.attempted:
        if here.said.wishes.is_relative or Intent.MOVE in cues.intents:
            return None  # "I can't make that one, is there another?"
        return replace(say(here, Topic.NOTHING_DONE, "What was proposed is not kept, and was not made."), question=None)
    excluded = [one for one in own if _is_excluded(here, one)]
    cannot_come = cues.missing or bool(excluded)
    picks = here.said.pointer.earliest or here.said.pointer.latest  # "I changed my mind, the earliest"
    changes_mind = cues.regrets and bool(own) and not (moments or picks) and here.session.proposal is None
    if not (cannot_come or changes_mind) or cues.books or {Intent.MOVE, Intent.CANCEL} & set(cues.intents):
        return None
    looks = here.session.offers or here.said.specialties  # "can't do weekdays, need a skin doctor"
    if not own and here.said.wishes.named and looks and not here.says("references", "own"):
        return None
    if not own and here.session.knows_own and not here.session.silent:
        return say(here, Topic.NO_APPOINTMENTS, "Somebody cannot come to what is not booked.")
    why = "Somebody cannot come; whether to move or to cancel was not said."
    meant = {"doctor": excluded[0].doctor, "date": excluded[0].date.isoformat()} if len(excluded) == 1 else {}
    return ask(here, Topic.ASK_CHANGE, why, known=appointments.partly_known(here, all_of(here)) or meant)


def _is_excluded(here: Situation, held: Appointment) -> bool:
    looks_for_openings = here.is_asked(Topic.ASK_WHICH_OFFER) and here.awaits_answer
    if looks_for_openings or here.session.proposal or here.said.specialties or here.said.doctors.found:
        return False
    return any(fits(refused, held) for refused in here.said.wishes.refused_days)


def visit_length(here: Situation) -> Plan | None:
    """Answer how long the visit takes that is meant: what is proposed or listed, else an appointment."""
    if not here.says("requests", "visit_length"):
        return None
    listed = [one.slot for one in here.session.offers if here.proposed in {None, one.slot}]
    held = None if listed and not here.said.pointer.mine else appointment_meant(here)
    visits = listed if held is None else [held]
    lengths = sorted({one.duration_min for one in visits} - {0})
    if not lengths:
        return None
    texts, codes = texts_in(here.language), dict.fromkeys(here.specialty_of(one.clinic) for one in visits)
    names = [one.specialty_name(here.language) for code in codes for one in here.clinics if one.specialty == code]
    visit = choice(visits[0], here.language) if len(visits) == 1 else texts.all_of(dict.fromkeys(names))
    facts = {"visit": visit, "minutes": texts.one_of(map(str, lengths))}
    return replace(say(here, Topic.VISIT_LENGTH, "It is asked how long a visit takes."), facts=facts)


def appointment_meant(here: Situation) -> Appointment | None:
    """Return the person's appointment on the day or with the doctor that is named, else the next one."""
    _, fitting = appointments.asked_about(here)
    rows, numbers = here.question.choices, here.said.pointer.numbers or (1,)
    if numbers[0] <= len(rows) and (here.said.pointer.numbers or len(rows) == 1):
        row = rows[numbers[0] - 1]
        fitting = tuple(one for one in here.session.appointments if choice(one, here.language) == row) or fitting
    return min(fitting or here.session.appointments, key=attrgetter("begin"), default=None)
