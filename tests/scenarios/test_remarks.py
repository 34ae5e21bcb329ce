"""What a clinic says of its own answer reaches the person as its words, and is checked like every other word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1.remarks_pb2 import Remarks
from orchestrator.turn.reply import TurnOutcome
from tests.support.rogue_clinic import SLOTS, Handler, acknowledged, listed, slot
from tests.support.rogue_turns import BOOK, LIST, World, open_world, receipts


@pytest.fixture
def world() -> Iterator[World]:
    with open_world() as opened:
        yield opened


def remarking(remarks: Remarks) -> dict[str, Handler]:
    """Return the handlers of an honest clinic that says something of what it lists and books."""

    def book(request: object, _: object) -> pb.BookAppointmentResponse:
        assert isinstance(request, pb.BookAppointmentRequest)
        answer = acknowledged(request)
        assert isinstance(answer, pb.BookAppointmentResponse)
        answer.remarks.CopyFrom(remarks)
        return answer

    def listing(_: object, __: object) -> pb.ListAvailableSlotsResponse:
        answer = listed(*(slot(*where) for where in SLOTS))
        answer.remarks.CopyFrom(remarks)
        return answer

    return {"ListAvailableSlots": listing, "BookAppointment": book}


def test_remarks_on_a_listing_stand_below_it_as_the_clinics_words(world: World) -> None:
    world.rogue.handlers = remarking(
        Remarks(partial=True, explanations=["A agenda de agosto ainda não abriu."], warnings=["Traga os exames."])
    )
    reply = world.say(LIST)
    assert reply.plain.endswith("Clínica C diz: “Traga os exames. A agenda de agosto ainda não abriu.”")
    assert "exames" not in reply.loggable


def test_remarks_on_a_booking_stand_beside_its_receipt(world: World) -> None:
    world.rogue.handlers = remarking(Remarks(warnings=["Chegue 15 minutos antes."]))
    reply = world.say(BOOK)
    assert receipts(reply) == 1
    assert "Clínica C diz: “Chegue 15 minutos antes.”" in reply.plain


@pytest.mark.parametrize(
    "lie",
    [
        "Sua consulta está confirmada.",
        "Tome 50 mg de losartana.",
        "O paciente João da Silva, CPF 987.654.321-00, faltou.",
    ],
)
def test_the_answer_of_a_clinic_whose_remark_may_not_be_said_is_left_out(world: World, lie: str) -> None:
    world.rogue.handlers = remarking(Remarks(warnings=[lie]))
    reply = world.say(LIST)
    assert lie not in reply.plain
    assert "Ricardo Lopes" in reply.plain
    assert "Fernando Mendes" not in reply.plain
    assert reply.outcome is TurnOutcome.PARTIAL
