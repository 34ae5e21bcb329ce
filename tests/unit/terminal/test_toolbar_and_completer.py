"""The toolbar shows who speaks without the CPF in clear; completion offers commands and their arguments only."""

from dataclasses import replace

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode

from orchestrator.terminal.clinic_commands import COMMANDS
from orchestrator.terminal.clinic_prompt import CommandCompleter, toolbar
from orchestrator.terminal.view_state import Scene
from orchestrator.turn.language import Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.session import Proposal


def text(scene: Scene) -> str:
    return "".join(fragment[1] for fragment in toolbar(scene, EditingMode.EMACS))


def test_the_toolbar_names_the_person_and_masks_the_cpf(scene: Scene) -> None:
    assert "Maria Souza" in text(scene)
    assert "***.***.*47-**" in text(scene)
    assert "529" not in text(scene)


def test_the_toolbar_counts_the_clinics_that_answer_and_stresses_a_loss(scene: Scene) -> None:
    assert "clínicas 1/2" in text(scene)
    assert ("bold", "clínicas 1/2") in toolbar(scene, EditingMode.EMACS)


def test_the_toolbar_says_that_a_proposal_waits(scene: Scene) -> None:
    proposal = Proposal(Plan(PlanKind.STEPS, Language.PT))
    waiting = replace(scene, session=replace(scene.session, proposal=proposal))
    assert "proposta aberta" in text(waiting)
    assert "proposta aberta" not in text(scene)
    in_doubt = replace(proposal, in_doubt=frozenset({"an-id"}))
    unsettled = replace(scene, session=replace(scene.session, proposal=in_doubt))
    assert "resultado desconhecido" in text(unsettled)


def test_the_toolbar_speaks_the_sessions_language(scene: Scene) -> None:
    english = replace(scene, session=replace(scene.session, pinned_language=Language.EN))
    assert "clinics 1/2" in text(english)


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
def test_completion_offers_what_fits(typed: str, expected: list[str], scene: Scene) -> None:
    completer = CommandCompleter(lambda: scene)
    found = completer.get_completions(Document(typed), CompleteEvent(completion_requested=True))
    assert [completion.text for completion in found] == expected
