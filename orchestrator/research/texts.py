"""What the desk says, in both languages.

A field's name says where it is said; placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.research.rules import Aspect, Element, ScreeningRefusal


class GapTexts(NamedTuple):
    """What is said of one element that is missing.

    Attributes:
        gap: That it is missing.
        suggestion: How to fill it in.
        reflection: A question that makes the person think about it.
    """

    gap: str
    suggestion: str
    reflection: str


class DeskTexts(NamedTuple):
    """The desk's texts in one language."""

    gaps: Mapping[Element, GapTexts]
    refusals: Mapping[ScreeningRefusal, str]
    aspects: Mapping[Aspect, str]
    crisis: str

    # orchestrator
    explore: str
    explore_population: str
    to_structurer: str
    to_structurer_again: str
    to_methodologist: str
    nothing_added: str
    finished: str
    analysis_new: str
    analysis_answer: str
    analysis_vague: str
    analysis_refused: str
    emerged: str
    matured: str

    # structurer
    structured: str
    problem_both: str
    problem_outcome: str
    problem_exposure: str
    contribution: str
    somebody: str

    # methodologist
    approved: str
    needs_refinement: str
    ended_open: str

    # reply
    speakers: Mapping[str, str]
    version_columns: tuple[str, str, str]
    improvement_columns: tuple[str, str, str]
    counts_title: str
    counts_columns: tuple[str, str, str]
    counts_total: str
    counts_none: str
    counts_unanswered: str
    counts_unavailable: str
    suppressed: str
    unknown: str
    unchecked: str
    specialties: Mapping[str, str]
    criteria: Mapping[str, str]
