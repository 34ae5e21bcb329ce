"""What must hold of a storm, whatever befell: read from the disks, the relays, the replies and the log.

It repeats nothing of what it finds: a fault of a test is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mesh.catalogue import Tool, rpc_path
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Step
from orchestrator.turn.reply import Card, Part, Reply, TurnOutcome
from orchestrator.turn.step_actions import CATALOGUE, Appointment, is_write
from tests.scenarios.chaos.secrecy import Secrets
from tests.scenarios.chaos.stage import PEOPLE, Person, Stage

_WRITES: Mapping[str, Tool] = {rpc_path(tool.method): tool for tool in CATALOGUE.values() if is_write(tool.name)}
_SECRETS = Secrets(identity for identity, _ in PEOPLE)
_PREFIXES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "book_appointment": ((), ("",)),
    "reschedule_appointment": (("original_",), ("new_",)),
    "cancel_appointment": (("",), ()),
}
"""By tool, how the arguments of the slots are called that it gives back, and of those that it takes."""

Held = tuple[str, str, str, str, str]
"""Clinic, doctor, date, time and CPF of a slot that is taken."""


class Judge:
    """Hears one storm.

    Args:
        stage: Where it is played; it has just been set back.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._people: list[Person] = []
        self._faults: list[str] = []
        self._taken = stage.clinics.taken()

    def hear(self, person: Person, reply: Reply) -> None:
        """Take note of a turn, as soon as it is over."""
        if not any(person is one for one in self._people):
            self._people.append(person)
        before, self._taken = self._taken, self._stage.clinics.taken()
        self._faults += _faults_of_turn(person, reply, before & self._taken)

    def verdict(self) -> Iterator[str]:
        """Yield what was wrong, once the clinics are healed and everybody has asked what came of their writes."""
        stage = self._stage
        for relay in stage.relays.values():
            relay.wait_until_quiet()
        yield from dict.fromkeys(self._faults)
        yield from _sent_unasked(stage, self._people)
        disks = stage.clinics.taken()
        if disks != _made(stage):
            yield "the disks hold something else than each acknowledged request once"
        for person in self._people:
            yield from _receipts(person, {held for held in disks if held[4] == person.identity.cpf})
        log = "\n".join(file.read_text("utf-8") for file in stage.log.glob("*.jsonl"))
        yield from (f"the log tells {leak}" for leak in _SECRETS.leaks(log))
        yield from (f"an event tells {leak}" for leak in _SECRETS.leaks("\n".join(map(repr, stage.events))))


def _faults_of_turn(person: Person, reply: Reply, taken: Iterable[Held]) -> Iterator[str]:
    """Yield what is wrong with a reply.

    Args:
        person: To whom it was given.
        reply: The reply.
        taken: What was taken both before the turn and after it.
    """
    if reply.outcome not in TurnOutcome or reply.language not in Language or not reply.plain.strip():
        yield "a reply that says nothing in a known language"
    yield from (f"a reply told {leak}" for leak in _SECRETS.leaks(reply.plain, person.identity))
    receipts = [block for block in reply.blocks if isinstance(block, Card) and block.part is Part.RECEIPT]
    if len(receipts) > len(person.session.receipts):
        yield "a receipt was shown that is not the person's"
    if person.session.offers is not person.offered:
        # What is left of an older list was open when that was shown.
        new = set(person.session.offers) - set(person.offered)
        person.offered = person.session.offers
        offered = {(offer.clinic, offer.doctor, f"{offer.date:%Y-%m-%d}", f"{offer.time:%H:%M}") for offer in new}
        if offered & {slot[:4] for slot in taken}:
            yield "a slot that somebody holds was offered"
    texts = texts_in(reply.language)
    if person.abandoned - person.told and not {
        texts.text("responder.consent.abandoned"),
        texts.text("responder.consent.superseded"),
    } & {*reply.plain.split("\n\n")}:
        yield "a write in doubt was forgotten, and nobody was told"
    person.told |= person.abandoned


def _sent_unasked(stage: Stage, people: Sequence[Person]) -> Iterator[str]:
    for clinic, relay in stage.relays.items():
        for method, raw in relay.sent:
            if method in _WRITES:
                request = _request(method, raw)
                speaker = next((person for person in people if person.identity.cpf == request.cpf), None)
                step = None if speaker is None else speaker.consented.get(request.request_id)
                if step is None:
                    yield "a write was sent that nobody had said yes to under this request_id"
                elif not _is(step, clinic, _WRITES[method], request):
                    yield "a write was sent that is not the one that was proposed"


def _is(step: Step, clinic: str, tool: Tool, request: Any) -> bool:
    said = {name: getattr(request, name) for name in step.parameters}
    return (step.clinic, step.action, dict(step.parameters)) == (clinic, tool.name, said)


def _made(stage: Stage) -> set[Held]:
    """Return what is taken when each acknowledged request is made once, at its first acknowledgement."""
    taken: set[Held] = set()
    for clinic, relay in stage.relays.items():
        done: set[str] = set()
        for method, raw, _ in relay.acknowledged:
            if method not in _WRITES:
                continue
            request = _request(method, raw)
            if request.request_id not in done:
                done.add(request.request_id)
                gives, takes = _PREFIXES[_WRITES[method].name]
                taken -= {_held(clinic, request, prefix) for prefix in gives}
                taken |= {_held(clinic, request, prefix) for prefix in takes}
    return taken


def _held(clinic: str, request: Any, prefix: str) -> Held:
    day, at = getattr(request, f"{prefix}date"), getattr(request, f"{prefix}time")
    return clinic, request.doctor, day, at, request.cpf


def _request(method: str, raw: bytes) -> Any:
    return _WRITES[method].request_class.FromString(raw)


def _receipts(person: Person, held: set[Held]) -> Iterator[str]:
    told = {_slot(appointment, person) for appointment in person.session.appointments}
    left = [person.consented[request_id] for request_id in person.abandoned]
    gives, takes = (
        {
            (step.clinic, given["doctor"], given[f"{prefix}date"], given[f"{prefix}time"], person.identity.cpf)
            for step in left
            for given in [step.parameters]
            for prefix in _PREFIXES[step.action][at]
        }
        for at in (0, 1)
    )
    if told - held - gives:
        yield "a receipt was shown for an appointment that no clinic holds"
    if held - told - takes:
        yield "a clinic holds an appointment whose receipt was not shown"


def _slot(appointment: Appointment, person: Person) -> Held:
    day, at = f"{appointment.date:%Y-%m-%d}", f"{appointment.time:%H:%M}"
    return appointment.clinic, appointment.doctor, day, at, person.identity.cpf
