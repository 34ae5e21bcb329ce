import threading
import uuid
from dataclasses import replace
from datetime import date, time

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.turn.plan import Step
from orchestrator.turn.reply import TurnOutcome
from orchestrator.turn.routing import StepStatus
from orchestrator.turn.step_actions import REASONS, Appointment
from tests.support.steps import step_of
from tests.unit.orchestrator.fakes import Answer
from tests.unit.orchestrator.scene import BOOKING, FERNANDO, LISTING, TWO_BOOKINGS, Scene, acknowledged

MONDAY = Appointment("clinic_a", "Dr. Ricardo Lopes", date(2025, 7, 21), time(9))
FRIDAY = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10))


@pytest.fixture
def scene() -> Scene:
    return Scene({"marque": BOOKING, "horários": LISTING, "marque as duas": TWO_BOOKINGS})


def test_a_read_needs_no_consent(scene: Scene) -> None:
    assert scene.say("horários") == "answer: done"


def test_a_write_is_proposed_and_reaches_no_clinic(scene: Scene) -> None:
    reply = scene.answer("marque")
    assert (reply.plain, reply.outcome) == ("propose: book_appointment", TurnOutcome.CONFIRM)
    assert scene.router.dispatched == []
    assert scene.session.receipts == ()


def test_an_unknown_action_is_not_sent_without_consent_either() -> None:
    scene = Scene({"?": replace(LISTING, steps=(step_of(1, "clinic_a", "raw_response"),))})
    assert scene.say("?") == "propose: raw_response"
    assert scene.router.dispatched == []


def test_yes_makes_exactly_the_write_that_was_proposed(scene: Scene) -> None:
    scene.say("marque")
    assert scene.session.proposal is not None
    proposed = scene.session.proposal.plan.steps
    assert scene.say("sim") == "answer: done"
    assert [steps for steps, _ in scene.router.dispatched] == [proposed]
    assert scene.session.appointments == (MONDAY,)
    assert scene.session.proposal is None


def test_a_yes_that_was_given_before_makes_the_write_whatever_is_said(scene: Scene) -> None:
    scene.say("marque")
    reply, session = scene.conversation.turn(scene.session, "bom dia", agrees=True)
    assert (reply.plain, session.appointments, session.proposal) == ("answer: done", (MONDAY,), None)


def test_yes_is_not_planned_again(scene: Scene) -> None:
    scene.say("marque")
    scene.say("sim")
    assert [utterance for utterance, _, _ in scene.planner.asked] == ["marque"]


@pytest.mark.parametrize("no", ["não", ""])
def test_no_or_nothing_drops_the_proposal(scene: Scene, no: str) -> None:
    scene.say("marque")
    assert scene.say(no) == "dropped"
    assert scene.session.proposal is None
    assert scene.router.dispatched == []


@pytest.mark.parametrize("answer", ["sim", "não", ""])
def test_without_a_proposal_yes_and_no_are_utterances_like_any_other(scene: Scene, answer: str) -> None:
    assert scene.say(answer) == "say: ask_request"
    assert scene.router.dispatched == []


def test_yes_after_no_writes_nothing(scene: Scene) -> None:
    for utterance in ("marque", "não", "sim"):
        scene.say(utterance)
    assert scene.router.dispatched == []


@pytest.mark.parametrize("other", ["horários", "bom dia"])
def test_another_utterance_supersedes_the_proposal(scene: Scene, other: str) -> None:
    scene.say("marque")
    scene.say(other)
    assert scene.session.proposal is None
    assert scene.say("sim") == "say: ask_request"
    assert scene.session.receipts == ()


def test_another_write_is_proposed_in_its_place(scene: Scene) -> None:
    scene.say("marque")
    assert scene.say("marque as duas") == "propose: book_appointment, book_appointment"
    scene.say("sim")
    assert scene.session.appointments == (MONDAY, FRIDAY)


def test_consent_given_beforehand_writes_at_once() -> None:
    scene = Scene({"marque": BOOKING}, consent_given=True)
    assert scene.say("marque") == "answer: done"
    assert scene.session.appointments == (MONDAY,)


def test_every_write_has_a_request_id_of_its_own_from_the_proposal_on(scene: Scene) -> None:
    scene.say("marque as duas")
    assert scene.session.proposal is not None
    proposed = [step.request_id for step in scene.session.proposal.plan.steps]
    scene.say("sim")
    assert scene.request_ids == proposed
    assert len({uuid.UUID(request_id) for request_id in proposed if request_id}) == 2


def test_the_same_wish_said_again_is_another_request(scene: Scene) -> None:
    for utterance in ("marque", "sim", "marque", "sim"):
        scene.say(utterance)
    first, second = scene.request_ids
    assert first != second


@pytest.mark.parametrize("consent_given", [False, True])
def test_the_same_wish_said_again_while_its_outcome_is_unknown_is_the_same_request(consent_given: bool) -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, acknowledged(BOOKING.steps[0])]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0), consent_given=consent_given)
    for utterance in ("marque", "marque") if consent_given else ("marque", "sim", "marque", "sim"):
        scene.say(utterance)
    assert len(scene.request_ids) == 2
    assert len(set(scene.request_ids)) == 1
    assert scene.session.appointments == (MONDAY,)


def test_the_same_wish_said_again_while_in_doubt_stays_in_doubt() -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, StepStatus.UNREACHED]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0))
    assert [scene.say(said) for said in ("marque", "sim", "marque", "sim")][3] == "answer: unknown"


def test_another_wish_is_another_request_and_its_proposal_is_in_no_doubt() -> None:
    elsewhere = replace(BOOKING, steps=(step_of(1, "clinic_c", "book_appointment", FERNANDO),))
    scene = Scene({"marque": BOOKING, "outra": elsewhere}, answer=lambda _: StepStatus.UNKNOWN)
    for utterance in ("marque", "sim", "outra"):
        scene.say(utterance)
    assert scene.session.proposal is not None
    assert not scene.session.proposal.attempted
    scene.say("sim")
    assert len(set(scene.request_ids)) == 2


@pytest.mark.parametrize(
    "second", [acknowledged(step_of(1, "clinic_c", "book_appointment", FERNANDO)), StepStatus.UNKNOWN]
)
def test_another_write_made_at_once_does_not_forget_the_one_in_doubt(second: Answer) -> None:
    elsewhere = replace(BOOKING, steps=(step_of(1, "clinic_c", "book_appointment", FERNANDO),))
    answers: list[Answer] = [StepStatus.UNKNOWN, second]
    scene = Scene({"marque": BOOKING, "outra": elsewhere}, answer=lambda _: answers.pop(0), consent_given=True)
    scene.say("marque")
    scene.say("outra")
    (first, other) = scene.request_ids
    assert scene.session.proposal is not None
    assert scene.session.proposal.in_doubt == ({first} if second is not StepStatus.UNKNOWN else {first, other})
    answers += [acknowledged(step) for step in scene.session.proposal.plan.steps]
    scene.say("sim")
    assert scene.session.appointments[-1:] == (MONDAY,)
    assert len(set(scene.session.appointments)) == 2
    assert scene.session.proposal is None


def test_a_read_has_no_request_id(scene: Scene) -> None:
    scene.say("horários")
    assert scene.request_ids == [None]


def test_a_write_of_unknown_outcome_is_proposed_again_under_the_same_request_id() -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, StepStatus.UNKNOWN, acknowledged(BOOKING.steps[0])]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0))
    scene.say("marque")
    assert scene.say("sim") == "answer: unknown"
    assert scene.session.proposal is not None
    assert scene.session.proposal.attempted
    assert scene.session.receipts == ()
    assert scene.say("sim") == "answer: unknown"
    assert scene.say("sim") == "answer: done"
    assert len(set(scene.request_ids)) == 1
    assert scene.session.appointments == (MONDAY,)
    assert scene.session.proposal is None


def test_a_write_of_unknown_outcome_is_found_out_even_where_consent_was_given_beforehand() -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, acknowledged(BOOKING.steps[0])]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0), consent_given=True)
    scene.say("marque")
    assert scene.say("sim") == "answer: done"
    assert len(set(scene.request_ids)) == 1


def test_what_was_acknowledged_beside_an_unknown_outcome_is_not_asked_again() -> None:
    clinic_a, clinic_c = TWO_BOOKINGS.steps
    answers: list[Answer] = [acknowledged(clinic_a), StepStatus.UNKNOWN, acknowledged(clinic_c)]
    scene = Scene({"marque as duas": TWO_BOOKINGS}, answer=lambda _: answers.pop(0), consent_given=True)
    assert scene.say("marque as duas") == "answer: done, unknown"
    assert scene.say("sim") == "answer: done"
    (first, (again,)) = (steps for steps, _ in scene.router.dispatched)
    assert again == first[1]
    assert scene.session.appointments == (MONDAY, FRIDAY)


def test_what_was_skipped_behind_an_unknown_outcome_is_made_once_that_is_known() -> None:
    same_clinic = replace(BOOKING, steps=(*BOOKING.steps, step_of(2, "clinic_a", "book_appointment", FERNANDO)))
    answers: list[Answer] = [StepStatus.UNKNOWN, StepStatus.SKIPPED, *map(acknowledged, same_clinic.steps)]
    scene = Scene({"marque as duas": same_clinic}, answer=lambda _: answers.pop(0), consent_given=True)
    assert scene.say("marque as duas") == "answer: unknown, skipped"
    assert scene.say("sim") == "answer: done, done"
    assert len(set(scene.request_ids)) == 2


def test_a_read_in_between_does_not_forget_a_write_of_unknown_outcome() -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, acknowledged(LISTING.steps[0]), acknowledged(BOOKING.steps[0])]
    scene = Scene({"marque": BOOKING, "horários": LISTING}, answer=lambda _: answers.pop(0), consent_given=True)
    scene.say("marque")
    scene.say("horários")
    scene.say("?")
    assert scene.say("sim") == "answer: done"
    first, _, again = scene.request_ids
    assert first == again
    assert scene.session.appointments == (MONDAY,)


def test_a_no_to_finding_out_is_told_apart_from_a_no_to_a_proposal() -> None:
    scene = Scene({"marque": BOOKING}, answer=lambda _: StepStatus.UNKNOWN, consent_given=True)
    scene.say("marque")
    assert scene.say("não") == "dropped after an attempt"
    assert scene.session.proposal is None


@pytest.mark.parametrize("status", [StepStatus.REFUSED, StepStatus.UNREACHED])
def test_a_write_that_was_surely_not_made_leaves_no_proposal(status: StepStatus) -> None:
    scene = Scene({"marque": BOOKING}, answer=lambda _: status, consent_given=True)
    scene.say("marque")
    assert scene.session.proposal is None
    assert scene.session.receipts == ()


NO_PROOF: list[Answer] = [
    StepStatus.UNREACHED,
    *(DomainError(reason.name, "no") for reason in REASONS.values() if reason.domain == "mesh.v1"),
    DomainError("OF_A_LATER_CONTRACT", "no"),
]


@pytest.mark.parametrize("silence", NO_PROOF, ids=lambda one: getattr(one, "reason", str(one)))
def test_a_repeat_that_brings_no_answer_leaves_the_outcome_unknown_and_the_proposal_open(silence: Answer) -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, silence, acknowledged(BOOKING.steps[0])]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0))
    scene.say("marque")
    assert [scene.say("sim"), scene.say("sim"), scene.say("sim")] == [
        "answer: unknown",
        "answer: unknown",
        "answer: done",
    ]
    assert len(set(scene.request_ids)) == 1


@pytest.mark.parametrize("reason", ["SLOT_UNAVAILABLE", "APPOINTMENT_NOT_FOUND", "APPOINTMENT_CONFLICT"])
def test_a_clinics_own_no_to_a_repeat_settles_that_nothing_was_written(reason: str) -> None:
    answers: list[Answer] = [StepStatus.UNKNOWN, DomainError(reason, "no")]
    scene = Scene({"marque": BOOKING}, answer=lambda _: answers.pop(0))
    scene.say("marque")
    assert [scene.say("sim"), scene.say("sim")] == ["answer: unknown", "answer: refused"]
    assert scene.session.proposal is None


def test_what_was_never_tried_is_not_in_doubt_when_its_first_try_is_refused() -> None:
    same_clinic = replace(BOOKING, steps=(*BOOKING.steps, step_of(2, "clinic_a", "book_appointment", FERNANDO)))
    limited = DomainError("RATE_LIMITED", "too many calls")
    answers: list[Answer] = [StepStatus.UNKNOWN, StepStatus.SKIPPED, acknowledged(BOOKING.steps[0]), limited]
    scene = Scene({"marque as duas": same_clinic}, answer=lambda _: answers.pop(0), consent_given=True)
    scene.say("marque as duas")
    assert scene.say("sim") == "answer: done, refused"
    assert scene.session.proposal is None


def test_stopping_a_repeat_before_it_is_sent_does_not_forget_the_doubt() -> None:
    stop = threading.Event()

    def answer(_: Step) -> Answer:
        if len(here.router.dispatched) == 1:
            return StepStatus.UNKNOWN
        stop.set()
        return StepStatus.SKIPPED

    here = Scene({"marque": BOOKING}, answer=answer)
    here.say("marque")
    here.say("sim")
    before = here.session.proposal
    assert here.say("sim", stop) == "cancelled"
    assert before is not None
    assert here.session.proposal == before


def test_a_first_try_that_brings_no_answer_has_changed_nothing() -> None:
    scene = Scene({"marque": BOOKING}, answer=lambda _: StepStatus.UNREACHED)
    scene.say("marque")
    assert scene.say("sim") == "answer: unreached"
    assert scene.session.proposal is None


def test_a_confirmation_makes_the_proposal_that_it_is_of_and_is_used_up() -> None:
    key = b"k" * 32
    first = Scene({"marque": BOOKING}, proposal_key=key)
    first.say("marque")
    assert first.session.proposal is not None
    scene = Scene({"marque as duas": TWO_BOOKINGS, "marque": BOOKING, "horários": LISTING}, proposal_key=key)
    scene.session = replace(scene.session, confirmation=first.session.proposal.id)
    waiting: list[str | None] = []
    for utterance, reply in (
        ("marque as duas", "propose: book_appointment, book_appointment"),
        ("horários", "answer: done"),
        ("marque", "answer: done"),
    ):
        assert scene.say(utterance) == reply
        waiting.append(scene.session.confirmation)
    assert waiting == [first.session.proposal.id, first.session.proposal.id, None]
    assert scene.request_ids[-1] == first.session.proposal.plan.steps[0].request_id
    assert scene.say("marque") == "propose: book_appointment"


def test_a_write_of_unknown_outcome_keeps_the_id_under_which_it_can_be_found_out() -> None:
    scene = Scene({"marque": BOOKING}, answer=lambda _: StepStatus.UNKNOWN, proposal_key=b"k" * 32)
    scene.say("marque")
    assert scene.session.proposal is not None
    proposed = scene.session.proposal.id
    scene.say("sim")
    assert scene.session.proposal.attempted
    assert scene.session.proposal.id == proposed


def test_a_slot_that_is_not_open_is_not_proposed_and_what_is_open_is_shown(scene: Scene) -> None:
    scene.router.agenda = (
        pb.Slot(date="2025-07-22", time="11:00", doctor="Dr. Ricardo Lopes", specialty="Cardiologia", available=True),
    )
    assert scene.say("marque") == "answer: done"
    assert scene.session.proposal is None
    assert [offer.date.day for offer in scene.session.offers] == [22]
    assert scene.router.dispatched == []
