"""What the agents of the desk understand, judge and ask with: by rules, or with a language model around the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.research.graph.methodologist import NoSecondOpinion, SecondOpinion
from orchestrator.research.graph.reader import ObservationReader, RuleReader
from orchestrator.research.graph.reflection import Provocation, RuleProvocation
from orchestrator.stages import TurnScope


@dataclass(frozen=True, slots=True)
class Minds:
    """The minds of one turn; the defaults need no model.

    Attributes:
        reader: Understands the person's words.
        opinion: Looks at a question beside the rules.
        provocation: Words the questions to think about.
    """

    reader: ObservationReader = field(default_factory=RuleReader)
    opinion: SecondOpinion = field(default_factory=NoSecondOpinion)
    provocation: Provocation = field(default_factory=RuleProvocation)


MindsOfTurn = Callable[[TurnScope], Minds]
"""Returns the minds of a turn: what asks a model is bound to the turn."""


def rules_only(_: TurnScope) -> Minds:
    """Return minds that need no model."""
    return Minds()
