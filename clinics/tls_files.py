"""The files of a clinic's TLS, as its command line names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clinics.startup import StartupError
from mesh.tls import ServerTls, TlsFileError, read_ca, read_certified_key


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where a clinic's certificate is.

    Attributes:
        certificate: The certificate, PEM.
        key: Its private key, PEM.
        client_ca: The CA whose certificates callers must show, PEM; None asks for none.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def read(self) -> ServerTls:
        """Returns what is in them.

        Raises:
            StartupError: One cannot be used.
        """
        try:
            own = read_certified_key(self.certificate, self.key)
            return ServerTls(own, None if self.client_ca is None else read_ca(self.client_ca))
        except TlsFileError as error:
            raise StartupError(str(error)) from None
