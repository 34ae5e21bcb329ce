"""The forms of saying a value, as the lexicon "calendar_forms" lists them, and what finds them in rewritten text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from orchestrator.planner import lexicon
from orchestrator.planner.calendar.moments import Atom, Reference, Value

_FILE = "calendar_forms"


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """One form of saying a value."""

    pattern: re.Pattern[str]  # the form, over rewritten text
    read: Callable[[re.Match[str], Reference], Value | None]  # None for what is no value after all ("dia 45")
    needs: str = ""  # a symbol without which the form is not there


pattern = partial(lexicon.pattern, _FILE)


def forms(section: str, readers: Mapping[str, Any], needs: str = "") -> tuple[GrammarRule, ...]:
    """Return the forms of a section of the lexicon; `readers` is the namespace of the functions that they name."""
    return tuple(_rule(row, readers, needs) for row in lexicon.rows(_FILE, section))


def _rule(row: str, readers: Mapping[str, Any], needs: str) -> GrammarRule:
    said, _, form = row.partition(" = ")
    name, *ahead = said.split()
    return GrammarRule(re.compile(form), partial(readers[f"_{name}"], *map(int, ahead)), needs)


def claim(
    rules: tuple[GrammarRule, ...], symbols: str, reference: Reference, taken: list[tuple[int, int]]
) -> list[Atom]:
    """Return the atoms that rules find, in no order; a rule reads only what is not yet in `taken`, and extends it."""
    found: list[Atom] = []
    for rule in rules:
        if rule.needs not in symbols:
            continue
        for match in rule.pattern.finditer(symbols):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            value = rule.read(match, reference)
            if value is not None:
                found.append(Atom(match.start(), match.end(), value))
                taken.append(match.span())
    return found
