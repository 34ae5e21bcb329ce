"""Read and plan cases: rebuild the session from the history, decide the utterance, write the plan as a line of JSON.

Each turn of the history is decided as if it were live; then the desk's text takes precedence. A line identifies
nobody: no step has what the contract marks `injected`, and the words of a proposal leave out the person.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from orchestrator.evaluation.replay.desk_utterance import read_statement
from orchestrator.evaluation.replay.dry_run import DryRun, DryRunResult, heard
from orchestrator.evaluation.replay.session_update import SessionUpdate
from orchestrator.evaluation.replay.slot_mentions import SlotResolver
from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import guess_language, normalise
from orchestrator.responder import Label
from orchestrator.stages import Responder
from orchestrator.texts import texts_in
from orchestrator.turn import LIST, Card, Exchange, Identity, Plan, PlanKind, Proposal, Reply, Role, Session


class CaseError(ValueError):
    """Some lines are no cases; the message names each line and place, never a value."""


class _Discreet(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Said(_Discreet):
    """One turn of a history."""

    role: Literal["user", "assistant", "system"]  # a system instructs a model, which is no part of the conversation
    content: StrictStr


class Case(_Discreet):
    """An utterance and the conversation before it."""

    id: StrictStr | StrictInt
    history: tuple[Said, ...] = ()  # the turns before, oldest first
    utterance: StrictStr


def read_cases(lines: Iterable[str], source: str) -> tuple[Case, ...]:
    """Return the cases of a file without its blank lines; raise `CaseError`, naming `source` and all faulty lines."""
    cases: list[Case] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            what = "no JSON object" if fault["type"] in {"json_invalid", "model_type"} else f"{place}: {fault['msg']}"
            faults.append(f"{source}:{number}: {what}")
    if faults:
        raise CaseError("\n".join(faults))
    return tuple(cases)


_NOBODY = Identity("", "")
"""Nobody has to be known: what identifies a person is no part of a plan."""


_KINDS: Mapping[PlanKind, str] = {kind: kind.value for kind in PlanKind} | {PlanKind.EMERGENCY: PlanKind.CLARIFY.value}
"""As what a kind is written: what answers an emergency leaves the request open, so to a reader of plans it is a
question like others; its words are not."""


class CasePlanning:
    """Plan cases; ask the clinics for all their openings once, on creation."""

    def __init__(self, dry_run: DryRun, responder: Responder, role: Role) -> None:
        self._dry_run = dry_run
        self._responder = responder
        self._role = role
        self._resolver = SlotResolver(dry_run.clinics, dry_run.openings(self._blank()))

    def session(self, history: Iterable[Said]) -> Session:
        """Return the session after a history."""
        session = self._blank()
        utterance, plan = "", None
        for said in history:
            if said.role == "user":
                decision = self._dry_run.decide(said.content, session)
                utterance, plan, session = said.content, decision.plan, heard(session, decision)
            elif said.role == "assistant":
                session = self._told(session, plan, said.content)
                session = replace(session, history=(*session.history, Exchange(utterance, said.content)))
                utterance, plan = "", None
        return session

    def _blank(self) -> Session:
        return Session(_NOBODY, role=self._role)

    def _told(self, session: Session, plan: Plan | None, content: str) -> Session:
        language = guess_language(normalise(content), session.language)
        reference = Reference(self._dry_run.now.replace(tzinfo=None), language)
        statement = read_statement(content, self._dry_run.clinics, reference)
        return SessionUpdate(statement, session, plan, self._resolver).following()

    def record(self, case: Case) -> str:
        """Return a case's plan as a line of JSON."""
        session = self.session(case.history)
        decision = self._dry_run.decide(case.utterance, session)
        steps = [
            {name: getattr(step, name) for name in ("clinic", "action", "parameters")} for step in decision.plan.steps
        ]
        said = self._said(decision, heard(session, decision))
        record = {"id": case.id, "kind": _KINDS[decision.plan.kind], "steps": steps, "say": said}
        return json.dumps(record, ensure_ascii=False)

    def _said(self, decision: DryRunResult, session: Session) -> str:
        # Empty where that would be what clinics say about patients.
        plan, clinics = decision.plan, self._dry_run.clinics
        if not plan.steps:
            return self._responder.say(plan, session, clinics).plain
        if plan.writes:
            return _without_person(self._responder.propose(Proposal(plan), session, clinics)).plain
        if all(step.action == LIST for step in plan.steps):
            return self._responder.answer(plan, decision.results, session, clinics).plain
        return ""


def _without_person(reply: Reply) -> Reply:
    labels = texts_in(reply.language).table("responder.labels")
    person = {labels[Label.PATIENT], labels[Label.CPF]}
    blocks = (
        replace(block, rows=tuple(row for row in block.rows if row[0] not in person))
        if isinstance(block, Card)
        else block
        for block in reply.blocks
    )
    return replace(reply, blocks=tuple(blocks))
