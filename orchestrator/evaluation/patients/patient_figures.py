"""What became of simulated patients, and the figures of all of them."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orchestrator.evaluation.measures import Rate
from orchestrator.evaluation.report_tables import value_of

WORDINGS = 4
"""How many patients in a row have one goal, each in their own words."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One conversation and what became of it."""

    number: int
    goal: str  # the errands
    reached: bool  # whether the goal was reached and nothing else was done
    wrong_acts: int  # changes on the disks that the patient did not want
    booked_in: tuple[int, ...]  # turns that each booking took, without asides
    asked_thrice: tuple[str, ...]  # questions that were put three times in the same words
    missed: tuple[str, ...]  # utterances on the way to the goal that were not understood at all
    said: tuple[tuple[str, str], ...]  # utterances and replies

    def __str__(self) -> str:
        title = f"## {self.number}: {self.goal}; " + ("reached" if self.reached else "not reached")
        return "\n\n".join((title, *(f"> {said}\n\n```\n{answer}\n```" for said, answer in self.said))) + "\n"


@dataclass(frozen=True, slots=True)
class PatientFigures:
    """The figures of some conversations."""

    visits: tuple[Visit, ...]
    reached: Rate  # conversations that reached their goal, and nothing else was done
    pass_4: Rate  # goals that were reached in all their wordings
    wrong_acts: int
    turns_to_a_booking: float  # the median
    asked_thrice: int
    not_understood: int

    @classmethod
    def of(cls, visits: Sequence[Visit]) -> PatientFigures:
        """Return the figures of conversations in their order."""
        goals: dict[int, list[bool]] = defaultdict(list)
        for one in visits:
            goals[one.number // WORDINGS].append(one.reached)
        return cls(
            tuple(visits),
            Rate.of(one.reached for one in visits),
            Rate.of(all(reached) for reached in goals.values() if len(reached) == WORDINGS),
            sum(one.wrong_acts for one in visits),
            statistics.median([turns for one in visits for turns in one.booked_in] or [0]),
            sum(len(one.asked_thrice) for one in visits),
            sum(len(one.missed) for one in visits),
        )

    def write(self, folder: Path) -> None:
        """Write patients.md: the figures, and the conversations that did not go well; raise `OSError` if that fails."""
        folder.mkdir(parents=True, exist_ok=True)
        faulty = (str(one) for one in self.visits if not one.reached or one.asked_thrice or one.missed)
        (folder / "patients.md").write_text(
            "\n".join(("# Simulated patients\n", f"```\n{self}\n```\n", *faulty)), "utf-8"
        )

    def __str__(self) -> str:
        rows = (
            ("Conversations", len(self.visits)),
            ("Turns", sum(len(one.said) for one in self.visits)),
            ("Goal reached", _share(self.reached)),
            ("pass^4, a goal in four wordings", _share(self.pass_4)),
            ("Wrong acts", self.wrong_acts),
            ("Turns to a booking, median", f"{self.turns_to_a_booking:g}"),
            ("Questions put three times", self.asked_thrice),
            ("Utterances not understood", self.not_understood),
        )
        return "\n".join(f"{title:33}{value}" for title, value in rows)


def _share(rate: Rate) -> str:
    return f"{value_of(rate)} ({rate.hits}/{rate.trials})"
