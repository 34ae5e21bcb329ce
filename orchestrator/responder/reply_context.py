"""What every part of a reply needs: language, texts, clinics, person; and the words for clinics that did not answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mesh.errors import DomainError
from mesh.reasons import retry_after_s
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Clinic, Identity, Language, Paragraph, Part, Session, StepResult, StepStatus


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
    DURATION = "duration"
    BRING = "bring"
    CHANGE_UNTIL = "change_until"
    FROM = "from"
    TO = "to"


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The language of a reply, whom it addresses and which clinics it may name."""

    language: Language
    identity: Identity = field(repr=False)  # who reads it
    clinics: tuple[Clinic, ...]  # in the registry's order

    @classmethod
    def of(cls, session: Session, language: Language, clinics: Sequence[Clinic]) -> ReplyContext:
        """Return the context for a session, in its pinned language if it has one, else in `language`."""
        return cls(session.pinned_language or language, session.identity, tuple(clinics))

    @property
    def texts(self) -> Texts:
        """The texts of its language."""
        return texts_in(self.language)

    def label(self, label: Label) -> str:
        """Return a heading."""
        return self.texts.text(f"responder.labels.{label}")

    @property
    def names(self) -> Mapping[str, str]:
        """The clinics' names by id."""
        return {clinic.id: clinic.name for clinic in self.clinics}

    def clinic(self, clinic_id: str) -> str:
        """Return a clinic's name; its id while its name is unknown."""
        return self.names.get(clinic_id, clinic_id)

    def clinic_names(self, clinic_ids: Sequence[str]) -> str:
        """Return the names of clinics as a list, each once."""
        return self.texts.all_of(dict.fromkeys(map(self.clinic, clinic_ids)))

    def specialty_of(self, clinic_id: str) -> str:
        """Return the name of a clinic's specialty; empty for a clinic that the registry does not hold."""
        return next((one.specialty_name(self.texts.language) for one in self.clinics if one.id == clinic_id), "")

    def specialty(self, code: str) -> str:
        """Return the name of a specialty; the code of one that no clinic has."""
        return next((one.specialty_name(self.texts.language) for one in self.clinics if one.specialty == code), code)

    def of_all_clinics(self) -> dict[str, str]:
        """Return what texts may say of all clinics, by their placeholders."""
        specialties = dict.fromkeys(clinic.specialty_name(self.texts.language) for clinic in self.clinics)
        return {
            "specialties": self.texts.all_of(specialties),
            "one_specialty": self.texts.one_of(specialties),
            "clinics": self.texts.all_of(clinic.name for clinic in self.clinics),
        }

    def specialties(self, clinic_ids: Sequence[str] | None = None) -> str:
        """Return the names of the specialties of these clinics, or of all, as a list."""
        names = dict.fromkeys(
            clinic.specialty_name(self.texts.language)
            for clinic in self.clinics
            if clinic_ids is None or clinic.id in clinic_ids
        )
        return self.texts.all_of(names)


def unanswered(results: Sequence[StepResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return a paragraph that names the clinics that did not answer a read, or not well; nothing if all did."""
    texts = context.texts
    failed = [result for result in results if result.status is not StepStatus.DONE]
    if not failed:
        return left_out(results, context)
    asked = {result.step.clinic for result in results}
    answered = asked - {result.step.clinic for result in failed}
    sentences = [read_failure(result, context) for result in failed]
    if answered:
        sentences.append(texts.text("responder.failures.shown", answered=len(answered), asked=len(asked)))
    elif any(result.status is StepStatus.UNREACHED for result in failed):
        sentences.append(texts.text("responder.failures.all_down"))
    return (Paragraph(" ".join(sentences), Part.NOTICE), *left_out(results, context))


def left_out(results: Sequence[StepResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return a paragraph that names the clinics of whose answers a part is not shown; nothing if all is."""
    odd = dict.fromkeys(context.clinic(result.step.clinic) for result in results if result.dropped)
    sentences = [context.texts.text("responder.failures.left_out", clinic=clinic) for clinic in odd]
    return (Paragraph(" ".join(sentences), Part.NOTICE),) if sentences else ()


def read_failure(result: StepResult, context: ReplyContext) -> str:
    """Return a sentence about a read without an answer."""
    match result.status:
        case StepStatus.REFUSED:
            return f"{context.clinic(result.step.clinic)}: {refusal(result.error, context)}"
        case StepStatus.SKIPPED:
            return f"{context.clinic(result.step.clinic)}: {context.texts.text('responder.failures.skipped')}"
        case _:
            return no_answer(result, context)


def write_failure(result: StepResult, context: ReplyContext) -> str:
    """Return sentences about a write that was not made, or may not have been."""
    texts = context.texts
    nothing_changed = texts.text("responder.failures.nothing_changed")
    match result.status:
        case StepStatus.UNKNOWN:
            return _unknown(result, context)
        case StepStatus.SKIPPED:
            return f"{texts.text('responder.failures.skipped')} {nothing_changed}"
        case StepStatus.REFUSED:
            return f"{refusal(result.error, context)} {nothing_changed}"
        case _:
            return f"{no_answer(result, context)} {nothing_changed} {texts.text('responder.failures.try_again')}"


def _unknown(result: StepResult, context: ReplyContext) -> str:
    texts, error = context.texts, result.error
    if error is None:
        return texts.text("responder.failures.still_unknown")
    if error.reason in texts.table("responder.failures.refusals") or retry_after_s(error) is not None:
        return f"{refusal(error, context)} {texts.text('responder.failures.still_unknown')}"
    return texts.text(
        "responder.failures.unknown",
        clinic=context.clinic(result.step.clinic),
        seconds=f"{context.texts.decimal(result.elapsed_s)} s",
    )


def refusal(error: DomainError | None, context: ReplyContext) -> str:
    """Return the text for the reason of an error."""
    texts = context.texts
    if error is None:
        return texts.text("responder.failures.refused")
    said = texts.table("responder.failures.refusals").get(error.reason)
    wait_s = retry_after_s(error)
    if said is None and wait_s is not None:
        return texts.counted("responder.failures.rate_limited", math.ceil(wait_s))
    return said or texts.text("responder.failures.refused")


def no_answer(result: StepResult, context: ReplyContext) -> str:
    """Return the clinic that did not answer and the seconds waited for it."""
    return context.texts.text(
        "responder.failures.no_answer",
        clinic=context.clinic(result.step.clinic),
        seconds=f"{context.texts.decimal(result.elapsed_s)} s",
    )
