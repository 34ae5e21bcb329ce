"""Own appointments across processes: booked in one, seen, moved and cancelled in others, and their calendar."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from tests.support.home import Home
from tests.support.ics import PersonsCalendar
from tests.support.tty import Tty
from tests.wire.parity.doors import TRACE, EnvelopeDoor, TypedDoor

MARIA = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
PERSON = {"patient_name": "Maria Souza", "cpf": "529.982.247-25"}
BOOKED, MOVED, AGAIN = ("2025-07-18", "10:00"), ("2025-07-19", "14:00"), ("2025-07-22", "09:30")
DoorKind = type[TypedDoor | EnvelopeDoor]
DOORS: tuple[DoorKind, ...] = (TypedDoor, EnvelopeDoor)


@dataclass(frozen=True)
class Words:
    """What a person types and reads."""

    book: str
    mine: str
    move: str
    cancel: str
    yes: str
    none: str
    file: str


WORDS = {
    "pt": Words(
        "marca com o Dr. Fernando dia 18 às 10h",
        "quais são minhas consultas?",
        "remarca minha consulta para o dia 22 às 9h30",
        "cancela a de terça",
        "sim",
        "Não encontrei consulta",
        "consultas.ics",
    ),
    "en": Words(
        "book Dr. Fernando on July 18 at 10 am",
        "what are my appointments?",
        "move my appointment to July 22 at 9:30 am",
        "cancel the one on Tuesday",
        "yes",
        "found no appointment",
        "appointments.ics",
    ),
}


def raw(home: Home, door: DoorKind, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Call clinic_c as any program would, with a token of the person."""
    token = home.run("token", "--clinic", "clinic_c", environment=MARIA).stdout.strip()
    with grpc.insecure_channel(home.holder("clinic_c").address) as channel:
        answer = door(channel, (*TRACE, ("authorization", f"Bearer {token}"))).ask(tool, arguments)
    assert isinstance(answer, dict), answer
    return answer


def listed(home: Home, door: DoorKind) -> list[dict[str, Any]]:
    return list(raw(home, door, "list_appointments", {})["appointments"])


@pytest.mark.long
@pytest.mark.parametrize("language", WORDS)
def test_an_appointment_is_seen_moved_and_cancelled_by_other_processes_than_the_one_that_booked_it(
    home: Home, language: str
) -> None:
    words, who = WORDS[language], {**MARIA, "CLINIC_MESH_LANGUAGE": language}
    calendar = PersonsCalendar()
    assert home.run("up", "--detach").returncode == 0
    booked = home.run("ask", words.book, "--yes", "--ics", "new.ics", environment=who)
    assert booked.returncode == 0, booked.stderr
    assert calendar.open(home.folder / "new.ics").begins == [" ".join(BOOKED)]

    home.signal("clinic_c", signal.SIGKILL)
    assert home.run("up", "--detach").returncode == 0
    seen = [listed(home, door) for door in DOORS]
    assert seen[0] == seen[1]
    assert [(one["date"], one["time"], one["revision"]) for one in seen[0]] == [(*BOOKED, 0)]
    assert "Fernando Mendes" in home.run("ask", words.mine, environment=who).stdout

    for door, (old, new) in zip(DOORS, ((BOOKED, MOVED), (MOVED, BOOKED)), strict=True):
        ends = {f"original_{part}": one for part, one in zip(("date", "time"), old, strict=True)}
        ends |= {f"new_{part}": one for part, one in zip(("date", "time"), new, strict=True)}
        raw(home, door, "reschedule_appointment", {"doctor": "Dr. Fernando Mendes", **ends, **PERSON})
    assert home.run("restart", "clinic_c").returncode == 0

    tty = Tty(home, **who)
    try:
        tty.wait_for("6/6")
        tty.say("/bookings", "18/07/2025" if language == "pt" else "July 18", "Dr. Fernando Mendes", "Clínica C")
        tty.say(words.move, "9:30")
        tty.say(words.yes, "9:30")
        tty.say("/calendar 1", words.file)
    finally:
        tty.close()
    assert calendar.open(home.folder / words.file).begins == [" ".join(AGAIN)]
    assert len(calendar.entries) == 1, "a move is the same entry"

    proposed = home.run("ask", words.cancel, environment=who)
    assert proposed.returncode == 4, proposed.stdout
    gone = home.run("ask", words.cancel, "--yes", "--ics", "gone.ics", environment=who)
    assert gone.returncode == 0, gone.stderr
    assert calendar.open(home.folder / "gone.ics").begins == []
    assert [listed(home, door) for door in DOORS] == [[], []]
    assert words.none in home.run("ask", words.mine, environment=who).stdout
    assert "Maria" not in "".join(path.read_text("utf-8") for path in home.folder.glob("*.ics"))


def test_calendar_writes_what_all_clinics_list_and_says_where_something_may_be_missing(served_home: Home) -> None:
    home, who = served_home, {**MARIA, "CLINIC_MESH_LANGUAGE": "en"}
    for words in (WORDS["en"].book, "book Dr. Ricardo on July 21 at 9 am"):
        assert home.run("ask", words, "--yes", environment=who).returncode == 0
    written = home.run("calendar", "all.ics", environment=who)
    assert written.returncode == 0
    assert "2 appointments are in all.ics" in written.stderr
    calendar = PersonsCalendar().open(home.folder / "all.ics")
    assert calendar.begins == ["2025-07-18 10:00", "2025-07-21 09:00"]
    home.signal("clinic_c", signal.SIGSTOP)
    try:
        partial = home.run("calendar", "all.ics", "--no-start", environment=who)
    finally:
        home.signal("clinic_c", signal.SIGCONT)
    assert partial.returncode == 3
    assert "one may be missing" in partial.stdout
    theirs = home.folder / "theirs.ics"
    theirs.write_text("mine", "utf-8")
    refused = home.call("calendar", "theirs.ics", environment=who)
    assert (refused.returncode, theirs.read_text("utf-8")) == (2, "mine")
    nothing = home.call("ask", "what slots does Dr. Ricardo have?", "--ics", "none.ics", environment=who)
    assert "was not written" in nothing.stderr
    assert not (home.folder / "none.ics").exists()
