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
from tests.support.played_model import NO_MORE, SAFE, Call, data_of, purpose_of

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
        only_asks: Whether it is a question, thanks or a denial, upon which no change may be proposed.
    """

    scene: Scene
    utterance: str
    calls: Sequence[Call] = ()
    permits: frozenset[Change] = frozenset()
    names: tuple[Slot, ...] = ()
    hours: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    forgets: bool = False
    only_asks: bool = False

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
            "audit": self.audit or (lambda _: SAFE),
            "write": self.write or (lambda _: NO_MORE),
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
        always: Whether the model chooses the steps of every reply, and audits everything.
    """

    name: str
    request: Request
    model: HostileModel = field(repr=False)
    consent: bool = True
    lies: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    clears: bool = True
    always: bool = False


def planned_well(request: Request) -> Said:
    """Return the plan of a good model, in the blueprint's form."""
    given = plan_of(step(clinic, action, **parameters) for clinic, action, parameters in request.calls)
    return as_reply(given if request.calls else said_of("ask_request"))


def step(clinic: object, action: object, /, **parameters: object) -> dict[str, object]:
    """Return a step of the blueprint's form, sound or not."""
    return {"step_id": 1, "clinic": clinic, "action": action, "parameters": parameters}


def plan_of(steps: Iterable[object] | int, **more: object) -> str:
    """Return a plan as JSON."""
    listed = steps if isinstance(steps, str | int | Mapping) else list(steps)
    return json.dumps({"steps": listed, **more}, ensure_ascii=False)


def said_of(topic: str) -> str:
    """Return a plan that calls no clinic."""
    return plan_of([{"do": "answer", "topic": topic}])


def condition(field: str, *values: object, op: str = "in") -> dict[str, object]:
    """Return a condition of a scope."""
    return {"field": field, "op": op, "values": list(values)}


def scope(*where: object, among: str = "read", said: object = None) -> dict[str, object]:
    """Return a scope."""
    return {"where": list(where), "except": [], "among": among, "said": said}


def proposing(
    cancel: Sequence[object] = (), book: Sequence[object] = (), move: Sequence[tuple[object, object]] = ()
) -> dict[str, object]:
    """Return a step that proposes changes: openings by number or by a scope, appointments by id."""
    moves = [{"appointment": held, "to": _target(to)} for held, to in move]
    return {"do": "propose", "cancel": list(cancel), "book": list(map(_target, book)), "move": moves}


def _target(wanted: object) -> dict[str, object]:
    return {"first_of": [wanted]} if isinstance(wanted, Mapping) else {"opening": wanted}


def as_reply(said: str | Answer) -> Said:
    """Return a model that says this whatever it is asked."""
    return lambda _: said
