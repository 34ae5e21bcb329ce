"""Ask an open question again: somebody does not know what to answer, or nothing that was said answers it."""

from dataclasses import replace

from orchestrator import turn
from orchestrator.planner.dialogue.on_the_table import lists_openings
from orchestrator.planner.dialogue.plan_builders import ask_question, which_offer
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import words
from orchestrator.planner.understanding import is_only

_WORDED_ANEW = 2  # how often a question was asked that is worded anew
_WORTH_REPEATING = frozenset(map(turn.Topic, words("worth_repeating", "topics")))


def at_a_loss(here: Situation) -> turn.Plan | None:
    """Ask again where somebody does not know what to answer, or what is asked; a list can wait."""
    question, session = here.session.question, here.session
    if question is None or session.proposal or (session.offers and question.topic not in _WORTH_REPEATING):
        return None
    lost = here.awaits_answer and is_only(here.said.text.folded, "at_a_loss")
    return put_again(here, "Somebody does not know what to answer.") if lost else None


def put_again(here: Situation, why: str) -> turn.Plan | None:
    """Ask again what is open, in other words; None where nothing is that can be asked again."""
    if here.session.proposal is None and here.is_asked(*_WORTH_REPEATING):
        return ask_question(here, here.question, why)
    if lists_openings(here.session):
        return which_offer(here, why)
    again = replace(here.question, topic=turn.Topic.ASK_ANOTHER_TIME, times=_WORDED_ANEW)
    return ask_question(here, again, why) if "days" in here.known and here.session.proposal is None else None


def asked_again(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return the plan with how often in a row its question was asked, so that it is worded anew."""
    before, question = here.session.question, plan.question
    if before is None or question is None or (before.topic, before.known) != (plan.topic, question.known):
        return plan
    return replace(plan, question=replace(question, times=before.times + (plan.topic is question.topic)))
