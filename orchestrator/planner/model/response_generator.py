"""The Response Generator's request (blueprint 2.3.3): a model chooses the reply's steps from verified answers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from mesh.arguments import Json
from orchestrator.llm import Asker, ModelError, Pseudonyms, exposed
from orchestrator.planner.model.chosen_steps import chosen_steps
from orchestrator.planner.model.model_planner import ModelOptions
from orchestrator.planner.model.planner_prompt import PlannerPrompts, TurnBrief, read_told, reply_request
from orchestrator.planner.model.scopes import SaidBefore
from orchestrator.planner.model.step_plans import wants_change
from orchestrator.planner.model.turn_reading import UnreadableError, read_turn
from orchestrator.planner.offline import situation_of
from orchestrator.responder import refusals_of, snapshot_of
from orchestrator.turn import Answers, Clinic, OpeningScope, Plan, ReplySteps, Session


class ModelReplyChooser:
    """The `ReplyChooser` that asks a model with the prompt `response_generator`."""

    def __init__(self, asker: Asker, prompts: PlannerPrompts, options: ModelOptions, *, always: bool) -> None:
        self._asker = asker
        self._prompts = prompts
        self._options = options
        self._always = always

    def choose(
        self, plan: Plan, answers: Answers, session: Session, clinics: Sequence[Clinic], now: datetime
    ) -> ReplySteps | None:
        """Return the steps of the reply; None for the template's answer alone."""
        reply = plan.reply or ReplySteps(shown=(OpeningScope(plan.wish.filter),), today=now.date())
        snapshot = snapshot_of(answers.results, plan, session, clinics)
        refused = (*reply.refused, *(one.reason for one in refusals_of(reply.questions, snapshot)))
        if not (self._always or reply.awaits or refused):
            return plan.reply
        here = situation_of(answers.utterance, session, clinics, now)
        pseudonyms = Pseudonyms.of(session, clinics)
        brief = TurnBrief(answers.utterance, pseudonyms, here, self._options.history_tokens)
        told: dict[str, Json] = {"read": read_told(snapshot.openings, session), "refused": list(refused)}
        if self._always:
            told |= exposed(answers, pseudonyms)
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
