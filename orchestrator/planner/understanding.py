"""Reads an utterance into typed values: language, intent, names, moments, references. It decides nothing.

Each value comes from its own module; this one runs them in order and blanks out what one has read, so that the next
does not read it again ("Guerra" is a doctor, "segunda" a weekday).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator.directory import Clinic
from orchestrator.language import Language
from orchestrator.plan import Topic
from orchestrator.planner import safety
from orchestrator.planner.doctors import DoctorMentions, doctors_of, find_doctors, name_words
from orchestrator.planner.entities import (
    find_clinics,
    find_complaints,
    find_patient_ids,
    find_specialties,
    names_other_specialty,
)
from orchestrator.planner.intents import Cues, Intent, find_cues
from orchestrator.planner.language_guess import guess_language
from orchestrator.planner.lexicon.tables import words
from orchestrator.planner.moments import Moments
from orchestrator.planner.normalise import Text, normalise
from orchestrator.planner.reading import read_moments
from orchestrator.planner.references import Pointer, find_pointer, weekday_numbers
from orchestrator.planner.spelling import correct
from orchestrator.slot_filter import SlotFilter


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an utterance says.

    Attributes:
        text: The utterance, normalised, its typos corrected.
        language: The language it is written in.
        emergency: SELF_HARM or MEDICAL_EMERGENCY when it cannot wait.
        refusal: What makes it no business of a clinic desk.
        cues: What it asks for.
        specialties: Codes of our specialties that it names, in order.
        complaints: Codes of the specialties its complaints are usually seen in.
        other_specialty: It names a specialty or service that nobody here has.
        doctors: The doctors that it names.
        clinics: Ids of the clinics that it names.
        unknown_clinic: It names a clinic that does not exist.
        patients: Patient ids, each with its specialty's code.
        moments: What it says about time.
        pointer: What it points at.
        is_bare: Names, times and a few little words are all there is.
    """

    text: Text
    language: Language
    emergency: Topic | None
    refusal: Topic | None
    cues: Cues
    specialties: tuple[str, ...]
    complaints: tuple[str, ...]
    other_specialty: bool
    doctors: DoctorMentions
    clinics: tuple[str, ...]
    unknown_clinic: bool
    patients: tuple[tuple[str, str], ...]
    moments: Moments
    pointer: Pointer
    is_bare: bool

    @property
    def filter(self) -> SlotFilter:
        """What it says about when, as a filter over openings."""
        found = [moment.filter for moment in self.moments.found]
        return SlotFilter(
            dates=tuple(span for part in found for span in part.dates),
            times=tuple(span for part in found for span in part.times),
            excluded_dates=self.moments.excluded_days,
            excluded_weekdays=self.moments.excluded_weekdays,
        )


def understand(utterance: str, language: Language, clinics: Sequence[Clinic], now: datetime) -> Understanding:
    """Reads an utterance.

    Args:
        utterance: Any text.
        language: The language of the conversation so far, for utterances that do not tell.
        clinics: The directory.
        now: The current instant in America/Sao_Paulo.
    """
    names = {word for doctor in doctors_of(clinics) for word in name_words(doctor.name)}
    text = correct(normalise(utterance), names)
    spoken = guess_language(text, language)
    doctors = find_doctors(text, clinics)
    patients = find_patient_ids(text.folded, clinics)
    nameless = _blanked(text, doctors.spans)
    cues = find_cues(nameless.folded)
    moments = read_moments(nameless, now, spoken, moving=Intent.MOVE in cues.intents)
    timeless = _blanked(nameless, ((moment.start, moment.end) for moment in moments.found))
    clinic_ids, unknown_clinic = find_clinics(text, clinics)
    return Understanding(
        text=text,
        language=spoken,
        emergency=safety.emergency(text.folded),
        refusal=safety.refusal(text.folded, names_person=safety.names_somebody(text, doctors.spans)),
        cues=cues,
        specialties=find_specialties(nameless.folded),
        complaints=find_complaints(nameless.folded),
        other_specialty=names_other_specialty(nameless.folded),
        doctors=doctors,
        clinics=clinic_ids,
        unknown_clinic=unknown_clinic,
        patients=patients,
        moments=moments,
        pointer=replace(find_pointer(timeless.folded), perhaps=weekday_numbers(nameless.folded)),
        is_bare=all(word.text in words("bare") or word.text.isdigit() for word in timeless.words),
    )


def _blanked(text: Text, spans: Iterable[tuple[int, int]]) -> Text:
    """The text with some stretches replaced by a neutral mark of the same length."""
    folded = text.folded
    for start, end in spans:
        folded = folded[:start] + "_" * (end - start) + folded[end:]
    words = tuple(word for word in text.words if folded[word.start : word.end] == word.text)
    return replace(text, folded=folded, words=words)
