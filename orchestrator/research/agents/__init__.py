"""The three agents of the desk: each reads the state and returns the fields that are its own."""

from orchestrator.research.agents.methodologist import Methodologist, NoSecondOpinion, SecondOpinion
from orchestrator.research.agents.model_answers import PLACEHOLDERS
from orchestrator.research.agents.model_opinion import ModelOpinion
from orchestrator.research.agents.model_provocation import ModelProvocation
from orchestrator.research.agents.model_reader import ModelReader
from orchestrator.research.agents.orchestrator import Orchestrator
from orchestrator.research.agents.reader import ObservationReader, RuleReader
from orchestrator.research.agents.reflection import Provocation, Reflection, RuleProvocation
from orchestrator.research.agents.structurer import Structurer

__all__ = [
    "PLACEHOLDERS",
    "Methodologist",
    "ModelOpinion",
    "ModelProvocation",
    "ModelReader",
    "NoSecondOpinion",
    "ObservationReader",
    "Orchestrator",
    "Provocation",
    "Reflection",
    "RuleProvocation",
    "RuleReader",
    "SecondOpinion",
    "Structurer",
]
