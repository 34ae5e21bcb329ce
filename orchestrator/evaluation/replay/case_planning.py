"""Plans cases and puts each plan on one line of JSON: `{"id", "kind", "steps", "say"}`.

A line holds nothing that identifies a person: no step has what the contract marks `injected`, and the words of a
proposal leave out for whom it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from orchestrator.evaluation.replay.case import Case
from orchestrator.evaluation.replay.dry_run import DryRun, DryRunResult, heard
from orchestrator.evaluation.replay.rebuilt_session import Rebuilding
from orchestrator.planner.dialogue import LIST
from orchestrator.responder import TEXTS, Label
from orchestrator.stages import Responder
from orchestrator.turn import Block, Card, PlanKind, Proposal, Reply, Session, is_write

_KINDS: Mapping[PlanKind, str] = {kind: kind.value for kind in PlanKind} | {PlanKind.EMERGENCY: PlanKind.CLARIFY.value}
"""As what a kind is written: what answers an emergency leaves the request open, so to a reader of plans it is a
question like others; its words are not."""


class CasePlanning:
    """Plans cases.

    Args:
        dry_run: Decides utterances.
        rebuilding: Rebuilds the session before them.
        responder: Words what is said.
    """

    def __init__(self, dry_run: DryRun, rebuilding: Rebuilding, responder: Responder) -> None:
        self._dry_run = dry_run
        self._rebuilding = rebuilding
        self._responder = responder

    def record(self, case: Case) -> str:
        """Return a case's plan as a line of JSON."""
        session = self._rebuilding.session(case.history)
        decision = self._dry_run.decide(case.utterance, session)
        steps = [
            {"clinic": step.clinic, "action": step.action, "parameters": dict(step.parameters)}
            for step in decision.plan.steps
        ]
        said = self._said(decision, heard(session, decision))
        record = {"id": case.id, "kind": _KINDS[decision.plan.kind], "steps": steps, "say": said}
        return json.dumps(record, ensure_ascii=False)

    def _said(self, decision: DryRunResult, session: Session) -> str:
        """Return what the person would read; empty where that would be what clinics say about patients."""
        plan, clinics = decision.plan, self._dry_run.clinics
        if not plan.steps:
            return self._responder.say(plan, session, clinics).plain
        if any(is_write(step.action) for step in plan.steps):
            return _without_person(self._responder.propose(Proposal(plan), session, clinics)).plain
        if all(step.action == LIST for step in plan.steps):
            return self._responder.answer(plan, decision.results, session, clinics).plain
        return ""


def _without_person(reply: Reply) -> Reply:
    """Return a reply whose cards do not say for whom they are."""
    labels = TEXTS[reply.language].labels
    person = {labels[Label.PATIENT], labels[Label.CPF]}

    def without(block: Block) -> Block:
        if not isinstance(block, Card):
            return block
        return replace(block, rows=tuple(row for row in block.rows if row[0] not in person))

    return replace(reply, blocks=tuple(map(without, reply.blocks)))
