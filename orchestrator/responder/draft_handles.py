"""The names that a model writes in place of facts, and the draft that code makes of its text.

A draft needs all that stand for blocks (`{slots}`, `{receipt:N}`); `{slot:N}` and `{patient}` stand in sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from orchestrator.responder.reply_context import ReplyContext
from orchestrator.texts import clock_time
from orchestrator.turn import Block, Draft, Offer, Paragraph, Part, Plan, Reply, Session

_NUMBERED = frozenset({Part.RECEIPT, Part.NOTICE})
_OF_OPENINGS = frozenset({Part.SLOTS, Part.ALTERNATIVES})


_HANDLE = re.compile(r"(?<!\{)\{++\s*(?P<name>[^{}]*?)\s*\}+")
_BRACKETED = re.compile(r"\[[^\[\]\n]*\]")

_GAP = "…"  # stands in the model's own words for what code fills in

_MARKDOWN = tuple(
    (re.compile(pattern, re.MULTILINE), plain)
    for pattern, plain in (
        (r"^[ \t]*(?:`{3}\w*|[-*_](?:[ \t]*[-*_]){2,})[ \t]*$", ""),  # code fences and rules
        (r"^[ \t]*(?:#{1,6}|>)[ \t]+", ""),
        # The numbers of a list are the model's own and would look like those of the openings.
        (r"^[ \t]*(?:[*+•–]|\d{1,2}[.)])[ \t]+", "- "),
        (r"\*\*|__|~~|`", ""),
        (r"(?<![\w*])[*_](?=\S)([^*_\n]+)(?<=\S)[*_](?![\w*])", r"\1"),
        (r"[ \t]+$", ""),
        (r"\n{3,}", "\n\n"),
    )
)


@dataclass(frozen=True, slots=True)
class Handles:
    """The handles of one reply."""

    first: tuple[Block, ...]  # shown first, whatever the model writes
    blocks: Mapping[str, tuple[Block, ...]] = field(repr=False)  # by handle; a draft needs each
    inline: Mapping[str, str] = field(repr=False)  # the words of each handle inside a sentence
    openings: tuple[Offer, ...]  # in the order of their numbers

    @classmethod
    def of(cls, reply: Reply, plan: Plan, session: Session, context: ReplyContext) -> Handles:
        """Return the handles of a template's reply; if the plan has a caution, it is the reply's first block."""
        cautions = 0 if plan.caution is None else 1
        blocks = _by_handle(reply.blocks[cautions:])
        # An answer about something else leaves the openings of an earlier one in the session.
        shown = any(block.part in _OF_OPENINGS for block in reply.blocks)
        openings = session.printed if shown else ()
        words = {slot_handle(offer): opening_words(offer, context) for offer in openings}
        return cls(reply.blocks[:cautions], blocks, {**words, "{patient}": session.identity.name}, openings)


def slot_handle(offer: Offer) -> str:
    """Return the handle of an opening."""
    return f"{{slot:{offer.number}}}"


def opening_words(offer: Offer, context: ReplyContext) -> str:
    """Return the words for an opening inside a sentence."""
    return context.texts.text(
        "responder.listing.opening",
        date=context.texts.long_date(offer.date),
        time=clock_time(offer.time),
        doctor=offer.doctor,
        clinic=context.clinic(offer.clinic),
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


def draft_of(text: str, handles: Handles, restore: Callable[[str], str], template: Reply) -> Draft:
    """Return a model's text with the handles of `template` filled in; `restore` replaces pseudonyms."""
    blocks, words = list(handles.first), []
    used: set[str] = set()
    unknown = False
    for piece in _pieces(without_markdown(text), handles):
        if piece in handles.blocks:
            if piece not in used:
                blocks += handles.blocks[piece]
                used.add(piece)
        elif any(map(str.isalnum, piece)):
            shown = restore(_HANDLE.sub(lambda match: handles.inline.get(_name(match), match[0]), piece))
            unknown |= re.search(r"[{}\[\]]", shown) is not None
            blocks.append(Paragraph(shown))
            words.append(_BRACKETED.sub(_GAP, _HANDLE.sub(_GAP, piece)))
    missing = tuple(handle for handle in handles.blocks if handle not in used)
    reply = Reply(template.language, template.outcome, tuple(blocks))
    return Draft(reply, "\n\n".join(words), missing, unknown)


def without_markdown(text: str) -> str:
    """Return a text without markdown, control characters and characters that change the direction of writing."""
    characters = (character for character in text.replace("\r\n", "\n").replace("\t", " "))
    plain = "".join(
        character for character in characters if character == "\n" or unicodedata.category(character)[0] != "C"
    )
    for pattern, replacement in _MARKDOWN:
        plain = pattern.sub(replacement, plain)
    return plain.strip()


def _pieces(text: str, handles: Handles) -> Iterator[str]:
    end = 0
    for match in _HANDLE.finditer(text):
        if _name(match) in handles.blocks:
            yield text[end : match.start()].strip()
            yield _name(match)
            end = match.end()
    yield text[end:].strip()


def _name(match: re.Match[str]) -> str:
    return f"{{{match['name'].lower()}}}"
