"""What makes a question testable, as rules over text: docs/research.md says them in words.

Nothing here knows the agents, the graph or a model; any text may be read, and none raises.
"""

from orchestrator.research.rules.answers import answered
from orchestrator.research.rules.elements import ASPECTS, Aspect, Element, Elements, gaps
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.question import compose, parse, settled
from orchestrator.research.rules.reading import read, topic
from orchestrator.research.rules.screening import ScreeningRefusal, refusal_of
from orchestrator.research.rules.vocabulary import is_measurable

__all__ = [
    "ASPECTS",
    "Aspect",
    "Element",
    "Elements",
    "FoldedText",
    "ScreeningRefusal",
    "answered",
    "compose",
    "gaps",
    "is_measurable",
    "parse",
    "read",
    "refusal_of",
    "settled",
    "topic",
]
