"""Keep writes to who speaks: what somebody else needs is shown, and said to be theirs to book."""

from dataclasses import replace

from orchestrator.planner.dialogue.plan_builders import say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import table
from orchestrator.turn import LIST, Plan, Question, Topic

_POSSESSIVES = {"minha": "sua", "meu": "seu", "minhas": "suas", "meus": "seus", "my": "your"}
_POSSESSIVES |= {"nossa": "sua", "nosso": "seu", "our": "your"}


def kept_to_speaker(here: Situation, plan: Plan) -> Plan:
    """Return the plan without writes that somebody else is meant by ("pra minha mãe"), in this turn or since then."""
    whom = here.said.for_whom
    who = _who(whom.who) if whom is not None else _asked_for(here)
    if who is None:
        return plan
    if whom is not None and whom.with_speaker:
        # The speaker's own visit can be booked; the other person's is said to be theirs.
        return replace(plan, note=Topic.FOR_SOMEBODY_ELSE, facts={**plan.facts, "who": who})
    if plan.writes:
        question = replace(here.session.question or Question(Topic.ASK_WHICH_OFFER), for_whom=who)
        why = "Somebody else is meant; only who identified themselves is booked for."
        return replace(say(here, Topic.FOR_SOMEBODY_ELSE, why, question=question), facts={"who": who})
    if plan.question is None:
        return plan
    # Whoever is meant stays meant until it is said to be for the speaker.
    kept = replace(plan, question=replace(plan.question, for_whom=who))
    lists = any(step.action == LIST for step in plan.steps)
    return replace(kept, note=Topic.FOR_SOMEBODY_ELSE, facts={"who": who}) if whom is not None and lists else kept


def somebody_else(here: Situation) -> Plan | None:
    """Say for whom can be booked when that somebody else is meant is all that was understood."""
    whom = here.said.for_whom
    if whom is None and not (_asked_for(here) is not None and here.is_asked(Topic.FOR_SOMEBODY_ELSE)):
        return None
    who = _who(whom.who) if whom is not None else _asked_for(here) or ""
    question = replace(here.session.question or Question(Topic.ASK_SPECIALTY, LIST), for_whom=who)
    why = "Somebody else is meant; only who identified themselves is booked for."
    return replace(say(here, Topic.FOR_SOMEBODY_ELSE, why, question=question), facts={"who": who})


def _asked_for(here: Situation) -> str | None:
    question = here.session.question
    if question is None or question.for_whom is None or table("wishes", "for_me").search(here.said.text.folded):
        return None
    return question.for_whom


def _who(typed: str) -> str:
    """Return how a relative is spoken of to the speaker; empty for a name, which is not repeated."""
    words = typed.split()
    if words and words[0].casefold() in {"o", "a", "os", "as"}:
        words = words[1:]
    if not words or words[0].casefold() not in _POSSESSIVES:
        return ""
    return " ".join((_POSSESSIVES[words[0].casefold()], *words[1:]))
