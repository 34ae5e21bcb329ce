"""Word lists of the rules, kept as text files beside the code so that they can be read and extended as lists."""

from __future__ import annotations

import re
from importlib.resources import files


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a list, folded, in the file's order.

    Args:
        name: The file below this package: words parted by blanks; a line that begins with # is a comment.
    """
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def pattern_of(name: str) -> re.Pattern[str]:
    """Return a pattern for any word of a list in a folded text; in the list, * is any ending and _ a blank."""
    forms = (re.escape(word).replace("_", " ").replace(r"\*", r"[\w-]*") for word in words_of(name))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
