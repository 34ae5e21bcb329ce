"""Take a turn: recall, plan, ask for consent, route, verify, respond, verify, remember (blueprint 1.4).

The stages decide about language, clinics and wording; nothing is routed that did not pass the gate. The caller keeps
the session.
"""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from orchestrator.agents import Gate
from orchestrator.fallback import Fallback, Unserved
from orchestrator.journal import EventChannel, Gathered, Planned, Routed, TurnFinished, TurnStarted, Verified
from orchestrator.memory import TurnMemory, with_listed_memories
from orchestrator.planner import with_asked
from orchestrator.planner.about_self import reminders_of
from orchestrator.privacy import Redactor
from orchestrator.stages import Cancel, Stages, StagesOfTurn, TurnRules
from orchestrator.turn import (
    Answers,
    Appointment,
    Clinic,
    Directory,
    Exchange,
    Plan,
    PlanKind,
    ProposalIds,
    RepeatablePlan,
    Reply,
    Role,
    RoutingDecision,
    Session,
    Step,
    StepResult,
    Topic,
    TurnOutcome,
    TurnScope,
    Verdict,
    answers_of,
    change_plan,
    has_unknown_outcome,
    keep_unknown_outcomes,
    kept_proposal,
    looked_for,
    openings_instead,
    proposal_in_doubt,
    proposal_of,
    reuse_request_ids,
    session_after,
    task_result,
    with_close_visits,
    with_own_appointments,
)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What all stages of one turn may know."""

    scope: TurnScope
    session: Session
    utterance: str
    clinics: tuple[Clinic, ...]
    stages: Stages
    remembering: TurnMemory
    chosen: Plan | None = None
    agrees: bool = False
    taken: tuple[Appointment, ...] = ()  # the slots that the plan takes, as their clinics list them


@dataclass(frozen=True)
class Conversation:
    """Answer utterances, one at a time."""

    stages: StagesOfTurn
    directory: Directory
    events: EventChannel
    rules: TurnRules
    gate: Gate
    fallback: Fallback

    @cached_property
    def _proposal_ids(self) -> ProposalIds:
        return ProposalIds(self.rules.proposal_key or secrets.token_bytes(32))

    def turn(
        self, session: Session, utterance: str, cancel: Cancel = None, plan: Plan | None = None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Answer one utterance; return the reply and the next session.

        An empty utterance drops an open proposal. `cancel` is set by another thread to stop the turn; what was sent to
        a clinic may have been done. `plan` is what the person chose where nothing has to be understood: it passes the
        gate, its writes wait for a yes, and the utterance is only what is remembered of it. `agrees`: the person has
        said yes to the open proposal before, so that the utterance is not read for it.
        """
        scope = TurnScope(session.identity, session.role, cancel or threading.Event())
        clinics, stages = self.directory.clinics(), self.stages(scope)
        remembering = TurnMemory(stages.memory, self.events)
        turn = _Turn(scope, session, utterance, clinics, stages, remembering, plan, agrees)
        with self.events.span("turn"):
            self.events.publish(TurnStarted(session.session_id, scope.turn_id))
            started = time.monotonic()
            reply, following = self._answer(turn)
            elapsed_s = time.monotonic() - started
            plain = reply.plain
            loggable = reply.loggable if any(block.private for block in reply.blocks) else plain
            told = Redactor(session.identity).redact(loggable)
            self.events.publish(TurnFinished(reply.outcome, told, elapsed_s, reply.wish))
        exchange = Exchange(utterance, plain, private=loggable != plain, blocks=reply.blocks)
        history = (*session.history, exchange)
        return reply, replace(following, language=reply.language, history=history, recalled=(), knows_own=False)

    def _answer(self, turn: _Turn) -> tuple[Reply, Session]:
        with self.events.span("plan"):
            proposal = turn.session.proposal
            consent: bool | None = turn.agrees or None
            if proposal is not None and not turn.chosen and not turn.agrees:
                consent = turn.stages.planner.consent(turn.utterance, proposal)
            if consent is None and not turn.chosen and (proposal or len(turn.session.offers) == 1):
                parts = turn.stages.planner.behind_yes(turn.utterance, turn.session, turn.clinics, self.rules.clock())
                if parts is not None:
                    return self._answer_both(turn, *parts)
            if consent is False:
                dropped = replace(turn.session, proposal=None, question=looked_for(proposal))
                return turn.stages.responder.dropped(turn.session), dropped
            if consent is None:
                turn = replace(turn, session=turn.remembering.recall(turn.session, turn.utterance))
            plan = with_asked(proposal.plan, turn.utterance) if proposal and consent else None
            agreed = RepeatablePlan(plan, proposal.id, is_confirmed=True) if proposal and plan else None
            turn, repeatable, decision = self._make_plan(turn, agreed)
        if turn.scope.cancel.is_set():
            return turn.stages.responder.cancelled(turn.session), turn.session
        return self._with_memory(turn, repeatable.plan, *self._carry_out(turn, repeatable, decision))

    def _answer_both(self, turn: _Turn, yes: str, behind: str) -> tuple[Reply, Session]:
        """Do what a yes is said to, and then what is asked for behind it; nothing more where that did not come off."""
        told, session = self._answer(replace(turn, utterance=yes, agrees=turn.session.proposal is not None))
        if told.outcome not in {TurnOutcome.OK, TurnOutcome.CONFIRM} or turn.scope.cancel.is_set():
            return told, session
        session = replace(session, history=(*turn.session.history, Exchange(yes, told.plain, blocks=told.blocks)))
        reply, session = self._answer(replace(turn, session=session, utterance=behind, agrees=False))
        return replace(reply, blocks=(*told.blocks, *reply.blocks)), session

    def _make_plan(self, turn: _Turn, agreed: RepeatablePlan | None) -> tuple[_Turn, RepeatablePlan, RoutingDecision]:
        """Return what the gate allows of the agreed plan, or of a new one, and how it is routed."""
        started = time.monotonic()
        repeatable = agreed or self._new_plan(turn)
        if repeatable.plan.about_own and not turn.scope.cancel.is_set():
            own = with_own_appointments(turn.session, turn.clinics, partial(self._dispatch, turn))
            turn = replace(turn, session=own)
            repeatable = self._new_plan(turn)
        return self._gated(turn, repeatable, started)

    def _new_plan(self, turn: _Turn) -> RepeatablePlan:
        now = self.rules.clock()
        if turn.chosen is None:
            plan = turn.stages.planner.plan(turn.utterance, turn.session, turn.clinics, now)
        else:
            reminders = reminders_of(turn.session.recalled, turn.clinics, turn.chosen.language)
            plan = replace(turn.chosen, reminders=reminders)
        if plan.proposed is not None and plan.proposed.used:
            told = turn.stages.verifier.check_reasoning(plan.proposed.reasoning, turn.session, plan, turn.clinics)
            plan = replace(plan, reasoning=told or plan.reasoning)
        return self._repeatable(turn, plan)

    def _repeatable(self, turn: _Turn, plan: Plan) -> RepeatablePlan:
        before = turn.session.proposal
        repeatable = self._proposal_ids.assign(plan, turn.session, self.rules.clock().date())
        kept = reuse_request_ids(repeatable.plan, before)
        # What is in doubt is found out under the id that it was sent with; a new one would be another write.
        return repeatable if before is None or kept == repeatable.plan else replace(repeatable, plan=kept, id=before.id)

    def _gated(
        self, turn: _Turn, repeatable: RepeatablePlan, started: float
    ) -> tuple[_Turn, RepeatablePlan, RoutingDecision]:
        """Return what the gate lets through of a plan, or of a search instead where its slot is no longer open."""
        plan, decision = self.gate.check(repeatable.plan, turn.utterance, turn.scope.turn_id)
        is_sent_now = repeatable.is_confirmed or (self.rules.consent_given and not plan.asks_first)
        if not (is_sent_now or proposal_in_doubt(turn.session.proposal) or turn.scope.cancel.is_set()):
            instead, taken = openings_instead(plan, partial(self._dispatch, turn))
            turn = replace(turn, taken=taken)
            if instead is not None:
                plan, decision = self.gate.check(instead, turn.utterance, turn.scope.turn_id)
        self.events.publish(Planned(plan, time.monotonic() - started))
        self.events.publish(Routed(decision))
        return turn, replace(repeatable, plan=plan), decision

    def _carry_out(self, turn: _Turn, repeatable: RepeatablePlan, decision: RoutingDecision) -> tuple[Reply, Session]:
        plan = repeatable.plan
        may_write = repeatable.is_confirmed or (self.rules.consent_given and not plan.asks_first)
        writes = plan.writes
        # A new utterance supersedes what was proposed or asked before, but not a write of unknown outcome.
        kept = kept_proposal(plan, turn.session.proposal)
        session = replace(turn.session, language=plan.language, proposal=kept, question=plan.question, asked=plan.asked)
        spoken = plan.language if plan.topic is Topic.LANGUAGE_KEPT else session.pinned_language
        session = replace(session, insured=plan.insured, pinned_language=spoken)
        if plan.kind is not PlanKind.STEPS:
            reply = self._say(turn, plan, session)
            answers = answers_of(turn.utterance, (), plan, turn.clinics)
            return self._check_reply(turn, plan, answers, reply, session)[0], session
        if writes and not may_write:
            proposal = proposal_of(replace(repeatable, plan=replace(plan, memory=())), turn.session.proposal)
            if turn.taken and turn.session.role is not Role.OPERATOR:
                own = with_own_appointments(turn.session, turn.clinics, partial(self._dispatch, turn))
                rules, now = self.rules, self.rules.clock()
                proposal = with_close_visits(proposal, turn.taken, own, turn.clinics, rules.travel_min, now)
            with self.events.span("respond"):
                reply = turn.stages.responder.propose(proposal, turn.session, turn.clinics)
            return reply, replace(session, proposal=replace(proposal, plan=replace(proposal.plan, reply=None)))
        if writes and repeatable.id == session.confirmation:
            session = replace(session, confirmation=None)
        return self._execute(turn, repeatable, decision, session)

    def _say(self, turn: _Turn, plan: Plan, session: Session) -> Reply:
        if plan.kind is PlanKind.OUT_OF_SCOPE:
            responder, answerer = turn.stages.responder, turn.stages.answerer
            return self.fallback.reply(Unserved(plan, turn.utterance, session, turn.clinics, responder, answerer))
        with self.events.span("respond"):
            return turn.stages.responder.say(plan, session, turn.clinics)

    def _execute(
        self, turn: _Turn, repeatable: RepeatablePlan, decision: RoutingDecision, session: Session
    ) -> tuple[Reply, Session]:
        plan = repeatable.plan
        answered = self._dispatch(turn, plan.steps)
        results = keep_unknown_outcomes(answered, turn.session.proposal)
        self.events.publish(Gathered(tuple(task_result(task, results) for task in decision.tasks)))
        answers = answers_of(turn.utterance, results, plan, turn.clinics)
        following = session_after(session, repeatable, answers, turn.session.proposal)
        if turn.scope.cancel.is_set() and not answers.receipts and not has_unknown_outcome(answered):
            return turn.stages.responder.cancelled(following), following
        plan, reply, verdict = self._word(turn, plan, answers, following)
        sifted = None if verdict.safe else turn.stages.without_faulty(answers, plan, following, turn.clinics)
        if sifted is not None:
            # The steps of the reply stand; what they come to is worked out anew from the rest.
            results, clinics = sifted
            turn = replace(turn, clinics=clinics, stages=replace(turn.stages, reply_chooser=None))
            answers = answers_of(turn.utterance, results, plan, turn.clinics)
            following = session_after(session, repeatable, answers, turn.session.proposal)
            plan, reply, verdict = self._word(turn, plan, answers, following)
        changing = change_plan(plan, answers.results, following) if verdict.safe else None
        if changing is not None:
            before = turn.session  # what was read is not shown: the numbers on the screen stay
            turn = replace(turn, session=replace(following, offers=before.offers, proposal=before.proposal))
            repeatable = self._repeatable(turn, changing)
            return self._carry_out(*self._gated(turn, repeatable, time.monotonic()))
        return reply, following

    def _word(self, turn: _Turn, plan: Plan, answers: Answers, session: Session) -> tuple[Plan, Reply, Verdict]:
        stages = turn.stages
        verdict = self._verify("data", lambda: stages.verifier.check_data(answers, session))
        with self.events.span("respond"):
            if not verdict.safe:
                return plan, stages.responder.blocked(verdict, answers.receipts, session, turn.clinics), verdict
            if stages.reply_chooser is not None and not plan.writes:
                steps = stages.reply_chooser(plan, answers, session, turn.clinics, self.rules.clock())
                plan = replace(plan, reply=steps)
            reply = stages.responder.answer(plan, answers.results, session, turn.clinics)
        return plan, *self._check_reply(turn, plan, answers, reply, session)

    def _check_reply(
        self, turn: _Turn, plan: Plan, answers: Answers, reply: Reply, session: Session
    ) -> tuple[Reply, Verdict]:
        check = turn.stages.verifier.check_reply
        verdict = self._verify("reply", lambda: check(reply.plain, answers, session, plan))
        if verdict.safe:
            return reply, verdict
        return turn.stages.responder.blocked(verdict, answers.receipts, session, turn.clinics), verdict

    def _verify(self, subject: str, check: Callable[[], Verdict]) -> Verdict:
        with self.events.span("verify"):
            started = time.monotonic()
            self.events.publish(Verified(subject, verdict := check(), time.monotonic() - started))
        return verdict

    def _dispatch(self, turn: _Turn, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        with self.events.span("route"):
            return turn.stages.router.dispatch(steps, turn.scope)

    @staticmethod
    def _with_memory(turn: _Turn, plan: Plan, reply: Reply, session: Session) -> tuple[Reply, Session]:
        # This is the person's own words and not the clinics': it is not for the verifier.
        results = () if turn.scope.cancel.is_set() else turn.remembering.execute(plan, session)
        reply = turn.stages.responder.remembered(reply, plan, results, session, turn.clinics)
        return reply, with_listed_memories(session, results)
