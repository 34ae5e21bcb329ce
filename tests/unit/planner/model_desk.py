"""A model that says what a test tells it, and one turn of a desk planned with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.llm.language_model import ModelConfiguration, ModelError, ModelRequest, PlannerVariant, Provider
from orchestrator.planner.model.model_planner import ModelPlanner
from orchestrator.planner.model.planner_prompt import PlannerPrompts
from orchestrator.turn.plan import Plan, Proposed, Question
from tests.unit.planner.desk import CLINICS, NOW, Desk

Said = str | ModelError

PROMPTS = PlannerPrompts.read()


@dataclass
class ScriptedAsker:
    """Answers with the next of some texts, or fails with the next error."""

    script: list[Said]
    requests: list[ModelRequest] = field(default_factory=list)

    def ask(self, request: ModelRequest) -> str:
        self.requests.append(request)
        said = self.script[min(len(self.requests), len(self.script)) - 1]
        if isinstance(said, ModelError):
            raise said
        return said


def configured(*, cot: bool = False, history_tokens: int = 500) -> ModelConfiguration:
    """A model that is asked in one way or the other."""
    variant = PlannerVariant.COT if cot else PlannerVariant.DIRECT
    return ModelConfiguration(provider=Provider.OPENAI, model="a-model", planner=variant, history_tokens=history_tokens)


def planned(desk: Desk, utterance: str, *said: Said, cot: bool = False) -> tuple[Plan, ScriptedAsker]:
    """The plan for an utterance when a model says some texts, the last of them again and again; and who was asked."""
    asker = ScriptedAsker(list(said))
    planner = ModelPlanner(asker, PROMPTS, configured(cot=cot))
    # What the person holds was looked up before.
    return planner.plan(utterance, replace(desk.session, knows_own=True), CLINICS, NOW), asker


def plan_of(desk: Desk, utterance: str, *said: Said, cot: bool = False) -> Plan:
    """The plan alone."""
    return planned(desk, utterance, *said, cot=cot)[0]


def proposal_of(plan: Plan) -> Proposed:
    """What a model proposed."""
    assert plan.proposed is not None
    return plan.proposed


def question_of(plan: Plan) -> Question:
    """What the next turn may answer."""
    assert plan.question is not None
    return plan.question


def step(clinic: object, action: object, **parameters: object) -> dict[str, object]:
    """A step as a model writes it."""
    return {"step_id": 1, "clinic": clinic, "action": action, "parameters": parameters}


def steps(*given: object) -> str:
    """An answer with steps."""
    return json.dumps({"kind": "steps", "topic": None, "steps": given})


def listing(*clinics: str, **parameters: object) -> str:
    """An answer that lists openings."""
    return steps(*(step(clinic, "list_available_slots", **parameters) for clinic in clinics))


def saying(topic: object) -> str:
    """An answer that calls no clinic."""
    return turn({"do": "answer", "topic": topic})


def turn(*given: object, **members: object) -> str:
    """An answer of typed steps."""
    return json.dumps({"steps": given, "more": False, **members})


def condition(field: str, *values: str, op: str = "in") -> dict[str, object]:
    """A condition of a scope."""
    return {"field": field, "op": op, "values": list(values)}


def scope(
    *where: object, excepted: Sequence[Sequence[object]] = (), among: str = "read", said: str | None = None
) -> object:
    """A scope as a model writes it."""
    return {"where": where, "except": [list(group) for group in excepted], "among": among, "said": said}


def reading(*filters: object) -> dict[str, object]:
    """A step that reads openings."""
    return {"do": "read", "filters": filters}


def proposing(
    cancel: Sequence[str] = (),
    book: Sequence[str | Sequence[object]] = (),
    move: Sequence[tuple[str, str | Sequence[object]]] = (),
) -> dict[str, object]:
    """A step that proposes changes: openings by id or scopes, appointments by id."""
    moves = [{"appointment": held, "to": _target(to)} for held, to in move]
    return {"do": "propose", "cancel": list(cancel), "book": list(map(_target, book)), "move": moves}


def _target(wanted: str | Sequence[object]) -> dict[str, object]:
    opening, scopes = (wanted, []) if isinstance(wanted, str) else (None, list(wanted))
    return {"opening": opening, "first_of": scopes, "order": "soonest", "at": None}


def told(requests: Iterable[ModelRequest]) -> str:
    """Everything that a model was told."""
    return "\n".join(text for request in requests for text in (request.system, request.user))
