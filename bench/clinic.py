"""A clinic of the bench: its command line, and keys and tokens for those who call it."""

from __future__ import annotations

import time
from pathlib import Path

from bench.agenda import CLINIC
from bench.processes import NOW
from mesh.tokens import LONGEST_S, claims_for, sign
from orchestrator.security.token_keys import KeyFolder

CPF = "123.456.789-00"


def clinic_arguments(silo: Path, keys: Path | None, clinic: str = CLINIC) -> list[str]:
    """Return the command line of a clinic of the bench.

    Args:
        silo: Its folder.
        keys: The public keys whose tokens it accepts; None for a clinic that asks for none.
        clinic: Which one.
    """
    # Every call is counted, as in a clinic as it ships, and none is refused: a bench is one caller.
    callers_ = ["--no-auth"] if keys is None else ["--keys", str(keys), "--rate", "1000000,1000000"]
    return [clinic, "--listen", "127.0.0.1:0", "--silo", str(silo), "--agenda", "blueprint", "--now", NOW, *callers_]


def make_keys(folder: Path) -> KeyFolder:
    """Return fresh keys for tokens.

    Args:
        folder: Where they are made.
    """
    keys = KeyFolder(folder / "keys")
    keys.prepare()
    return keys


def token_of(keys: KeyFolder, issuer: str = "operator") -> str:
    """Return a token for the clinic that is measured, valid for the whole run.

    Args:
        keys: What it is signed with.
        issuer: "operator", who may book for anybody, or "orchestrator", who speaks for one patient.
    """
    claims = claims_for(CPF, issuer=issuer, audience=CLINIC, now=time.time(), ttl_s=LONGEST_S)
    return sign(keys.private_key(issuer), claims)
