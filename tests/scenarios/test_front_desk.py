"""An operator keeps agendas in words and serves one patient after another, over real clinics that ask for tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace

import pytest

from mesh.clock import clock_at
from orchestrator.agents import router
from orchestrator.agents.registry import Registry
from orchestrator.composition import ConversationOptions, open_conversation
from orchestrator.composition.connection import connect
from orchestrator.front_desk import FrontDesk, session_for
from orchestrator.journal.events import Event, EventChannel, TurnFinished
from orchestrator.security.token_keys import KeyFolder, Protection
from orchestrator.turn import Identity, Language, Reply, Role, Session, TurnOutcome
from tests.support.clinics import NOW, Clinics

ANA = Identity.of("Ana Recepção", "111.444.777-35")
CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
MARIA = Identity.of("Maria Silva", "529.982.247-25")
BLOCKING = "bloqueia a agenda do Dr. Ricardo na segunda de manhã"


class Reception:
    """An operator's conversation, and the reply that came last."""

    def __init__(self, desk: FrontDesk, events: list[Event], session: Session) -> None:
        self.desk = desk
        self.events = events
        self.session = session

    def say(self, *said: str) -> Reply:
        for each in said:
            reply, self.session = self.desk.turn(self.session, each)
        return reply

    def serve(self, patient: Identity) -> None:
        assert self.say(f"vou atender a {patient.name}, CPF {patient.cpf}").outcome is TurnOutcome.OK
        assert self.session.identity == patient


@contextmanager
def open_reception(
    clinics: Clinics, keys: KeyFolder, options: ConversationOptions | None = None, role: Role = Role.OPERATOR
) -> Iterator[Reception]:
    events: list[Event] = []
    channel = EventChannel([events.append])
    with ExitStack() as parts:
        connection = parts.enter_context(connect(clinics.registry, Protection(keys)))
        options = replace(options or ConversationOptions(), keeps_agendas=True)
        desk = parts.enter_context(open_conversation(connection, clock_at(NOW), channel, options))
        assert isinstance(desk, FrontDesk)
        yield Reception(desk, events, Session(ANA, role=role))


@pytest.fixture
def reception(guarded_clinics: Clinics, keys: KeyFolder) -> Iterator[Reception]:
    with open_reception(guarded_clinics, keys) as opened:
        yield opened


def holders(clinics: Clinics, clinic: str) -> dict[tuple[str, str], str]:
    return {(slot["date"], slot["time"]): slot["patient_name"] for slot in clinics.slots(clinic) if slot["cpf"]}


def test_times_are_closed_and_opened_after_a_yes(reception: Reception, guarded_clinics: Clinics) -> None:
    asked = reception.say(BLOCKING)
    assert asked.outcome is TurnOutcome.CONFIRM
    assert [word in asked.plain for word in ("Dr. Ricardo Lopes", "21/07/2025", "Clínica A")] == [True] * 3
    assert all(slot["available"] for slot in guarded_clinics.slots("clinic_a"))
    assert reception.say("não").plain == "Certo, nada foi alterado."
    assert reception.say(BLOCKING, "sim").outcome is TurnOutcome.OK
    assert "09:00" not in reception.say("horários do Dr. Ricardo na segunda").plain
    day = reception.say("quem vem na segunda na clínica A?")
    assert day.plain.count("fechado (outro motivo)") == 2
    assert "Horários abertos: 2" in reception.say("abre 8h e 8h30 na segunda para o Dr. Ricardo", "sim").plain
    assert "08:30" in reception.say("horários do Dr. Ricardo na segunda").plain


def test_who_comes_is_told_and_never_logged(reception: Reception) -> None:
    reception.serve(CARLOS)
    reception.say("marca com o Dr. Ricardo segunda às 9h", "sim", "terminei o atendimento")
    assert "Carlos Teste" in reception.say("quem vem segunda?").plain
    assert "Carlos Teste" in reception.say("who is coming on Monday?").plain
    told = [event.reply for event in reception.events if isinstance(event, TurnFinished)]
    assert not any("Carlos" in each for each in told)


def test_a_sick_doctors_patients_are_moved_one_by_one(reception: Reception, guarded_clinics: Clinics) -> None:
    for patient, time in ((CARLOS, "9h"), (MARIA, "10:30")):
        reception.serve(patient)
        assert reception.say(f"marca com o Dr. Ricardo segunda às {time}", "sim").outcome is TurnOutcome.OK
    reception.say("terminei o atendimento")
    asked = reception.say("o Dr. Ricardo está doente na segunda, o que fazemos?", "sim")
    assert asked.outcome is TurnOutcome.CONFIRM
    assert "2 horários continuam marcados" in asked.plain
    assert sorted(holders(guarded_clinics, "clinic_a")) == [("2025-07-21", "09:00"), ("2025-07-21", "10:30")]
    moved = reception.say("sim")
    assert moved.outcome is TurnOutcome.OK
    assert moved.plain.count("remarcada: ") == 2
    after = holders(guarded_clinics, "clinic_a")
    assert sorted(after.values()) == ["Carlos Teste", "Maria Silva"]
    assert not [slot for slot in after if slot[0] == "2025-07-21"]
    assert "fechado (doença)" in reception.say("quem vem segunda na clínica A?").plain


def test_where_the_doctor_has_no_opening_another_of_the_specialty_takes_the_patient(
    reception: Reception, guarded_clinics: Clinics
) -> None:
    reception.serve(CARLOS)
    reception.say("marca com o Dr. Ricardo segunda às 9h", "sim", "terminei o atendimento")
    reception.say("fecha a agenda do Dr. Ricardo de 16 a 30 de julho, férias", "sim")
    asked = reception.say("mover")
    assert "Dr. Fernando Mendes" in asked.plain
    assert reception.say("sim").outcome is TurnOutcome.OK
    assert holders(guarded_clinics, "clinic_a") == {}
    assert list(holders(guarded_clinics, "clinic_c").values()) == ["Carlos Teste"]


def test_what_could_not_be_moved_is_told_and_stays(
    reception: Reception, guarded_clinics: Clinics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "CONNECT_TIMEOUT_S", 0.5)
    reception.serve(CARLOS)
    reception.say(
        "marca com o Dr. Ricardo segunda às 9h", "sim", "terminei o atendimento", f"{BLOCKING}, férias", "sim"
    )
    reception.say("mover")
    guarded_clinics.stop("clinic_a")
    told = reception.say("sim")
    assert told.outcome is TurnOutcome.ALL_DOWN
    assert "não foi remarcada e fica como estava" in told.plain
    assert holders(guarded_clinics, "clinic_a") == {("2025-07-21", "09:00"): "Carlos Teste"}


def test_a_script_closes_and_moves_with_consent_given(guarded_clinics: Clinics, keys: KeyFolder) -> None:
    options = ConversationOptions(consent_given=True, moves_patients=True)
    with open_reception(guarded_clinics, keys, options) as reception:
        reception.serve(CARLOS)
        reception.say("marca com o Dr. Ricardo segunda às 9h", "terminei o atendimento")
        told = reception.say(BLOCKING)
    assert told.outcome is TurnOutcome.OK
    assert "remarcada: " in told.plain
    assert ("2025-07-21", "09:00") not in holders(guarded_clinics, "clinic_a")


def test_a_tool_that_the_registry_does_not_allow_is_not_called(guarded_clinics: Clinics, keys: KeyFolder) -> None:
    with open_reception(guarded_clinics, keys, ConversationOptions(consent_given=True)) as reception:
        agents = {each.id: replace(each, intents=("list_agenda",)) for each in guarded_clinics.registry.values()}
        reception.desk = replace(reception.desk, registry=Registry(agents))
        assert reception.say(BLOCKING).outcome is not TurnOutcome.OK
    assert all(slot["available"] for slot in guarded_clinics.slots("clinic_a"))


def test_a_visit_that_may_not_be_booked_elsewhere_is_not_cancelled(
    reception: Reception, guarded_clinics: Clinics
) -> None:
    reception.serve(CARLOS)
    reception.say("marca com o Dr. Ricardo segunda às 9h", "sim", "terminei o atendimento")
    reception.say("fecha a agenda do Dr. Ricardo de 16 a 30 de julho, férias", "sim", "mover")
    agents = dict(guarded_clinics.registry)
    agents["clinic_c"] = replace(agents["clinic_c"], intents=("list_available_slots",))
    reception.desk = replace(reception.desk, registry=Registry(agents))
    told = reception.say("sim")
    assert told.outcome is TurnOutcome.ALL_DOWN
    assert "não foi remarcada e fica como estava" in told.plain
    assert holders(guarded_clinics, "clinic_a") == {("2025-07-21", "09:00"): "Carlos Teste"}


def test_a_patient_keeps_no_agenda_and_serves_nobody(guarded_clinics: Clinics, keys: KeyFolder) -> None:
    options = ConversationOptions(consent_given=True)
    with open_reception(guarded_clinics, keys, options, Role.PATIENT) as patient:
        before = guarded_clinics.slots("clinic_a")
        patient.say(BLOCKING, "sim", "abre 8h na segunda para o Dr. Ricardo", "sim", "quem vem segunda?")
        patient.say("vou atender a Maria Silva, CPF 529.982.247-25")
        assert patient.session.identity == ANA
        assert patient.session.operator is None
    assert guarded_clinics.slots("clinic_a") == before


def test_nothing_of_one_person_reaches_the_next(reception: Reception) -> None:
    """Each field of a session but those named here is as in a new one; a new field has to be thought of here."""
    kept = {"identity", "role", "language", "pinned_language", "page", "operator"}
    reception.session = replace(reception.session, pinned_language=Language.PT, page=7)
    reception.serve(CARLOS)
    reception.say("horários de cardiologia", "1", "sim", "quais são as minhas consultas?", BLOCKING)
    used = reception.session
    changed = {one.name for one in fields(Session) if getattr(used, one.name) != getattr(Session(ANA), one.name)}
    assert {"offers", "receipts", "history", "agenda"} <= changed
    reception.serve(MARIA)
    new = Session(MARIA)
    for one in fields(Session):
        if one.name not in {*kept, "session_id"}:
            assert getattr(reception.session, one.name) == getattr(new, one.name), one.name
    assert reception.session.session_id != used.session_id
    assert (reception.session.operator, reception.session.page) == (ANA, 7)
    assert "Carlos" not in repr(reception.session)
    assert "Carlos" not in reception.say("quais são as minhas consultas?").plain
    assert "Maria Silva" in reception.say("marca com o Dr. Ricardo segunda às 9h").plain
    assert session_for(reception.session, None).identity == ANA


def test_a_wrong_cpf_serves_nobody(reception: Reception) -> None:
    assert reception.say("vou atender a Maria Silva, CPF 529.982").outcome is TurnOutcome.REFUSED
    assert reception.say("vou atender a Maria Silva").outcome is TurnOutcome.REFUSED
    assert reception.session.identity == ANA


def test_operations_name_nobody(reception: Reception, guarded_clinics: Clinics) -> None:
    reception.serve(CARLOS)
    reception.say("marca com o Dr. Ricardo segunda às 9h", "sim", "terminei o atendimento", BLOCKING, "sim")
    lines = guarded_clinics.log("clinic_a")
    assert [(line["outcome"], line["role"]) for line in lines if line["outcome"] != "read"] == [
        ("booked", "operator"),
        ("closed", "operator"),
        ("closed", "operator"),
    ]
    assert "Carlos" not in json.dumps(lines)


NAMED = (
    "agora a Maria Silva, cpf {}",
    "paciente Maria Silva, CPF {}",
    "Maria Silva {}",
    "next patient: Maria Silva, CPF {}",
)
WISHED = (
    *("marca cardiologista pra Maria Silva", "cancela a consulta da Maria Silva", "e pra Maria Silva?"),
    *("book a cardiologist for Maria Silva, CPF 529.982.247-25", "a mesma coisa pra Maria Silva, cpf 529.982.247-25"),
)


@pytest.mark.parametrize("said", [*(one.format(MARIA.cpf) for one in NAMED), *WISHED])
def test_a_card_of_one_patient_is_gone_once_another_is_named(
    reception: Reception, guarded_clinics: Clinics, said: str
) -> None:
    reception.serve(CARLOS)
    assert reception.say("marca com o Dr. Ricardo segunda às 9h").outcome is TurnOutcome.CONFIRM
    told = reception.say(said)
    assert reception.session.identity == (CARLOS if said in WISHED else MARIA)
    assert told.outcome is (TurnOutcome.REFUSED if said in WISHED else TurnOutcome.OK)
    reception.say("sim")
    assert holders(guarded_clinics, "clinic_a") == {}


@pytest.mark.parametrize(
    "said", ["quais pacientes na segunda?", "tem alguém marcado na segunda?", "who do we have on Monday?"]
)
def test_the_agenda_of_a_day_is_no_list_of_records(reception: Reception, said: str) -> None:
    told = reception.say(said).plain
    assert "09:00 | Dr. Ricardo Lopes" in told
    assert "CARD-" not in told
