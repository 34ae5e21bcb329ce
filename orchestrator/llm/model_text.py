"""What a model wrote: the one JSON value in it, whatever prose or fences stand around it, or plain text."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mesh.strict_document import members_once

if TYPE_CHECKING:
    from pydantic import JsonValue

_MAX_CHARACTERS = 200_000  # a model's longest answer is a few thousand tokens; more is no answer
_MAX_DEPTH = 64

_OPENING = re.compile(r"[\[{]")
# A string, up to the text's end when it is not closed, or a bracket. Possessive: an open string costs one pass.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)

_MEANT = re.compile(r'[\[\s]*\{\s*"')  # prose has brackets too, but not these
_THOUGHTS_END = "</think>"  # some servers leave a reasoning model's thoughts in the text, before the answer


def json_in(text: str) -> JsonValue:
    """Return the only JSON object or list (RFC 8259, no name twice) of a text.

    Raise ValueError, without quoting it, for none or several.
    """
    if len(text) > _MAX_CHARACTERS:
        raise ValueError(f"more than {_MAX_CHARACTERS} characters")
    if not text.lstrip().startswith(("{", "[")):
        text = text.rpartition(_THOUGHTS_END)[2]
    found: JsonValue = None
    for span in dict.fromkeys(_spans(text)):
        value = _parsed(span)
        if value is None and _MEANT.match(span):
            raise ValueError("malformed JSON")
        if value is not None and found is not None and json.dumps(value) != json.dumps(found):
            raise ValueError("several JSON values that differ")
        found = found if value is None else value
    if found is None:
        raise ValueError("no JSON object or list")
    return found


def _spans(text: str) -> Iterator[str]:
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = _end_of(text, opening.start())
        yield text[opening.start() : position]


def _end_of(text: str, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        if depth > _MAX_DEPTH:
            raise ValueError(f"more than {_MAX_DEPTH} levels deep")
        if depth == 0:
            return token.end()
    raise ValueError("a JSON value that is not closed")


def _parsed(span: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(span, object_pairs_hook=members_once)
        # Fails at half a surrogate pair, which nothing could write, and at numbers that are none or beyond a double.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return None
    return value


_MARKDOWN = tuple(
    (re.compile(pattern, re.MULTILINE), plain)
    for pattern, plain in (
        (r"^[ \t]*(?:`{3}\w*|[-*_](?:[ \t]*[-*_]){2,})[ \t]*$", ""),  # code fences and rules
        (r"^[ \t]*(?:#{1,6}|>)[ \t]+", ""),
        (r"^[ \t]*(?:[*+•–]|\d{1,2}[.)])[ \t]+", "- "),
        (r"\*\*|__|~~|`", ""),
        (r"(?<![\w*])[*_](?=\S)([^*_\n]+)(?<=\S)[*_](?![\w*])", r"\1"),
        (r"[ \t]+$", ""),
        (r"\n{3,}", "\n\n"),
    )
)


def without_markdown(text: str) -> str:
    """Return a text without markdown, control characters and characters that change the direction of writing."""
    characters = text.replace("\r\n", "\n").replace("\t", " ")
    plain = "".join(one for one in characters if one == "\n" or unicodedata.category(one)[0] != "C")
    for pattern, replacement in _MARKDOWN:
        plain = pattern.sub(replacement, plain)
    return plain.strip()
