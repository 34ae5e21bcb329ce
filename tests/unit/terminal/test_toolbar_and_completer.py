"""The toolbar shows who speaks without the CPF in clear; completion offers commands and their arguments only."""

from dataclasses import replace

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode

from orchestrator.terminal.clinic_commands import COMMANDS, CommandCompleter, toolbar
from orchestrator.terminal.slash_commands import ClinicView
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.session import Proposal


def text(view: ClinicView) -> str:
    return "".join(fragment[1] for fragment in toolbar(view, EditingMode.EMACS, 200))


def test_the_toolbar_names_the_person_and_masks_the_cpf(view: ClinicView) -> None:
    assert "Maria Souza" in text(view)
    assert "***.***.*47-**" in text(view)
    assert "529" not in text(view)


def test_the_toolbar_counts_the_clinics_that_answer_and_stresses_a_loss(view: ClinicView) -> None:
    assert "clínicas 1/2" in text(view)
    assert ("bold", "clínicas 1/2") in toolbar(view, EditingMode.EMACS, 200)


def test_the_toolbar_says_that_a_proposal_waits(view: ClinicView) -> None:
    proposal = Proposal(Plan(PlanKind.STEPS, Language.PT))
    waiting = replace(view, session=replace(view.session, proposal=proposal))
    assert "proposta aberta" in text(waiting)
    assert "proposta aberta" not in text(view)
    in_doubt = replace(proposal, in_doubt=frozenset({"an-id"}))
    unsettled = replace(view, session=replace(view.session, proposal=in_doubt))
    assert "resultado desconhecido" in text(unsettled)


def test_the_toolbar_speaks_the_sessions_language(view: ClinicView) -> None:
    english = replace(view, session=replace(view.session, pinned_language=Language.EN))
    assert "clinics 1/2" in text(english)


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
@pytest.mark.parametrize("proposes", [False, True])
def test_the_toolbar_fits_its_width_with_the_most_important_first(
    view: ClinicView, columns: int, *, proposes: bool
) -> None:
    proposal = Proposal(Plan(PlanKind.STEPS, Language.PT)) if proposes else None
    waiting = replace(view, session=replace(view.session, proposal=proposal))
    line = "".join(fragment[1] for fragment in toolbar(waiting, EditingMode.EMACS, columns))
    assert len(line) <= columns
    assert "Ctrl-D sai" in line or columns < 60
    assert "Maria Souza" in line or columns < 80
    assert line.startswith(" proposta aberta" if proposes else " clínicas 1/2")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/", list(COMMANDS)),
        ("/b", ["/book", "/bookings"]),
        ("/La", ["/lang"]),
        ("/lang ", ["pt", "en", "auto"]),
        ("/lang e", ["en"]),
        ("/slots ", ["cardiologia"]),
        ("/history ", ["clear"]),
        ("/quit ", []),
        ("/nothing ", []),
        ("quero marcar", []),
        ("", []),
    ],
)
def test_completion_offers_what_fits(typed: str, expected: list[str], view: ClinicView) -> None:
    completer = CommandCompleter(lambda: view)
    found = completer.get_completions(Document(typed), CompleteEvent(completion_requested=True))
    assert [completion.text for completion in found] == expected
