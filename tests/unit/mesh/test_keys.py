"""A node reads public keys, and says of a file that holds none which it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mesh.tokens import GRANTS, CredentialError, read_public_keys
from tests.support.tokens import key_id_of, make_keys


def test_the_keys_that_were_made_are_read_and_named_by_their_fingerprints(tmp_path: Path) -> None:
    folder = make_keys(tmp_path)
    read = {key.issuer: key.fingerprint for key in read_public_keys(folder.public)}
    assert read == {issuer: key_id_of(folder.private_key(issuer)) for issuer in GRANTS}


def test_a_folder_without_keys_is_no_folder_of_keys(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(CredentialError, match="no public key is here"):
            read_public_keys(folder)


def test_a_key_of_nobody_is_refused(tmp_path: Path) -> None:
    public = make_keys(tmp_path).public
    (public / "operator.pem").rename(public / "somebody.pem")
    with pytest.raises(CredentialError, match=r"somebody\.pem: named after no issuer"):
        read_public_keys(public)


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.mark.parametrize("content", [b"", b"key", b"\xff\xfe", pem(ec.generate_private_key(ec.SECP256R1()))])
def test_what_is_no_ed25519_public_key_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    public = make_keys(tmp_path).public
    (public / "operator.pem").write_bytes(content)
    with pytest.raises(CredentialError, match=r"operator\.pem: not an Ed25519 public key"):
        read_public_keys(public)


def test_a_private_key_in_the_place_of_a_public_one_is_refused_and_not_shown(tmp_path: Path) -> None:
    folder = make_keys(tmp_path)
    private = (folder.path / "operator.pem").read_text("ascii")
    (folder.public / "operator.pem").write_text(private, "ascii")
    with pytest.raises(CredentialError, match="not an Ed25519 public key") as refused:
        read_public_keys(folder.public)
    assert private.splitlines()[1] not in str(refused.value)
