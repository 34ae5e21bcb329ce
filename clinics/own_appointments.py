"""What the person of a token holds, found by the token's subject: the request names nobody."""

from functools import lru_cache, partial

from clinics.slots import Snapshot
from mesh.text_folding import cpf_digits
from mesh.tokens import Claims, cpf_of

_REMEMBERED = 1024
"""Subjects whose holder is known; a session has one for each clinic."""


class _Holders:
    """The positions of all taken slots of a snapshot by their holder, in the agenda's order."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._by_cpf: dict[str, list[int]] = {}  # in digits alone
        for at in snapshot.layout.in_order:
            cpf = snapshot.slots[at].cpf
            if cpf is not None:
                self._by_cpf.setdefault(cpf_digits(cpf), []).append(at)
        # A subject is a salted digest, which takes a digest of each CPF to find.
        self._cpf_of = lru_cache(_REMEMBERED)(partial(cpf_of, cpfs=self._by_cpf))

    def positions(self, claims: Claims) -> tuple[int, ...]:
        cpf = self._cpf_of(claims.subject, claims.salt)
        return () if cpf is None else tuple(self._by_cpf[cpf])


class OwnAppointments:
    """Positions in the agenda by the subject of a token. Safe for concurrent use."""

    def __init__(self) -> None:
        self._holders = _Holders(Snapshot())

    def positions(self, snapshot: Snapshot, claims: Claims) -> tuple[int, ...]:
        """Return the positions of the slots that the token's person holds, by date, time and doctor."""
        holders = self._holders
        if holders.snapshot is not snapshot:
            # Two threads may both make it; the two are equal.
            holders = self._holders = _Holders(snapshot)
        return holders.positions(claims)
