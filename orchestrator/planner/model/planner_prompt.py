"""The prompt of a planning model; what comes from the person passes the pseudonyms and stands in the fence."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mesh.arguments import Json
from orchestrator import llm, turn
from orchestrator.journal import Purpose
from orchestrator.planner.about_self import may_remember
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.chosen_steps import appointment_id, opening_id
from orchestrator.planner.model.turn_form import TOPICS, ReplyForm, turn_schema
from orchestrator.planner.text import MAX_CHARS
from orchestrator.texts import texts_in

_OPENINGS = 60  # openings that a prompt holds; of more it holds counts
_EARLIER = 30  # openings of earlier tables that it holds besides
_MEMORY_TOKENS = 800  # what the memories may take, by an estimate


@dataclass(frozen=True, slots=True)
class PlannerPrompts:
    """The prompts of both requests: the planner's rules, the same with the reasoning first, and the reply's."""

    planner: llm.PromptTemplate
    cot: llm.PromptTemplate
    memory: llm.PromptTemplate
    reply: llm.PromptTemplate

    @classmethod
    def read(cls, folder: Path | None = None) -> "PlannerPrompts":
        """Return the texts of the package `prompts`, or of a folder; raise PromptError when one does not fit."""
        return cls(
            llm.read_prompt("planner", ("clinics", "today", "topics", "memory"), folder),
            llm.read_prompt("planner_cot", ("planner",), folder),
            llm.read_prompt("memory", (), folder),
            llm.read_prompt("response_generator", ("planner",), folder),
        )

    def system(self, clinics: Sequence[turn.Clinic], now: datetime, *, cot: bool, memory: bool) -> str:
        """Return the system's message of the planner; it changes with the day and the directory alone."""
        # As JSON, so that what a clinic says of itself cannot begin another line.
        listed = (json.dumps([one.id, one.name, one.specialty, *one.doctors], ensure_ascii=False) for one in clinics)
        text = self.planner.fill(
            clinics="\n".join(listed),
            today=f"{now.date().isoformat()}, a {texts_in(turn.Language.EN).weekday(now)}",
            topics="\n".join(f"- {topic}: {when}" for topic, when in TOPICS.items()),
            memory=self.memory.fill() if memory else "",
        )
        return self.cot.fill(planner=text) if cot else text


def plan_request(prompts: PlannerPrompts, here: Situation, told: dict[str, Json], *, cot: bool) -> llm.ModelRequest:
    """Return the Planner's request for a turn, as `turn_told` and `memories_told` tell it."""
    system = prompts.system(here.clinics, here.now, cot=cot, memory=may_remember(here))
    return llm.ModelRequest(Purpose.PLAN, system, llm.fenced(told), schema=turn_schema(cot=cot))


def reply_request(prompts: PlannerPrompts, here: Situation, told: dict[str, Json]) -> llm.ModelRequest:
    """Return the Response Generator's request: the same turn, with what the clinics answered."""
    rules = prompts.reply.fill(planner=prompts.system(here.clinics, here.now, cot=False, memory=False))
    form = llm.strict_schema(ReplyForm)
    return llm.ModelRequest(Purpose.WRITE, rules, llm.fenced(told), temperature=0.3, schema=form, max_tokens=1024)


def memories_told(here: Situation, pseudonyms: llm.Pseudonyms) -> dict[str, Json]:
    """Return the memories that bear on a turn, as far as there is room; nothing where none may be made."""
    recalled = (pseudonyms.hide(memory.content) for memory in here.session.recalled)
    told = turn.within_budget(recalled, _MEMORY_TOKENS, turn.estimated_tokens)
    return {"memories": [*told]} if may_remember(here) else {}


def turn_told(utterance: str, here: Situation, pseudonyms: llm.Pseudonyms, history_tokens: int) -> dict[str, Json]:
    """Return a turn as a model sees it; the turns before take no more than `history_tokens`."""
    session = here.session
    steps = () if session.proposal is None else session.proposal.plan.steps
    proposed = [{"clinic": step.clinic, "action": step.action, **step.parameters} for step in steps]
    return {
        # Hidden first, cut then: half a number would not be known for one.
        "utterance": pseudonyms.hide(utterance)[:MAX_CHARS],
        "speaker": session.role.value,
        "history": llm.recollect(session, pseudonyms, history_tokens),
        "openings": _openings(here),
        "appointments": {appointment_id(one): one.doctor for one in session.appointments},
        "question": _question(session, pseudonyms),
        "proposal": proposed or None,
        "reading": _reading(here),
    }


def _openings(here: Situation) -> dict[str, Json]:
    """Return by doctor and id the openings of the table with their rows, and the latest of those shown before it."""
    session = here.session
    ids = {slot: opening_id(place) for place, slot in enumerate(session.known_openings, 1)}
    for held in session.appointments:
        ids.pop(held, None)
    on_screen = [one for one in session.printed if one.slot in ids and not here.is_past(one.date, one.time)]
    rows = {one.slot for one in on_screen}
    earlier = [slot for slot in ids if slot not in rows and not here.is_past(slot.date, slot.time)]
    told = {one.slot: f"row {one.number}: {_moment(one.slot)}" for one in on_screen[:_OPENINGS]}
    told |= {slot: _moment(slot) for slot in earlier[-_EARLIER:]}
    by_doctor: dict[str, dict[str, Json]] = {}
    for slot, words in told.items():
        by_doctor.setdefault(slot.doctor, {})[ids[slot]] = words
    more = _counted([one.slot for one in on_screen[_OPENINGS:]])
    return {**by_doctor, **({"more": more} if more else {})}


def read_told(openings: Sequence[turn.Offer], session: turn.Session) -> Json:
    """Return the openings that were read and that the prompt of a reply does not hold by their ids."""
    others = [one.slot for one in openings if one.slot not in session.known_openings]
    told = [f"{_moment(slot)} {slot.doctor}" for slot in others[:_OPENINGS]]  # the directory says at which clinic
    return [*told, *([more] if (more := _counted(others[_OPENINGS:])) else [])]


def _moment(slot: turn.Appointment) -> str:
    return f"{slot.begin:%a %Y-%m-%d %H:%M}"


def _counted(slots: Sequence[turn.Appointment]) -> dict[str, Json]:
    return dict(Counter(f"{one.doctor} {one.date.isoformat()}" for one in slots))


def _question(session: turn.Session, pseudonyms: llm.Pseudonyms) -> Json:
    question = session.question
    if question is None:
        return None
    # All rows of the table are told with the openings.
    is_table = question.topic is turn.Topic.ASK_WHICH_OFFER and len(question.choices) == len(session.printed)
    choices = () if is_table else question.choices
    return {"topic": question.topic.value, "choices": [pseudonyms.hide(choice) for choice in choices]}


def _reading(here: Situation) -> Json:
    said, whole = here.said, here.wish.chain[0]
    said_of = turn.conditions_of(whole, denied=False)
    wanted, excluded = turn.all_of(said_of), turn.all_of(one for one in turn.conditions_of(whole) if one not in said_of)
    reading: dict[str, Json] = {
        "specialties": list(said.specialties),
        "clinics": list(said.clinics),
        "doctors": [doctor.name for doctor in here.doctors],
        "patient_ids": [patient_id for patient_id, _ in said.patients],
        "days": [f"{span.first.isoformat()} to {span.last.isoformat()}" for span in turn.spans_of(wanted)],
        "hours": [f"{span.first:%H:%M} to {span.last:%H:%M}" for span in turn.hours_of(wanted)],
        "not_days": [f"{span.first.isoformat()} to {span.last.isoformat()}" for span in turn.spans_of(excluded)],
        "not_weekdays": [texts_in(turn.Language.EN).weekday(day) for day in sorted(turn.weekdays_of(excluded))],
    }
    return {name: value for name, value in reading.items() if value}
