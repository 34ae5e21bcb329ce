"""Who is served: callers with a token that holds, and apart from them, in few places, all others.

A call gets its place by its metadata, before a thread or a message is spent on it. A token that was seen before is
known by its text. Another is checked in a place for newcomers, which the call leaves before it waits for its message.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mesh.call_places import CallPlace, Places
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.limits import Limits, TokenBucket
from mesh.policies import called_too_often
from mesh.token_check import TokenCheck

MOST_CALLS = 72
"""Calls served at once of callers with a token that holds, or of anybody where no token is asked for."""

_ANONYMOUS, _HEALTH_CHECKS, _REFLECTIONS, _WATCHES, _NEWCOMERS, _NEWCOMER_THREADS = 16, 128, 4, 8, 512, 40
_SAFE_STREAM_S = 1.0  # for which a stream that waits keeps its place from another
_FAILED_BURST, _FAILED_PER_S = 10, 1.0  # tokens of one origin that may fail at once, and in a second


@dataclass(frozen=True, slots=True)
class Admittance:
    """Whose calls a server takes, and how many."""

    most_calls: int = MOST_CALLS
    tokens: TokenCheck | None = None  # None: no token is asked for
    limits: Limits | None = None  # of one caller; None: there are none


class CallAdmission:
    """The places of a server, by kind, and who gets them."""

    def __init__(self, given: Admittance, clock: Callable[[], float] = time.monotonic) -> None:
        limits = given.limits
        self._tokens = given.tokens
        self._known = Places(given.most_calls, None if limits is None else limits.at_once)
        self._newcomers = Places(_NEWCOMERS, own_threads=_NEWCOMER_THREADS)
        self.anonymous = Places(given.most_calls if given.tokens is None else _ANONYMOUS)
        self.health_checks = Places(_HEALTH_CHECKS)
        self.reflections = Places(_REFLECTIONS, safe_s=_SAFE_STREAM_S)
        self.watches = Places(_WATCHES, safe_s=_SAFE_STREAM_S)
        self._calls = self._failures = self._anonymous_calls = None
        if limits is not None:
            # Twice what tools answer, so that most refusals name the tool.
            burst, per_s = limits.read_burst + limits.write_burst, limits.reads_per_s + limits.writes_per_s
            self._calls = TokenBucket(2 * burst, 2 * per_s, clock)
            self._failures = TokenBucket(_FAILED_BURST, _FAILED_PER_S, clock)
            if given.tokens is not None:
                self._anonymous_calls = TokenBucket(limits.read_burst, limits.reads_per_s, clock)

    @property
    def kinds(self) -> tuple[Places, ...]:
        """All places there are."""
        return self._known, self._newcomers, self.anonymous, self.health_checks, self.reflections, self.watches

    def place_for(self, token: str | None, kind: Places) -> CallPlace | None:
        """Return a place for a call, None if there is none; `kind` is where callers without a token go."""
        # Streams stay among themselves, whoever opens them.
        if self._tokens is None or kind is self.reflections or kind is self.watches:
            return kind.take()
        if token is None:
            return kind.take()
        claims = self._tokens.known(token)
        return self._newcomers.take() if claims is None else self._known.take(claims)

    def identify(self, place: CallPlace, kind: Places, caller: Caller) -> Caller:
        """Return the caller with the claims of their token or its refusal, or raise OVERLOADED or RATE_LIMITED."""
        if place.places is self._newcomers:
            caller = self._check(place, kind, caller)
        if kind is self.anonymous:
            self._count(caller)
        return caller

    def _count(self, caller: Caller) -> None:
        if caller.claims is None:
            _take(self._anonymous_calls, caller.origin, "calls without a token")
        else:
            _take(self._calls, caller.claims.subject, "calls of one caller")

    def _check(self, place: CallPlace, kind: Places, caller: Caller) -> Caller:
        if self._tokens is None:  # then nobody is a newcomer
            return caller
        _take(self._failures, caller.origin, "tokens that do not hold")
        try:
            claims = self._tokens.verify(caller.token)
        except DomainError as refusal:
            if not place.move(kind):
                raise overloaded() from None
            return replace(caller, refusal=refusal)
        if self._failures is not None:
            # Only failures count.
            self._failures.put_back(caller.origin)
        if not place.move(self._known, claims):
            raise overloaded()
        return replace(caller, claims=claims)


def overloaded() -> DomainError:
    """Return the refusal of a call that there is no place for."""
    return DomainError("OVERLOADED", "the agent has as many calls as it takes from such callers; nothing was done")


def _take(bucket: TokenBucket | None, key: str, what: str) -> None:
    delay_s = None if bucket is None else bucket.take(key)
    if delay_s is not None:
        raise called_too_often(f"there are too many {what}", delay_s)
