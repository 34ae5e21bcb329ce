"""Word the outcome of memory calls, in private blocks, and mark openings by preferences without hiding any."""

from collections.abc import Iterable, Sequence

from mesh.clock import ZONE
from orchestrator.responder.reply_context import ReplyContext
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
    fits,
)


def memory_outcomes(results: Sequence[MemoryResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return the outcome of memory calls; the last thing saved comes with how to undo it."""
    last_saved = next((result for result in reversed(results) if result.status is MemoryStatus.SAVED), None)
    return tuple(block for result in results for block in _outcome(result, context, can_undo=result is last_saved))


def preference_notes(
    offers: Sequence[Offer], reminders: Sequence[SlotPreference], context: ReplyContext
) -> tuple[Block, ...]:
    """Return the preferences that fit some of the openings shown and not others."""
    texts = context.texts
    suiting = {reminder: sum(fits(reminder.suits, offer) for offer in offers) for reminder in reminders}
    against = [one for one, count in suiting.items() if one.binding and count < len(offers)]
    last = _quoted([one.said for one in against if one.disliked and suiting[one]], context)
    marked = _quoted([one.said for one in against if not (one.disliked and suiting[one])], context)
    told = [texts.text("responder.memory.last", said=last)] if last else []
    told += [texts.text("responder.memory.marked", said=marked)] if marked else []
    told += [
        texts.counted("responder.memory.as_preferred", count, said=_quoted([one.said], context))
        for one, count in suiting.items()
        if not one.binding and 0 < count < len(offers)
    ]
    return tuple(Paragraph(text, private=True) for text in told)


def conflict_mark(offer: Offer, reminders: Iterable[SlotPreference], context: ReplyContext) -> str | None:
    """Return the remark on an opening that contradicts what the person said; None for no remark."""
    against = _contradicted(offer, reminders)
    if against is None:
        return None
    return context.texts.text("responder.memory.dislike_mark" if against.disliked else "responder.memory.mark")


def preference_conflicts(
    steps: Iterable[Step], reminders: Sequence[SlotPreference], context: ReplyContext
) -> tuple[Block, ...]:
    """Return the preferences that the proposed slots contradict; a cancellation contradicts none."""
    taken = (slot for step in steps if (slot := step.taken) is not None)
    said = dict.fromkeys(one.said for slot in taken if (one := _contradicted(slot, reminders)) is not None)
    if not said:
        return ()
    return (
        Paragraph(context.texts.text("responder.memory.against", said=_quoted(tuple(said), context)), private=True),
    )


def _quoted(said: Sequence[str], context: ReplyContext) -> str:
    return context.texts.all_of(f"“{words}”" for words in dict.fromkeys(said))


def _contradicted(slot: Offer | Appointment, reminders: Iterable[SlotPreference]) -> SlotPreference | None:
    return next((one for one in reminders if one.binding and not fits(one.suits, slot)), None)


def _outcome(result: MemoryResult, context: ReplyContext, *, can_undo: bool) -> tuple[Block, ...]:
    texts, memories = context.texts, result.memories
    match result.status:
        case MemoryStatus.SAVED | MemoryStatus.KNOWN:
            noted = _noted(result, texts, context)
            return (Paragraph(f"{noted} {texts.text('responder.memory.undo')}" if can_undo else noted, private=True),)
        case MemoryStatus.FOUND if memories:
            return _listed(texts.counted("responder.memory.found", len(memories)), memories, context)
        case MemoryStatus.AMBIGUOUS:
            return _listed(texts.text("responder.memory.ambiguous"), memories, context)
        case MemoryStatus.FORGOTTEN if memories and not isinstance(result.call, ForgetAllMemories):
            return tuple(
                Paragraph(texts.text("responder.memory.forgotten", said=memory.content), private=True)
                for memory in memories
            )
        case _:
            return (Paragraph(_without_memories(result, texts)),)


def _without_memories(result: MemoryResult, texts: Texts) -> str:
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


def _noted(result: MemoryResult, texts: Texts, context: ReplyContext) -> str:
    call = result.call
    said = next((memory.content for memory in result.memories), call.content if isinstance(call, SaveMemory) else "")
    noted = texts.text(
        "responder.memory.saved" if result.status is MemoryStatus.SAVED else "responder.memory.known", said=said
    )
    until = next((memory.expires_on for memory in result.memories), None)
    return (
        noted
        if until is None
        else f"{noted} {texts.text('responder.memory.until', day=context.texts.plain_date(until))}"
    )


def _listed(title: str, memories: Sequence[Memory], context: ReplyContext) -> tuple[Block, ...]:
    return Paragraph(title), _table(memories, context), Paragraph(context.texts.text("responder.memory.how_to_forget"))


def _table(memories: Sequence[Memory], context: ReplyContext) -> Table:
    texts = context.texts
    return Table(
        texts.lines("responder.memory.columns"),
        tuple(
            (
                str(number),
                memory.content,
                texts.text(f"responder.memory.kinds.{memory.kind}"),
                context.texts.plain_date(memory.created_at.astimezone(ZONE).date()),
                "" if memory.expires_on is None else context.texts.plain_date(memory.expires_on),
            )
            for number, memory in enumerate(memories, 1)
        ),
        private=True,
    )
