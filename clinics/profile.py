"""Who a clinic is, from its folder: its clinic.json, read and checked, and its patients, whose lists hold no names."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path

from google.protobuf.descriptor import FieldDescriptor

from clinics.schedule import DEFAULT_DURATION_MIN, LONGEST_VISIT_MIN, HouseRules, overlapping
from clinics.slots import Slot, SlotRef, Snapshot
from clinics.startup import StartupError, reading
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1 import options_pb2
from mesh.catalogue import FORMS, Argument, arguments_of, is_longer
from mesh.errors import DomainError
from mesh.private_file import FILE_MODE
from mesh.strict_document import Item, Reader, is_time
from mesh.text_folding import doctor_key, words

CLINICS = Path(__file__).parent
SPECIALTIES = "specialties"  # the folder with the words of each, which its clinics share
ADVICE = "Correct this clinic's data."
_PHRASE = FORMS[options_pb2.FORMAT_PHRASE]
_MOST_MIN = 30 * 24 * 60
# How many characters the contract allows in what a clinic says of itself, by the field's name.
_CLINIC, _DOCTOR = (
    {argument.name: argument.options.max_length for argument in arguments_of(message.DESCRIPTOR)}
    for message in (pb.GetClinicResponse, pb.Doctor)
)
POLICY = tuple(pb.BookingPolicy.DESCRIPTOR.fields_by_name)  # the house rules that a clinic tells, by name
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Doctor:
    """A doctor, with title, and the starting times (HH:MM in order) by weekday (0 is Monday)."""

    name: str
    hours: Mapping[int, tuple[str, ...]]
    duration_min: int | None = None  # of a visit; None: as long as the clinic's


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a clinic is."""

    clinic_id: str  # such as "clinic_a"
    name: str
    specialty: str  # a code, such as "Cardiology"
    label: str  # the specialty in Portuguese
    doctors: tuple[Doctor, ...]
    blueprint: tuple[SlotRef, ...]  # the slots of July 2025
    rules: HouseRules = field(default_factory=HouseRules)
    details: pb.ClinicDetails = field(default_factory=pb.ClinicDetails)
    words: pb.SpecialtyWords | None = None  # None: nobody wrote them down


def known_clinics(folder: Path = CLINICS) -> tuple[str, ...]:
    """Return the ids of all clinics, those of `folder` among them: a folder with a clinic.json is one."""
    return tuple(sorted({path.parent.name for each in (folder, CLINICS) for path in each.glob("*/clinic.json")}))


def file_of(clinic_id: str, name: str, folder: Path) -> Path:
    """Return the path of a clinic's file: in `folder` if that has the clinic, else beside this module."""
    own = folder / clinic_id
    return (own if own.is_dir() else CLINICS / clinic_id) / name


def load_profile(clinic_id: str, folder: Path = CLINICS) -> Profile:
    """Read a clinic's clinic.json, in `folder` first, or raise StartupError."""
    known = known_clinics(folder)
    if clinic_id not in known:
        raise StartupError(f"there is no clinic of this id; known are {', '.join(known)}", usage=True)
    with reading(file_of(clinic_id, "clinic.json", folder), ADVICE) as root:
        optional = ("duration_min", "rules", "details")
        fields = root.fields("id", "name", "specialty", "label", "doctors", "blueprint", optional=optional)
        if fields["id"].text() != clinic_id:
            fields["id"].fail("the id must be the folder's name")
        doctors = fields["doctors"].each(_doctor)
        keys = {doctor_key(doctor.name) for doctor in doctors}
        if len(keys) != len(doctors) or not doctors:
            fields["doctors"].fail("at least one doctor is expected, and each once")
        rules = _rules(fields, doctors)
        for doctor, item in zip(doctors, fields["doctors"].items(), strict=True):
            _no_overlap(doctor, rules, item)
        return Profile(
            clinic_id=clinic_id,
            name=_text(fields["name"], _CLINIC["name"]),
            specialty=_text(fields["specialty"], _CLINIC["specialty"]),
            label=_text(fields["label"], _DOCTOR["specialty"]),
            doctors=doctors,
            blueprint=_blueprint(fields["blueprint"], keys, rules),
            rules=rules,
            details=fields["details"].read(pb.ClinicDetails, _DETAILS) if "details" in fields else pb.ClinicDetails(),
            words=_words(fields["specialty"].text(), fields["label"].text(), folder),
        )


def _words(specialty: str, label: str, folder: Path) -> pb.SpecialtyWords | None:
    path = file_of(SPECIALTIES, f"{specialty.lower().replace(' ', '_')}.json", folder)
    path = path if path.exists() else file_of(SPECIALTIES, path.name, CLINICS)
    if not path.exists():
        return None
    with reading(path, ADVICE) as root:
        phrases = partial(Item.each, read=partial(Item.accepted, accepts=_PHRASE.accepts, expected=_PHRASE.expected))
        return root.read(partial(pb.SpecialtyWords, portuguese=label), names=phrases, complaints=phrases, body=phrases)


def _text(item: Item, longest: int) -> str:
    return item.accepted(lambda text: not is_longer(text, longest), f"at most {longest} characters are expected")


def _doctor(item: Item) -> Doctor:
    return item.read(Doctor, {"duration_min": _duration}, name=lambda name: _text(name, _DOCTOR["name"]), hours=_hours)


def _hours(item: Item) -> Mapping[int, tuple[str, ...]]:
    hours = item.fields(optional=WEEKDAYS)
    return {number: _times(hours[day]) for number, day in enumerate(WEEKDAYS) if day in hours}


def _times(item: Item) -> tuple[str, ...]:
    times = item.each(Item.text)
    if not all(map(is_time, times)) or list(times) != sorted(set(times)):
        item.fail("times as HH:MM are expected, in order and each once")
    return times


def _rules(fields: Mapping[str, Item], doctors: Sequence[Doctor]) -> HouseRules:
    own = {doctor_key(doctor.name): doctor.duration_min for doctor in doctors if doctor.duration_min is not None}
    given = fields["rules"].fields(optional=POLICY) if "rules" in fields else {}
    limits = {name: item.whole(0, _MOST_MIN) for name, item in given.items()}
    default = _duration(fields["duration_min"]) if "duration_min" in fields else DEFAULT_DURATION_MIN
    return HouseRules(default, own, **limits)


def _duration(item: Item) -> int:
    return item.whole(1, LONGEST_VISIT_MIN)


def _no_overlap(doctor: Doctor, rules: HouseRules, item: Item) -> None:
    # Two weeks, so that a visit over midnight from Sunday to Monday is seen.
    minutes = [
        (day * 24 + int(time[:2])) * 60 + int(time[3:]) for day in range(14) for time in doctor.hours.get(day % 7, ())
    ]
    if any(later - earlier < rules.duration_of(doctor.name) for earlier, later in pairwise(minutes)):
        item.fail(f"two visits of {rules.duration_of(doctor.name)} minutes overlap in these hours")


def _blueprint(item: Item, doctors: set[str], rules: HouseRules) -> tuple[SlotRef, ...]:
    refs = item.each(lambda one: _blueprint_slot(one, doctors))
    agenda = Snapshot(Slot(ref.doctor, "", ref.date, ref.time) for ref in refs)
    if doubled := overlapping(agenda.layout, rules):
        item.items()[max(doubled)].fail("this slot overlaps another one of the same doctor")
    return refs


def _detail_reader(argument: Argument) -> Reader:
    if argument.field.type != FieldDescriptor.TYPE_STRING:
        return lambda number: number.whole(0)
    text = partial(_text, longest=argument.options.max_length)
    return partial(Item.each, read=text) if argument.field.is_repeated else text


_DETAILS = {argument.name: _detail_reader(argument) for argument in arguments_of(pb.ClinicDetails.DESCRIPTOR)}


def _blueprint_slot(item: Item, doctors: set[str]) -> SlotRef:
    ref = item.read(SlotRef, doctor=Item.text, date=Item.date, time=Item.time)
    if doctor_key(ref.doctor) not in doctors:
        item.fields("doctor", "date", "time")["doctor"].fail("a doctor of this clinic is expected")
    return ref


@dataclass(frozen=True, slots=True)
class Patient:
    """One person's full record, with conditions, medications and exams in Portuguese; only the id is in its repr."""

    patient_id: str
    name: str = field(repr=False)
    cpf: str = field(repr=False)
    birth_date: str = field(repr=False)
    condition: str = field(repr=False)
    medications: tuple[pb.Medication, ...] = field(repr=False)
    exams: tuple[str, ...] = field(repr=False)
    address: str = field(repr=False)
    phone: str = field(repr=False)

    @property
    def clinical_text(self) -> str:
        """What a query looks at."""
        drugs = (f"{drug.name} {drug.dosage}" for drug in self.medications)
        return " ".join((self.patient_id, self.condition, *self.exams, *drugs))


class Patients:
    """The patients of one clinic, in order of id."""

    def __init__(self, records: tuple[Patient, ...]) -> None:
        self.all = tuple(sorted(records, key=lambda patient: patient.patient_id))
        self._by_id = {patient.patient_id: patient for patient in self.all}
        self._searchable = [(frozenset(words(patient.clinical_text)), patient) for patient in self.all]

    def get(self, patient_id: str, may_read: Callable[[str], bool]) -> Patient:
        """Return one record, or raise PATIENT_NOT_FOUND, also where `may_read` denies its CPF."""
        patient = self._by_id.get(patient_id.strip().upper())
        # Asked where there is no record too, so that the time of the answer does not say which.
        is_readable = may_read(patient.cpf if patient is not None else "")
        if patient is None or not is_readable:
            raise DomainError("PATIENT_NOT_FOUND", "This clinic has no patient of that id whose record you may read.")
        return patient

    def matching(self, query: str) -> tuple[Patient, ...]:
        """Return the patients whose id and clinical fields have a word that begins as each word of `query` does."""
        wanted = set(words(query))
        if not wanted:
            return ()
        return tuple(
            patient
            for clinical, patient in self._searchable
            if all(any(word.startswith(part) for word in clinical) for part in wanted)
        )


def load_patients(clinic_id: str, folder: Path = CLINICS) -> Patients:
    """Read a clinic's patients.json, which becomes its owner's alone, or raise StartupError."""
    path = file_of(clinic_id, "patients.json", folder)
    with suppress(OSError):  # another user's, who has to see to it
        path.chmod(FILE_MODE)
    with reading(path, ADVICE) as root:
        item = root.fields("patients")["patients"]
        records = item.each(_patient)
        if len({patient.patient_id for patient in records}) != len(records):
            item.fail("each patient_id may be there once")
    return Patients(records)


def _patient(item: Item) -> Patient:
    return item.read(
        Patient,
        patient_id=lambda one: one.accepted(
            lambda text: text == text.strip().upper(), "an id in upper case is expected"
        ),
        name=Item.text,
        cpf=Item.text,
        birth_date=Item.date,
        condition=Item.text,
        medications=lambda drugs: drugs.each(lambda drug: drug.read(pb.Medication, name=Item.text, dosage=Item.text)),
        exams=lambda exams: exams.each(Item.text),
        address=Item.text,
        phone=Item.text,
    )
