"""The prompt of a planning model; what comes from the person passes the pseudonyms and stands in the fence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from mesh.arguments import Json
from orchestrator.llm import Message, ModelRequest, PromptTemplate, Pseudonyms, fenced, read_prompt, recollect
from orchestrator.memory import MEMORY_TOOLS
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.known_slots import KnownSlot, KnownSlots, Origin
from orchestrator.planner.model.plan_form import KINDS, MEMORY_TOPICS, TOPICS, ToolForm, plan_schema, tool_forms
from orchestrator.planner.text import MAX_CHARS
from orchestrator.texts import texts_in
from orchestrator.turn import (
    Clinic,
    Language,
    Proposal,
    Purpose,
    Session,
    all_of,
    conditions_of,
    estimated_tokens,
    hours_of,
    spans_of,
    wanted_of,
    weekdays_of,
)

_OPENINGS = 60  # openings that a prompt holds; the numbers and moments that were said decide which of more
_MEMORY_TOKENS = 800  # what the memories may take, by an estimate
_MEMBER = ', "memory": [{"name": "...", "input": {}}]'  # the form's end where something may be remembered
_ANSWER_CHARACTERS = 8_000  # how much of an unusable answer is shown again to be mended


@dataclass(frozen=True, slots=True)
class PlannerPrompts:
    """The planner's prompts: the rules, the same with the reasoning first, and what is added about memory."""

    planner: PromptTemplate
    cot: PromptTemplate
    memory: PromptTemplate

    @classmethod
    def read(cls, folder: Path | None = None) -> PlannerPrompts:
        """Return the texts of the package `prompts`, or of a folder; raise PromptError when one does not fit."""
        return cls(
            read_prompt("planner", ("clinics", "tools", "today", "kinds", "topics", "memory", "member"), folder),
            read_prompt("planner_cot", ("planner", "member"), folder),
            read_prompt("memory", ("tools",), folder),
        )

    def system(self, clinics: Sequence[Clinic], now: datetime, *, cot: bool, memory: bool) -> str:
        """Return the system's message."""
        member, told = (_MEMBER, MEMORY_TOPICS) if memory else ("", TOPICS)
        text = self.planner.fill(
            clinics="\n".join(_line(_clinic(clinic)) for clinic in clinics),
            tools="\n".join(_line(_tool(form)) for form in tool_forms().values()),
            today=f"{now.date().isoformat()}, a {texts_in(Language.EN).weekday(now)}",
            kinds=", ".join(f'"{kind}"' for kind in KINDS),
            topics="\n".join(f'- "{topic}": {when}' for topic, when in told.items()),
            memory=self._remembering() if memory else "",
            member=member,
        )
        return self.cot.fill(planner=text, member=member) if cot else text

    def _remembering(self) -> str:
        tools = (f"- {json.dumps(tool, ensure_ascii=False)}" for tool in MEMORY_TOOLS)
        return self.memory.fill(tools="\n".join(tools))


@dataclass(frozen=True, slots=True)
class Brief:
    """A turn as a model sees it."""

    utterance: str = field(repr=False)
    pseudonyms: Pseudonyms  # of the session; those of the utterance are made with the first request
    here: Situation = field(repr=False)  # what the grammar made of it
    known: KnownSlots  # the slots that the model may name
    history_tokens: int  # what the turns before may take
    remembers: bool  # whether something may be remembered


def first_request(prompts: PlannerPrompts, brief: Brief, *, cot: bool) -> ModelRequest:
    """Return the request to a model for a turn."""
    here = brief.here
    system = prompts.system(here.clinics, here.now, cot=cot, memory=brief.remembers)
    turn = _turn(brief)
    return ModelRequest(
        Purpose.PLAN,
        (Message("system", system), Message("user", f"Plan this turn.\n{fenced(turn)}")),
        temperature=0.0,
        schema=plan_schema(tuple(clinic.id for clinic in here.clinics), cot=cot, memory=brief.remembers),
    )


def repair_request(first: ModelRequest, brief: Brief, answer: str, faults: Sequence[str]) -> ModelRequest:
    """Return the same question with an unusable answer, passed through the pseudonyms, and its faults."""
    reasons = "\n".join(f"- {fault}" for fault in faults)
    return ModelRequest(
        Purpose.REPAIR,
        (
            *first.messages,
            Message("assistant", brief.pseudonyms.hide(answer)[:_ANSWER_CHARACTERS]),
            Message("user", f"That plan cannot be used:\n{reasons}\nAnswer with the whole corrected JSON object only."),
        ),
        temperature=first.temperature,
        schema=first.schema,
    )


def _turn(brief: Brief) -> Json:
    here, known, session, pseudonyms = brief.here, brief.known, brief.here.session, brief.pseudonyms
    # Hidden first, cut then: half a number would not be known for one.
    utterance = pseudonyms.hide(brief.utterance)[:MAX_CHARS]
    turn: dict[str, Json] = {
        "utterance": utterance,
        "speaker": session.role.value,
        "history": recollect(session, pseudonyms, brief.history_tokens),
        "openings": _handles(_worth_telling(here, known.of_origin(Origin.OPEN))),
        "appointments": _handles(known.of_origin(Origin.HELD)),
        "named": _handles(known.of_origin(Origin.NAMED)),
        "open_question": _open_question(session, pseudonyms),
        "proposal": None if session.proposal is None else _proposed(session.proposal),
        "understood": _understood(here),
    }
    return turn | {"memories": _memories(session, pseudonyms)} if brief.remembers else turn


def _memories(session: Session, pseudonyms: Pseudonyms) -> list[Json]:
    told: list[Json] = []
    left = _MEMORY_TOKENS
    for memory in session.recalled:
        content = pseudonyms.hide(memory.content)
        left -= estimated_tokens(content)
        if left < 0:
            break
        told.append({"kind": memory.kind.value, "content": content})
    return told


def _handles(slots: Sequence[KnownSlot]) -> dict[str, Json]:
    return {
        known.handle: {
            "clinic": known.slot.clinic,
            "doctor": known.slot.doctor,
            "date": known.slot.date.isoformat(),
            "weekday": texts_in(Language.EN).weekday(known.slot.date),
            "time": f"{known.slot.time:%H:%M}",
        }
        for known in slots
    }


def _worth_telling(here: Situation, openings: Sequence[KnownSlot]) -> list[KnownSlot]:
    moments, pointer = here.said.moments, here.said.pointer

    def is_pointed_at(known: KnownSlot) -> bool:
        fits = bool(moments) and all(moment.matches(known.slot.date, known.slot.time) for moment in moments)
        return fits or known.number in (*pointer.numbers, *pointer.perhaps)

    chosen = sorted(openings, key=lambda known: not is_pointed_at(known))[:_OPENINGS]
    return sorted(chosen, key=lambda known: known.number)


def _open_question(session: Session, pseudonyms: Pseudonyms) -> Json:
    question = session.question
    if question is None:
        return None
    return {"topic": question.topic.value, "choices": [pseudonyms.hide(choice) for choice in question.choices]}


def _proposed(proposal: Proposal) -> list[Json]:
    return [
        {"clinic": step.clinic, "action": step.action, "parameters": step.parameters} for step in proposal.plan.steps
    ]


def _understood(here: Situation) -> Json:
    said, whole = here.said, here.wish.chain[0]
    wanted = all_of(wanted_of(whole))
    excluded = all_of(one for one in conditions_of(whole) if one not in wanted_of(whole))
    return {
        "language": here.language.value,
        "specialties": list(said.specialties),
        "clinics": list(said.clinics),
        "doctors": [doctor.name for doctor in here.doctors],
        "patient_ids": [patient_id for patient_id, _ in said.patients],
        "days": [[span.first.isoformat(), span.last.isoformat()] for span in spans_of(wanted)],
        "hours": [[f"{span.first:%H:%M}", f"{span.last:%H:%M}"] for span in hours_of(wanted)],
        "days_excluded": [[span.first.isoformat(), span.last.isoformat()] for span in spans_of(excluded)],
        "weekdays_excluded": [texts_in(Language.EN).weekday(day) for day in sorted(weekdays_of(excluded))],
    }


def _clinic(clinic: Clinic) -> Mapping[str, Json]:
    return {"id": clinic.id, "name": clinic.name, "specialty": clinic.specialty, "doctors": list(clinic.doctors)}


def _tool(form: ToolForm) -> Mapping[str, Json]:
    handles: dict[str, Json] = {
        slot.handle: f"handle of {'the appointment' if form.gives_back and place == 0 else 'the opening to take'}"
        for place, slot in enumerate(form.slots)
    }
    texts: dict[str, Json] = {
        argument.name: argument.options.description + ("" if argument.required else " (optional)")
        for argument in form.texts
    }
    return {"action": form.tool.name, "does": form.tool.options.description, "parameters": {**handles, **texts}}


def _line(data: Mapping[str, Json]) -> str:
    # What a clinic says of itself cannot begin another line.
    return "- " + json.dumps(data, ensure_ascii=False)
