"""A clinic as the fleet sees it.

Values only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mesh.addresses import is_loopback


@dataclass(frozen=True, slots=True)
class Member:
    """A clinic that belongs to the fleet.

    Attributes:
        id: The registry's id, such as "clinic_a".
        address: Where it is called, as host:port.
        silo: The folder that is its own, absolute.
    """

    id: str
    address: str
    silo: Path

    @property
    def endpoint(self) -> tuple[str, int]:
        """Host and port."""
        host, _, port = self.address.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def is_local(self) -> bool:
        """Whether the address is this machine's own loopback, so that the clinic can be started here."""
        return is_loopback(self.address)
