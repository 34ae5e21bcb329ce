"""What a model's text may call up instead of saying it: the parts of the template's reply, and facts in its lines.

A handle is a name in braces. `{slots}`, `{alternatives}`, `{patients}`, `{record}`, `{receipt:N}` and `{notice:N}`
stand for whole blocks of the template and are all required; `{slot:N}`, an opening by the number it has on the screen,
and `{patient}`, the speaker's name, stand in a sentence. Nothing is read or rendered here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from orchestrator.responder.voice import Voice
from orchestrator.responder.wording import clock_time, long_date
from orchestrator.turn import Block, Offer, Part, Plan, Reply, Session

_NUMBERED = frozenset({Part.RECEIPT, Part.NOTICE})
_OF_OPENINGS = frozenset({Part.SLOTS, Part.ALTERNATIVES})


@dataclass(frozen=True, slots=True)
class Handles:
    """What a draft of one reply may name.

    Attributes:
        first: What is shown before everything else, whatever is written.
        blocks: The template's blocks by handle, in its order; each is required.
        inline: Words by handle.
        openings: The openings behind the slot handles, in the order of their numbers.
    """

    first: tuple[Block, ...]
    blocks: Mapping[str, tuple[Block, ...]] = field(repr=False)
    inline: Mapping[str, str] = field(repr=False)
    openings: tuple[Offer, ...]

    @classmethod
    def of(cls, reply: Reply, plan: Plan, session: Session, voice: Voice) -> Handles:
        """Return the handles of a template's reply.

        Args:
            reply: The template's reply.
            plan: The turn's plan; a caution of it is what a reply begins with.
            session: Who speaks, and the openings that the reply numbers.
            voice: Speaks the reply's language.
        """
        cautions = 0 if plan.caution is None else 1
        blocks = _by_handle(reply.blocks[cautions:])
        # An answer about something else leaves the openings of an earlier one in the session.
        shown = any(block.part in _OF_OPENINGS for block in reply.blocks)
        openings = session.offers if shown else ()
        words = {slot_handle(offer): opening_words(offer, voice) for offer in openings}
        return cls(reply.blocks[:cautions], blocks, {**words, "{patient}": session.identity.name}, openings)


def slot_handle(offer: Offer) -> str:
    """Return the handle of an opening."""
    return f"{{slot:{offer.number}}}"


def opening_words(offer: Offer, voice: Voice) -> str:
    """Return an opening as it stands in a sentence."""
    return voice.texts.text(
        "responder.listing.opening",
        date=long_date(offer.date, voice.language),
        time=clock_time(offer.time),
        doctor=offer.doctor,
        clinic=voice.clinic(offer.clinic),
    )


def _by_handle(blocks: Iterable[Block]) -> dict[str, tuple[Block, ...]]:
    handles: dict[str, tuple[Block, ...]] = {}
    seen: Counter[Part] = Counter()
    for block in blocks:
        if block.part is not None:
            seen[block.part] += 1
            name = f"{block.part}:{seen[block.part]}" if block.part in _NUMBERED else block.part
            handle = f"{{{name}}}"
            handles[handle] = (*handles.get(handle, ()), block)
    return handles
