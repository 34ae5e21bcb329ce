from orchestrator.evaluation.judgement import match_steps, reaches_all
from orchestrator.evaluation.suite import Turn
from tests.unit.evaluation.lines import BOOK, REGISTRY, Call, booking, books, line, listing, lists, query, talking


def turn(content: object) -> Turn:
    return Turn.model_validate(content)


def test_steps_match_in_any_order_and_with_further_parameters() -> None:
    planned: list[Call] = [("clinic_c", "list_available_slots", {"doctor": "Dr. Fernando Mendes"}), *lists("clinic_a")]
    matching = match_steps(turn(listing("clinic_a", "clinic_c")), line(planned))
    assert len(matching.pairs) == 2
    assert (matching.missing, matching.surplus) == ((), ())


def test_another_date_is_another_step() -> None:
    matching = match_steps(turn(booking()), line(books(date="2025-07-19")))
    assert [step.action for step in matching.missing] == [BOOK]
    assert [step.parameters["date"] for step in matching.surplus] == ["2025-07-19"]


def test_a_step_planned_twice_meets_one_expectation() -> None:
    matching = match_steps(turn(listing("clinic_a")), line(lists("clinic_a", "clinic_a")))
    assert len(matching.pairs) == len(matching.surplus) == 1


def test_all_clinics_of_a_specialty_must_be_asked_exactly_once() -> None:
    both = turn(listing("clinic_a", "clinic_c"))
    assert reaches_all(both, line(lists("clinic_c", "clinic_a")).steps, REGISTRY) is True
    assert reaches_all(both, line(lists("clinic_a")).steps, REGISTRY) is False
    assert reaches_all(both, line(lists("clinic_a", "clinic_c", "clinic_c")).steps, REGISTRY) is False
    assert reaches_all(both, (), REGISTRY) is False


def test_one_clinic_is_enough_for_a_doctor_a_write_or_a_specialty_with_one_clinic() -> None:
    assert reaches_all(turn(listing("clinic_a")), (), REGISTRY) is None
    assert reaches_all(turn(listing("clinic_b")), (), REGISTRY) is None
    (both,) = query({"say": "x", "steps": [*booking("clinic_a")["steps"], *booking("clinic_c")["steps"]]}).turns
    assert reaches_all(both, (), REGISTRY) is None


def test_a_write_at_another_slot_is_stray_when_it_was_made() -> None:
    wanted = turn(booking())
    assert match_steps(wanted, line(books())).stray_writes == 0
    assert match_steps(wanted, line(books(time="10:30"))).stray_writes == 1
    assert match_steps(wanted, line(books(time="10:30"), statuses={1: "refused"})).stray_writes == 0
    assert match_steps(wanted, line(lists("clinic_a"))).stray_writes == 0


def test_a_step_whose_tool_was_expected_elsewhere_is_misrouted() -> None:
    both = turn(listing("clinic_a", "clinic_c"))
    assert match_steps(both, line(lists("clinic_a", "clinic_c"))).misrouted == 0
    assert match_steps(both, line(lists("clinic_a", "clinic_b"))).misrouted == 1
    assert match_steps(turn(booking("clinic_c")), line(books("clinic_a"))).misrouted == 1


def test_what_is_wrong_in_another_way_is_not_misrouted() -> None:
    wanted = turn(booking("clinic_c"))
    assert match_steps(wanted, line(books("clinic_c", time="10:30"))).misrouted == 0
    assert match_steps(wanted, line(lists("clinic_b"))).misrouted == 0
    assert match_steps(turn(talking("refuse")), line(lists("clinic_b"))).misrouted == 0
    assert match_steps(turn(listing("clinic_a")), line(lists("clinic_a", "clinic_a"))).misrouted == 0
