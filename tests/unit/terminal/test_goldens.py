"""How answers look, whole: on 80 columns, on 40, and as plain lines, against files that a person has looked at.

`pytest tests/unit/terminal/test_goldens.py --update-goldens` writes the files anew; what changed is then for the diff.
"""

import io
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from pathlib import Path

import pytest

from mesh.clock import clock_at
from orchestrator.console.renderer import Renderer
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.opening_list import offer_table
from orchestrator.responder.reply_context import ReplyContext
from orchestrator.responder.templates import TemplateResponder
from orchestrator.terminal.clinic_commands import health, run_command
from orchestrator.terminal.slash_commands import ClinicView, Say, Show
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.reply import Block
from orchestrator.turn.session import Offer, Proposal
from tests.support.steps import step_of

FOLDER = Path(__file__).parent / "golden"
OFFERS = (
    Offer(1, "clinic_c", "Dr. Fernando Mendes", "Cardiologia", date(2025, 7, 18), time(10)),
    Offer(2, "clinic_a", "Dr. Ricardo Lopes", "Cardiologia", date(2025, 7, 21), time(9)),
    Offer(3, "clinic_a", "Dr. Ricardo Lopes", "Cardiologia", date(2025, 7, 22), time(14)),
)
BOOKING = step_of(
    1, "clinic_c", "book_appointment", {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
)


def _shown(line: str, view: ClinicView) -> tuple[Block, ...]:
    action = run_command(line, view)
    assert isinstance(action, Show)
    return action.blocks


def _bookings(view: ClinicView, clinics: tuple[Clinic, ...]) -> Plan:
    action = run_command("/bookings", view)
    assert isinstance(action, Say)
    return OfflinePlanner().plan(action.utterance, view.session, clinics, clock_at("2025-07-15T08:00-03:00")())


def answers(view: ClinicView, language: Language) -> Mapping[str, tuple[Block, ...]]:
    """Return what is drawn, by the name of its file."""
    view = replace(view, session=replace(view.session, language=language))
    clinics = view.clinics
    proposal = Proposal(Plan(PlanKind.STEPS, language, steps=(BOOKING,)))
    return {
        "openings": (offer_table(OFFERS, proposal.plan, ReplyContext.of(view.session, language, clinics)),),
        "proposal": TemplateResponder().propose(proposal, view.session, clinics).blocks,
        "bookings": TemplateResponder().say(_bookings(view, clinics), view.session, clinics).blocks,
        "clinics": (health(view),),
        "help": _shown("/help", view),
        "help-book": _shown("/help book", view),
    }


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("form", "width", "plain"), [("80", 80, False), ("40", 40, False), ("plain", 80, True)], ids=["80", "40", "plain"]
)
def test_every_answer_looks_as_it_did(
    form: str, width: int, language: Language, view: ClinicView, request: pytest.FixtureRequest, *, plain: bool
) -> None:
    for name, blocks in answers(view, language).items():
        file = io.StringIO()
        Renderer(file, width, plain=plain).show(blocks)
        drawn = "\n".join(line.rstrip() for line in file.getvalue().splitlines()).rstrip() + "\n"
        golden = FOLDER / f"{name}.{language}.{form}.txt"
        if request.config.getoption("--update-goldens"):
            golden.write_text(drawn, "utf-8")
        assert drawn == golden.read_text("utf-8"), golden.name


def test_no_line_is_wider_than_its_screen() -> None:
    for golden in FOLDER.glob("*.40.txt"):
        assert max(map(len, golden.read_text("utf-8").splitlines())) <= 40, golden.name


def test_plain_lines_hold_nothing_but_text() -> None:
    for golden in FOLDER.glob("*.plain.txt"):
        text = golden.read_text("utf-8")
        assert not any("\u2500" <= character <= "\u257f" or character == "\x1b" for character in text), golden.name
