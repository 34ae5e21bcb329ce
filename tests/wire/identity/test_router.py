"""The orchestrator's own calls pass, and what a clinic refuses is a refusal: never silence, never a maybe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from orchestrator.agents.mesh_directory import Channels
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.journal.events import EventChannel
from orchestrator.security.token_keys import Credentials, KeyFolder
from orchestrator.texts import texts_in
from orchestrator.turn import Language
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from tests.support.clinics import SPECIALTIES
from tests.support.steps import step_of
from tests.support.tokens import make_keys
from tests.wire.identity.conftest import Guarded

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
SLOT = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}

Ask = Callable[..., StepResult]


@contextmanager
def asking(guarded: Guarded, credentials: Credentials, role: Role = Role.PATIENT) -> Iterator[Ask]:
    addresses = {clinic: process.address for clinic, process in guarded.clinics.items()}
    registry = Registry({clinic: Agent(clinic, SPECIALTIES[clinic], at) for clinic, at in addresses.items()})
    with ExitStack() as parts:
        channels = parts.enter_context(Channels())
        router = parts.enter_context(MeshRouter(registry, channels, EventChannel(), credentials))

        def ask(action: str, clinic: str = "clinic_a", **parameters: str) -> StepResult:
            dispatch = TurnScope(CARLOS, role, turn_id="a-turn")
            (result,) = router.dispatch([step_of(1, clinic, action, parameters)], dispatch)
            return result

        yield ask


def reason(result: StepResult) -> str:
    assert result.status is StepStatus.REFUSED
    assert result.error is not None
    return result.error.reason


def test_a_patients_turns_pass_at_every_clinic(guarded: Guarded, keys: KeyFolder) -> None:
    with asking(guarded, Credentials(keys)) as ask:
        for clinic in guarded.clinics:
            assert ask("list_available_slots", clinic).status is StepStatus.DONE
        assert ask("book_appointment", **SLOT).status is StepStatus.DONE
        assert ask("cancel_appointment", **SLOT).status is StepStatus.DONE


def test_what_a_patient_may_not_is_refused_by_the_clinic_itself(guarded: Guarded, keys: KeyFolder) -> None:
    with asking(guarded, Credentials(keys)) as ask:
        assert reason(ask("list_patients")) == "PERMISSION_DENIED"
        assert reason(ask("query", query="hipertensão")) == "PERMISSION_DENIED"
        assert reason(ask("get_patient", patient_id="CARD-001")) == "PATIENT_NOT_FOUND"


def test_an_operators_turns_see_records(guarded: Guarded, keys: KeyFolder) -> None:
    with asking(guarded, Credentials(keys), Role.OPERATOR) as ask:
        assert ask("list_patients").status is StepStatus.DONE
        assert ask("get_patient", patient_id="CARD-001").status is StepStatus.DONE


@pytest.mark.parametrize("action", ["list_available_slots", "book_appointment"])
def test_a_clinic_with_other_keys_refuses_and_nothing_is_uncertain(
    guarded: Guarded, tmp_path: Path, action: str
) -> None:
    before = guarded.database("clinic_a")
    with asking(guarded, Credentials(make_keys(tmp_path / "elsewhere"))) as ask:
        assert reason(ask(action, **(SLOT if action == "book_appointment" else {}))) == "UNAUTHENTICATED"
    assert guarded.database("clinic_a") == before


def test_an_operator_whose_key_is_gone_is_refused_before_anything_is_sent(guarded: Guarded, tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "elsewhere")
    (keys.path / "operator.pem").unlink()
    with asking(guarded, Credentials(keys), Role.OPERATOR) as ask:
        assert reason(ask("list_patients")) == "UNAUTHENTICATED"


def test_both_refusals_have_words_of_their_own_in_both_languages() -> None:
    for language in Language:
        assert {"UNAUTHENTICATED", "PERMISSION_DENIED"} <= set(texts_in(language).table("responder.failures.refusals"))
