"""Keys are made once, for their owner alone, and what is wrong with one is said by its name."""

from __future__ import annotations

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mesh.tokens import CredentialError
from orchestrator.security.token_keys import KeyFolder
from tests.support.tokens import make_keys


def content(keys: KeyFolder) -> dict[str, bytes]:
    return {str(path.relative_to(keys.path)): path.read_bytes() for path in keys.path.rglob("*") if path.is_file()}


def test_the_first_start_makes_two_pairs_that_only_their_owner_can_read(tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "data")
    assert set(content(keys)) == {"orchestrator.pem", "operator.pem", "public/orchestrator.pem", "public/operator.pem"}
    modes = {stat.S_IMODE(path.stat().st_mode) for path in keys.path.rglob("*.pem")}
    assert modes == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (keys.path, keys.public)} == {0o700}
    assert not any(b"PRIVATE" in path.read_bytes() for path in keys.public.iterdir())
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["keys"], "nothing is left beside them"


def test_keys_that_are_there_stay(tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    (keys.path / "operator.pem").unlink()
    before = content(keys)
    keys.prepare()
    assert content(keys) == before


def test_of_many_that_start_at_once_all_use_the_keys_of_one(tmp_path: Path) -> None:
    starts = 8
    barrier = threading.Barrier(starts)

    def start(_: int) -> frozenset[str]:
        keys = KeyFolder(tmp_path / "keys")
        barrier.wait(30)
        keys.prepare()
        return keys.fingerprints

    with ThreadPoolExecutor(starts) as pool:
        assert len(set(pool.map(start, range(starts)))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["keys"]


def test_before_the_first_start_there_are_none(tmp_path: Path) -> None:
    assert KeyFolder(tmp_path / "keys").fingerprints == frozenset()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(CredentialError, match=r"file/keys: cannot be made"):
        KeyFolder(tmp_path / "file" / "keys").prepare()


def test_a_missing_key_says_whose_it_is_and_whom_to_ask(tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    (keys.path / "operator.pem").unlink()
    with pytest.raises(CredentialError, match=r"operator\.pem: the key of the operator .* ask an administrator"):
        keys.private_key("operator")
    keys.private_key("orchestrator")


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    (keys.path / "operator.pem").chmod(0o640)
    with pytest.raises(CredentialError, match=r"operator\.pem: .* chmod 600"):
        keys.private_key("operator")


def test_what_is_no_ed25519_key_is_named_and_not_shown(tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = (keys.public / "operator.pem").read_bytes()
    for wrong in (b"", b"not a key", other, public):
        (keys.path / "operator.pem").write_bytes(wrong)
        with pytest.raises(CredentialError) as refused:
            keys.private_key("operator")
        assert str(refused.value) == f"{keys.path}/operator.pem: not an Ed25519 private key in PEM form"


def test_a_derived_secret_is_the_same_in_every_run_and_another_for_each_key_and_purpose(tmp_path: Path) -> None:
    keys, others = make_keys(tmp_path / "mine"), make_keys(tmp_path / "theirs")
    secret = keys.derived("orchestrator", "proposal ids")
    assert KeyFolder(keys.path).derived("orchestrator", "proposal ids") == secret
    different = [
        keys.derived("operator", "proposal ids"),
        keys.derived("orchestrator", "something else"),
        others.derived("orchestrator", "proposal ids"),
    ]
    assert len({secret, *different}) == 4
    (keys.path / "orchestrator.pem").chmod(0o640)
    with pytest.raises(CredentialError, match="other users can use this key"):
        keys.derived("orchestrator", "proposal ids")
