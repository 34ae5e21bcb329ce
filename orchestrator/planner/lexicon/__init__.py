"""The words of the planner, as tables without accents and in lower case; no code here decides anything."""

from orchestrator.planner.lexicon.compiled_patterns import compiled, needed
from orchestrator.planner.lexicon.tables import *
