"""The planner with a language model: it chooses a turn's steps, and code decides (blueprint 2.3.1).

Emergencies, refusals and a yes or no to what is on the table are the grammar's alone. Where the plan waits for the
clinics' verified answers, the model chooses the steps of the reply from them (blueprint 2.3.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mesh.arguments import Json
from orchestrator.llm import Asker, ModelError, Pseudonyms, exposed
from orchestrator.planner.about_self import may_remember
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.model.chosen_steps import chosen_steps
from orchestrator.planner.model.model_memory import memory_of
from orchestrator.planner.model.planner_prompt import PlannerPrompts, TurnBrief, plan_request, read_told, reply_request
from orchestrator.planner.model.scopes import SaidBefore
from orchestrator.planner.model.step_plans import Made, plan_of, wants_change
from orchestrator.planner.model.turn_reading import ModelTurn, UnreadableError, read_turn
from orchestrator.planner.offline import OfflinePlanner, classified, situation_of
from orchestrator.responder import refusals_of, snapshot_of
from orchestrator.turn import (
    BOOK,
    CANCEL,
    LIST,
    MOST_DOMAINS,
    MOVE,
    UNKNOWN,
    Answers,
    Appointment,
    Classification,
    Clinic,
    GivenClassification,
    OpeningScope,
    Plan,
    PlanKind,
    Proposed,
    ReplySteps,
    Session,
    Step,
    ToolCall,
    Topic,
    subtask_of,
)

_FINAL = frozenset({PlanKind.EMERGENCY, PlanKind.REFUSE})


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is asked."""

    history_tokens: int  # what the turns before may take
    cot: bool  # it reasons first, and the reasoning is kept
    always: bool = False  # it chooses the steps of every reply, and not only where its plan waits for the answers


class ModelPlanner(OfflinePlanner):
    """The `Planner` and `ReplyChooser` that ask a model; the grammar stands in where it is of no use."""

    def __init__(self, asker: Asker, prompts: PlannerPrompts, options: ModelOptions) -> None:
        self._asker = asker
        self._prompts = prompts
        self._options = options

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return what to do about an utterance; for any text and any answer of a model, without raising.

        `Plan.proposed` holds the steps that the plan makes, of an unreadable text its length alone, or None for no
        answer.
        """
        here = situation_of(utterance, session, clinics, now)
        offline = self.decide(here)
        final = offline.kind in _FINAL and offline.topic is not Topic.OPERATORS_ONLY
        if offline.about_own or final or offline.topic is Topic.NO_CLINIC_FITS:
            return offline
        brief = self._brief(utterance, here)
        try:
            text = self._asker.ask(plan_request(self._prompts, brief, cot=self._options.cot))
        except ModelError:
            return offline
        try:
            turn = read_turn(text, here.clinics)
        except UnreadableError as error:
            raw = Step(1, "", ToolCall("raw_response", {"characters": str(len(text))}))
            # What the words hold still stands, but what a model would have made of them is not known.
            heard = offline.classification or Classification(UNKNOWN)
            parts = heard.subtasks or tuple(subtask_of(heard.intent, domain) for domain in heard.domains)
            unsure = replace(heard, intent=UNKNOWN, subtasks=parts, given=GivenClassification(UNKNOWN, (), (), None))
            return replace(offline, proposed=Proposed((raw,), used=False, notes=(str(error),)), classification=unsure)
        return self._made(turn, here, offline)

    def choose(
        self, plan: Plan, answers: Answers, session: Session, clinics: Sequence[Clinic], now: datetime
    ) -> ReplySteps | None:
        """Return the steps of the reply; None for the template's answer alone."""
        always = self._options.always
        reply = plan.reply or ReplySteps(shown=(OpeningScope(plan.wish.filter),), today=now.date())
        snapshot = snapshot_of(answers.results, plan, session, clinics)
        refused = (*reply.refused, *(one.reason for one in refusals_of(reply.questions, snapshot)))
        if not (always or reply.awaits or refused):
            return plan.reply
        here = situation_of(answers.utterance, session, clinics, now)
        brief = self._brief(answers.utterance, here)
        told: dict[str, Json] = {"read": read_told(snapshot.openings, session), "refused": list(refused)}
        if always:
            told |= exposed(answers, brief.pseudonyms)
        try:
            turn = read_turn(self._asker.ask(reply_request(self._prompts, brief, told)), clinics)
        except (ModelError, UnreadableError):
            return plan.reply
        chosen = chosen_steps(turn.steps, here, SaidBefore.of(here))
        may_propose = plan.asks_first or wants_change(here, plan)
        return replace(
            reply,
            courtesies=tuple(chosen.courtesies) or reply.courtesies,
            topics=tuple(chosen.topics) or reply.topics,
            questions=tuple(chosen.questions) or reply.questions,
            shown=tuple(chosen.shown) or reply.shown,
            choice=chosen.choice if may_propose and chosen.choice is not None else reply.choice,
            awaits=False,
        )

    def _brief(self, utterance: str, here: Situation) -> TurnBrief:
        return TurnBrief(utterance, Pseudonyms.of(here.session, here.clinics), here, self._options.history_tokens)

    @staticmethod
    def _made(turn: ModelTurn, here: Situation, offline: Plan) -> Plan:
        chosen = chosen_steps(turn.steps, here, SaidBefore.of(here))
        memory, memory_notes = memory_of(chosen.memory if may_remember(here) else (), offline.memory, here)
        made = plan_of(chosen, here, offline, remembers=bool(memory))
        if turn.given:
            made = _literal(made, turn.given, here, offline)
        plan = _to_be_mended(made.plan, (*turn.faults, *chosen.faults), awaits=turn.more)
        notes = (*turn.faults, *made.notes, *memory_notes)
        given = turn.given or (plan.steps if made.used else ())
        proposed = Proposed(given, used=made.used, notes=notes, reasoning=turn.reasoning)
        stated = _classification(turn.classification if made.used else None, plan, offline, here)
        return replace(
            talk.cautioned(here, plan),
            proposed=proposed,
            classification=replace(stated, given=turn.classification),
            memory=memory,
            reminders=offline.reminders,
            asked=chosen.asked or offline.asked,
        )


def _to_be_mended(plan: Plan, faults: tuple[str, ...], *, awaits: bool) -> Plan:
    """Return a plan of reads after which a model is told what was turned down, or goes on as it wanted."""
    reads = plan.steps and all(step.action == LIST for step in plan.steps)
    if not reads or not (faults or (awaits and plan.reply is not None)):
        return plan
    reply = plan.reply or ReplySteps(shown=(OpeningScope(plan.wish.filter),))
    return replace(plan, reply=replace(reply, refused=faults, awaits=awaits))


def _literal(made: Made, given: Sequence[Step], here: Situation, offline: Plan) -> Made:
    """Return the plan of the blueprint's form, which has no place for what suits: the grammar reads that (Rule 10)."""
    plan = made.plan
    if not made.used or any(step.action != LIST for step in plan.steps) or (plan.reply and plan.reply.choice):
        return made
    specialties = {here.specialty_of(step.clinic) for step in plan.steps}
    if here.said.specialties and specialties.isdisjoint(here.said.specialties):
        return Made(offline, used=False, notes=("No step is for the specialty that the words name.",))
    own = [step for step in offline.steps if step.action == LIST]
    if own and {here.specialty_of(step.clinic) for step in own} & specialties:
        plan = offline
    else:
        asked = plan.question and replace(plan.question, wish=here.wish)
        plan = replace(plan, wish=here.wish, nearest=here.said.pointer.earliest, question=asked, reply=None)
    asked_for, sent = {step.clinic for step in given}, {step.clinic for step in plan.steps}
    notes = [f"Rule 10 added {clinic}." for clinic in sorted(sent - asked_for)]
    notes += [f"{clinic} was dropped: not of the specialty that was named." for clinic in sorted(asked_for - sent)]
    return Made(plan, notes=(*made.notes, *notes))


def _classification(given: GivenClassification | None, plan: Plan, offline: Plan, here: Situation) -> Classification:
    """Return the classification that is routed: what a model said, completed where it said nothing.

    The words classify what they alone lead to, and a model's doubt counts only for what it alone proposes.
    """
    derived = _derived(plan, here)
    own = {(step.clinic, step.action) for step in plan.steps} - {(step.clinic, step.action) for step in offline.steps}
    is_unknown = given is not None and given.intent == UNKNOWN
    if given is None or (is_unknown and not own):
        return derived
    intent = given.intent or derived.intent
    named = tuple(dict.fromkeys(filter(None, map(here.specialty_called, given.domains))))[:MOST_DOMAINS]
    back = tuple(here.specialty_of(held.clinic) or "" for held in _given_back(plan)) if intent in {BOOK, MOVE} else ()
    domains = tuple(dict.fromkeys((*named, *back))) if named or plan.kind is not PlanKind.STEPS else derived.domains
    subtasks = tuple(replace(one, domain=here.specialty_called(one.domain) or "") for one in given.subtasks)
    if given.intent is None and not named:
        subtasks = subtasks or derived.subtasks
    elif len(domains) > 1 or subtasks:
        covered = {one.domain for one in subtasks}
        subtasks += tuple(subtask_of(intent, one) for one in domains if not covered & {one, ""})
    confidence = derived.confidence if given.confidence is None else given.confidence
    if plan.kind is PlanKind.STEPS and not own:
        confidence = max(confidence, derived.confidence)
    return Classification(intent, domains, subtasks, confidence)


def _derived(plan: Plan, here: Situation) -> Classification:
    # Changes that are looked up first are what the reads are for.
    choice = plan.reply.choice if plan.reply is not None else None
    found = classified(here, plan)
    if choice is None or plan.writes or plan.kind is not PlanKind.STEPS:
        return found
    back = (here.specialty_of(held.clinic) or "" for held in _given_back(plan))
    domains = tuple(dict.fromkeys((*found.domains, *back)))
    changes = {MOVE: choice.move, BOOK: choice.book, CANCEL: choice.cancel}
    subtasks = tuple(subtask_of(name, domain) for name, made in changes.items() if made for domain in domains)
    return replace(found, intent=subtasks[0].intent, domains=domains, subtasks=subtasks)


def _given_back(plan: Plan) -> tuple[Appointment, ...]:
    choice = plan.reply.choice if plan.reply is not None else None
    chosen = () if choice is None else choice.given_back
    return (*(step.given_back for step in plan.steps if step.given_back is not None), *chosen)
