"""Who is served: callers with a token that holds, and apart from them, in few places, all others.

A call gets its place by its metadata, before a thread or a message is spent on it. A token that was seen before is
known by its text. Another is checked in a place for newcomers, which the call leaves before it waits for its message.
gRPC's own limit counts calls of all kinds together and bounds no waiting, so that one caller could take it whole.
How often a node refused calls, by method and reason, is counted for `mesh.v1.RefusalService`.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from generated.mesh.v1 import refusal_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.limits import Limits, TokenBucket
from mesh.policies import count_call
from mesh.tokens import Claims, TokenCheck

REFUSAL_SERVICE = pb.DESCRIPTOR.services_by_name["RefusalService"]  # the service that `Refusals` implements
MOST_CALLS = 72  # calls served at once of callers with a token that holds, or of anybody where no token is asked for
_ANONYMOUS = 16
_HEALTH_CHECKS = 128
_REFLECTIONS = 4
_WATCHES = 64
_NEWCOMERS, _NEWCOMER_THREADS = 512, 40
_SAFE_STREAM_S = 1.0  # for which a stream that waits keeps its place from another
_LOOK_S = 0.25  # between two looks for calls that have waited too long
_FAILED_BURST, _FAILED_PER_S = 10, 1.0  # tokens of one origin that may fail at once, and in a second

_Behaviour = TypeVar("_Behaviour", bound=Callable[..., Any])


class CallAdmission:
    """The places of a server, by kind, and who gets them; without limits one caller may take them all."""

    def __init__(self, tokens: TokenCheck | None = None, limits: Limits | None = None) -> None:
        self._tokens = tokens
        self._known = Places(MOST_CALLS, None if limits is None else limits.at_once)
        self._newcomers = Places(_NEWCOMERS, own_threads=_NEWCOMER_THREADS)
        self.anonymous = Places(MOST_CALLS if tokens is None else _ANONYMOUS)
        self.health_checks = Places(_HEALTH_CHECKS)
        self.reflections = Places(_REFLECTIONS, safe_s=_SAFE_STREAM_S)
        self.watches = Places(_WATCHES, safe_s=_SAFE_STREAM_S)
        self._streams = self.reflections, self.watches
        self.kinds = self._known, self._newcomers, self.anonymous, self.health_checks, *self._streams
        self._calls = self._failures = self._anonymous_calls = None
        if limits is not None:
            # Twice what tools answer, so that most refusals name the tool.
            burst, per_s = limits.read_burst + limits.write_burst, limits.reads_per_s + limits.writes_per_s
            self._calls = TokenBucket(2 * burst, 2 * per_s)
            self._failures = TokenBucket(_FAILED_BURST, _FAILED_PER_S)
            if tokens is not None:
                self._anonymous_calls = TokenBucket(limits.read_burst, limits.reads_per_s)

    def place_for(self, token: str | None, kind: "Places") -> "CallPlace | None":
        """Return a place for a call, None if there is none; `kind` is where callers without a token go."""
        # Streams stay among themselves, whoever opens them.
        if self._tokens is None or token is None or kind in self._streams:
            return kind.take()
        claims = self._tokens.known(token)
        return self._newcomers.take() if claims is None else self._known.take(claims)

    def identify(self, place: "CallPlace", kind: "Places", caller: Caller) -> Caller:
        """Return the caller with the claims of their token or its refusal, or raise OVERLOADED or RATE_LIMITED."""
        if place.places is self._newcomers:
            caller = self._check(place, kind, caller)
        if kind is self.anonymous:
            if caller.claims is None:
                count_call(self._anonymous_calls, caller.origin, "there are too many calls without a token")
            else:
                count_call(self._calls, caller.claims.subject, "there are too many calls of one caller")
        return caller

    def _check(self, place: "CallPlace", kind: "Places", caller: Caller) -> Caller:
        if self._tokens is None:  # then nobody is a newcomer
            return caller
        count_call(self._failures, caller.origin, "there are too many tokens that do not hold")
        try:
            claims = self._tokens.verify(caller.token)
        except DomainError as refusal:
            if not place.move(kind):
                raise overloaded() from None
            return replace(caller, refusal=refusal)
        if self._failures is not None:
            self._failures.put_back(caller.origin)  # only failures count
        if not place.move(self._known, claims):
            raise overloaded()
        return replace(caller, claims=claims)


def overloaded() -> DomainError:
    """Return the refusal of a call that there is no place for."""
    return DomainError("OVERLOADED", "the agent has as many calls as it takes from such callers; nothing was done")


@dataclass(slots=True, eq=False, repr=False)
class CallPlace:
    """A place that a call holds, until `leave`."""

    places: "Places"
    claims: Claims | None  # of the checked token that the place was given for; None for anybody
    is_held: bool = True  # until another call gets it
    since: float = 0.0
    _context: grpc.ServicerContext | None = None

    def wait(self, context: grpc.ServicerContext, longest_s: float) -> None:
        """Note that the call waits for its caller, who has `longest_s` seconds; then it is cancelled."""
        self._context = context
        self.since = time.monotonic()
        self.places.waiting[self] = self.since + longest_s

    def resume(self) -> bool:
        """Note that the caller said something; return False if the call was cancelled before."""
        return self.places.waiting.pop(self, None) is not None

    def move(self, places: "Places", claims: Claims | None = None) -> bool:
        """Exchange it for a place of another kind; return False if there is none, and keep this one."""
        if not places.add(claims):
            return False
        self.leave()
        self.places, self.claims, self.is_held = places, claims, True
        return True

    def leave(self) -> None:
        """Give the place back."""
        self.places.remove(self)

    def cancel(self) -> None:
        """Cancel the call, which waits; its thread ends as soon as gRPC has said so."""
        if self._context is not None:
            self._context.cancel()


class Places:
    """The places of one kind of calls: `most` in all, and `most_each` for one subject. Safe for threads.

    When all are taken, a new call gets the place of the one that has waited longest for its caller, at least `safe_s`.
    """

    def __init__(self, most: int, most_each: int | None = None, *, own_threads: int = 0, safe_s: float = 0.0) -> None:
        self.most = most
        self._safe_s = safe_s
        # Threads are made as calls need them.
        self._threads = ThreadPoolExecutor(own_threads, "mesh-own") if own_threads else None
        self.shared_threads = 0 if own_threads else most  # of the server's, which its calls take
        self._most_each = most if most_each is None else most_each
        self._lock = threading.Lock()
        self._taken = 0
        self._taken_by: Counter[str | None] = Counter()  # by which subject
        # Until when each call waits; the first has waited longest. Setting and popping one takes no lock: a dict does
        # either as a whole, and whoever pops a call decides what becomes of it.
        self.waiting: dict[CallPlace, float] = {}

    def on_own_threads(self, behaviour: _Behaviour) -> _Behaviour:
        """Return `behaviour`, which gRPC will call on the threads of this kind, if it has any."""
        if self._threads is not None:
            # Where telemetry wraps the behaviour, gRPC does not see this and takes the server's threads.
            behaviour.experimental_thread_pool = self._threads  # type: ignore[attr-defined]
        return behaviour

    def take(self, claims: Claims | None = None) -> CallPlace | None:
        """Return a place for a call, or None if there is none."""
        return CallPlace(self, claims) if self.add(claims) else None

    def add(self, claims: Claims | None) -> bool:
        """Count a call that takes a place; return False if there is none."""
        subject = None if claims is None else claims.subject
        evicted = None
        with self._lock:
            if subject is not None and self._taken_by[subject] >= self._most_each:
                return False
            if self._taken >= self.most:
                evicted = self._longest_waiting()
                if evicted is None:
                    return False
                self._release(evicted)
            self._taken += 1
            self._taken_by[subject] += 1
        if evicted is not None:
            evicted.cancel()
        return True

    def remove(self, place: CallPlace) -> None:
        """Take a place back, unless another call has got it."""
        self.waiting.pop(place, None)
        with self._lock:
            if place.is_held:
                self._release(place)

    def cancel_overdue(self, now: float) -> None:
        """Cancel the calls that have waited too long; they keep their places until their threads have ended."""
        for place, until in list(self.waiting.items()):
            if until <= now and self.waiting.pop(place, None) is not None:
                place.cancel()

    def _longest_waiting(self) -> CallPlace | None:
        latest = time.monotonic() - self._safe_s
        for place in list(self.waiting):
            if place.since > latest:
                return None
            if place.is_held and self.waiting.pop(place, None) is not None:
                return place
        return None

    def _release(self, place: CallPlace) -> None:
        place.is_held = False
        self._taken -= 1
        subject = None if place.claims is None else place.claims.subject
        self._taken_by[subject] -= 1
        if not self._taken_by[subject]:
            del self._taken_by[subject]


def watch(kinds: Sequence[Places], is_over: threading.Event) -> None:
    """Cancel the calls that have waited too long, until it is over; a server has one thread for it."""
    while not is_over.wait(_LOOK_S):
        now = time.monotonic()
        for places in kinds:
            places.cancel_overdue(now)


class Refusals:
    """The counts of one server. Safe for threads; the methods that are counted are its own, so there are few."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._since = Timestamp()
        self._since.GetCurrentTime()

    def count(self, method: str, refusal: DomainError) -> None:
        """Count a call of `method`, empty where none was looked at."""
        with self._lock:
            self._counts[method, refusal.reason] += 1

    def list_refusals(self, _request: pb.ListRefusalsRequest, _caller: Caller) -> pb.ListRefusalsResponse:
        """Return the counts so far, in order of method and reason."""
        with self._lock:
            counts = sorted(self._counts.items())
        refusals = [pb.Refusal(method=method, reason=reason, calls=calls) for (method, reason), calls in counts]
        return pb.ListRefusalsResponse(since=self._since, refusals=refusals)
