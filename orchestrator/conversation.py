"""Take a turn: recall, plan, ask for consent, route, verify, respond, verify, remember (blueprint 1.4).

The stages decide on language, clinics and wording; only what passed the gate is routed. The caller keeps the session.
"""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from mesh.errors import DomainError
from orchestrator import turn
from orchestrator.agents import Registry, check_plan
from orchestrator.fallback import Fallback, Unserved
from orchestrator.journal import EventChannel, Gathered, Planned, Routed, TurnFinished, TurnStarted, Verified
from orchestrator.memory import executed, recalled, with_listed_memories
from orchestrator.planner import as_agreed
from orchestrator.planner.about_self import reminders_of
from orchestrator.privacy import Redactor
from orchestrator.stages import Cancel, Stages, StagesOfTurn, TurnRules
from orchestrator.turn import Answers, Plan, RepeatablePlan, Reply, RoutingDecision, Session, Step, StepResult, Verdict


@dataclass(frozen=True, slots=True)
class _Turn:
    scope: turn.TurnScope
    session: Session
    utterance: str
    clinics: tuple[turn.Clinic, ...]
    stages: Stages
    chosen: Plan | None = None
    agrees: bool | None = None  # to the open proposal; False where the words answer none, None where they may
    taken: tuple[turn.Appointment, ...] = ()  # the slots that the plan takes, as their clinics list them


def _without_faulty(
    here: _Turn, plan: Plan, answers: Answers, session: Session
) -> tuple[tuple[StepResult, ...], tuple[turn.Clinic, ...]] | None:
    """Return the results of reads, failures for those of no use, and the clinics; None if that changes nothing."""
    results = answers.results  # writes are left as they are: their receipts are shown whatever else is blocked
    asked, stages = {result.step.clinic for result in results}, here.stages
    if len(asked) == 1 or any(turn.is_write(result.step.action) for result in results):
        return None

    def is_safe(clinic: str) -> bool:
        own = Answers.of(answers.utterance, [one for one in results if one.step.clinic == clinic], answers.stated)
        if not stages.verifier.check_data(own, session).safe:
            return False
        reply = stages.responder.answer(plan, own.results, session, here.clinics)
        return stages.verifier.check_reply(reply.plain, own, session, plan).safe

    faulty = {clinic for clinic in asked if not is_safe(clinic)}
    if not faulty or faulty == asked:
        return None
    error = DomainError("WRONG_ANSWER", "the verifier does not let the clinic's answer through")
    return (
        tuple(
            StepResult(result.step, turn.StepStatus.REFUSED, error=error, elapsed_s=result.elapsed_s)
            if result.step.clinic in faulty
            else result
            for result in results
        ),
        tuple(replace(clinic, name=clinic.id) if clinic.id in faulty else clinic for clinic in here.clinics),
    )


@dataclass(frozen=True)
class Conversation:
    """Answer utterances, one at a time."""

    stages: StagesOfTurn
    directory: turn.Directory
    events: EventChannel
    rules: TurnRules
    registry: Registry  # what its gate lets through
    fallback: Fallback

    @cached_property
    def _proposal_ids(self) -> turn.ProposalIds:
        return turn.ProposalIds(self.rules.proposal_key or secrets.token_bytes(32))

    def turn(
        self, session: Session, utterance: str, cancel: Cancel = None, plan: Plan | None = None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Answer one utterance; return the reply and the next session.

        An empty utterance drops an open proposal. `cancel` is set by another thread to stop the turn; what was sent to
        a clinic may have been done. `plan` is what the person chose where nothing has to be understood: it passes the
        gate, its writes wait for a yes, and the utterance is only what is remembered of it. `agrees`: the person has
        said yes to the open proposal before, so that the utterance is not read for it.
        """
        scope = turn.TurnScope(session.identity, session.role, cancel or threading.Event())
        clinics, stages = self.directory.clinics(), self.stages(scope)
        here = _Turn(scope, session, utterance, clinics, stages, plan, agrees or None)
        with self.events.span("turn"):
            self.events.publish(TurnStarted(session.session_id, scope.turn_id))
            started = time.monotonic()
            reply, following = self._answer(here)
            elapsed_s = time.monotonic() - started
            plain = reply.plain
            loggable = reply.loggable if any(block.private for block in reply.blocks) else plain
            told = Redactor(session.identity).redact(loggable)
            self.events.publish(TurnFinished(reply.outcome, told, elapsed_s, reply.wish))
        history = (*session.history, turn.Exchange(utterance, plain, private=loggable != plain, blocks=reply.blocks))
        return reply, replace(following, language=reply.language, history=history, recalled=(), knows_own=False)

    def _answer(self, here: _Turn) -> tuple[Reply, Session]:
        with self.events.span("plan"):
            proposal = here.session.proposal
            consent: bool | None = here.agrees or None
            if proposal is not None and not here.chosen and here.agrees is None:
                consent = here.stages.planner.consent(here.utterance, proposal)
            if consent is here.agrees is None and not here.chosen and (proposal or here.session.offers):
                parts = here.stages.planner.behind_yes(here.utterance, here.session, here.clinics, self.rules.clock())
                if parts is not None:
                    return self._answer_both(here, *parts)
            if consent is False:
                dropped = replace(here.session, proposal=None, question=turn.looked_for(proposal))
                told = here.stages.responder.dropped(here.session)
                return self._go_on(here, told, dropped, is_done=True) if dropped.then else (told, dropped)
            if consent is None:
                here = replace(here, session=recalled(here.session, here.utterance, here.stages.memory, self.events))
            plan = as_agreed(proposal.plan) if proposal and consent else None
            agreed = RepeatablePlan(plan, proposal.id, is_confirmed=True) if proposal and plan else None
            here, repeatable, decision = self._make_plan(here, agreed)
        if here.scope.cancel.is_set():
            return here.stages.responder.cancelled(here.session), here.session
        told, session = self._with_memory(here, repeatable.plan, *self._carry_out(here, repeatable, decision))
        made = len(session.receipts) > len(here.session.receipts)
        return self._go_on(here, told, session, is_done=made) if session.then else (told, session)

    def _answer_both(self, here: _Turn, yes: str, behind: str) -> tuple[Reply, Session]:
        """Do what a yes is said to, and then what is asked for behind it; nothing more where that did not come off."""
        told, session = self._answer(replace(here, utterance=yes, agrees=here.session.proposal is not None))
        if told.outcome not in {turn.TurnOutcome.OK, turn.TurnOutcome.CONFIRM} or here.scope.cancel.is_set():
            return told, session
        return self._answer_next(replace(here, utterance=yes), told, session, behind)

    def _answer_next(self, here: _Turn, told: Reply, session: Session, behind: str) -> tuple[Reply, Session]:
        said = turn.Exchange(here.utterance, told.plain, blocks=told.blocks)
        session = replace(session, history=(*here.session.history, said))
        reply, session = self._answer(replace(here, session=session, utterance=behind, chosen=None, agrees=False))
        return replace(reply, blocks=(*told.blocks, *reply.blocks)), session

    def _go_on(self, here: _Turn, told: Reply, session: Session, *, is_done: bool) -> tuple[Reply, Session]:
        """Do what was asked for in one message with a change once that is made or refused, and forget it with it."""
        changes = session.question is not None and session.question.action in {turn.MOVE, turn.CANCEL}
        waits = not is_done and (session.proposal is not None or changes)
        if waits or here.scope.cancel.is_set():
            return told, session
        then, session = session.then, replace(session, then="")
        return self._answer_next(here, told, session, then) if is_done else (told, session)

    def _make_plan(self, here: _Turn, agreed: RepeatablePlan | None) -> tuple[_Turn, RepeatablePlan, RoutingDecision]:
        """Return what the gate allows of the agreed plan, or of a new one, and how it is routed."""
        started = time.monotonic()
        repeatable = agreed or self._new_plan(here)
        if repeatable.plan.about_own and not here.scope.cancel.is_set():
            own = turn.with_own_appointments(here.session, here.clinics, partial(self._dispatch, here))
            here = replace(here, session=own)
            repeatable = self._new_plan(here)
        return self._gated(here, repeatable, started)

    def _new_plan(self, here: _Turn) -> RepeatablePlan:
        now = self.rules.clock()
        if here.chosen is None:
            plan = here.stages.planner.plan(here.utterance, here.session, here.clinics, now)
        else:
            reminders = reminders_of(here.session.recalled, here.clinics, here.chosen.language)
            plan = replace(here.chosen, reminders=reminders)
        if plan.proposed is not None and plan.proposed.used:
            told = here.stages.verifier.check_reasoning(plan.proposed.reasoning, here.session, plan, here.clinics)
            plan = replace(plan, reasoning=told or plan.reasoning)
        return self._repeatable(here, plan)

    def _repeatable(self, here: _Turn, plan: Plan) -> RepeatablePlan:
        before = here.session.proposal
        repeatable = self._proposal_ids.assign(plan, here.session, self.rules.clock().date())
        kept = turn.reuse_request_ids(repeatable.plan, before)
        # What is in doubt is found out under the id that it was sent with; a new one would be another write.
        return repeatable if before is None or kept == repeatable.plan else replace(repeatable, plan=kept, id=before.id)

    def _gated(
        self, here: _Turn, repeatable: RepeatablePlan, started: float
    ) -> tuple[_Turn, RepeatablePlan, RoutingDecision]:
        """Return what the gate lets through of a plan, or of a search instead where its slot is no longer open."""
        plan, decision = check_plan(self.registry, repeatable.plan, here.utterance, here.scope.turn_id)
        may_write = repeatable.is_confirmed or (self.rules.consent_given and not plan.asks_first)
        if not (may_write or turn.proposal_in_doubt(here.session.proposal) or here.scope.cancel.is_set()):
            instead, taken = turn.openings_instead(plan, partial(self._dispatch, here))
            here = replace(here, taken=taken)
            if instead is not None:
                plan, decision = check_plan(self.registry, instead, here.utterance, here.scope.turn_id)
        self.events.publish(Planned(plan, time.monotonic() - started))
        self.events.publish(Routed(decision))
        return here, replace(repeatable, plan=plan, is_confirmed=may_write), decision

    def _carry_out(self, here: _Turn, repeatable: RepeatablePlan, decision: RoutingDecision) -> tuple[Reply, Session]:
        plan, writes = repeatable.plan, repeatable.plan.writes
        # A new utterance supersedes what was proposed or asked before, but not a write of unknown outcome.
        kept = turn.kept_proposal(plan, here.session.proposal)
        session = replace(here.session, language=plan.language, proposal=kept, question=plan.question, asked=plan.asked)
        spoken = plan.language if plan.topic is turn.Topic.LANGUAGE_KEPT else session.pinned_language
        session = replace(session, insured=plan.insured, pinned_language=spoken, then=plan.then or session.then)
        if plan.kind is not turn.PlanKind.STEPS:
            reply = self._say(here, plan, session)
            answers = turn.answers_of(here.utterance, (), plan, here.clinics)
            return self._check_reply(here, plan, answers, reply, session)[0], session
        if writes and not repeatable.is_confirmed:
            proposal = turn.proposal_of(replace(repeatable, plan=replace(plan, memory=())), here.session.proposal)
            if here.taken and here.session.role is not turn.Role.OPERATOR:
                own = turn.with_own_appointments(here.session, here.clinics, partial(self._dispatch, here))
                rules, now = self.rules, self.rules.clock()
                proposal = turn.with_close_visits(proposal, here.taken, own, here.clinics, rules.travel_min, now)
            with self.events.span("respond"):
                reply = here.stages.responder.propose(proposal, here.session, here.clinics)
            return reply, replace(session, proposal=replace(proposal, plan=replace(proposal.plan, reply=None)))
        if writes and repeatable.id == session.confirmation:
            session = replace(session, confirmation=None)
        return self._execute(here, repeatable, decision, session)

    def _say(self, here: _Turn, plan: Plan, session: Session) -> Reply:
        if plan.kind is turn.PlanKind.OUT_OF_SCOPE:
            responder, answerer = here.stages.responder, here.stages.answerer
            return self.fallback.reply(Unserved(plan, here.utterance, session, here.clinics, responder, answerer))
        with self.events.span("respond"):
            return here.stages.responder.say(plan, session, here.clinics)

    def _execute(
        self, here: _Turn, repeatable: RepeatablePlan, decision: RoutingDecision, session: Session
    ) -> tuple[Reply, Session]:
        plan = repeatable.plan
        answered = self._dispatch(here, plan.steps)
        results = turn.keep_unknown_outcomes(answered, here.session.proposal)
        self.events.publish(Gathered(tuple(turn.task_result(task, results) for task in decision.tasks)))
        answers = turn.answers_of(here.utterance, results, plan, here.clinics)
        following = turn.session_after(session, repeatable, answers, here.session.proposal)
        if here.scope.cancel.is_set() and not answers.receipts and not turn.has_unknown_outcome(answered):
            return here.stages.responder.cancelled(following), following
        plan, reply, verdict = self._word(here, plan, answers, following)
        sifted = None if verdict.safe else _without_faulty(here, plan, answers, following)
        if sifted is not None:
            # The steps of the reply stand; what they come to is worked out anew from the rest.
            results, clinics = sifted
            here = replace(here, clinics=clinics, stages=replace(here.stages, reply_chooser=None))
            answers = turn.answers_of(here.utterance, results, plan, here.clinics)
            following = turn.session_after(session, repeatable, answers, here.session.proposal)
            plan, reply, verdict = self._word(here, plan, answers, following)
        changing = turn.change_plan(plan, answers.results, following) if verdict.safe else None
        if changing is not None:
            before = here.session  # what was read is not shown: the numbers on the screen stay
            here = replace(here, session=replace(following, offers=before.offers, proposal=before.proposal))
            repeatable = self._repeatable(here, changing)
            return self._carry_out(*self._gated(here, repeatable, time.monotonic()))
        return reply, following

    def _word(self, here: _Turn, plan: Plan, answers: Answers, session: Session) -> tuple[Plan, Reply, Verdict]:
        stages = here.stages
        verdict = self._verify("data", lambda: stages.verifier.check_data(answers, session))
        with self.events.span("respond"):
            if not verdict.safe:
                return plan, stages.responder.blocked(verdict, answers, session, here.clinics), verdict
            if stages.reply_chooser is not None and not plan.writes:
                steps = stages.reply_chooser(plan, answers, session, here.clinics, self.rules.clock())
                plan = replace(plan, reply=steps)
            reply = stages.responder.answer(plan, answers.results, session, here.clinics)
        return plan, *self._check_reply(here, plan, answers, reply, session)

    def _check_reply(
        self, here: _Turn, plan: Plan, answers: Answers, reply: Reply, session: Session
    ) -> tuple[Reply, Verdict]:
        verdict = self._verify("reply", lambda: here.stages.verifier.check_reply(reply.plain, answers, session, plan))
        if verdict.safe:
            return reply, verdict
        return here.stages.responder.blocked(verdict, answers, session, here.clinics), verdict

    def _verify(self, subject: str, check: Callable[[], Verdict]) -> Verdict:
        with self.events.span("verify"):
            started = time.monotonic()
            self.events.publish(Verified(subject, verdict := check(), time.monotonic() - started))
        return verdict

    def _dispatch(self, here: _Turn, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        with self.events.span("route"):
            return here.stages.router.dispatch(steps, here.scope)

    def _with_memory(self, here: _Turn, plan: Plan, reply: Reply, session: Session) -> tuple[Reply, Session]:
        # This is the person's own words and not the clinics': it is not for the verifier.
        is_stopped, keeper = here.scope.cancel.is_set(), here.stages.memory
        results = () if is_stopped else executed(plan, session, keeper, self.events)
        reply = here.stages.responder.remembered(reply, plan, results, session, here.clinics)
        return reply, with_listed_memories(session, results)
