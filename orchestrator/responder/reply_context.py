"""What every part of a reply needs: language, texts, clinics, person; and the words for clinics that did not answer."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mesh.reasons import retry_after_s
from orchestrator import turn
from orchestrator.texts import Texts, texts_in

Label = StrEnum(
    "Label",
    "NUMBER OPTION DATE TIME DOCTOR CLINIC SPECIALTY REMARK PATIENT PATIENT_ID CPF BIRTH_DATE CONDITION MEDICATIONS "
    "EXAMS ADDRESS PHONE DURATION BRING CHANGE_UNTIL FROM TO",
)  # headings of columns and labels of properties; the values are the names in small letters

_OF_OWN = {
    *(turn.Topic.MY_APPOINTMENTS, turn.Topic.NO_APPOINTMENT_THEN, turn.Topic.NO_APPOINTMENTS),
    *(turn.Topic.ASK_WHICH_APPOINTMENT, turn.Topic.ASK_APPOINTMENT),
}


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The language of a reply, whom it addresses and which clinics it may name."""

    language: turn.Language
    identity: turn.Identity = field(repr=False)  # who reads it
    clinics: tuple[turn.Clinic, ...]  # in the registry's order

    @classmethod
    def of(cls, session: turn.Session, language: turn.Language, clinics: Sequence[turn.Clinic]) -> "ReplyContext":
        """Return the context for a session, in its pinned language if it has one, else in `language`."""
        return cls(session.pinned_language or language, session.identity, tuple(clinics))

    @property
    def texts(self) -> Texts:
        """The texts of its language."""
        return texts_in(self.language)

    def labels(self, *labels: Label) -> tuple[str, ...]:
        """Return headings."""
        return tuple(map(self.label, labels))

    def label(self, label: Label) -> str:
        """Return a heading."""
        return self.texts.text(f"responder.labels.{label}")

    def clinic(self, clinic_id: str) -> str:
        """Return a clinic's name; its id while its name is unknown."""
        return turn.clinic_name(clinic_id, self.clinics)

    def clinic_names(self, clinic_ids: Iterable[str]) -> str:
        """Return the names of clinics as a list, each once."""
        return self.texts.all_of(dict.fromkeys(map(self.clinic, clinic_ids)))

    def specialty_of(self, clinic_id: str) -> str:
        """Return the name of a clinic's specialty; empty for a clinic that the registry does not hold."""
        return next((one.specialty_name(self.texts.language) for one in self.clinics if one.id == clinic_id), "")

    def specialty(self, code: str) -> str:
        """Return the name of a specialty; the code of one that no clinic has."""
        return next((one.specialty_name(self.texts.language) for one in self.clinics if one.specialty == code), code)

    def specialties(self, clinic_ids: Collection[str]) -> str:
        """Return the names of the specialties of these clinics as a list."""
        return self.texts.all_of(self._specialties(one for one in self.clinics if one.id in clinic_ids))

    def of_all_clinics(self) -> dict[str, str]:
        """Return what texts may say of all clinics, by their placeholders."""
        specialties = self._specialties(self.clinics)
        return {
            "specialties": self.texts.all_of(specialties),
            "one_specialty": self.texts.one_of(specialties),
            "clinics": self.texts.all_of(clinic.name for clinic in self.clinics),
        }

    def _specialties(self, clinics: Iterable[turn.Clinic]) -> Iterable[str]:
        return dict.fromkeys(clinic.specialty_name(self.language) for clinic in clinics)


def unanswered(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield a paragraph that names the clinics that did not answer a read, or not well; nothing if all did."""
    failed = [result for result in results if result.status is not turn.StepStatus.DONE]
    asked = {result.step.clinic for result in results}
    answered = asked - {result.step.clinic for result in failed}
    sentences = [read_failure(result, context) for result in failed]
    if failed and answered:
        sentences.append(context.texts.text("responder.failures.shown", answered=len(answered), asked=len(asked)))
    elif any(result.status is turn.StepStatus.UNREACHED for result in failed):
        sentences.append(context.texts.text("responder.failures.all_down"))
    if sentences:
        yield turn.Paragraph(" ".join(sentences))
    yield from left_out(results, context)


def not_listed(plan: turn.Plan, session: turn.Session, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield which clinics did not list the person's appointments, where those are spoken of."""
    speaks_of_own = plan.topic in _OF_OWN or (plan.reply is not None and plan.reply.own is not None)
    if not speaks_of_own or not session.silent:
        return
    clinics = context.clinic_names(session.silent)
    said = context.texts.counted("responder.appointments.silent", len(session.silent), clinics=clinics)
    if any(one.clinic in session.silent for one in session.appointments):
        said = f"{said} {context.texts.text('responder.appointments.remembered')}"
    yield turn.Paragraph(said)


def left_out(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield a paragraph that names the clinics of whose answers a part is not shown; nothing if all is."""
    odd = dict.fromkeys(context.clinic(result.step.clinic) for result in results if result.dropped)
    if odd:
        sentences = [context.texts.text("responder.failures.left_out", clinic=clinic) for clinic in odd]
        yield turn.Paragraph(" ".join(sentences))


def remarks(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield a paragraph for each clinic that says something of its answer, in its own words."""
    by_clinic: dict[str, dict[str, None]] = {}
    for result in results:
        said = result.remarks
        if texts := (*said.warnings, *said.explanations):
            by_clinic.setdefault(result.step.clinic, {}).update(dict.fromkeys(texts))
    for clinic, told in by_clinic.items():
        words = {"clinic": context.clinic(clinic), "words": " ".join(told)}
        yield turn.Paragraph(context.texts.text("responder.failures.clinic_says", **words), private=True)


def read_failure(result: turn.StepResult, context: ReplyContext) -> str:
    """Return a sentence about a read without an answer."""
    why = failure(result, context)
    return why if result.status is turn.StepStatus.UNREACHED else f"{context.clinic(result.step.clinic)}: {why}"


def write_failure(result: turn.StepResult, context: ReplyContext) -> str:
    """Return sentences about a write that was not made, or may not have been."""
    texts, error = context.texts, result.error
    if result.status is not turn.StepStatus.UNKNOWN:
        said = f"{failure(result, context)} {texts.text('responder.failures.nothing_changed')}"
        is_unreached = result.status is turn.StepStatus.UNREACHED
        return f"{said} {texts.text('responder.failures.try_again')}" if is_unreached else said
    if error is None:
        return texts.text("responder.failures.still_unknown")
    if error.reason in texts.table("responder.failures.refusals") or retry_after_s(error) is not None:
        return f"{failure(result, context)} {texts.text('responder.failures.still_unknown')}"
    return texts.text("responder.failures.unknown", **_waited_for(result, context))


def failure(result: turn.StepResult, context: ReplyContext) -> str:
    """Return why a step is not done: not sent, not answered within some seconds, or refused for a reason."""
    texts, error = context.texts, result.error
    if result.status is turn.StepStatus.SKIPPED:
        return texts.text("responder.failures.skipped")
    if result.status is turn.StepStatus.UNREACHED:
        return texts.text("responder.failures.no_answer", **_waited_for(result, context))
    said = None if error is None else texts.table("responder.failures.refusals").get(error.reason)
    if said is None and error is not None and (wait_s := retry_after_s(error)) is not None:
        return texts.counted("responder.failures.rate_limited", math.ceil(wait_s))
    return said or texts.text("responder.failures.refused")


def _waited_for(result: turn.StepResult, context: ReplyContext) -> dict[str, str]:
    return {"clinic": context.clinic(result.step.clinic), "seconds": f"{context.texts.decimal(result.elapsed_s)} s"}
