"""Turns a model's text with handles into the blocks of a reply.

Markdown becomes plain text, whole blocks stand where their handles were, and pseudonyms become what they hide. Whether
the result may be shown is the verifier's to say; the model's own words are kept apart for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from orchestrator.responder.handles import Handles
from orchestrator.turn import Block, Paragraph

_HANDLE = re.compile(r"(?<!\{)\{++\s*(?P<name>[^{}]*?)\s*\}+")
_BRACKETED = re.compile(r"\[[^\[\]\n]*\]")

GAP = "…"
"""Stands in a model's own words where code puts something into a sentence."""

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
class Rendered:
    """A text with its handles filled in.

    Attributes:
        blocks: As they would be shown.
        words: The model's own paragraphs, parted by an empty line, with `GAP` for what code put into them.
        missing: Block handles that were not used.
        unknown: Whether a handle or pseudonym was used that there is not.
    """

    blocks: tuple[Block, ...]
    words: str = field(repr=False)
    missing: tuple[str, ...]
    unknown: bool


def rendered(text: str, handles: Handles, restore: Callable[[str], str]) -> Rendered:
    """Return what a model's text comes to.

    Args:
        text: What the model wrote.
        handles: What it may name.
        restore: Puts back what pseudonyms stand for.
    """
    blocks, words = list(handles.first), []
    used: set[str] = set()
    unknown = False
    for piece in _pieces(plain_text(text), handles):
        if piece in handles.blocks:
            if piece not in used:
                blocks += handles.blocks[piece]
                used.add(piece)
        elif any(map(str.isalnum, piece)):
            shown = restore(_HANDLE.sub(lambda match: handles.inline.get(_name(match), match[0]), piece))
            unknown |= re.search(r"[{}\[\]]", shown) is not None
            blocks.append(Paragraph(shown))
            words.append(_BRACKETED.sub(GAP, _HANDLE.sub(GAP, piece)))
    missing = tuple(handle for handle in handles.blocks if handle not in used)
    return Rendered(tuple(blocks), "\n\n".join(words), missing, unknown)


def plain_text(text: str) -> str:
    """Return a text without markdown and without characters that are not printed or turn the direction of writing."""
    characters = (character for character in text.replace("\r\n", "\n").replace("\t", " "))
    plain = "".join(
        character for character in characters if character == "\n" or unicodedata.category(character)[0] != "C"
    )
    for pattern, replacement in _MARKDOWN:
        plain = pattern.sub(replacement, plain)
    return plain.strip()


def _pieces(text: str, handles: Handles) -> Iterator[str]:
    """Yield paragraphs and the handles of blocks, in order."""
    end = 0
    for match in _HANDLE.finditer(text):
        if _name(match) in handles.blocks:
            yield text[end : match.start()].strip()
            yield _name(match)
            end = match.end()
    yield text[end:].strip()


def _name(match: re.Match[str]) -> str:
    return f"{{{match['name'].lower()}}}"
