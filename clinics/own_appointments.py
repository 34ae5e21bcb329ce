"""What the person of a token holds, found by the token's subject: the request names nobody."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from clinics.matching import cpf_digits
from clinics.slots import Snapshot
from mesh.tokens import Claims, subject_of

_REMEMBERED = 1024
"""Subjects whose holder is known; a session has one for each clinic."""


@dataclass(frozen=True, slots=True)
class _Holders:
    """The positions of all taken slots of a snapshot by the digits of their holder's CPF, in the agenda's order."""

    snapshot: Snapshot
    positions: Mapping[str, tuple[int, ...]]


class OwnAppointments:
    """Positions in the agenda by the subject of a token. Safe for concurrent use."""

    def __init__(self) -> None:
        self._holders = _Holders(Snapshot(), {})
        # The CPF of a subject, which is searched for once; or the snapshot in which no holder has it.
        self._found: OrderedDict[tuple[str, str], str | Snapshot] = OrderedDict()
        self._lock = threading.Lock()

    def positions(self, snapshot: Snapshot, claims: Claims) -> tuple[int, ...]:
        """Return the positions of the slots that the token's person holds, by date, time and doctor."""
        holders = self._holders
        if holders.snapshot is not snapshot:
            # Two threads may both make it; the two are equal.
            holders = self._holders = _Holders(snapshot, _by_holder(snapshot))
        key = (claims.salt, claims.subject)
        with self._lock:
            found = self._found.get(key)
        if found is None or (isinstance(found, Snapshot) and found is not snapshot):
            cpfs = (cpf for cpf in holders.positions if subject_of(cpf, claims.salt) == claims.subject)
            found = next(cpfs, None) or snapshot
            self._remember(key, found)
        return holders.positions.get(found, ()) if isinstance(found, str) else ()

    def _remember(self, key: tuple[str, str], found: str | Snapshot) -> None:
        with self._lock:
            self._found[key] = found
            self._found.move_to_end(key)
            while len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)


def _by_holder(snapshot: Snapshot) -> Mapping[str, tuple[int, ...]]:
    slots = snapshot.slots
    found: dict[str, list[int]] = {}
    for at in snapshot.layout.in_order:
        cpf = slots[at].cpf
        if cpf is not None:
            found.setdefault(cpf_digits(cpf), []).append(at)
    return {cpf: tuple(positions) for cpf, positions in found.items()}
