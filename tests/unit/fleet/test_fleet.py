"""The fleet with real clinics: starts what is missing, reuses what fits, refuses what does not, stops its own only."""

import dataclasses
import os
import re
import signal
import socket
import stat
import sys
import time
from pathlib import Path
from types import FrameType

import pytest

from orchestrator.agents.mesh_directory import introduction_of
from orchestrator.fleet.clinic_probe import Absence, Member, Present
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.fleet_status import clinic_statuses
from orchestrator.fleet.process import (
    Calendar,
    ClinicProcess,
    FleetError,
    clinic_command,
    clinic_environment,
    end,
    end_all,
    find_holder,
    find_holders,
)
from orchestrator.security.token_keys import Protection
from orchestrator.turn.identity import Language
from tests.support.rogue_clinic import RogueClinic, described, open_rogue
from tests.support.tokens import any_protection, make_keys

JULY = Calendar("blueprint", "2025-07-15T08:00-03:00", "2025-07-15")
ROLLING = Calendar("rolling", None)


def up(fleet: Fleet) -> Fleet:
    fleet.launch()
    fleet.await_health()
    return fleet


def test_all_missing_clinics_come_up_as_themselves(fleet: Fleet) -> None:
    up(fleet)
    assert fleet.started == ("clinic_a", "clinic_b")
    assert [entry.health for entry in clinic_statuses(fleet)] == ["serving", "serving"]
    found = fleet.survey()["clinic_a"]
    assert isinstance(found, Present)
    assert (found.said.clinic_id, found.agenda, found.said.today) == ("clinic_a", "blueprint", "2025-07-15")
    assert fleet.met["clinic_a"] == introduction_of(found.said)
    assert fleet.met.keys() == {"clinic_a", "clinic_b"}


@pytest.mark.long
def test_stopping_ends_them_and_frees_their_silos(fleet: Fleet, members: list[Member]) -> None:
    up(fleet).stop()
    assert all(finding is Absence.VACANT for finding in fleet.survey().values())
    assert [find_holder(member.silo) for member in members] == [None, None]


def test_running_clinics_are_used_and_left_running(fleet: Fleet, members: list[Member], tmp_path: Path) -> None:
    up(fleet)
    second = up(Fleet(members, JULY, tmp_path / "logs", any_protection()))
    assert second.started == ()
    assert second.met == fleet.met
    second.stop()
    assert [entry.health for entry in clinic_statuses(fleet)] == ["serving", "serving"]


@pytest.mark.long
def test_only_the_missing_one_is_started(fleet: Fleet, members: list[Member], tmp_path: Path) -> None:
    first = up(Fleet(members[:1], JULY, tmp_path / "logs", any_protection()))
    try:
        assert up(fleet).started == ("clinic_b",)
    finally:
        first.stop()


@pytest.mark.long(but=1)
@pytest.mark.parametrize("length", [201, 1 << 20])
@pytest.mark.parametrize("too_long", ["name", "address"])
def test_a_clinic_that_says_too_much_of_itself_holds_no_other_up(
    members: list[Member], tmp_path: Path, too_long: str, length: int
) -> None:
    said = described("clinic_a")
    said.today = "2025-07-15"
    said.token_keys.extend(any_protection().keys.fingerprints)
    setattr(said if too_long == "name" else said.details, too_long, "x" * length)
    with open_rogue(RogueClinic("clinic_a", handlers={"GetClinic": lambda _request, _context: said})) as rogue:
        fleet = Fleet(
            [dataclasses.replace(members[0], address=rogue.address), members[1]],
            JULY,
            tmp_path / "logs",
            any_protection(),
        )
        try:
            up(fleet)
            assert fleet.started == ("clinic_b",)
            is_met = (too_long, length) == ("address", 201)
            assert fleet.met.keys() == ({"clinic_a", "clinic_b"} if is_met else {"clinic_b"})
        finally:
            fleet.stop()


def test_a_clinic_with_other_keys_is_named_as_the_problem(fleet: Fleet, members: list[Member], tmp_path: Path) -> None:
    ours, theirs = (Protection(make_keys(tmp_path / whose)) for whose in ("ours", "theirs"))
    running = up(Fleet(members[:1], JULY, tmp_path / "logs", theirs))
    try:
        again = Fleet(members[:1], JULY, tmp_path / "logs", ours)
        with pytest.raises(FleetError, match=r"clinic_a: already running at .* with other keys than ours; .*KEYS_DIR"):
            again.launch()
        assert [entry.health for entry in clinic_statuses(again)] == ["other keys"]
        assert [entry.health for entry in clinic_statuses(running)] == ["serving"]
    finally:
        running.stop()


def test_a_clinic_that_answers_anybody_is_not_used_by_who_has_keys(members: list[Member], tmp_path: Path) -> None:
    said = described("clinic_a")
    said.today = "2025-07-15"
    with open_rogue(RogueClinic("clinic_a", handlers={"GetClinic": lambda _request, _context: said})) as rogue:
        there = dataclasses.replace(members[0], address=rogue.address)
        with pytest.raises(FleetError, match="with no keys, so that anybody may call it"):
            Fleet([there], JULY, tmp_path / "logs", any_protection()).launch()


def test_a_clinic_is_told_how_often_it_may_be_called_only_where_that_is_set(members: list[Member]) -> None:
    command = clinic_command(members[0], ROLLING, Protection(any_protection().keys, rate="50,10"))
    assert command[command.index("--rate") + 1] == "50,10"
    assert "--rate" not in clinic_command(members[0], ROLLING, Protection(any_protection().keys))
    unlimited = clinic_command(members[0], ROLLING, any_protection())
    assert unlimited[unlimited.index("--rate") + 1] == "off"


def test_a_clinic_is_told_its_server_and_where_libpq_finds_the_password_only_where_it_has_one(
    members: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSFILE", "/secrets/pgpass")
    monkeypatch.setenv("PGUSER", "somebody")
    url = "postgresql://clinic@db/clinics"
    command = clinic_command(dataclasses.replace(members[0], store=url), ROLLING, any_protection())
    assert command[command.index("--store") + 1] == url
    assert "--store" not in clinic_command(members[0], ROLLING, any_protection())
    assert clinic_environment(has_store=True) == {**clinic_environment(), "PGPASSFILE": "/secrets/pgpass"}
    assert "PGPASSFILE" not in clinic_environment()


def test_a_clinic_is_told_public_keys_only(members: list[Member], tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    command = clinic_command(members[0], ROLLING, Protection(keys))
    assert str(keys.public) in command
    assert str(keys.path) not in command
    assert "--no-auth" not in command


@pytest.mark.long
@pytest.mark.parametrize(
    ("calendar", "complaint"),
    [
        (Calendar("rolling", None, "2025-07-15"), 'agenda "blueprint", not "rolling"'),
        (Calendar("blueprint", "2025-07-16T08:00-03:00", "2025-07-16"), 'today "2025-07-15", not "2025-07-16"'),
    ],
)
def test_a_running_clinic_with_another_calendar_is_refused(
    fleet: Fleet, members: list[Member], tmp_path: Path, calendar: Calendar, complaint: str
) -> None:
    up(fleet)
    other = Fleet(members, calendar, tmp_path / "logs", any_protection())
    with pytest.raises(FleetError, match=complaint) as refusal:
        other.launch()
    assert "clinic-mesh down" in str(refusal.value)
    assert other.started == ()


def test_another_clinic_at_the_address_is_refused_by_name(fleet: Fleet, members: list[Member], tmp_path: Path) -> None:
    up(fleet)
    swapped = [dataclasses.replace(members[0], address=members[1].address)]
    with pytest.raises(FleetError, match="clinic_a: clinic_b answers at"):
        Fleet(swapped, JULY, tmp_path / "logs", any_protection()).launch()


def test_who_holds_a_port_is_named_before_anything_is_started(fleet: Fleet, members: list[Member]) -> None:
    with socket.create_server(members[1].endpoint) as held:
        program = Path("/proc/self/comm").read_text("utf-8").strip()
        held_by = rf"clinic_b: port {held.getsockname()[1]} is held by {program} \(process {os.getpid()}\)"
        with pytest.raises(FleetError, match=held_by) as refusal:
            fleet.launch()
    assert f"ocupada por {program} (processo {os.getpid()})" in refusal.value.told(Language.PT)
    assert fleet.started == ()
    assert not members[0].silo.exists()


def spoil(member: Member) -> None:
    member.silo.mkdir(parents=True)
    (member.silo / "db.json").write_text("{", encoding="utf-8")


def test_a_clinic_that_cannot_start_says_why_and_the_others_run(fleet: Fleet, members: list[Member]) -> None:
    spoil(members[0])
    fleet.launch()
    assert fleet.await_health() == {"clinic_b"}
    assert fleet.failed.keys() == {"clinic_a"}
    assert re.match(r"clinic_a: could not start: .*db\.json.*not JSON", str(fleet.failed["clinic_a"]))
    assert fleet.started == ("clinic_b",)


@pytest.mark.long
def test_clinics_of_which_none_can_start_are_an_error(fleet: Fleet, members: list[Member]) -> None:
    for member in members:
        spoil(member)
    fleet.launch()
    with pytest.raises(FleetError, match=r"clinic_a: could not start: .*db\.json.*not JSON"):
        fleet.await_health()
    assert fleet.started == ()


@pytest.mark.long
def test_a_clinic_that_stays_silent_is_stopped_alone(fleet: Fleet, members: list[Member]) -> None:
    members[0].silo.mkdir(parents=True)
    os.mkfifo(members[0].silo / "db.json")  # which it waits to read
    fleet.launch()
    assert fleet.await_health(timeout_s=3.0) == {"clinic_b"}
    assert "clinic_a: does not answer" in str(fleet.failed["clinic_a"])
    assert find_holder(members[0].silo) is None


def test_ctrl_c_between_a_process_and_its_place_on_the_list_stops_it_too(fleet: Fleet) -> None:
    begun: list[ClinicProcess] = []

    def interrupt(_frame: FrameType, event: str, result: object) -> None:
        if event == "return" and isinstance(result, ClinicProcess) and not begun:
            begun.append(result)
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            fleet.launch()
    finally:
        sys.setprofile(None)
    assert [process.member.id for process in begun] == ["clinic_a"]
    assert begun[0].has_ended
    assert fleet.started == ()


@pytest.mark.long
def test_a_clinic_that_ended_by_itself_is_told_of_once(fleet: Fleet, members: list[Member]) -> None:
    up(fleet)
    holder = find_holder(members[0].silo)
    assert holder is not None
    os.kill(holder.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while not (ended := fleet.take_ended()):
        assert time.monotonic() < deadline
    assert [(process.member.id, process.popen.returncode) for process in ended] == [("clinic_a", -signal.SIGKILL)]
    assert fleet.take_ended() == ()
    assert fleet.started == ("clinic_b",)


def test_a_clinic_that_does_not_answer_in_time_is_given_up(fleet: Fleet) -> None:
    fleet.launch()
    with pytest.raises(FleetError, match="does not answer at"):
        fleet.await_health(timeout_s=0.0)
    assert fleet.started == ()


def test_a_clinic_elsewhere_is_never_started(fleet: Fleet, data_dir: Path, tmp_path: Path) -> None:
    elsewhere = Member("clinic_a", "nowhere.invalid:8001", data_dir / "blueprint" / "clinic_a")
    remote = up(Fleet([elsewhere], JULY, tmp_path / "logs", any_protection()))
    assert remote.started == ()


def test_output_goes_to_private_log_files(fleet: Fleet, tmp_path: Path) -> None:
    up(fleet)
    log = tmp_path / "logs" / "clinic_a.log"
    assert "clinic_a listening on" in log.read_text("utf-8")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_log_folder_that_cannot_be_written_is_named(members: list[Member], tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file", encoding="utf-8")
    with pytest.raises(FleetError, match="CLINIC_MESH_LOG_DIR"):
        Fleet(members, JULY, tmp_path / "logs", any_protection()).launch()


def test_a_clinic_is_told_nothing_by_the_environment(
    members: list[Member], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CLINIC_MESH_CPF", "CLINIC_MESH_NAME", "CLINIC_MESH_MEMORY_URL", "OPENAI_API_KEY", "VOYAGE_API_KEY"):
        monkeypatch.setenv(name, "secret")
    process = ClinicProcess.start(members[0], ROLLING, tmp_path, any_protection())
    try:
        deadline = time.monotonic() + 10
        # The kernel shows none for the moment in which it exchanges the program.
        while not (environment := Path(f"/proc/{process.popen.pid}/environ").read_bytes()):
            assert time.monotonic() < deadline
        assert b"secret" not in environment
        assert b"PYTHONPATH=" in environment
    finally:
        end_all([process], 10.0)


def test_a_clinic_lives_in_a_session_of_its_own(fleet: Fleet, members: list[Member]) -> None:
    up(fleet)
    holder = find_holder(members[0].silo)
    assert holder is not None
    assert os.getsid(holder.pid) == holder.pid


def test_a_process_that_does_not_end_in_time_is_killed(fleet: Fleet, members: list[Member]) -> None:
    up(fleet)
    holder = find_holder(members[0].silo)
    assert holder is not None
    os.kill(holder.pid, signal.SIGSTOP)
    fleet.stop(timeout_s=0.1)
    assert find_holder(members[0].silo) is None


def test_released_clinics_are_found_by_their_locks_and_can_be_ended(fleet: Fleet, data_dir: Path) -> None:
    up(fleet)
    holders = find_holders(data_dir)
    assert [(holder.clinic, holder.agenda) for holder in holders] == [
        ("clinic_a", "blueprint"),
        ("clinic_b", "blueprint"),
    ]
    assert end(holders[0])
    assert [holder.clinic for holder in find_holders(data_dir)] == ["clinic_b"]


def test_a_lock_file_that_nobody_holds_names_no_holder(tmp_path: Path) -> None:
    (tmp_path / "clinic.lock").write_text(
        f'{{"pid": {os.getpid()}, "address": "127.0.0.1:1", "agenda": "rolling", "clinic": "clinic_a"}}',
        encoding="utf-8",
    )
    assert find_holder(tmp_path) is None


@pytest.mark.long
def test_the_roll_tells_down_from_a_stranger_and_from_another_clinic(
    fleet: Fleet, members: list[Member], tmp_path: Path
) -> None:
    first = up(Fleet(members[:1], JULY, tmp_path / "logs", any_protection()))
    try:
        with socket.create_server(members[1].endpoint):
            swapped = dataclasses.replace(members[1], id="clinic_c", address=members[0].address)
            nobody = dataclasses.replace(members[1], id="clinic_d", address="127.0.0.1:1")
            roll = clinic_statuses(Fleet([members[0], members[1], swapped, nobody], JULY, tmp_path, any_protection()))
        assert [entry.health for entry in roll] == ["serving", "no clinic", "is clinic_a", "down"]
    finally:
        first.stop()
