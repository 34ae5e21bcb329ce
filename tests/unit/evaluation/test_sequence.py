from orchestrator.evaluation.log_statistics import find_turn, sequence_of
from tests.unit.evaluation.lines import books, line, lists

NOON, LATER = "2026-01-02T12:00:00.000+00:00", "2026-01-02T12:00:00.001+00:00"


def test_clinics_that_are_asked_at_once_stand_side_by_side() -> None:
    text = sequence_of(line(lists("clinic_a", "clinic_c"), statuses={2: "unreached"}))
    assert [each.strip() for each in text.splitlines()] == [
        "sequenceDiagram",
        "actor Person",
        "participant Planner",
        "participant Router",
        "participant clinic_a",
        "participant clinic_c",
        "participant Verifier",
        "participant Responder",
        "Person->>Planner: an utterance",
        "Note over Planner: steps (1.0 ms)",
        "Planner->>Router: 2 steps",
        "par clinic_a",
        "Router->>clinic_a: list_available_slots()",
        "clinic_a-->>Router: done (2.0 ms)",
        "and clinic_c",
        "Router->>clinic_c: list_available_slots()",
        "clinic_c--xRouter: unreached (4.0 ms)",
        "end",
        "Router->>Responder: answers",
        "Responder->>Verifier: reply",
        "Verifier-->>Responder: OK (1.0 ms)",
        "Responder->>Person: ok (10.0 ms)",
    ]


def test_a_turn_without_steps_has_no_router_in_its_way() -> None:
    text = sequence_of(line(kind="clarify"))
    assert "Note over Planner: clarify: ask_request (1.0 ms)" in text
    assert "Planner->>Responder: what to say" in text
    assert "->>Router" not in text


def test_a_step_that_was_not_attempted_is_said_to_be_so() -> None:
    text = sequence_of(line([*books(), *books(date="2025-07-19")], statuses={1: "refused", 2: ""}))
    assert "Router->>clinic_c: book_appointment(Dr. Fernando Mendes, 2025-07-18, 10:00)" in text
    assert "Note over clinic_c: book_appointment is not asked" in text


def test_a_turn_that_dropped_a_proposal_is_short() -> None:
    text = sequence_of(line().model_copy(update={"plan": None}))
    assert text.rstrip().endswith("the open proposal was dropped")


def test_what_mermaid_reads_as_syntax_is_taken_out() -> None:
    text = sequence_of(line([("clinic_a", "query", {"query": "a; b # c\nd"})]))
    assert "query(a b c d)" in text


def test_a_turn_is_found_by_the_beginning_of_its_id_or_as_the_last() -> None:
    first, second = line(turn_id="aa1", at=LATER), line(turn_id="ab2", at=NOON)
    assert find_turn([first, second], "ab") is second
    assert find_turn([first, second], "last") is first
    assert find_turn([first, second], "b") is None
    assert find_turn([], "last") is None


def test_of_two_turns_in_one_millisecond_the_later_line_is_the_last() -> None:
    first, second = line(turn_id="a", at=NOON), line(turn_id="b", at=NOON)
    assert find_turn([first, second], "last") is second
