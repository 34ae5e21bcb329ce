"""Word a clinic's agenda: a day with who comes, and slots that are open, held or closed."""

from collections.abc import Iterator, Sequence
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator import turn
from orchestrator.responder import ReplyContext
from orchestrator.texts import Texts

WEEKDAYS = tuple(pb.Weekday.keys()[1:])


def state_of(entry: pb.AgendaEntry) -> str:
    """Return "open", "held" or "closed"."""
    return pb.SlotState.Name(entry.state).removeprefix("SLOT_STATE_").lower()


def reason_of(entry: pb.AgendaEntry) -> str:
    """Return why a slot is closed, in lower case; empty where it is not."""
    return pb.ClosingReason.Name(entry.reason).removeprefix("CLOSING_REASON_").lower() if entry.reason else ""


def entries_of(result: turn.StepResult) -> Sequence[pb.AgendaEntry]:
    """Return a day's slots by doctor and time; none without an answer."""
    answer = result.response
    entries = answer.entries if isinstance(answer, pb.ListAgendaResponse) else ()
    return sorted(entries, key=lambda entry: (entry.doctor, entry.time))


def who_comes(entry: pb.AgendaEntry, texts: Texts) -> str:
    """Return who holds a slot, or what it is."""
    state = entry.patient_name or texts.table("front_desk.states")[state_of(entry)]
    reason = texts.table("front_desk.reasons").get(reason_of(entry), "")
    return f"{state} ({reason})" if reason else state


def day_blocks(result: turn.StepResult, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield a day of one clinic, or why there is none."""
    texts, clinic = context.texts, context.clinic(result.step.clinic)
    if result.status is not turn.StepStatus.DONE:
        yield turn.Paragraph(f"{clinic}: {failure_of(result, texts)}")
        return
    day = date.fromisoformat(result.step.parameters["date"])
    yield turn.Paragraph(texts.text("front_desk.day_title", clinic=clinic, day=texts.long_date(day)))
    rows = tuple((entry.time, entry.doctor, who_comes(entry, texts)) for entry in entries_of(result))
    if rows:
        yield turn.Table(texts.lines("front_desk.day_columns"), rows, private=True)
    else:
        yield turn.Paragraph(texts.text("front_desk.nobody_attends"))


def day_of_clinics(results: Sequence[turn.StepResult], context: ReplyContext) -> Sequence[turn.Block]:
    """Return a day of several clinics; those where nobody attends are left out, unless it is all."""
    told = [one for one in results if one.status is not turn.StepStatus.DONE or entries_of(one)] or results[:1]
    return [block for result in told for block in day_blocks(result, context)]


def lacking(doctors: Sequence[str], texts: Texts) -> turn.Block:
    """Return the question for what a change lacks: which doctor, or which day and times."""
    if doctors:
        return turn.Paragraph(texts.text("front_desk.which_doctor", doctors=texts.one_of(doctors)))
    return turn.Paragraph(texts.text("front_desk.which_times"))


def change_proposed(step: turn.Step, context: ReplyContext) -> Sequence[turn.Block]:
    """Return the card of a change and the question whether to make it."""
    texts, labels = context.texts, context.texts.table("front_desk.labels")
    rows = [(labels["clinic"], context.clinic(step.clinic))]
    rows += [(labels[name], _value(name, value, texts)) for name, value in step.parameters.items() if value]
    title = texts.table("front_desk.titles")[step.action]
    return [turn.Card(title, tuple(rows)), turn.Paragraph(texts.text("responder.consent.confirm"))]


def _value(name: str, value: str, texts: Texts) -> str:
    if name == "reason":
        return texts.table("front_desk.reasons")[value.removeprefix("CLOSING_REASON_").lower()]
    if name == "weekdays":
        return texts.all_of(texts.weekday(WEEKDAYS.index(day)) for day in value.split(", "))
    return ", ".join(texts.long_date(date.fromisoformat(day)) for day in value.split(", ")) if "date" in name else value


def change_made(result: turn.StepResult, texts: Texts) -> Iterator[turn.Block]:
    """Yield what a change came to, and the appointments that a closing left in its way."""
    match result.response:
        case pb.OpenSlotsResponse(slots=slots, unchanged=unchanged):
            yield turn.Paragraph(texts.text("front_desk.opened", count=len(slots), unchanged=unchanged))
        case pb.CloseSlotsResponse(closed=closed, held=left, unchanged=unchanged):
            yield turn.Paragraph(texts.text("front_desk.closed", count=len(closed), unchanged=unchanged))
            if left:
                yield turn.Paragraph(texts.counted("front_desk.held", len(left)))
                held = ((entry, date.fromisoformat(entry.date), time.fromisoformat(entry.time)) for entry in left)
                rows = tuple((texts.moment(day, at), entry.doctor, who_comes(entry, texts)) for entry, day, at in held)
                yield turn.Table(texts.lines("front_desk.day_columns"), rows, private=True)
        case _:
            yield turn.Paragraph(failure_of(result, texts))


def moves_proposed(moves: Sequence[turn.PatientVisit], context: ReplyContext) -> Sequence[turn.Block]:
    """Return where each patient would go, and the question whether to move them."""
    texts = context.texts
    nowhere = texts.text("front_desk.no_opening")
    rows = tuple((*_visit(move, texts), _place(move.to, context) if move.to else nowhere) for move in moves)
    is_any = any(move.steps for move in moves)
    asked = texts.text("front_desk.confirm_moves") if is_any else texts.text("front_desk.nobody_moved")
    return [turn.Table(texts.lines("front_desk.move_columns"), rows, private=True), turn.Paragraph(asked)]


def moves_made(
    made: Sequence[tuple[turn.PatientVisit, Sequence[turn.StepResult]]], context: ReplyContext
) -> Sequence[turn.Block]:
    """Return what became of each patient's appointment."""
    rows = tuple((*_visit(move, context.texts), _outcome_of(move, results, context)) for move, results in made)
    return [turn.Table(context.texts.lines("front_desk.move_columns"), rows, private=True, part=turn.Part.RECEIPT)]


def _outcome_of(move: turn.PatientVisit, results: Sequence[turn.StepResult], context: ReplyContext) -> str:
    texts = context.texts
    if move.to is None:
        return texts.text("front_desk.no_opening")
    place = _place(move.to, context)
    failed = next((result for result in results if result.status is not turn.StepStatus.DONE), None)
    if failed is None:
        return texts.text("front_desk.moved", place=place)
    if failed.status is turn.StepStatus.UNKNOWN:
        return texts.text("front_desk.move_unknown", place=place)
    if failed is not results[0]:
        return texts.text("front_desk.booked_twice", place=place, why=failure_of(failed, texts))
    return texts.text("front_desk.not_moved", why=failure_of(failed, texts))


def failure_of(result: turn.StepResult, texts: Texts) -> str:
    """Return why a step was not done."""
    if result.error is None or result.status is turn.StepStatus.UNREACHED:
        return texts.text("front_desk.no_answer")
    return texts.table("responder.failures.refusals").get(result.error.reason, result.error.message)


def _visit(move: turn.PatientVisit, texts: Texts) -> tuple[str, str]:
    return move.patient.name, texts.moment(move.held.date, move.held.time)


def _place(slot: turn.Appointment, context: ReplyContext) -> str:
    return f"{context.texts.moment(slot.date, slot.time)}, {slot.doctor}, {context.clinic(slot.clinic)}"
