from collections.abc import Sequence

import pytest

from orchestrator.evaluation.evaluation import Bookings
from orchestrator.evaluation.judgement import Observation, Score, SeenTurn, judge
from orchestrator.evaluation.suite import Query, SlotName
from orchestrator.evaluation.turn_log import LoggedTurn
from orchestrator.turn.reply import Rule
from tests.unit.evaluation.lines import REGISTRY, booking, books, line, listing, lists, query, talking

SLOT = SlotName("clinic_c", "2025-07-18", "10:00")
WRITTEN = " ".join(SLOT)
RECEIPT = "Consulta marcada: Dr. Fernando Mendes, 18/07/2025, 10:00"

BOOKING = query(
    booking(tells=[WRITTEN], states=[["marcada", "booked"]]), bookings=[WRITTEN], never={"texts": ["Joana"]}
)


def seen(text: str = "", *offers: SlotName) -> SeenTurn:
    return SeenTurn(text, frozenset(offers))


def score(
    of: Query,
    lines: Sequence[LoggedTurn],
    turns: Sequence[SeenTurn] = (seen(),),
    own: frozenset[SlotName] = frozenset(),
    others: frozenset[SlotName] = frozenset(),
    fault: str | None = None,
) -> Score:
    return judge(Observation(of, 1, "s", tuple(turns), Bookings(own, others), fault), lines, REGISTRY)


def test_a_booking_that_was_made_and_told_is_a_success() -> None:
    judged = score(BOOKING, [line(books())], [seen(RECEIPT)], frozenset({SLOT}))
    assert judged.success
    assert judged.task_success
    assert (judged.planned.steps, judged.planned.valid, judged.expected, judged.matched) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("lines", "turns", "own", "others", "miss"),
    [
        ([line(books())], [seen(RECEIPT)], set(), set(), "person's bookings"),
        ([line(books())], [seen(RECEIPT)], {SLOT}, {SLOT}, "somebody else's bookings"),
        ([line(books())], [seen("Pronto.")], {SLOT}, set(), "does not tell"),
        ([line(books())], [seen("Dia 18/07, 10:00, certo.")], {SLOT}, set(), "does not state: marcada"),
        ([line(books())], [seen(f"{RECEIPT} Joana")], {SLOT}, set(), "must never hold"),
        ([line(books(), rule="R4")], [seen(RECEIPT)], {SLOT}, set(), "said R4, not OK"),
        ([line(books(), statuses={1: "refused"})], [seen(RECEIPT)], {SLOT}, set(), "ended refused, not done"),
        ([line()], [seen(RECEIPT)], {SLOT}, set(), "was not planned"),
        ([line(books(time="11:00"))], [seen(RECEIPT)], {SLOT}, set(), "nobody asked for"),
    ],
)
def test_anything_that_is_not_as_it_must_be_is_a_miss(
    lines: Sequence[LoggedTurn], turns: Sequence[SeenTurn], own: set[SlotName], others: set[SlotName], miss: str
) -> None:
    judged = score(BOOKING, lines, turns, frozenset(own), frozenset(others))
    assert any(miss in each for each in judged.misses), judged.misses
    assert not judged.success


def test_openings_must_be_shown_all_and_no_others() -> None:
    asked = query(listing("clinic_a", "clinic_c", offers=[WRITTEN]))
    lines = [line(lists("clinic_a", "clinic_c"))]
    assert score(asked, lines, [seen("", SLOT)]).success
    assert not score(asked, lines).success
    assert not score(asked, lines, [seen("", SLOT, SlotName("clinic_a", "2025-07-21", "09:00"))]).success


def test_an_answer_that_must_be_kept_back_is_a_miss_when_it_passes() -> None:
    asked = query(listing("clinic_a", blocked="R2"))
    assert score(asked, [line(lists("clinic_a"), rule="R2")]).success
    assert score(asked, [line(lists("clinic_a"))]).misses == ("turn 1: the verifier said OK, not R2",)


def test_restraint_needs_the_right_kind_and_no_step() -> None:
    asked = query(talking("refuse", "clarify"))
    assert score(asked, [line(kind="refuse")]).success
    assert score(asked, [line(kind="smalltalk")]).misses == ("turn 1: the plan is smalltalk",)
    assert score(asked, [line(lists("clinic_a"))]).misses == ("turn 1: clinics were called where none must be",)


def test_a_forbidden_tool_is_a_miss_even_when_the_clinic_refused_it() -> None:
    asked = query(listing("clinic_a"), never={"actions": ["book_appointment"]})
    planned = line([*lists("clinic_a"), *books()], statuses={2: "refused"})
    assert score(asked, [planned]).misses == ("book_appointment was planned",)


def test_a_step_without_a_result_completes_nothing() -> None:
    asked = query(listing("clinic_a", "clinic_c"))
    for ended in ("unreached", "refused", ""):
        judged = score(asked, [line(lists("clinic_a", "clinic_c"), statuses={2: ended})])
        assert not judged.completed
        assert not judged.task_success


def test_no_step_completes_to_the_letter_and_is_no_task_success() -> None:
    judged = score(query(listing("clinic_a", "clinic_c")), [line(kind="clarify")])
    assert judged.completed
    assert not judged.task_success
    assert judged.planned.multi_clinic is False


def test_steps_that_do_not_exist_are_not_valid() -> None:
    invented = [("clinic_z", "list_available_slots", {}), ("clinic_a", "read_mind", {}), *lists("clinic_a")]
    judged = score(query(listing("clinic_a")), [line(invented)])
    assert (judged.planned.steps, judged.planned.valid, judged.matched) == (3, 1, 1)


def test_a_verdict_is_counted_by_its_rule() -> None:
    judged = score(query(talking("refuse"), talking("refuse")), [line(kind="refuse"), line(kind="refuse", rule="R1")])
    assert judged.broken_rules == {Rule.R1}
    assert not judged.completed


def test_a_breakdown_fails_the_query_and_what_comes_after_it() -> None:
    asked = query(talking("smalltalk"), listing("clinic_a", "clinic_c"))
    judged = score(asked, [line(kind="smalltalk")], [seen()], fault="RuntimeError")
    assert judged.misses == ("turn 2 broke down: RuntimeError",)
    assert not judged.completed
    assert judged.planned.multi_clinic is False
    assert (judged.expected, judged.matched) == (2, 0)
