"""What a language model is used for, what it consumed, and why it failed; values that events and logs hold."""

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """What a model is asked for."""

    PLAN = "plan"
    AUDIT = "audit"
    WRITE = "write"  # what the reply says, once the clinics have answered
    ANSWER = "answer"  # a request that no agent is for
    CHECK = "check"  # whether it answers at all
    STRUCTURE = "structure"  # the elements of a research question
    REVIEW = "review"  # what a research question lacks
    REFLECT = "reflect"  # a question that makes a researcher think


class ModelFailure(StrEnum):
    """Why a model gave no text that can be used."""

    UNREACHABLE = "unreachable"  # no connection, or it broke off
    TIMED_OUT = "timed_out"
    RATE_LIMITED = "rate_limited"  # HTTP 429, retries included
    SERVER_ERROR = "server_error"  # HTTP 5xx, retries included
    REJECTED = "rejected"  # any other HTTP 4xx: credentials, deployment, a request that it does not take
    REFUSED = "refused"  # it declined, or a content filter did
    CUT = "cut"  # the text ended before its end
    SUSPENDED = "suspended"  # not asked: it failed a moment ago
    THROTTLED = "throttled"  # not asked: the same person asked too often
    CANCELLED = "cancelled"  # the person stopped the turn


ANSWERED = frozenset({ModelFailure.REFUSED, ModelFailure.CUT})  # the model answered, but with nothing that can be used


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call consumed, as far as the server says; None where it does not."""

    prompt_tokens: int | None = None  # tokens read
    completion_tokens: int | None = None  # tokens written
    cost_usd: float | None = None  # US dollars, by the prices of the settings; None without prices
    cached_tokens: int | None = None  # of the tokens read, those that the server had in its cache
