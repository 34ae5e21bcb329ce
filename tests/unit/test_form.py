"""What a run leaves out, and how much it plays: the short form, the whole one, and a siege."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.support.form import SHORT, SIEGE, WHOLE, form_of, leave_out_long, second_ones_long

LONG = pytest.mark.long.mark
LONG_BUT_ONE = pytest.mark.long(but=1).mark


class _Item:
    def __init__(self, name: str, mark: pytest.Mark | None = None) -> None:
        self.nodeid = f"tests/test_any.py::{name}"
        self._mark = mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._mark if name == "long" else None


def stay(*items: _Item) -> list[str]:
    """Leave out what is long, and return the names of what stays."""
    of_run = cast("list[pytest.Item]", list(items))
    left_out = leave_out_long(of_run)
    assert len(of_run) + len(left_out) == len(items)
    return [item.nodeid.partition("::")[2] for item in of_run]


def form(*arguments: str, whole: bool = False, marks: str = "", profile: str | None = None) -> str:
    option = SimpleNamespace(whole=whole, markexpr=marks, hypothesis_profile=profile)
    return form_of(cast("pytest.Config", SimpleNamespace(args=list(arguments), option=option)))


def test_what_is_long_is_left_out_and_all_else_stays_in_its_order() -> None:
    assert stay(_Item("test_b"), _Item("test_c", LONG), _Item("test_a[1]"), _Item("test_c[2]", LONG)) == [
        "test_b",
        "test_a[1]",
    ]


def test_the_first_variants_stay_that_a_mark_keeps() -> None:
    variants = [_Item(f"test_{name}[{way} [::]]", LONG_BUT_ONE) for name in "ab" for way in "xyz"]
    assert stay(*variants) == ["test_a[x [::]]", "test_b[x [::]]"]


@pytest.mark.parametrize("case", second_ones_long(["first", "second", "third"]))
def test_each_second_case_is_long(case: str, request: pytest.FixtureRequest) -> None:
    assert (request.node.get_closest_marker("long") is not None) is (case == "second")


def test_folders_run_in_the_short_form() -> None:
    assert form("tests") == form("tests/unit", "tests/wire") == SHORT
    assert form("tests/unit", "tests/conftest.py") == SHORT


def test_who_names_files_or_asks_for_all_gets_all() -> None:
    assert form("tests/conftest.py") == form("tests/conftest.py::test_any[a::b]") == WHOLE
    assert form("tests", whole=True) == form("tests", marks="long") == WHOLE
    assert form("tests", marks="not process") == form("tests/conftest.py", marks="not long") == SHORT


def test_a_siege_is_whole_and_more() -> None:
    assert form("tests", profile=SIEGE) == SIEGE
