"""What a population may be narrowed by that the clinics cannot be asked for here."""

from __future__ import annotations

from enum import StrEnum


class Criterion(StrEnum):
    """Something in a population's description that a count does not hold to."""

    AGE = "age"
    SEX = "sex"
    TIME = "time"  # since when, during which months, how long
    PLACE = "place"
    MEDICATION = "medication"
    EXAM = "exam"
    ADHERENCE = "adherence"  # who keeps appointments and treatment
    SEVERITY = "severity"  # grade, form or control of the condition
    HABIT = "habit"
    OTHER_CONDITION = "other_condition"  # one that no clinic here records
    COMBINATION = "combination"  # several conditions at once: a record holds one
    EXCLUSION = "exclusion"  # those without a condition
