"""Word lists of the rules, kept as text files beside the code so that they can be read and extended as lists."""

from __future__ import annotations

from importlib.resources import files


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a list, folded, in the file's order.

    Args:
        name: The file in this package: words parted by blanks; a line that begins with # is a comment.
    """
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
