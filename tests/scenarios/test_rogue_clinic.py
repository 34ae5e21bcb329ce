"""Whatever a clinic answers: no write is claimed that it did not acknowledge, none denied that it may have made."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import grpc
import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.reply import Part, Table, TurnOutcome
from orchestrator.turn.step_actions import REASONS
from tests.support.form import tries
from tests.support.rogue_clinic import WRITES, Handler, acknowledged, ends, refuses
from tests.support.rogue_modes import GARBAGE, HELD, HELD_HONESTLY, READING, REFUSALS, STATUSES
from tests.support.rogue_turns import (
    BOOK,
    DEEDS,
    LIST,
    NOTHING_CHANGED,
    STRANGE,
    TO_FIND_OUT,
    UNKNOWN,
    World,
    open_world,
    receipts,
)


@pytest.fixture
def world() -> Iterator[World]:
    with open_world() as opened:
        yield opened


@pytest.mark.parametrize("deed", DEEDS)
def test_a_write_that_is_acknowledged_as_it_was_asked_for_is_claimed(world: World, deed: str) -> None:
    assert receipts(world.does(deed, {})) == 1


@pytest.mark.long(but=18)
@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("mode", UNKNOWN)
def test_a_write_that_is_answered_by_something_else_is_unknown_and_can_be_found_out(
    world: World, mode: str, deed: str
) -> None:
    reply = world.does(deed, UNKNOWN[mode])
    assert world.rogue.sent
    if mode == "b_statusspace":  # what cannot be seen is no difference
        assert receipts(reply) == 1
        return
    assert (reply.outcome, receipts(reply)) == (TurnOutcome.UNKNOWN_WRITE, 0)
    assert NOTHING_CHANGED not in reply.plain
    assert TO_FIND_OUT in reply.plain
    first = world.rogue.sent[0]
    world.rogue.handlers = {}
    assert receipts(world.say("sim")) == 1
    assert world.rogue.sent[-1] == first


@pytest.mark.long(but=6)
@pytest.mark.parametrize("mode", STATUSES)
def test_a_bare_status_says_nothing_of_a_write(world: World, mode: str) -> None:
    reply = world.does("book", STATUSES[mode])
    assert world.rogue.sent
    assert (reply.outcome, receipts(reply)) == (TurnOutcome.UNKNOWN_WRITE, 0)
    assert NOTHING_CHANGED not in reply.plain


@pytest.mark.parametrize("mode", REFUSALS)
def test_a_refusal_is_believed_and_what_comes_with_it_is_not(world: World, mode: str) -> None:
    reply = world.does("book", REFUSALS[mode])
    assert (reply.outcome, receipts(reply)) == (TurnOutcome.REFUSED, 0)
    assert NOTHING_CHANGED in reply.plain
    assert "Charlatão" not in reply.plain
    assert "9999" not in reply.plain
    assert not re.search(r"\d{6,} segundos", reply.plain)


def test_a_clinic_that_is_not_well_is_sent_no_write(world: World) -> None:
    reply = world.does("book", READING["h_notserving"])
    assert not world.rogue.sent
    assert NOTHING_CHANGED in reply.plain


@pytest.mark.long(but=17)
@pytest.mark.parametrize("mode", READING)
def test_whatever_one_clinic_lists_the_openings_of_the_other_are_shown_and_nothing_untrue(
    world: World, mode: str
) -> None:
    world.rogue.handlers = READING[mode]
    reply = world.say(LIST)
    assert receipts(reply) == 0
    if mode == "inject":  # a doctor whose name is in the wish: only that clinic is asked
        return
    assert reply.outcome in {TurnOutcome.OK, TurnOutcome.PARTIAL}
    assert "Dr. Ricardo Lopes" in reply.plain
    assert "Clínica A" in reply.plain
    assert not STRANGE.search(reply.plain)
    assert len(world.talk.session.offers) < 2010


@pytest.mark.parametrize("mode", ["stealname", "stealname_case", "stealname_cyrillic", "stealid", "stealdoctor"])
def test_a_clinic_that_takes_the_name_of_another_is_told_apart(world: World, mode: str) -> None:
    world.rogue.handlers = READING[mode]
    world.say(LIST)
    named = {offer.clinic for offer in world.talk.session.offers}
    rows = [block.rows for block in world.say(LIST).blocks if isinstance(block, Table) and block.part is Part.SLOTS]
    assert named == {"clinic_a", "clinic_c"}
    shown = {row[-2:] for row in rows[0]}
    assert len({clinic for row in shown for clinic in row if "clinic_c" in clinic or "Clínica C" in clinic}) == 1


def test_doctors_of_one_name_are_shown_with_their_clinics_and_the_chosen_one_is_asked(world: World) -> None:
    world.rogue.handlers = READING["stealdoctor"]
    reply = world.say("quero marcar com o Dr. Ricardo Lopes")
    assert (
        "1 | Dr. Ricardo Lopes (Cardiologia, Clínica A)\n2 | Dr. Ricardo Lopes (Cardiologia, Clínica C)" in reply.plain
    )
    world.say("2")
    assert {offer.clinic for offer in world.talk.session.offers} == {"clinic_c"}


@pytest.mark.parametrize(
    "mode", ["baddate", "badtime", "hugename", "unavail", "otherspec", "otherdoc", "many", "l_nodoctor"]
)
def test_a_clinic_whose_answer_is_shown_in_part_or_not_at_all_is_named(world: World, mode: str) -> None:
    world.rogue.handlers = READING[mode]
    reply = world.say(LIST)
    assert "Clínica C: " in reply.plain


OWN = "quais são minhas consultas?"


def test_what_a_clinic_lists_as_held_is_believed_where_it_can_be(world: World) -> None:
    world.rogue.handlers = HELD_HONESTLY
    reply = world.say(OWN)
    assert reply.outcome is TurnOutcome.OK
    assert len(world.talk.session.appointments) == 2


@pytest.mark.parametrize("lie", HELD)
def test_a_clinic_that_lists_what_nobody_can_hold_is_named_and_holds_no_turn_up(world: World, lie: str) -> None:
    world.rogue.handlers = HELD[lie]
    reply = world.say(OWN)
    assert "pode faltar alguma" in reply.plain
    assert world.talk.session.silent == ("clinic_c",)
    assert not world.talk.session.appointments
    assert receipts(world.say("quero o Dr. Ricardo Lopes dia 18/07 às 10h")) == 1


@pytest.mark.parametrize("changes", [{"revision": 2**31}, {"duration_min": 2**32 - 1}])
def test_a_receipt_of_no_possible_visit_is_none(world: World, changes: dict[str, int]) -> None:
    def answer(request: Message, _context: grpc.ServicerContext) -> Message:
        told = booking(request)
        for name, value in changes.items():
            setattr(told.appointment, name, value)
        return told

    assert world.does("book", {"BookAppointment": answer}).outcome is TurnOutcome.UNKNOWN_WRITE


CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]
# What gRPC itself repeats takes half a second; those are among the modes.
QUICK = [code for code in CODES if code not in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}]
WORDS = st.sampled_from(["confirmed", "cancelled", "rescheduled", "", "2025-07-18", "10:00", "Dr. Fernando Mendes"])
TEXTS = WORDS | st.text(max_size=20) | st.just("Carlos Teste") | st.just("123.456.789-00")
REASON_NAMES = st.sampled_from([*REASONS, "MOON_IN_CAPRICORN"])
DOMAINS = st.sampled_from(["clinic.v1", "mesh.v1", "evil.v1", ""])
OUTCOMES = st.sampled_from([{}, {"outcome": "unknown"}, {"outcome": "unchanged"}, {"outcome": "made"}])


@dataclass(frozen=True)
class Drawn:
    """An answer drawn at random, and what may be said of the write after it."""

    handler: Handler
    may_claim: bool = False
    may_deny: bool = False


@st.composite
def answers(draw: st.DrawFn) -> Drawn:
    """Draw what a rogue clinic answers to a booking that it has made, or not."""
    match draw(st.sampled_from(["fields", "status", "refusal", "bytes"])):
        case "fields":
            changes = draw(st.dictionaries(st.sampled_from(["status", "doctor", "date", "time", "cpf"]), TEXTS))
            return Drawn(lambda request, _context: changed(request, changes), may_claim=True)
        case "status":
            return Drawn(ends(draw(st.sampled_from(QUICK))))
        case "refusal":
            name, domain, metadata = draw(REASON_NAMES), draw(DOMAINS), draw(OUTCOMES)
            reason = REASONS.get(name)
            listed = reason is not None and domain == reason.domain
            unchanged = name in NOTHING_DONE or metadata.get("outcome") == "unchanged"
            handler = refuses(name, domain, draw(st.sampled_from(QUICK)), metadata=metadata)
            return Drawn(handler, may_deny=listed and unchanged and metadata.get("outcome") != "unknown")
        case _:
            content = draw(st.binary(max_size=40) | st.just(GARBAGE))
            return Drawn(lambda _request, _context: content)


NOTHING_DONE = {
    *("INVALID_ENVELOPE", "METHOD_NOT_FOUND", "UNKNOWN_AGENT", "UNKNOWN_TOOL", "INVALID_ARGUMENTS", "OVERLOADED"),
    *("UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "UNKNOWN_SERVICE"),
    *("SLOT_UNAVAILABLE", "APPOINTMENT_NOT_FOUND"),
    *("APPOINTMENT_CONFLICT", "APPOINTMENT_IN_PAST", "PATIENT_NOT_FOUND", "REQUEST_ID_REUSED"),
    *("ALREADY_BOOKED", "REQUEST_IDS_EXHAUSTED", "NOTICE_TOO_SHORT", "CHANGE_TOO_LATE", "TOO_MANY_APPOINTMENTS"),
    *("NOT_IN_AGENDA", "SLOT_OVERLAPS"),
}
"""Reasons of which the contract says that nothing was changed, written down a second time."""


def changed(request: Message, changes: Mapping[str, str]) -> Message:
    """Return an honest acknowledgement with other texts."""
    answer = booking(request)
    for name, value in changes.items():
        setattr(answer if name == "status" else answer.appointment, name, value)
    return answer


def booking(request: Message) -> pb.BookAppointmentResponse:
    """Return the honest acknowledgement of a booking."""
    answer = acknowledged(request)
    assert isinstance(answer, pb.BookAppointmentResponse)
    return answer


def test_the_contract_says_of_these_reasons_that_nothing_was_changed() -> None:
    assert {reason.name for reason in REASONS.values() if reason.unchanged} == NOTHING_DONE


@pytest.fixture(scope="module")
def lasting() -> Iterator[World]:
    with open_world() as opened:
        yield opened


@settings(max_examples=tries(1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=answers())
def test_nothing_is_claimed_without_its_acknowledgement_and_nothing_denied_that_may_have_been_made(
    lasting: World, drawn: Drawn
) -> None:
    told: list[pb.BookAppointmentResponse] = []

    def answer(request: Message, context: grpc.ServicerContext) -> Message | bytes:
        said = drawn.handler(request, context)
        if isinstance(said, pb.BookAppointmentResponse):
            told.append(said)
        return said

    lasting.talk.session = type(lasting.talk.session)(lasting.talk.session.identity)
    lasting.rogue.sent.clear()
    lasting.rogue.handlers = dict.fromkeys(WRITES, answer)
    reply = lasting.say(BOOK)
    (request,) = {message.SerializeToString(deterministic=True): message for message in lasting.rogue.sent}.values()
    is_claimed = bool(receipts(reply)) or reply.outcome is TurnOutcome.OK
    if is_claimed:
        assert drawn.may_claim
        assert told[-1].status == "confirmed"
        assert same(told[-1].appointment, booking(request).appointment)
    assert (NOTHING_CHANGED in reply.plain) <= drawn.may_deny
    assert (reply.outcome is TurnOutcome.UNKNOWN_WRITE) is not (is_claimed or NOTHING_CHANGED in reply.plain)


def same(told: pb.Appointment, asked: pb.Appointment) -> bool:
    """Return whether two appointments differ in nothing but what cannot be seen, accents and case."""

    def plain(text: str) -> str:
        return re.sub(r"\W", "", unicodedata.normalize("NFKD", text)).casefold().removeprefix("dr")

    names = ("doctor", "date", "time", "cpf", "patient_name")
    return all(plain(getattr(told, name)) == plain(getattr(asked, name)) for name in names)
