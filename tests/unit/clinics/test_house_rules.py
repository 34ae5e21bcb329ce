"""What a clinic's own rules refuse, and what overlaps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clinics import profile, schedule
from clinics.agenda import agenda_of
from clinics.schedule import HouseRules, SlotUnavailableError
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from clinics.startup import StartupError
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import ZONE
from mesh.errors import DomainError

CARLOS = Person("Carlos Teste", "123.456.789-00")
RICARDO, INES = "Dr. Ricardo Lopes", "Dra. Inês Sant'Anna"
DAY = "2025-07-21"
TIMES = [(RICARDO, "09:00"), (RICARDO, "09:20"), (RICARDO, "11:00"), (INES, "09:20"), (INES, "10:00")]
AGENDA = Snapshot(Slot(doctor, "Cardiologia", DAY, time) for doctor, time in TIMES)
MORNING = datetime(2025, 7, 21, 7, 0, tzinfo=ZONE)


def after(minutes: int) -> datetime:
    return datetime(2025, 7, 21, 9, 0, tzinfo=ZONE) - timedelta(minutes=minutes)


def held(agenda: Snapshot, doctor: str, time: str, rules: HouseRules) -> Snapshot:
    return agenda.changed(schedule.book(agenda, MORNING, SlotRef(doctor, DAY, time), CARLOS, rules))


def listed(agenda: Snapshot, rules: HouseRules, now: datetime = MORNING) -> list[tuple[str, str]]:
    return [(agenda.slots[at].doctor, agenda.slots[at].time) for at in schedule.open_positions(agenda, now, rules)]


@pytest.mark.parametrize(("minutes", "refused"), [(61, None), (60, "NOTICE_TOO_SHORT"), (1, "NOTICE_TOO_SHORT")])
def test_a_slot_closes_as_long_before_it_begins_as_the_clinic_says(minutes: int, refused: str | None) -> None:
    rules = HouseRules(booking_notice_min=60)
    wanted, now = SlotRef(RICARDO, DAY, "09:00"), after(minutes)
    assert ((RICARDO, "09:00") in listed(AGENDA, rules, now)) is (refused is None)
    if refused is None:
        assert schedule.book(AGENDA, now, wanted, CARLOS, rules).booked == wanted
        return
    with pytest.raises(DomainError) as refusal:
        schedule.book(AGENDA, now, wanted, CARLOS, rules)
    assert (refusal.value.reason, refusal.value.metadata) == (refused, {"notice_min": "60"})


@pytest.mark.parametrize(("minutes", "refused"), [(121, False), (120, True)])
def test_an_appointment_can_be_changed_until_the_clinic_says(minutes: int, refused: bool) -> None:
    rules = HouseRules(change_notice_min=120)
    agenda = held(AGENDA, RICARDO, "09:00", rules)
    ref, target = SlotRef(RICARDO, DAY, "09:00"), SlotRef(RICARDO, DAY, "11:00")
    changes: list[Callable[[], Change]] = [
        lambda: schedule.cancel(agenda, after(minutes), ref, CARLOS, rules),
        lambda: schedule.reschedule(agenda, after(minutes), ref, target, CARLOS, rules),
    ]
    for change in changes:
        if not refused:
            assert change().released == ref
            continue
        with pytest.raises(DomainError) as refusal:
            change()
        assert (refusal.value.reason, refusal.value.metadata) == ("CHANGE_TOO_LATE", {"notice_min": "120"})


def test_a_patient_holds_as_many_appointments_to_come_as_the_clinic_allows() -> None:
    rules = HouseRules(most_open=2)
    agenda = held(held(AGENDA, RICARDO, "09:00", rules), INES, "10:00", rules)
    with pytest.raises(DomainError) as refusal:
        schedule.book(agenda, MORNING, SlotRef(RICARDO, DAY, "11:00"), CARLOS, rules)
    assert (refusal.value.reason, refusal.value.metadata) == ("TOO_MANY_APPOINTMENTS", {"most_open": "2"})
    later = datetime(2025, 7, 21, 9, 30, tzinfo=ZONE)
    assert schedule.book(agenda, later, SlotRef(RICARDO, DAY, "11:00"), CARLOS, rules).booked is not None


@pytest.mark.parametrize(("length", "is_conflict"), [(20, False), (21, True)])
def test_two_appointments_of_a_patient_do_not_overlap_for_as_long_as_visits_take(
    length: int, is_conflict: bool
) -> None:
    rules = HouseRules(durations={"ricardolopes": length})
    agenda = held(AGENDA, RICARDO, "09:00", rules)
    if not is_conflict:
        assert schedule.book(agenda, MORNING, SlotRef(INES, DAY, "09:20"), CARLOS, rules).booked is not None
        return
    with pytest.raises(DomainError) as refusal:
        schedule.book(agenda, MORNING, SlotRef(INES, DAY, "09:20"), CARLOS, rules)
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"


def test_of_two_slots_of_a_doctor_that_overlap_one_can_be_held() -> None:
    rules = HouseRules()
    assert {(RICARDO, "09:00"), (RICARDO, "09:20")} <= set(listed(AGENDA, rules))
    agenda = held(AGENDA, RICARDO, "09:00", rules)
    assert (RICARDO, "09:20") not in listed(agenda, rules)
    with pytest.raises(SlotUnavailableError):
        schedule.book(agenda, MORNING, SlotRef(RICARDO, DAY, "09:20"), Person("Maria", "111.444.777-35"), rules)
    moved = schedule.reschedule(
        agenda, MORNING, SlotRef(RICARDO, DAY, "09:00"), SlotRef(RICARDO, DAY, "09:20"), CARLOS, rules
    )
    assert moved.booked == SlotRef(RICARDO, DAY, "09:20")


@pytest.fixture
def clinic_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clinic of a doctor's, whose file a test may change."""
    monkeypatch.setattr(profile, "CLINICS", tmp_path)
    path = tmp_path / "clinic_x" / "clinic.json"
    path.parent.mkdir()
    facts = {
        "id": "clinic_x",
        "name": "Clínica X",
        "specialty": "Cardiology",
        "label": "Cardiologia",
        "doctors": [{"name": RICARDO, "hours": {"monday": ["09:00", "09:30"]}}],
        "blueprint": [{"doctor": RICARDO, "date": DAY, "time": "09:00"}],
    }
    path.write_text(json.dumps(facts), "utf-8")
    return path


def changed(path: Path, **facts: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **facts}), "utf-8")


def test_a_clinic_that_states_nothing_has_visits_of_half_an_hour_and_no_rules(clinic_json: Path) -> None:
    assert clinic_json.exists()
    loaded = profile.load_profile("clinic_x")
    assert loaded.details == pb.ClinicDetails()
    rules = loaded.rules
    assert (rules.duration_of(RICARDO), rules.booking_notice_min, rules.change_notice_min, rules.most_open) == (
        30,
        0,
        0,
        0,
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"duration_min": 31}, r"doctors\[0\]: two visits of 31 minutes overlap"),
        (
            {"doctors": [{"name": RICARDO, "hours": {"sunday": ["23:45"], "monday": ["00:10"]}}]},
            r"doctors\[0\]: two visits of 30 minutes overlap",
        ),
        (
            {"blueprint": [{"doctor": RICARDO, "date": DAY, "time": time} for time in ("09:00", "09:10")]},
            r"blueprint\[1\]: this slot overlaps",
        ),
        ({"duration_min": 0}, "duration_min"),
        ({"rules": {"most_open": -1}}, "most_open"),
        ({"details": {"private_price_cents": "free"}}, "private_price_cents"),
    ],
)
def test_an_agenda_that_overlaps_and_rules_that_are_none_are_refused_with_the_place(
    clinic_json: Path, facts: dict[str, object], said: str
) -> None:
    changed(clinic_json, **facts)
    with pytest.raises(StartupError, match=said):
        profile.load_profile("clinic_x")


LONGEST = {"address": 200, "city": 80, "directions": 300, "phone": 40, "opening_hours": 120, "accessibility": 300}
LONGEST_OF_A_LIST = {"insurance": 60, "bring": 120, "languages": 40}
TOO_LONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "x" * 121}, "name: at most 120"),
    ({"specialty": "x" * 81}, "specialty: at most 80"),
    ({"label": "x" * 81}, "label: at most 80"),
    ({"doctors": [{"name": "x" * 121, "hours": {}}]}, r"doctors\[0\].name: at most 120"),
    *(({"details": {name: "x" * (most + 1)}}, f"details.{name}: at most {most}") for name, most in LONGEST.items()),
    *(
        ({"details": {name: ["x", "x" * (most + 1)]}}, rf"details.{name}\[1\]: at most {most}")
        for name, most in LONGEST_OF_A_LIST.items()
    ),
]


@pytest.mark.parametrize(("facts", "said"), TOO_LONG)
def test_a_text_that_no_caller_would_take_keeps_the_clinic_from_starting(
    clinic_json: Path, facts: dict[str, object], said: str
) -> None:
    changed(clinic_json, **facts)
    with pytest.raises(StartupError, match=said):
        profile.load_profile("clinic_x")


def test_the_blueprints_agenda_knows_no_rules_but_the_length_of_a_visit() -> None:
    clinic = profile.load_profile("clinic_a")
    rolling, blueprint = (agenda_of(clinic, name).rules for name in ("rolling", "blueprint"))
    assert (rolling.booking_notice_min, rolling.change_notice_min, rolling.most_open) == (60, 120, 6)
    assert (blueprint.booking_notice_min, blueprint.change_notice_min, blueprint.most_open) == (0, 0, 0)


def test_appointments_that_overlap_since_an_earlier_release_are_found() -> None:
    agenda = held(held(AGENDA, RICARDO, "09:00", HouseRules(15)), INES, "09:20", HouseRules(15))
    found = schedule.conflicts(agenda, MORNING, HouseRules())
    assert [agenda.slots[at].ref for at in found] == [SlotRef(RICARDO, DAY, "09:00"), SlotRef(INES, DAY, "09:20")]
    assert schedule.conflicts(agenda, MORNING, HouseRules(20)) == []


_HOURS = re.compile(r"(?P<first>\w+)(?: a (?P<last>\w+))?, das (?P<opens>\d+h\d*) às (?P<closes>\d+h\d*)")
_DAYS = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")


@pytest.mark.parametrize("clinic_id", profile.known_clinics())
def test_a_clinic_sees_nobody_outside_the_hours_that_it_states(clinic_id: str) -> None:
    clinic = profile.load_profile(clinic_id)
    stated = clinic.details.opening_hours.casefold()
    is_open: dict[int, tuple[str, str]] = {}
    for one in _HOURS.finditer(stated):
        hours = [f"{int(text.split('h')[0]):02}:{text.split('h')[1] or '00'}" for text in one.group("opens", "closes")]
        first, last = _DAYS.index(one["first"]), _DAYS.index(one["last"] or one["first"])
        is_open |= dict.fromkeys(range(first, last + 1), (hours[0], hours[1]))
    weekly = [(day, at) for doctor in clinic.doctors for day, times in doctor.hours.items() for at in times]
    dated = [(date.fromisoformat(str(slot.date)).weekday(), slot.time) for slot in clinic.blueprint]
    outside = [
        (day, at)
        for day, at in (*weekly, *dated)
        if not is_open.get(day, ("", ""))[0] <= at < is_open.get(day, ("", ""))[1]
    ]
    assert outside == []
