"""The URL of a PostgreSQL server: an argument of a clinic, which all users of the machine can read."""

import re
from urllib.parse import unquote

EXPECTED = "postgresql://user@host/database without a password is expected (a password belongs in PGPASSFILE)"

_WITHOUT_PASSWORD = re.compile(r"postgres(?:ql)?://(?:[^:@/?#\s]*@)?[^@#\s]*")


def is_store_url(text: str) -> bool:
    """Return whether a text is such a URL, and no password stands in it."""
    return _WITHOUT_PASSWORD.fullmatch(text) is not None and "password=" not in unquote(text)
