"""What a turn is about, as routing sees it: an intent, domains, parts, and how sure that is.

Values only. Who makes them: the planner, with a language model or from the words alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

UNKNOWN = "unknown"
"""The intent where nothing was understood."""

CERTAIN = 1.0
"""The words name it."""

SUPPLIED = 0.8
"""The conversation supplies what the words leave out."""

DOUBTFUL = 0.3
"""Nothing was understood."""


@dataclass(frozen=True, slots=True)
class Subtask:
    """A part of a request that goes to agents of one domain.

    Attributes:
        title: What is to be done, in a few words.
        reason: Why; empty for no particular reason. A model may have written both, so they are not logged.
        intent: The name of a tool, or what else is wanted.
        domain: A specialty's code; empty where it is not known.
    """

    title: str = field(repr=False)
    reason: str = field(repr=False)
    intent: str
    domain: str


@dataclass(frozen=True, slots=True)
class Classification:
    """What a turn is about.

    Attributes:
        intent: The name of a tool, a topic of the conversation, or `UNKNOWN`.
        domains: Codes of specialties, the first named first.
        subtasks: The parts, where it has parts.
        confidence: From 0 to 1.
    """

    intent: str
    domains: tuple[str, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    confidence: float = CERTAIN
