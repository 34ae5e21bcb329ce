"""A turn with a model that nobody can trust: where the conversation stands, what is typed, what the model answers.

Only values; `hostile_stage` plays them and `hostile_world` judges what came of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orchestrator.turn.identity import Role
from tests.support.chat_server import Answer, Body, Reply
from tests.support.played_model import SAFE, Call, data_of, purpose_of, with_handles

Data = Mapping[str, Any]
"""What a model is told of a turn, out of its fence."""

Said = Callable[[Data], Reply]
"""What a model answers to that; a bare text is a whole answer."""

Slot = tuple[str, str, str, str]
"""Clinic, doctor, date, time."""

TAKES, GIVES = "takes", "gives back"
Change = tuple[str, Slot]
"""What a write does to a disk."""


@dataclass(frozen=True)
class Scene:
    """A conversation up to a point, played by a model that is good at its work.

    Attributes:
        name: What to call it.
        turns: What was said in it.
        role: Of the person.
        consent: Whether its writes are made without asking.
        keeps: What it leaves on the disks.
    """

    name: str
    turns: tuple[str, ...] = ()
    role: Role = Role.PATIENT
    consent: bool = True
    keeps: tuple[Slot, ...] = ()


@dataclass(frozen=True, eq=False)
class Request:
    """What a person asks for, what it permits, and what a good model would plan.

    Attributes:
        scene: What was said before.
        utterance: What is typed.
        calls: What a good model plans; none: it leaves the turn to the grammar.
        permits: All that may change on the disks: this, or nothing.
        names: The slots that it names in full, be they open or not.
        hours: The hours that it means by a part of the day.
        states: What the person says of themselves in it, as typed: all that may be remembered of it.
        forgets: Whether the person wants something forgotten.
    """

    scene: Scene
    utterance: str
    calls: Sequence[Call] = ()
    permits: frozenset[Change] = frozenset()
    names: tuple[Slot, ...] = ()
    hours: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    forgets: bool = False

    @property
    def is_english(self) -> bool:
        """Whether the answer should be English."""
        return self.scene.name.endswith("en")


@dataclass(frozen=True)
class HostileModel:
    """What a model says to each kind of request; what is not given is said well."""

    plan: Said | None = None
    audit: Said | None = None
    write: Said | None = None

    def script(self, request: Request) -> Callable[[Body], Reply]:
        """Return a script for `chat_server`."""
        by_purpose: dict[str, Said] = {
            "plan": self.plan or planned_well(request),
            "repair": self.plan or planned_well(request),
            "audit": self.audit or (lambda _: SAFE),
            "write": self.write or written_well,
        }
        return lambda body: by_purpose[purpose_of(body)](data_of(body))


@dataclass(frozen=True)
class Case:
    """One conversation's end with a hostile model.

    Attributes:
        name: What it is; no two have the same.
        request: What is asked for.
        model: What answers.
        consent: Whether the script said --yes.
        lies: What must never be shown, however it is decorated.
        then: What is typed afterwards; the same model answers.
        clears: Whether the audit of the clinics' data is one that clears.
    """

    name: str
    request: Request
    model: HostileModel = field(repr=False)
    consent: bool = True
    lies: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    clears: bool = True


def planned_well(request: Request) -> Said:
    """Return the plan of a good model, slots by handle."""

    def plan(turn: Data) -> Reply:
        return plan_of(
            step(clinic, action, **with_handles(turn, clinic, given)) for clinic, action, given in request.calls
        )

    return plan if request.calls else lambda _: said_of("ask_request")


def written_well(brief: Data) -> Reply:
    """Return a reply that says nothing but what every answer bears."""
    opening, closing = good_words(brief)
    return "\n\n".join((opening, *brief["parts"], closing))


def good_words(brief: Data) -> tuple[str, str]:
    """Return what to say before and after the parts."""
    return _WORDS["Portuguese" not in brief["language"]]


def opening_words(request: Request) -> str:
    """Return how a good reply to a request begins."""
    return _WORDS[request.is_english][0]


_WORDS = {
    False: ("Olá! Aqui está a resposta:", "É só me dizer se precisar de mais alguma coisa."),
    True: ("Hello! Here is the answer:", "Just tell me what else you need."),
}


def step(clinic: object, action: object, /, **parameters: object) -> dict[str, object]:
    """Return a step of a plan, sound or not."""
    return {"step_id": 1, "clinic": clinic, "action": action, "parameters": parameters}


def plan_of(steps: Iterable[object] | int, kind: str = "steps", topic: str | None = None, **more: object) -> str:
    """Return a plan as JSON."""
    listed = steps if isinstance(steps, str | int | Mapping) else list(steps)
    return json.dumps({**more, "kind": kind, "topic": topic, "steps": listed}, ensure_ascii=False)


def said_of(topic: str, kind: str = "clarify") -> str:
    """Return a plan that calls no clinic."""
    return plan_of([], kind, topic)


def as_reply(said: str | Answer) -> Said:
    """Return a model that says this whatever it is asked."""
    return lambda _: said
