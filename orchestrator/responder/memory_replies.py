"""Word the outcome of memory calls, in private blocks, and mark openings by preferences without hiding any."""

from collections.abc import Iterable, Iterator, Sequence

from mesh.clock import ZONE
from orchestrator import turn
from orchestrator.responder.reply_context import ReplyContext
from orchestrator.texts import Texts


def memory_outcomes(results: Sequence[turn.MemoryResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the outcome of memory calls; the last thing saved comes with how to undo it."""
    last_saved = next((result for result in reversed(results) if result.status is turn.MemoryStatus.SAVED), None)
    for result in results:
        yield from _outcome(result, context, can_undo=result is last_saved)


def preference_notes(
    offers: Sequence[turn.Offer], reminders: Sequence[turn.SlotPreference], context: ReplyContext
) -> Iterator[turn.Block]:
    """Yield the preferences that fit some of the openings shown and not others."""
    texts = context.texts
    suiting = {reminder: sum(turn.fits(reminder.suits, offer) for offer in offers) for reminder in reminders}
    against = [one for one, count in suiting.items() if one.binding and count < len(offers)]
    if last := [one.said for one in against if suiting[one]]:
        yield turn.Paragraph(texts.text("responder.memory.last", said=_quoted(last, context)), private=True)
    if marked := [one.said for one in against if not suiting[one]]:
        yield turn.Paragraph(texts.text("responder.memory.marked", said=_quoted(marked, context)), private=True)
    for one, count in suiting.items():
        if not one.binding and 0 < count < len(offers):
            said = _quoted([one.said], context)
            yield turn.Paragraph(texts.counted("responder.memory.as_preferred", count, said=said), private=True)


def memory_mark(offer: turn.Offer, reminders: Sequence[turn.SlotPreference], context: ReplyContext) -> Iterator[str]:
    """Yield the remark on an opening that contradicts what the person said, or is as preferred."""
    if (against := _contradicted(offer, reminders)) is not None:
        yield context.texts.text("responder.memory.dislike_mark" if against.disliked else "responder.memory.mark")
    elif any(not one.binding and turn.fits(one.suits, offer) for one in reminders):
        yield context.texts.text("responder.memory.preferred_mark")


def preference_conflicts(
    steps: Iterable[turn.Step], reminders: Sequence[turn.SlotPreference], context: ReplyContext
) -> Iterator[turn.Block]:
    """Yield the preferences that the proposed slots contradict; a cancellation contradicts none."""
    taken = (slot for step in steps if (slot := step.taken) is not None)
    if said := [one.said for slot in taken if (one := _contradicted(slot, reminders)) is not None]:
        yield turn.Paragraph(context.texts.text("responder.memory.against", said=_quoted(said, context)), private=True)


def _quoted(said: Sequence[str], context: ReplyContext) -> str:
    return context.texts.all_of(f"“{words}”" for words in dict.fromkeys(said))


def _contradicted(slot: turn.SlotLike, reminders: Iterable[turn.SlotPreference]) -> turn.SlotPreference | None:
    return next((one for one in reminders if one.binding and not turn.fits(one.suits, slot)), None)


def _outcome(result: turn.MemoryResult, context: ReplyContext, *, can_undo: bool) -> Iterator[turn.Block]:
    texts, memories = context.texts, result.memories
    match result.status:
        case turn.MemoryStatus.SAVED | turn.MemoryStatus.KNOWN:
            noted = _noted(result, texts)
            yield turn.Paragraph(f"{noted} {texts.text('responder.memory.undo')}" if can_undo else noted, private=True)
        case turn.MemoryStatus.FOUND if memories:
            yield from _listed(texts.counted("responder.memory.found", len(memories)), memories, texts)
        case turn.MemoryStatus.AMBIGUOUS:
            yield from _listed(texts.text("responder.memory.ambiguous"), memories, texts)
        case turn.MemoryStatus.FORGOTTEN if memories and not isinstance(result.call, turn.ForgetAllMemories):
            for memory in memories:
                yield turn.Paragraph(texts.text("responder.memory.forgotten", said=memory.content), private=True)
        case _:
            yield turn.Paragraph(_without_memories(result, texts))


def _without_memories(result: turn.MemoryResult, texts: Texts) -> str:
    match result.status:
        case turn.MemoryStatus.FORGOTTEN if result.memories:
            return texts.counted("responder.memory.forgot_all", len(result.memories))
        case turn.MemoryStatus.FOUND | turn.MemoryStatus.FORGOTTEN:
            return texts.text("responder.memory.none")
        case turn.MemoryStatus.NOT_FOUND:
            last = isinstance(result.call, turn.ForgetMemory) and not result.call.about
            return texts.text("responder.memory.nothing_noted" if last else "responder.memory.nothing_to_forget")
        case _:
            return texts.table("responder.memory.refused").get(result.status, texts.text("responder.memory.failed"))


def _noted(result: turn.MemoryResult, texts: Texts) -> str:
    call, memory = result.call, next(iter(result.memories), None)
    said = memory.content if memory is not None else call.content if isinstance(call, turn.SaveMemory) else ""
    is_new = result.status is turn.MemoryStatus.SAVED
    noted = texts.text("responder.memory.saved" if is_new else "responder.memory.known", said=said)
    if memory is None or memory.expires_on is None:
        return noted
    return f"{noted} {texts.text('responder.memory.until', day=texts.plain_date(memory.expires_on))}"


def _listed(title: str, memories: Sequence[turn.Memory], texts: Texts) -> Iterator[turn.Block]:
    rows = []
    for number, memory in enumerate(memories, 1):
        kind = texts.text(f"responder.memory.kinds.{memory.kind}")
        saved = texts.plain_date(memory.created_at.astimezone(ZONE).date())
        until = "" if memory.expires_on is None else texts.plain_date(memory.expires_on)
        rows.append((str(number), memory.content, kind, saved, until))
    yield turn.Paragraph(title)
    yield turn.Table(texts.lines("responder.memory.columns"), tuple(rows), private=True)
    yield turn.Paragraph(texts.text("responder.memory.how_to_forget"))
