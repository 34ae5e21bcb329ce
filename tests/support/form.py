"""How much of the tests a run plays.

The short form (`make test`) leaves out the tests marked `long` and makes a quarter of the examples, always the same
ones; the whole one (`make test-all`, or a run that names files) plays every test, with new examples each time; a siege
(`make siege-cases`) plays every case besides.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

SHORT, WHOLE, SIEGE = "short", "whole", "siege"
"""The forms, and the profiles of Hypothesis of the same names."""

EXAMPLES = {SHORT: 25, WHOLE: 100, SIEGE: 100}
"""How many examples Hypothesis makes where a test names no number of its own."""

_SHARE_OF_CASES = {SHORT: 24, WHOLE: 8, SIEGE: 1}
_SHARE_OF_TRIES = {SHORT: 16, WHOLE: 4, SIEGE: 1}

_T = TypeVar("_T")


def form_of(config: pytest.Config) -> str:
    """Return the form that the options of a run ask for.

    Who names files, or asks for long tests by `-m`, gets the whole form: nothing named is left out.
    """
    if getattr(config.option, "hypothesis_profile", None) == SIEGE:
        return SIEGE
    if config.option.whole or "long" in config.option.markexpr.replace("not long", ""):
        return WHOLE
    is_by_name = all(not Path(argument.partition("::")[0]).is_dir() for argument in config.args)
    return WHOLE if is_by_name and "not long" not in config.option.markexpr else SHORT


def leave_out_long(items: list[pytest.Item]) -> list[pytest.Item]:
    """Take the tests marked long out of a list, but for the variants that a mark keeps, and return them."""
    seen: dict[str, int] = {}
    left_out = []
    for item in items:
        if (mark := item.get_closest_marker("long")) is not None:
            name = item.nodeid.partition("[")[0]
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > mark.kwargs.get("but", 0):
                left_out.append(item)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
    return left_out


def second_ones_long(cases: Sequence[object]) -> list[object]:
    """Return cases for a parametrised test, each second one of them marked long."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.long] if place % 2 else [])
        for place, case in enumerate(cases)
    ]


def is_siege() -> bool:
    """Return whether this run plays all cases."""
    return _form() == SIEGE


def examples(whole: int) -> int:
    """Return how many examples are made of so many in a whole run: all of them, or a quarter in the short form."""
    return -(-whole * EXAMPLES[_form()] // EXAMPLES[WHOLE])


def some_of(cases: Sequence[_T]) -> list[_T]:
    """Return all cases in a siege, an eighth of them in a whole run, else a 24th: always the same."""
    share = _SHARE_OF_CASES[_form()]
    return list(cases) if share == 1 else random.Random(1).sample(cases, -(-len(cases) // share))


def tries(siege: int) -> int:
    """Return how often something is tried of so many times in a siege: a quarter in a whole run, else a sixteenth."""
    return -(-siege // _SHARE_OF_TRIES[_form()])


def _form() -> str:
    return settings.get_current_profile_name()
