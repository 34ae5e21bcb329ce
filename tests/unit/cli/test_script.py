"""Scripts: a turn a line, results apart from complaints, and no write without --yes."""

import io
import json
import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import date, time

import pytest

from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.script import ClinicScript
from orchestrator.console.turn_runner import Progress
from orchestrator.journal.events import ClinicAnswered, ClinicAsked
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.reply import Card, Paragraph, Reply, Table, TurnOutcome
from orchestrator.turn.routing import StepStatus
from orchestrator.turn.session import Offer, Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment
from tests.support.steps import step_of

Turn = Callable[[Session, str, threading.Event], tuple[Reply, Session]]

SLOT = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10, 0))
WRITE = step_of(1, "clinic_c", "book_appointment", {"doctor": SLOT.doctor, "date": "2025-07-18", "time": "10:00"}, "id")


def telling(complaints: io.StringIO) -> Progress:
    return Progress({"clinic_c": "Clínica C"}, lambda line: print(line, file=complaints))


class Conversation:
    """Takes every turn with one function, and keeps what it was given."""

    def __init__(self, take: Turn) -> None:
        self._take = take
        self.heard: list[str] = []
        self.proposals: list[Proposal | None] = []

    def turn(
        self,
        session: Session,
        utterance: str,
        cancel: threading.Event | None = None,
        plan: Plan | None = None,
        *,
        agrees: bool = False,
    ) -> tuple[Reply, Session]:
        self.heard.append(utterance)
        self.proposals.append(session.proposal)
        return self._take(session, utterance, cancel or threading.Event())


class Run:
    """A script that has run."""

    def __init__(
        self, take: Turn, lines: Iterable[str], *, as_records: bool = False, confirmation: str | None = None
    ) -> None:
        results, self._complaints = io.StringIO(), io.StringIO()
        self.conversation = Conversation(take)
        self.progress = telling(self._complaints)
        session = Session(Identity.of("Maria Souza", "529.982.247-25"), confirmation=confirmation)
        with redirect_stdout(results), redirect_stderr(self._complaints):
            told = () if as_records else None
            self.code = ClinicScript(self.progress, self.conversation, session, told).run(lines)
        self.results = results.getvalue()

    @property
    def complaints(self) -> str:
        return self._complaints.getvalue()


def answer(outcome: TurnOutcome) -> Turn:
    return lambda session, utterance, _: (Reply(Language.PT, outcome, (Paragraph(f"re: {utterance}"),)), session)


def propose(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
    card = Card("Marcar", (("CPF", "529.982.247-25"),))
    proposal = Proposal(Plan(PlanKind.STEPS, Language.PT, steps=(WRITE,)), id="qkzmtr-bwdfxh-pnvjcl")
    return Reply(Language.PT, TurnOutcome.CONFIRM, (card,)), replace(session, proposal=proposal)


def book(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
    offer = Offer(1, "clinic_c", SLOT.doctor, "Cardiologia", SLOT.date, SLOT.time)
    table = Table(("Nº", "Hora"), (("1", "10:00"),), marked=0)
    receipts = (*session.receipts, Receipt(ReceiptKind.CONFIRMED, SLOT))
    return Reply(Language.PT, TurnOutcome.OK, (table,)), replace(session, offers=(offer,), receipts=receipts)


def test_a_line_is_a_turn_and_blank_lines_are_none() -> None:
    run = Run(answer(TurnOutcome.OK), ["um\n", "\n", "   \n", "dois"])
    assert run.conversation.heard == ["um", "dois"]
    assert run.results == "re: um\n\nre: dois\n\n"
    assert run.complaints == ""
    assert run.code is ExitCode.OK


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (TurnOutcome.OK, 0),
        (TurnOutcome.PARTIAL, 3),
        (TurnOutcome.CONFIRM, 4),
        (TurnOutcome.REFUSED, 5),
        (TurnOutcome.UNKNOWN_WRITE, 7),
        (TurnOutcome.ALL_DOWN, 69),
        (TurnOutcome.CANCELLED, 130),
    ],
)
def test_each_outcome_ends_with_its_code(outcome: TurnOutcome, code: int) -> None:
    assert Run(answer(outcome), ["um"]).code == code


def test_a_proposal_is_never_answered_by_the_next_line() -> None:
    run = Run(propose, ["marcar", "sim"])
    assert run.conversation.proposals == [None, None]
    assert run.code is ExitCode.CONFIRM


def test_a_proposal_says_how_to_confirm_it() -> None:
    assert "Para confirmar, repita o pedido com: --confirm qkzmtr-bwdfxh-pnvjcl\n" in Run(propose, ["marcar"]).results


def test_a_confirmation_of_something_else_ends_with_a_code_of_its_own() -> None:
    run = Run(propose, ["marcar"], confirmation="qkzmtr-bwdfxh-pnvjcl")
    assert run.code is ExitCode.CHANGED
    assert "nada foi gravado com esse --confirm" in run.complaints


def test_a_confirmation_that_was_used_leaves_the_code_of_the_turn() -> None:
    def confirmed(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
        return book(replace(session, confirmation=None), utterance, _)

    run = Run(confirmed, ["marcar"], confirmation="qkzmtr-bwdfxh-pnvjcl")
    assert run.code is ExitCode.OK
    assert run.complaints == ""


def test_a_write_of_unknown_outcome_is_not_forgotten() -> None:
    unsettled = Proposal(Plan(PlanKind.STEPS, Language.PT, steps=(WRITE,)), in_doubt=frozenset({"an-id"}))

    def lose(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        return Reply(Language.PT, TurnOutcome.UNKNOWN_WRITE, (Paragraph("?"),)), replace(session, proposal=unsettled)

    assert Run(lose, ["marcar", "sim"]).conversation.proposals == [None, unsettled]


@pytest.mark.parametrize("line", ["/help", "a" * 4001])
def test_a_line_that_is_no_utterance_is_not_sent(line: str) -> None:
    run = Run(answer(TurnOutcome.OK), [line, "um"])
    assert run.conversation.heard == ["um"]
    assert "line not sent" in run.complaints
    assert run.code is ExitCode.USAGE


def test_a_fault_is_told_without_words_and_the_rest_goes_on() -> None:
    def broken(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
        if utterance == "segredo":
            raise RuntimeError(utterance)
        return answer(TurnOutcome.OK)(session, utterance, _)

    run = Run(broken, ["segredo", "dois"])
    assert run.results == "re: dois\n\n"
    assert "internal error (RuntimeError)" in run.complaints
    assert "segredo" not in run.complaints
    assert run.code is ExitCode.INTERNAL


def test_an_interrupted_turn_is_the_last() -> None:
    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.wait(30)
        return Reply(Language.PT, TurnOutcome.CANCELLED, (Paragraph("Cancelado."),)), session

    run = Run(interrupted, ["um", "dois"])
    assert run.conversation.heard == ["um"]
    assert run.code is ExitCode.INTERRUPTED


def test_progress_goes_to_standard_error_a_line_an_answer() -> None:
    def asking(session: Session, utterance: str, cancel: threading.Event) -> tuple[Reply, Session]:
        run_progress(ClinicAsked(1, "clinic_c", "list_available_slots"))
        run_progress(ClinicAnswered(1, "clinic_c", "list_available_slots", StepStatus.DONE, None, 6, 0.04))
        return answer(TurnOutcome.OK)(session, utterance, cancel)

    complaints = io.StringIO()
    run_progress = telling(complaints)
    results = io.StringIO()
    session = Session(Identity.of("Maria Souza", "529.982.247-25"))
    with redirect_stdout(results):
        ClinicScript(run_progress, Conversation(asking), session, None).run(["um"])
    assert complaints.getvalue() == "Clínica C: respondeu, 6 resultados (0,0 s)\n"
    assert results.getvalue() == "re: um\n\n"


def test_a_record_holds_the_reply_the_offers_and_this_turns_receipts() -> None:
    run = Run(book, ["um", "dois"], as_records=True)
    first, second = (json.loads(line) for line in run.results.splitlines())
    assert first["schema"] == "clinic-mesh.turn/1"
    assert (first["turn"], second["turn"]) == (1, 2)
    assert first["session_id"] == second["session_id"]
    assert (first["outcome"], first["exit_code"], first["language"]) == ("ok", 0, "pt")
    assert first["blocks"] == [{"type": "table", "columns": ["Nº", "Hora"], "rows": [["1", "10:00"]], "marked": 0}]
    assert first["offers"][0]["clinic"] == "clinic_c"
    assert first["proposal"] is None
    appointment = {"clinic": "clinic_c", "doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
    unknown = {"appointment_id": "", "revision": 0, "duration_min": 0}
    receipt = {"status": "confirmed", "appointment": {**appointment, **unknown}, "original": None}
    assert first["receipts"] == second["receipts"] == [receipt]


def test_a_record_of_a_proposal_says_what_would_be_done_and_masks_the_cpf() -> None:
    run = Run(propose, ["marcar"], as_records=True)
    record = json.loads(run.results)
    assert record["exit_code"] == 4
    assert record["proposal"] == [
        {"clinic": "clinic_c", "action": "book_appointment", "parameters": dict(WRITE.parameters)}
    ]
    assert record["proposal_id"] == "qkzmtr-bwdfxh-pnvjcl"
    assert record["blocks"][0]["rows"] == [{"label": "CPF", "value": "***.***.*47-**"}]
    assert "529.982" not in run.results
    assert "52998224725" not in run.results
