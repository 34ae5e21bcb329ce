"""Decide what makes a question testable, by rules over text that never raise; docs/research.md explains them."""

from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.gap_answers import answered, corrected
from orchestrator.research.rules.question import ASPECTS, Aspect, Element, Elements, compose, gaps, parse, settled
from orchestrator.research.rules.reading import read, requested, topic
from orchestrator.research.rules.vocabulary import LEXICON, Intent, ScreeningRefusal, is_measurable, refusal_of
