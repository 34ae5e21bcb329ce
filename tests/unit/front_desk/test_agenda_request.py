"""What operators say about agendas, in both languages, as typed requests."""

from __future__ import annotations

import pytest

from orchestrator.front_desk.agenda_request import AskAgain, ListDay, read_request
from orchestrator.turn import AgendaProposal, Language
from tests.unit.planner.desk import CLINICS, GUSTAVO, MARINA_TELES, NOW, RICARDO, SILVIA


def read(said: str) -> object:
    return read_request(said, Language.PT, CLINICS, NOW)


def changed(said: str) -> tuple[str, str, dict[str, object]]:
    request = read(said)
    assert isinstance(request, AgendaProposal), request
    assert request.change is not None
    call = request.change.call
    return request.change.clinic, call.name, dict(getattr(call, "arguments", {}))


@pytest.mark.parametrize(
    ("said", "doctor", "given"),
    [
        ("bloqueia a agenda da Dra. Sílvia quinta à tarde", SILVIA, ("2025-07-17", "12:00", "18:00", "OTHER")),
        ("block Dr. Silvia's agenda Thursday afternoon", SILVIA, ("2025-07-17", "12:00", "18:00", "OTHER")),
        ("fecha o Dr. Ricardo segunda das 9h às 11h, congresso", RICARDO, ("2025-07-21", "09:00", "11:00", "TRAINING")),
        ("tranca a agenda do Dr. Ricardo dia 24/07 a partir das 14h", RICARDO, ("2025-07-24", "14:00", "", "OTHER")),
        ("fecha a agenda do Dr. Ricardo na segunda às 9h", RICARDO, ("2025-07-21", "09:00", "09:01", "OTHER")),
        ("bloqueia o Dr. Gustavo amanhã, férias", GUSTAVO, ("2025-07-16", "", "", "LEAVE")),
        ("close Dr. Gustavo's agenda tomorrow for maintenance", GUSTAVO, ("2025-07-16", "", "", "MAINTENANCE")),
        ("a Dra. Marina Teles está doente hoje, o que fazemos?", MARINA_TELES, ("2025-07-15", "", "", "ILLNESS")),
        ("o Dr. Gustavo não vem amanhã", GUSTAVO, ("2025-07-16", "", "", "OTHER")),
        ("Dr. Gustavo is sick today, what do we do?", GUSTAVO, ("2025-07-15", "", "", "ILLNESS")),
        ("Dr. Gustavo called in sick", GUSTAVO, ("2025-07-15", "", "", "ILLNESS")),
    ],
)
def test_times_are_closed(said: str, doctor: str, given: tuple[str, str, str, str]) -> None:
    _, tool, arguments = changed(said)
    told = tuple(str(arguments.get(name, "")) for name in ("date", "first_time", "last_time", "reason"))
    assert (tool, arguments["doctor"]) == ("close_slots", doctor)
    assert told == (*given[:3], f"CLOSING_REASON_{given[3]}")


def test_several_days_are_closed_at_once() -> None:
    _, _, arguments = changed("fecha a agenda do Dr. Ricardo de 21 a 25 de julho, férias")
    assert (arguments["date"], arguments["last_date"]) == ("2025-07-21", "2025-07-25")


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("abre 8h e 8h30 na segunda para o Dr. Ricardo", {"times": ("08:00", "08:30"), "dates": ("2025-07-21",)}),
        ("open 8:00 and 8:30 on Monday for Dr. Ricardo", {"times": ("08:00", "08:30"), "dates": ("2025-07-21",)}),
        (
            "abre 8h e 9h toda segunda até 30 de agosto para o Dr. Ricardo",
            {
                "times": ("08:00", "09:00"),
                "weekdays": ("WEEKDAY_MONDAY",),
                "first_date": "2025-07-21",
                "last_date": "2025-08-30",
            },
        ),
    ],
)
def test_times_are_opened(said: str, given: dict[str, object]) -> None:
    assert changed(said) == ("clinic_a", "open_slots", {"doctor": RICARDO, **given})


@pytest.mark.parametrize(
    ("said", "clinics", "day"),
    [
        ("quem vem amanhã?", 6, "2025-07-16"),
        ("who is coming tomorrow?", 6, "2025-07-16"),
        ("quem vem hoje na clínica A?", 1, "2025-07-15"),
        ("agenda de hoje da clínica A", 1, "2025-07-15"),
        ("quem está agendado com o Dr. Ricardo na segunda?", 1, "2025-07-21"),
        ("quem vem?", 6, "2025-07-15"),
    ],
)
def test_a_day_is_listed(said: str, clinics: int, day: str) -> None:
    request = read(said)
    assert isinstance(request, ListDay)
    assert (len(request.steps), request.steps[0].parameters["date"]) == (clinics, day)


@pytest.mark.parametrize(("said", "proposes"), [("bloqueia o Dr. Ricardo hoje", False), ("Dr. Ricardo faltou", True)])
def test_moves_are_proposed_for_a_doctor_who_does_not_come(said: str, proposes: bool) -> None:
    request = read(said)
    assert isinstance(request, AgendaProposal)
    assert request.proposes_moves is proposes


def test_a_closing_may_ask_for_moves_at_once() -> None:
    request = read("bloqueia a agenda do Dr. Ricardo segunda e move os pacientes")
    assert isinstance(request, AgendaProposal)
    assert request.proposes_moves


@pytest.mark.parametrize("said", ["mover", "move os pacientes", "pode remanejar", "rebook everybody", "move them"])
def test_those_in_the_way_are_moved(said: str) -> None:
    assert read(said) == AgendaProposal()


@pytest.mark.parametrize(
    "said", ["bloqueia a agenda do Dr. Ricardo", "abre na segunda para o Dr. Ricardo", "bloqueia a Dra. Marina amanhã"]
)
def test_what_a_change_lacks_is_asked_for(said: str) -> None:
    assert isinstance(read(said), AskAgain)


@pytest.mark.parametrize(
    "said",
    [
        "quero um cardiologista na sexta",
        "marca com o Dr. Ricardo na segunda às 9h",
        "quais horários estão abertos?",
        "quero mudar minha consulta para quinta",
        "move my appointment to Friday",
        "estou doente, quero um médico hoje",
        "cancela a consulta de amanhã",
        "sim",
        "",
    ],
)
def test_what_patients_say_is_no_request_of_an_agenda(said: str) -> None:
    assert read(said) is None
