"""Count what a turn passes: calls, functions and modules of the product, over all threads.

Run it with `make bench-ways`. Two clinics of the blueprint's agenda run in this process and hold twelve openings.
Resuming a generator is no call, and what a server's watch does is none of the turn's: it looks at its calls several
times a second, so that it would count how long the turn took.
"""

from __future__ import annotations

import dis
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType

from bench.clinic import make_keys
from clinics.program import serve
from mesh.call_admission import watch
from mesh.clock import clock_at
from orchestrator.agents import Agent, Registry
from orchestrator.composition import connect, open_conversation
from orchestrator.journal import EventChannel
from orchestrator.planner import OfflinePlanner
from orchestrator.security import Credentials, Protection
from orchestrator.stages import TurnTaker
from orchestrator.turn import Identity, Role, Session

_ROOT = Path(__file__).parents[1]
_PRODUCT = tuple(f"{_ROOT / name}/" for name in ("mesh", "clinics", "orchestrator", "generated"))
_NOW = "2025-07-15T08:00-03:00"
_CLINICS = ("clinic_a", "clinic_c")
_OPENINGS = 12
_SPEAKER = Identity.of("Carlos Teste", "123.456.789-00")
_WAYS = {"a1 list": "quero um cardiologista", "a2 choose": "o segundo", "a3 consent": "sim"}


class CallCounter:
    """Counts the calls of product code, by its code objects."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call; a profile function of `sys.setprofile`."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_PRODUCT) and not (_is_resumed(frame) or _is_watch(frame)):
            self.calls[code] += 1

    @property
    def modules(self) -> frozenset[str]:
        """The files that were passed, from the repository's root."""
        return frozenset(str(Path(code.co_filename).relative_to(_ROOT)) for code in tuple(self.calls))


class _OneToken(Credentials):
    """A token for everybody: these clinics look at none, and what signing passes is no turn's matter."""

    def token(self, identity: Identity, role: Role, clinic: str) -> str:  # noqa: ARG002 - the same for all
        """Return the token."""
        return "token"


def count_ways() -> Iterator[tuple[str, CallCounter]]:
    """Yield each turn's name and what it passed until then, in the order of one conversation."""
    counter = CallCounter()
    # Threads take the function over when they start, and the pools keep theirs.
    threading.setprofile(counter.profile)
    try:
        with _open_conversation() as conversation:
            session = Session(_SPEAKER)
            _, shown = conversation.turn(session, _WAYS["a1 list"])
            if len(shown.offers) != _OPENINGS:
                raise RuntimeError(f"{len(shown.offers)} openings were shown, not {_OPENINGS}")
            # Tables of words are compiled when they are first asked.
            _, proposed = conversation.turn(shown, _WAYS["a2 choose"])
            if proposed.proposal is not None:
                OfflinePlanner().consent(_WAYS["a3 consent"], proposed.proposal)
            for name, utterance in _WAYS.items():
                counter.calls.clear()
                sys.setprofile(counter.profile)
                _, session = conversation.turn(session, utterance)
                sys.setprofile(None)
                yield name, counter
    finally:
        threading.setprofile(None)


@contextmanager
def _open_conversation() -> Iterator[TurnTaker]:
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory()))
        running = {
            one: parts.enter_context(serve(one, "127.0.0.1:0", folder / one, "blueprint", _NOW)) for one in _CLINICS
        }
        registry = Registry({one: Agent(one, "Cardiology", clinic.address) for one, clinic in running.items()})
        connection = parts.enter_context(connect(registry, Protection(make_keys(folder)), credentials=_OneToken))
        yield parts.enter_context(open_conversation(connection, clock_at(_NOW), EventChannel()))


def _is_resumed(frame: FrameType) -> bool:
    return bool(frame.f_code.co_flags & CO_GENERATOR) and frame.f_lasti > _beginning(frame.f_code)


def _is_watch(frame: FrameType) -> bool:
    return watch.__code__ in {frame.f_code, None if frame.f_back is None else frame.f_back.f_code}


@cache
def _beginning(code: CodeType) -> int:
    """Return the offset of the instruction where the body of a generator begins."""
    return next((one.offset for one in dis.get_instructions(code) if one.opname == "RESUME"), 0)


def main() -> None:
    """Print the counts as a table; with --modules the modules of each turn too, with --functions the functions."""
    for name, counter in count_ways():
        print(
            f"{name:12}{counter.calls.total():6} calls{len(counter.calls):6} functions{len(counter.modules):5} modules"
        )
        if "--modules" in sys.argv:
            per_module: Counter[str] = Counter()
            for code, calls in counter.calls.items():
                per_module[str(Path(code.co_filename).relative_to(_ROOT))] += calls
            print(*(f"    {calls:5} {module}" for module, calls in per_module.most_common()), sep="\n")
        if "--functions" in sys.argv:
            most = counter.calls.most_common(60)
            print(
                *(f"    {calls:5} {code.co_qualname} {Path(code.co_filename).name}" for code, calls in most), sep="\n"
            )


if __name__ == "__main__":
    main()
