"""Answer requests that no agent is for, by the registry's policy; a model's answer is verified and has a preamble."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from orchestrator.agents import Registry
from orchestrator.fallback.agent_proposals import AgentProposals
from orchestrator.fallback.direct_answers import touches_health
from orchestrator.journal import EventChannel, FellBack, Verified
from orchestrator.stages import Answerer, Stages
from orchestrator.turn import Clinic, FallbackPolicy, Paragraph, Plan, Reply, Session, Topic, TurnOutcome


@dataclass(frozen=True, slots=True)
class Unserved:
    """A request that no agent is for."""

    turn_id: str
    plan: Plan  # of the kind OUT_OF_SCOPE
    utterance: str = field(repr=False)
    session: Session
    clinics: Sequence[Clinic]
    stages: Stages


class Fallback:
    """Answer what no agent is for; `proposals` is None where nothing may be written."""

    def __init__(self, registry: Registry, events: EventChannel, proposals: AgentProposals | None = None) -> None:
        self._registry = registry
        self._events = events
        self._proposals = proposals

    def reply(self, unserved: Unserved) -> Reply:
        """Return the answer; its text still passes the turn's own check."""
        rules = self._registry.fallback
        match rules.policy:
            case FallbackPolicy.UNSUPPORTED:
                return self._done(unserved, FallbackPolicy.UNSUPPORTED)
            case FallbackPolicy.ANSWER:
                return self._answered(unserved, rules.max_tokens)
            case FallbackPolicy.PROPOSE:
                return self._proposed(unserved)
            case _:
                assert_never(rules.policy)

    def _answered(self, unserved: Unserved, max_tokens: int) -> Reply:
        answerer = unserved.stages.answerer
        if answerer is None or touches_health(unserved.utterance):
            return self._done(unserved, FallbackPolicy.ANSWER, Topic.NO_DIRECT_ANSWER)
        text = answerer.answer(unserved.utterance, unserved.session, unserved.clinics, max_tokens)
        if text is None:
            return self._done(unserved, FallbackPolicy.UNSUPPORTED)
        if not self._is_safe(unserved, answerer, text):
            return self._done(unserved, FallbackPolicy.ANSWER, Topic.NO_DIRECT_ANSWER)
        reply = self._done(unserved, FallbackPolicy.ANSWER, Topic.DIRECT_ANSWER)
        return replace(reply, outcome=TurnOutcome.OK, blocks=(*reply.blocks, Paragraph(text)))

    def _is_safe(self, unserved: Unserved, answerer: Answerer, text: str) -> bool:
        started = time.monotonic()
        verdict = answerer.check(text, unserved.utterance, unserved.plan, unserved.session, unserved.clinics)
        self._events.publish(Verified(unserved.turn_id, "draft", verdict, time.monotonic() - started))
        return verdict.safe

    def _proposed(self, unserved: Unserved) -> Reply:
        rules = self._registry.fallback
        written = self._proposals is not None and self._proposals.add(
            unserved.plan,
            unserved.utterance,
            unserved.session.identity,
            folder=rules.folder,
            max_records=rules.max_records,
        )
        if not written:
            return self._done(unserved, FallbackPolicy.UNSUPPORTED)
        return self._done(unserved, FallbackPolicy.PROPOSE, Topic.AGENT_PROPOSED)

    def _done(self, unserved: Unserved, policy: FallbackPolicy, topic: Topic | None = None) -> Reply:
        self._events.publish(FellBack(unserved.turn_id, policy))
        plan = unserved.plan if topic is None else replace(unserved.plan, topic=topic, facts={}, choices=())
        return unserved.stages.responder.say(plan, unserved.session, unserved.clinics)
