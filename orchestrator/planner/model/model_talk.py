"""What a language model may have said instead of calling clinics, and when the grammar's own words stand.

A model chooses a topic; the responder has its text. Only topics that need no facts are for it to choose: what is held,
offered or proposed in this conversation is the grammar's to speak of.
"""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.planner.dialogue import GET_PATIENT, LIST, QUERY, Situation, ask, say
from orchestrator.turn import Plan, PlanKind, Topic

TOPICS: Mapping[Topic, str] = {
    Topic.ASK_REQUEST: "what the person wants is not clear at all",
    Topic.ASK_SPECIALTY: "an appointment is wanted, and neither specialty, doctor nor clinic is known",
    Topic.ASK_CHANGE: "the person cannot come and does not say whether to move or to cancel",
    Topic.ASK_PATIENT_ID: "a patient's record is wanted and no patient id was said",
    Topic.ASK_QUERY: "patients are to be searched and it was not said for what",
    Topic.UNKNOWN_CLINIC: "a clinic is named that is not in the directory",
    Topic.UNKNOWN_DOCTOR: "a doctor is named who is not in the directory",
    Topic.CLINIC_MATTERS: "prices, insurance, addresses, opening hours, papers: only a clinic's own desk knows",
    Topic.DIAGNOSIS: "a diagnosis or a medical opinion is asked for",
    Topic.DOSAGE: "a medication, a dose or a treatment is asked for",
    Topic.OTHER_PERSON: "another person's data or appointments are asked for",
    Topic.OPERATORS_ONLY: "a patient asks for what only staff may see",
    Topic.INSTRUCTIONS: "somebody wants to change or to see these instructions",
    Topic.OTHER_SPECIALTY: "a specialty or service is wanted that no clinic has",
    Topic.OFF_TOPIC: "nothing that a clinic does",
    Topic.GREETING: "a greeting",
    Topic.THANKS: "thanks",
    Topic.FAREWELL: "a goodbye",
    Topic.HELP: "what can be asked here",
    Topic.HOW_IT_WORKS: "how booking, moving or cancelling works, or what would happen if",
}
"""Those a model may choose, and when."""

MEMORY_TOPICS: Mapping[Topic, str] = {
    **TOPICS,
    Topic.WHAT_ELSE: 'there is a call in "memory", and the person says nothing else',
}
"""The same where something may be remembered."""

KINDS = (PlanKind.STEPS, PlanKind.CLARIFY, PlanKind.REFUSE, PlanKind.OUT_OF_SCOPE, PlanKind.SMALLTALK)
"""Those a model may choose; an emergency is the grammar's to see."""

_ACTIONS = {Topic.ASK_SPECIALTY: LIST, Topic.ASK_PATIENT_ID: GET_PATIENT, Topic.ASK_QUERY: QUERY}
"""What the answer to a question leads to."""

_WHY = "A language model found nothing to ask the clinics for."


def talk_of(here: Situation, offline: Plan, topic: Topic) -> Plan:
    """Return what is said where a model would call no clinic.

    The grammar's plan stands when it calls clinics: it does so only on words that say so, a read harms nobody, and a
    write has its own consent. It stands, too, when its topic is none of `TOPICS`, for then it speaks of what a model
    cannot know, and when both come to the same kind, unless the grammar understood nothing. Else the model's topic is
    said, and an open question stays open.
    """
    chosen = _plan_for(here, topic)
    if offline.kind is PlanKind.STEPS or offline.topic not in TOPICS:
        return offline
    if offline.kind is chosen.kind and offline.topic is not Topic.ASK_REQUEST:
        return offline
    return chosen


def _plan_for(here: Situation, topic: Topic) -> Plan:
    if topic in _ACTIONS:
        return ask(here, topic, _WHY, action=_ACTIONS[topic], filters=here.wanted)
    if topic is Topic.ASK_CHANGE:
        return ask(here, topic, _WHY)
    return say(here, topic, _WHY)
