"""The words of the planner, as tables: no code here decides anything.

Every entry is written as a person would type it, without accents and in lower case (the form `fold_phrase`
gives), so that a table can be read aloud and deepened by adding rows.
"""

from orchestrator.planner.lexicon.tables import numbers, pairs, phrases, rows, sections, table, words

__all__ = ["numbers", "pairs", "phrases", "rows", "sections", "table", "words"]
