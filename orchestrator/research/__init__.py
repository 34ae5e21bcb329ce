"""Research desk: turn an observation into a testable research question, and count patients for it.

The desk writes nothing to a clinic and receives counts only. What needs LangGraph is in `graph`.
"""

from orchestrator.research.ports import ResearchDesk, SessionSummary, check_extra
