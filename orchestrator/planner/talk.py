"""Plans that call no clinic: emergencies, refusals, courtesies, other topics, and what was not understood."""

from __future__ import annotations

from orchestrator.plan import Plan, Topic
from orchestrator.planner.consent import answer
from orchestrator.planner.drafts import LIST, ask, say
from orchestrator.planner.intents import Intent
from orchestrator.planner.situation import Situation


def emergency(here: Situation) -> Plan | None:
    """A sign that cannot wait comes before anything else."""
    topic = here.said.emergency
    return None if topic is None else say(here, topic, "A sign that cannot wait for an appointment.")


def refusal(here: Situation) -> Plan | None:
    """What a clinic desk must not answer.

    A complaint told while booking ("meu exame deu alterado, quero marcar um cardiologista") is no question for a
    diagnosis, and staff may open the record of an id.
    """
    topic = here.said.refusal
    if topic is None:
        return None
    books = Intent.BOOK in here.said.cues.intents and (here.said.specialties or here.said.doctors.found)
    if topic is Topic.DIAGNOSIS and books and "?" not in here.said.text.folded:
        return None
    if topic is Topic.OTHER_PERSON and here.is_operator and here.said.patients:
        return None
    return say(here, topic, "Not for a clinic's front desk to answer or hand out.")


def denied(here: Situation) -> Plan | None:
    """A denied write ("não quero cancelar"): nothing is written, whatever else the sentence mentions."""
    if not here.said.cues.denied or here.said.specialties:
        return None
    return ask(here, Topic.NOTHING_DONE, "A change was denied, not asked for.")


def question(here: Situation) -> Plan | None:
    """How, what if, how much: questions about the service; no clinic's tool knows the answer."""
    cues = here.said.cues
    if cues.hypothetical:
        return ask(here, Topic.HOW_IT_WORKS, "It is asked how something works or what would happen.")
    wants = Intent.BOOK in cues.intents and (here.said.specialties or here.said.doctors.found)
    if cues.clinic_matter and not wants and not here.said.moments:
        return ask(here, Topic.HOW_IT_WORKS, "Only the clinic's own desk knows prices, insurance, address or papers.")
    return None


def other_specialty(here: Situation) -> Plan | None:
    """A specialty that no clinic here has."""
    if not here.said.other_specialty or here.said.specialties or here.said.doctors.found:
        return None
    return say(here, Topic.OTHER_SPECIALTY, "The specialty or service is none of ours.")


def off_topic(here: Situation) -> Plan | None:
    """Something that no clinic does."""
    said = here.said
    if not said.cues.off_topic or said.specialties or said.doctors.found or said.complaints or said.clinics:
        return None
    return say(here, Topic.OFF_TOPIC, "Nothing that a clinic does.")


def courtesy(here: Situation) -> Plan | None:
    """Greetings, thanks, goodbyes, and asking for help."""
    topic = here.said.cues.chat
    return None if topic is None else say(here, topic, "A courtesy, or a question about this service.")


def declined(here: Situation) -> Plan | None:
    """A plain no, to a question or to nothing in particular."""
    if answer(here.said.text.original) is not False or not here.said.text.original.strip():
        return None
    return say(here, Topic.NOTHING_DONE, "A plain no: nothing was changed.")


def complaint(here: Situation) -> Plan | None:
    """A complaint is offered the openings of the specialty that usually sees it; never a diagnosis."""
    if not here.said.complaints or here.said.specialties or here.said.doctors.found:
        return None
    specialty = here.said.complaints[0]
    return ask(
        here,
        Topic.OFFER_SPECIALTY,
        f"Complaints of this kind are usually seen in {specialty}.",
        action=LIST,
        known={"specialty": specialty},
        facts={"specialty": specialty},
    )


def not_understood(here: Situation) -> Plan:
    """The last resort: ask what is wanted."""
    return ask(here, Topic.ASK_REQUEST, "Nothing in the utterance was recognised.")
