"""Keep writes to who speaks, show what somebody else needs, and plan what staff ask of patients."""

import re
from dataclasses import replace

from orchestrator.planner.dialogue.plan_builders import ask, call, say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import expression, pairs, words
from orchestrator.planner.understanding import Intent
from orchestrator.planner.wishes import specialty_beginnings
from orchestrator.turn import GET_PATIENT, LIST, LIST_PATIENTS, QUERY, Plan, PlanKind, Question, Step, ToolCall, Topic

_FOR_NOBODY_ELSE = frozenset(map(Topic, words("for_nobody_else", "topics")))
_PLACE = r"[ ,]+(?:n[ao]s?|d[aeo]s?|em|at|in|from|of|a)? *(?:the )?(?:clinic|tod[ao]s|{specialties}).*$"


def kept_to_speaker(here: Situation, plan: Plan) -> Plan:
    """Return the plan without writes that somebody else is meant by ("pra minha mãe"), in this turn or since then."""
    whom, who, in_danger = here.said.for_whom, _somebody(here), plan.kind is PlanKind.EMERGENCY
    if who is None or (here.session.proposal is not None and plan.topic is Topic.CLINIC_FACTS):
        return plan  # "does it take Amil too? I'm asking for my wife"
    if whom is None and expression("heard").fullmatch(here.said.text.folded):
        return say(here, Topic.WHAT_ELSE, "That nobody else is booked for was heard.", question=here.session.question)
    if whom is not None and whom.with_speaker and not in_danger:
        # The speaker's own visit can be booked; the other person's is said to be theirs.
        return replace(plan, note=Topic.FOR_SOMEBODY_ELSE, facts={**plan.facts, "who": who})
    besides = here.says("patterns", "besides") and not here.said.specialties
    besides = besides or bool(here.said.moments or here.said.pointer.numbers)
    if whom is not None and here.session.proposal is not None and besides and not in_danger:
        # "Can my wife get the 1pm one?": what is proposed to the speaker waits on.
        return replace(_told_for_whom(here, who, None), keeps_proposal=True)
    if plan.writes or (whom is not None and plan.topic in _FOR_NOBODY_ELSE):  # "change the name"
        return _told_for_whom(here, who, here.session.question or Question(Topic.ASK_WHICH_OFFER))
    lists = plan.topic is Topic.OFFER_SPECIALTY or any(step.action == LIST for step in plan.steps)
    if whom is not None and lists and plan.question is not None:
        plan = replace(plan, note=Topic.FOR_SOMEBODY_ELSE, facts={**plan.facts, "who": who})
    return replace(plan, question=plan.question and replace(plan.question, for_whom=who))


def somebody_else(here: Situation) -> Plan | None:
    """Say for whom can be booked when that somebody else is meant is all that was understood."""
    who = _somebody(here)
    question = here.session.question or Question(Topic.ASK_SPECIALTY, LIST)
    return None if who is None else _told_for_whom(here, who, question)


def _told_for_whom(here: Situation, who: str, question: Question | None) -> Plan:
    question = question and replace(question, for_whom=who)
    plan = say(here, Topic.FOR_SOMEBODY_ELSE, "Only who identified themselves is booked for.", question=question)
    return replace(plan, facts={"who": who})


def _somebody(here: Situation) -> str | None:
    """Return how the relative who is meant is spoken of to the speaker; empty for a name, which is not repeated."""
    if here.said.for_whom is None:
        return None if here.says("wishes", "for_me") else here.question.for_whom
    own, *rest = re.sub(r"(?i)^[oa]s? ", "", here.said.for_whom.who).split() or [""]
    yours = pairs("wishes", "possessives").get(own.casefold())
    return " ".join((yours, *rest)) if yours is not None else here.question.for_whom or ""


def patients(here: Situation) -> Plan | None:
    """Open a record, list patients or search them, whichever was asked for."""
    if here.said.patients:
        return _records(here)
    intents = set(here.said.cues.intents)
    about_openings = here.said.specialties or here.said.doctors.found or here.said.moments or here.said.cues.books
    of_patients = not {Intent.QUERY, Intent.RECORD}.isdisjoint(intents) and here.says("requests", "of_patients")
    asks = Intent.QUERY in intents and (of_patients or (here.is_operator and not about_openings))
    if intents & {Intent.MOVE, Intent.CANCEL}:
        return None
    if asks or (here.is_asked(Topic.ASK_QUERY) and not intents):
        return _query(here, here.said.text.folded[here.said.cues.query or 0 :])
    if Intent.PATIENTS in intents:
        steps = [Step(0, one, ToolCall(LIST_PATIENTS)) for one in _clinics(here)]
        told = say(here, Topic.OPERATORS_ONLY, "Lists of patients are for staff.")
        return call(here, steps, "Staff asked for the patients.") if here.is_operator else told
    opens = (Intent.RECORD in intents and of_patients) or here.says("requests", "own_record")
    return _which_id(here) if opens and not here.said.cues.books else None


def _which_id(here: Situation) -> Plan:
    return ask(here, Topic.ASK_PATIENT_ID, "A record is opened by the patient's id.", action=GET_PATIENT)


def _clinics(here: Situation) -> tuple[str, ...]:
    named = tuple(clinic for specialty in here.said.specialties for clinic in here.clinics_of(specialty))
    return here.said.clinics or named or tuple(clinic.id for clinic in here.clinics)


def _records(here: Situation) -> Plan:
    asked = [(patient, clinic) for patient, of in here.said.patients for clinic in here.clinics_of(of)]
    asked = [one for one in asked if not here.said.clinics or one[1] in here.said.clinics]
    steps = [Step(0, clinic, ToolCall(GET_PATIENT, {"patient_id": patient})) for patient, clinic in asked]
    if not steps:
        return say(here, Topic.UNKNOWN_CLINIC, "The clinic that was named has no such ids.")
    return call(here, steps, "The id's prefix tells the specialty whose clinics may hold the record.")


def _query(here: Situation, rest: str) -> Plan:
    if not here.is_operator:
        return say(here, Topic.OPERATORS_ONLY, "Questions about patients are for staff.")
    place = re.compile(_PLACE.format(specialties="|".join(specialty_beginnings(here.clinics))))
    said = place.sub("", re.split(r"[?!.;]", rest.strip(), maxsplit=1)[0])
    sought, text = expression("query_lead").sub("", said.strip(" ,:\"'")), here.said.text
    sought = text.typed(at := text.folded.rfind(sought), at + len(sought))
    if not sought:
        if Intent.RECORD in here.said.cues.intents:
            return _which_id(here)
        return ask(here, Topic.ASK_QUERY, "What to look for was not said.", action=QUERY)
    steps = [Step(0, clinic, ToolCall(QUERY, {"query": sought})) for clinic in _clinics(here)]
    return call(here, steps, "Staff asked about patients by what they have.")
