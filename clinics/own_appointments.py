"""What the person of a token holds, found by the token's subject: the request names nobody."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from clinics.matching import cpf_digits
from clinics.slots import Snapshot
from mesh.tokens import Claims, cpf_of

_REMEMBERED = 1024
"""Subjects whose holder is known; a session has one for each clinic."""


@dataclass(frozen=True, slots=True)
class _Holders:
    """The positions of all taken slots of a snapshot by the digits of their holder's CPF, in the agenda's order."""

    snapshot: Snapshot
    positions: Mapping[str, tuple[int, ...]]
    absent: set[tuple[str, str]] = field(default_factory=set)  # subjects that no holder has, with their salts


class OwnAppointments:
    """Positions in the agenda by the subject of a token. Safe for concurrent use."""

    def __init__(self) -> None:
        self._holders = _Holders(Snapshot(), {})
        self._cpfs: dict[tuple[str, str], str] = {}  # of subjects, by salt and subject; each is searched for once
        self._lock = threading.Lock()

    def positions(self, snapshot: Snapshot, claims: Claims) -> tuple[int, ...]:
        """Return the positions of the slots that the token's person holds, by date, time and doctor."""
        holders = self._holders
        if holders.snapshot is not snapshot:
            # Two threads may both make it; the two are equal.
            holders = self._holders = _Holders(snapshot, _by_holder(snapshot))
        key = (claims.salt, claims.subject)
        cpf = self._cpfs.get(key)
        if cpf is None and key not in holders.absent:
            cpf = cpf_of(claims.subject, claims.salt, holders.positions)
            self._remember(holders, key, cpf)
        return () if cpf is None else holders.positions.get(cpf, ())

    def _remember(self, holders: _Holders, key: tuple[str, str], cpf: str | None) -> None:
        with self._lock:
            if cpf is not None:
                self._cpfs[key] = cpf
                if len(self._cpfs) > _REMEMBERED:
                    del self._cpfs[next(iter(self._cpfs))]
            elif len(holders.absent) < _REMEMBERED:
                holders.absent.add(key)


def _by_holder(snapshot: Snapshot) -> Mapping[str, tuple[int, ...]]:
    slots = snapshot.slots
    found: dict[str, list[int]] = {}
    for at in snapshot.layout.in_order:
        cpf = slots[at].cpf
        if cpf is not None:
            found.setdefault(cpf_digits(cpf), []).append(at)
    return {cpf: tuple(positions) for cpf, positions in found.items()}
