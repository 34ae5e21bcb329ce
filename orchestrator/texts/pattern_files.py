"""Read the text files in which lists of words and regular expressions over folded text stand; `#` begins a comment."""

import re
from collections.abc import Mapping
from importlib.resources import files

_SECTION = re.compile(r"^\[([a-z_]+)\]\n", re.MULTILINE)
_NAMED = re.compile(r"\{([a-z_]+)\}")


def one_of(*forms: str) -> str:
    """Return a pattern that matches any of the given patterns."""
    return f"(?:{'|'.join(forms)})"


def words_of(name: str, package: str) -> tuple[str, ...]:
    """Return the words of a list, folded, in the file's order."""
    lines = files(package).joinpath(name).read_text(encoding="utf-8").splitlines()
    return tuple(word for line in lines if not line.startswith("#") for word in line.split())


def patterns_in(name: str, package: str, **known: str) -> Mapping[str, str]:
    """Return the pattern of each section of a file: any of its rows; {name} is a section above or `known`."""
    _, *parts = _SECTION.split(files(package).joinpath(name).read_text(encoding="utf-8"))
    patterns = dict(known)
    for section, text in zip(parts[::2], parts[1::2], strict=True):
        rows = (row for row in text.splitlines() if row and not row.startswith("#"))
        patterns[section] = one_of(*(_NAMED.sub(lambda match: patterns[match[1]], row) for row in rows))
    return patterns
