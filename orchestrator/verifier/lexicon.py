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


def pattern_of(*names: str) -> re.Pattern[str]:
    """Return a pattern for any word of some lists in a folded text; in a list, * is any ending and _ a blank."""
    words = (word for name in names for word in words_of(name))
    forms = (re.escape(word).replace("_", " ").replace(r"\*", r"[\w-]*") for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
