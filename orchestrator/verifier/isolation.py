"""Find the clinics whose answer alone blocks a reply, so that the answers of the others are shown."""

from collections.abc import Sequence
from dataclasses import replace

from mesh.errors import DomainError
from orchestrator.stages import Stages
from orchestrator.turn import Answers, Clinic, Plan, Session, StepResult, StepStatus, is_write


def without_faulty(
    answers: Answers, plan: Plan, session: Session, clinics: Sequence[Clinic], stages: Stages
) -> tuple[tuple[StepResult, ...], tuple[Clinic, ...]] | None:
    """Return the results of reads, a failure for each that no reply can be made of, and the clinics, those unnamed.

    None where that changes nothing. Writes are left as they are: their receipts are shown whatever else is blocked.
    """
    results = answers.results
    asked = {result.step.clinic for result in results}
    if len(asked) == 1 or any(is_write(result.step.action) for result in results):
        return None

    def is_safe(clinic: str) -> bool:
        own = Answers.of(answers.utterance, [one for one in results if one.step.clinic == clinic], answers.stated)
        if not stages.verifier.check_data(own, session).safe:
            return False
        reply = stages.responder.answer(plan, own.results, session, clinics)
        return stages.verifier.check_reply(reply.plain, own, session, plan).safe

    faulty = {clinic for clinic in asked if not is_safe(clinic)}
    if not faulty or faulty == asked:
        return None
    error = DomainError("WRONG_ANSWER", "the verifier does not let the clinic's answer through")
    return (
        tuple(
            StepResult(result.step, StepStatus.REFUSED, error=error, elapsed_s=result.elapsed_s)
            if result.step.clinic in faulty
            else result
            for result in results
        ),
        tuple(replace(clinic, name=clinic.id) if clinic.id in faulty else clinic for clinic in clinics),
    )
