"""Word a clinic's agenda: a day with who comes, and slots that are open, held or closed."""

from collections.abc import Iterator, Sequence
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.texts import Texts
from orchestrator.turn import Block, Paragraph, StepResult, Table


def state_of(entry: pb.AgendaEntry) -> str:
    """Return "open", "held" or "closed"."""
    return pb.SlotState.Name(entry.state).removeprefix("SLOT_STATE_").lower()


def reason_of(entry: pb.AgendaEntry) -> str:
    """Return why a slot is closed, in lower case; empty where it is not."""
    return pb.ClosingReason.Name(entry.reason).removeprefix("CLOSING_REASON_").lower() if entry.reason else ""


def entries_of(result: StepResult) -> Sequence[pb.AgendaEntry]:
    """Return a day's slots by doctor and time; none without an answer."""
    answer = result.response
    entries = answer.entries if isinstance(answer, pb.ListAgendaResponse) else ()
    return sorted(entries, key=lambda entry: (entry.doctor, entry.time))


def who_comes(entry: pb.AgendaEntry, texts: Texts) -> str:
    """Return who holds a slot, or what it is."""
    state = entry.patient_name or texts.table("front_desk.states")[state_of(entry)]
    reason = texts.table("front_desk.reasons").get(reason_of(entry), "")
    return f"{state} ({reason})" if reason else state


def day_blocks(result: StepResult, clinic: str, day: date, texts: Texts) -> Iterator[Block]:
    """Yield a day of one clinic, called `clinic`."""
    yield Paragraph(texts.text("front_desk.day_title", clinic=clinic, day=texts.long_date(day)))
    rows = tuple((entry.time, entry.doctor, who_comes(entry, texts)) for entry in entries_of(result))
    if rows:
        yield Table(texts.lines("front_desk.day_columns"), rows, private=True)
    else:
        yield Paragraph(texts.text("front_desk.nobody_attends"))


def moment_of(entry: pb.AgendaEntry, texts: Texts) -> str:
    """Return the date and time of a slot in words."""
    return texts.moment(date.fromisoformat(entry.date), time.fromisoformat(entry.time))
