from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from orchestrator.llm.language_model import PlannerVariant, Provider
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.scenarios.expectations import FERNANDO_18, FERNANDO_19, RICARDO_21, RICARDO_23, Booking
from tests.support.clinics import Clinics, Guard, open_clinics
from tests.support.model_talk import open_model_talk
from tests.support.played_model import Call, Plans, PlayedModel, Turn
from tests.support.talk import CARLOS, Talk, open_talk
from tests.support.tokens import make_keys

OpenTalk = Callable[..., Talk]
PEOPLE = count()


@pytest.fixture
def clinics(tmp_path: Path) -> Iterator[Clinics]:
    with open_clinics(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clinics]:
    """Six clinics that all tests of a module share."""
    with open_clinics(tmp_path_factory.mktemp("clinics")) as running:
        yield running


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture
def guarded_clinics(tmp_path: Path, keys: KeyFolder) -> Iterator[Clinics]:
    """Six clinics that ask for tokens, as they run by default."""
    with open_clinics(tmp_path, guard=Guard(keys.public)) as running:
        yield running


@pytest.fixture
def opened(guarded_clinics: Clinics, keys: KeyFolder) -> Iterator[OpenTalk]:
    """Opens a conversation of Carlos that knows of no other; writes are asked about first."""
    with ExitStack() as parts:
        yield lambda: parts.enter_context(open_talk(guarded_clinics.registry, keys=keys, consent_given=False))


@pytest.fixture
def own_talk(running: Clinics) -> Iterator[Talk]:
    """A conversation of a person of its own over the shared clinics; what they hold at its end is given back."""
    with open_talk(running.registry, consent_given=False) as talk:
        talk.session = Session(Identity.of(CARLOS.name, f"{12345700000 + next(PEOPLE):011}"))
        yield talk
        running.give_back(talk.session)


@pytest.fixture(params=["offline", "llm", *(pytest.param(one, marks=pytest.mark.long) for one in ("cot", "azure"))])
def talk(request: pytest.FixtureRequest, clinics: Clinics) -> Iterator[Talk]:
    """A conversation with each planner; the models are good ones that forget Rule 10 and know the blueprint's flows."""
    if request.param == "offline":
        with open_talk(clinics.registry) as conversation:
            yield conversation
        return
    provider = Provider.AZURE if request.param == "azure" else Provider.OPENAI
    planner = PlannerVariant.COT if request.param == "cot" else PlannerVariant.DIRECT
    played = PlayedModel(FLOWS, ["A consulta é com um cardiologista."] if planner is PlannerVariant.COT else None)
    with open_model_talk(clinics.registry, played, provider=provider, planner=planner) as (conversation, server):
        yield conversation
        assert server.requests
        assert not any(secret in server.received for secret in (b"Carlos", b"123.456", b"12345678900"))


def _slot(booking: Booking, prefix: str = "") -> dict[str, str]:
    _, doctor, date, time = booking
    return {"doctor": doctor, f"{prefix}date": date, f"{prefix}time": time}


def _books(booking: Booking) -> list[Call]:
    return [(booking[0], "book_appointment", _slot(booking))]


def _cancels_the_first(turn: Turn) -> list[Call]:
    held, doctor = next(iter(turn["appointments"].items()))
    clinic, day, at = held.split("/")
    return [(clinic, "cancel_appointment", {"doctor": doctor, "date": day, "time": at})]


def _moves(old: Booking, new: Booking) -> list[Call]:
    return [(old[0], "reschedule_appointment", {**_slot(old, "original_"), **_slot(new, "new_")})]


_LISTS: list[Call] = [("clinic_a", "list_available_slots", {})]

FLOWS: Plans = {
    "quero marcar uma consulta com cardiologista": _LISTS,
    "quero o horário mais próximo com cardiologista": _LISTS,
    "I want to book a cardiology appointment": _LISTS,
    "I want the earliest appointment with a cardiologist": _LISTS,
    "pode ser com o Dr. Fernando dia 18 as 10h": _books(FERNANDO_18),
    "pode ser o mais cedo": _books(FERNANDO_18),
    "I'll take the earliest": _books(FERNANDO_18),
    "I'll take Dr. Ricardo on July 21 at 9 AM": _books(RICARDO_21),
    "preciso reagendar para o dia 19 as 14h": _moves(FERNANDO_18, FERNANDO_19),
    "preciso reagendar para o dia 19 as 15h": _moves(FERNANDO_18, (*FERNANDO_19[:3], "15:00")),
    "preciso cancelar minha consulta": _cancels_the_first,
    "I need to cancel my appointment": _cancels_the_first,
    "I need to reschedule to July 23 at 8 AM": _moves(RICARDO_21, RICARDO_23),
}
