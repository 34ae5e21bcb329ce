import pytest

from orchestrator.evaluation.judgement import tells_moment
from orchestrator.evaluation.suite import SlotName
from orchestrator.verifier.literals import folded

AT_10 = SlotName("clinic_c", "2025-07-18", "10:00")
AT_14_30 = SlotName("clinic_c", "2025-07-08", "14:30")


@pytest.mark.parametrize(
    "text",
    [
        "sexta-feira, 18/07/2025 | 10:00",
        "dia 18 de julho às 10h",
        "18/7, 10h00",
        "Friday, July 18, 2025, at 10 AM",
        "on the 18th of July at 10:00 a.m.",
        "2025-07-18 10:00",
    ],
)
def test_the_usual_writings_of_a_moment_are_seen(text: str) -> None:
    assert tells_moment(folded(text), AT_10)


@pytest.mark.parametrize("text", ["08/07 às 14h30", "8 de julho, 14:30", "July 8th, 2:30 PM", "Jul 8, 2:30pm"])
def test_half_hours_and_short_days_are_seen(text: str) -> None:
    assert tells_moment(folded(text), AT_14_30)


@pytest.mark.parametrize(
    "text",
    [
        "sexta-feira, 18/07/2025",
        "às 10:00",
        "18/07 às 10h30",
        "18/07 às 10:30",
        "118/07 às 10:00",
        "18/08 às 10:00",
        "July 18 at 10 PM",
        "July 28 at 10 AM",
        "8/07 às 10:00",
    ],
)
def test_another_moment_or_half_of_one_is_not_enough(text: str) -> None:
    assert not tells_moment(folded(text), AT_10)
