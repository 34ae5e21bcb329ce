"""Words what came of memory calls, and what was said before about the openings of a turn.

All of it quotes the person, so every block that does is private: it is neither logged nor shown to a language model.
Marks on openings are made by code from what was said; nothing is left out because of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mesh.clock import ZONE
from orchestrator.responder.voice import Voice
from orchestrator.texts import Texts
from orchestrator.turn import (
    Appointment,
    Block,
    ForgetAllMemories,
    ForgetMemory,
    Memory,
    MemoryResult,
    MemoryStatus,
    Offer,
    Paragraph,
    SaveMemory,
    SlotPreference,
    Step,
    Table,
)


def outcomes(results: Sequence[MemoryResult], voice: Voice) -> tuple[Block, ...]:
    """Return what came of memory calls; behind the last that was saved, how to undo that."""
    last_saved = next((result for result in reversed(results) if result.status is MemoryStatus.SAVED), None)
    return tuple(block for result in results for block in _outcome(result, voice, can_undo=result is last_saved))


def reminded(offers: Sequence[Offer], reminders: Sequence[SlotPreference], voice: Voice) -> tuple[Block, ...]:
    """Return what was said before about openings that are shown, where it tells some of them from others."""
    texts = voice.texts
    suiting = {reminder: sum(_suits(offer, reminder) for offer in offers) for reminder in reminders}
    marking = [one.said for one, count in suiting.items() if one.binding and count < len(offers)]
    told = [texts.text("responder.memory.marked", said=_quoted(marking, voice))] if marking else []
    told += [
        texts.counted("responder.memory.as_preferred", count, said=_quoted([one.said], voice))
        for one, count in suiting.items()
        if not one.binding and 0 < count < len(offers)
    ]
    return tuple(Paragraph(text, private=True) for text in told)


def is_against(offer: Offer, reminders: Iterable[SlotPreference]) -> bool:
    """Return whether the person said that an opening does not suit."""
    return _against(offer, reminders) is not None


def objections(steps: Iterable[Step], reminders: Sequence[SlotPreference], voice: Voice) -> tuple[Block, ...]:
    """Return what was said before against what is proposed; giving an appointment back is against nothing."""
    taken = (slot for step in steps if (slot := step.taken) is not None)
    said = dict.fromkeys(said for slot in taken if (said := _against(slot, reminders)) is not None)
    if not said:
        return ()
    return (Paragraph(voice.texts.text("responder.memory.against", said=_quoted(tuple(said), voice)), private=True),)


def _quoted(said: Sequence[str], voice: Voice) -> str:
    return voice.texts.all_of(f"“{words}”" for words in dict.fromkeys(said))


def _suits(offer: Offer | Appointment, reminder: SlotPreference) -> bool:
    return reminder.suits(offer.clinic, offer.doctor, offer.date, offer.time)


def _against(slot: Offer | Appointment, reminders: Iterable[SlotPreference]) -> str | None:
    return next((one.said for one in reminders if one.binding and not _suits(slot, one)), None)


def _outcome(result: MemoryResult, voice: Voice, *, can_undo: bool) -> tuple[Block, ...]:
    texts, memories = voice.texts, result.memories
    match result.status:
        case MemoryStatus.SAVED | MemoryStatus.KNOWN:
            noted = _noted(result, texts, voice)
            return (Paragraph(f"{noted} {texts.text('responder.memory.undo')}" if can_undo else noted, private=True),)
        case MemoryStatus.FOUND if memories:
            return _listed(texts.counted("responder.memory.found", len(memories)), memories, voice)
        case MemoryStatus.AMBIGUOUS:
            return _listed(texts.text("responder.memory.ambiguous"), memories, voice)
        case MemoryStatus.FORGOTTEN if memories and not isinstance(result.call, ForgetAllMemories):
            return tuple(
                Paragraph(texts.text("responder.memory.forgotten", said=memory.content), private=True)
                for memory in memories
            )
        case _:
            return (Paragraph(_without_memories(result, texts)),)


def _without_memories(result: MemoryResult, texts: Texts) -> str:
    """Return what is said where nothing that is remembered is quoted."""
    match result.status:
        case MemoryStatus.FORGOTTEN if result.memories:
            return texts.counted("responder.memory.forgot_all", len(result.memories))
        case MemoryStatus.FOUND | MemoryStatus.FORGOTTEN:
            return texts.text("responder.memory.none")
        case MemoryStatus.NOT_FOUND:
            last = isinstance(result.call, ForgetMemory) and not result.call.about
            return texts.text("responder.memory.nothing_noted" if last else "responder.memory.nothing_to_forget")
        case _:
            return texts.table("responder.memory.refused").get(result.status, texts.text("responder.memory.failed"))


def _noted(result: MemoryResult, texts: Texts, voice: Voice) -> str:
    call = result.call
    said = next((memory.content for memory in result.memories), call.content if isinstance(call, SaveMemory) else "")
    noted = texts.text(
        "responder.memory.saved" if result.status is MemoryStatus.SAVED else "responder.memory.known", said=said
    )
    until = next((memory.expires_on for memory in result.memories), None)
    return (
        noted if until is None else f"{noted} {texts.text('responder.memory.until', day=voice.texts.plain_date(until))}"
    )


def _listed(title: str, memories: Sequence[Memory], voice: Voice) -> tuple[Block, ...]:
    return Paragraph(title), _table(memories, voice), Paragraph(voice.texts.text("responder.memory.how_to_forget"))


def _table(memories: Sequence[Memory], voice: Voice) -> Table:
    texts = voice.texts
    return Table(
        texts.lines("responder.memory.columns"),
        tuple(
            (
                str(number),
                memory.content,
                texts.text(f"responder.memory.kinds.{memory.kind}"),
                voice.texts.plain_date(memory.created_at.astimezone(ZONE).date()),
                "" if memory.expires_on is None else voice.texts.plain_date(memory.expires_on),
            )
            for number, memory in enumerate(memories, 1)
        ),
        private=True,
    )
