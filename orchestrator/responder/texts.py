"""The shape of the fixed texts: what every language must be able to say.

One frozen value a language; mypy refuses a language that lacks a field. Placeholders in braces are filled by the
responder. A text claims nothing that a clinic has not acknowledged: receipts have a title of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from orchestrator.responder.wording import Counted
from orchestrator.turn import ReceiptKind, Rule, Topic


class Label(StrEnum):
    """Headings of columns and labels of properties."""

    NUMBER = "number"
    OPTION = "option"
    DATE = "date"
    TIME = "time"
    DOCTOR = "doctor"
    CLINIC = "clinic"
    SPECIALTY = "specialty"
    REMARK = "remark"
    PATIENT = "patient"
    PATIENT_ID = "patient_id"
    CPF = "cpf"
    BIRTH_DATE = "birth_date"
    CONDITION = "condition"
    MEDICATIONS = "medications"
    EXAMS = "exams"
    ADDRESS = "address"
    PHONE = "phone"
    FROM = "from"
    TO = "to"


class FilterTexts(NamedTuple):
    """How a filter over openings is told: each is one condition."""

    day: str  # {day}
    day_range: str  # {first} {last}
    from_day: str  # {first}
    until_day: str  # {last}
    time: str  # {time}
    time_range: str  # {first} {last}
    from_time: str  # {first}
    until_time: str  # {last}
    weekdays: str  # {weekdays}
    excluded: str  # {days}


class ListingTexts(NamedTuple):
    """Openings.

    Attributes:
        found: {count} {specialties} {clinics}.
        filtered: {filter}.
        earliest: {moment} {doctor} {clinic}.
        earliest_mark: The remark on the earliest row.
        opening: One opening inside a sentence: {date} {time} {doctor} {clinic}.
        hidden: {count} openings that the filter left out.
        none_fits: Nothing matches the filter: {filter}; the nearest follow.
        none_free: Nothing is free at all: {specialties}.
        alternatives: Openings near a slot that is taken follow.
        no_alternatives: None is open near it.
        choose: What to say next.
    """

    found: Counted
    filtered: str
    earliest: str
    earliest_mark: str
    opening: str
    hidden: Counted
    none_fits: str
    none_free: str
    alternatives: str
    no_alternatives: str
    choose: str


class PatientTexts(NamedTuple):
    """Patients.

    Attributes:
        found: {count}.
        none: Nobody matches.
        record: The title of a record: {patient_id}.
        not_found: No clinic that was asked has the id.
        not_found_so_far: Those that answered do not have it; others did not answer.
    """

    found: Counted
    none: str
    record: str
    not_found: str
    not_found_so_far: str


class FailureTexts(NamedTuple):
    """Clinics that did not do what was asked.

    Attributes:
        no_answer: {clinic} {seconds}.
        shown: {answered} of {asked} clinics, and what to do.
        all_down: Nobody answered, and what to do.
        refusals: By reason: what stands in the way and what to do.
        rate_limited: A clinic was asked too often; {count} seconds to wait.
        refused: For a reason without a text of its own.
        nothing_changed: After a write that was not made.
        try_again: What to do after a write that reached nobody.
        unknown: A write of which nobody said what came of it, and how to find out: {clinic} {seconds}.
        still_unknown: After a refusal that does not tell what came of a write, and how to find out.
        skipped: A step that was not attempted.
        old_still_booked: The new slot was booked, but the appointment that it replaces was not given back.
        old_stays: The new slot was not booked, so the appointment that it was to replace was not touched.
    """

    no_answer: str
    shown: str
    all_down: str
    refusals: Mapping[str, str]
    rate_limited: Counted
    refused: str
    nothing_changed: str
    try_again: str
    unknown: str
    still_unknown: str
    skipped: str
    old_still_booked: str
    old_stays: str


class ConsentTexts(NamedTuple):
    """Proposals and what becomes of them.

    Attributes:
        titles: What will be done, by tool.
        confirm: The question.
        again: Before the question, where a first try ended without a known outcome.
        dropped: A no.
        superseded: Before another proposal, where an attempt without a known outcome is not asked after any more.
        abandoned: A no to finding out what came of an attempt.
        cancelled: The person stopped the turn.
        receipts: Titles of receipts.
        after_receipt: What can be said next, by kind.
    """

    titles: Mapping[str, str]
    confirm: str
    again: str
    dropped: str
    superseded: str
    abandoned: str
    cancelled: str
    receipts: Mapping[ReceiptKind, str]
    after_receipt: Mapping[ReceiptKind, str]


class ReplyTexts(NamedTuple):
    """All that is said in one language.

    Attributes:
        topics: A text for every topic. Besides the topic's facts it may use {specialties},
            {one_specialty} (the same, to choose one from), {clinics} and {missing} (of an appointment).
        blocked: The note in the person's language, by rule.
        labels: Headings and labels.
        conjunction: Between the last two of a list.
        listing: Openings.
        filters: Conditions.
        patients: Patients.
        failures: What went wrong.
        consent: Proposals and receipts.
    """

    topics: Mapping[Topic, str]
    blocked: Mapping[Rule, str]
    labels: Mapping[Label, str]
    conjunction: str
    listing: ListingTexts
    filters: FilterTexts
    patients: PatientTexts
    failures: FailureTexts
    consent: ConsentTexts
