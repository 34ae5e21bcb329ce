"""A model's running text as plain text."""

import re
import unicodedata

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
