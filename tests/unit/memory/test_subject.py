"""People are known to the store by a keyed hash of their CPF; the key is made once, for its owner alone."""

from __future__ import annotations

import hashlib
import hmac
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mesh.tokens import CredentialError
from orchestrator.memory.keeping.handler import SubjectKey
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.identity import Identity
from tests.support.memories import CARLOS, MARIA


def test_a_subject_is_the_hmac_of_the_digits_whatever_the_name(tmp_path: Path) -> None:
    subject = SubjectKey(tmp_path / "keys").subject_of(MARIA)
    key = (tmp_path / "keys" / "memory.key").read_bytes()
    assert len(key) == 32
    assert subject == hmac.new(key, b"52998224725", hashlib.sha256).hexdigest()
    assert SubjectKey(tmp_path / "keys").subject_of(Identity("Maria S. Lima", "52998224725")) == subject
    assert SubjectKey(tmp_path / "keys").subject_of(CARLOS) != subject


def test_another_key_knows_other_subjects(tmp_path: Path) -> None:
    assert SubjectKey(tmp_path / "one").subject_of(MARIA) != SubjectKey(tmp_path / "two").subject_of(MARIA)


def test_the_key_is_its_owners_alone_and_comes_with_the_other_keys(tmp_path: Path) -> None:
    SubjectKey(tmp_path / "keys").subject_of(MARIA)
    assert stat.S_IMODE((tmp_path / "keys" / "memory.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    assert KeyFolder(tmp_path / "keys").fingerprints, "a folder without them would never get them"
    assert {path.name for path in (tmp_path / "keys").iterdir()} == {
        "memory.key",
        "operator.pem",
        "orchestrator.pem",
        "public",
    }


def test_of_many_that_start_at_once_all_use_one_key(tmp_path: Path) -> None:
    starts = 8
    barrier = threading.Barrier(starts)

    def start(_: int) -> str:
        key = SubjectKey(tmp_path / "keys")
        barrier.wait(30)
        return key.subject_of(MARIA)

    with ThreadPoolExecutor(starts) as pool:
        assert len(set(pool.map(start, range(starts)))) == 1
    assert not list((tmp_path / "keys").glob(".memory*")), "nothing is left beside it"


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    SubjectKey(tmp_path / "keys").subject_of(MARIA)
    (tmp_path / "keys" / "memory.key").chmod(0o640)
    with pytest.raises(CredentialError, match=r"memory\.key: other users can use this key; run chmod 600 on it"):
        SubjectKey(tmp_path / "keys").subject_of(MARIA)


def test_a_key_of_another_length_is_not_used(tmp_path: Path) -> None:
    SubjectKey(tmp_path / "keys").subject_of(MARIA)
    (tmp_path / "keys" / "memory.key").write_bytes(b"short")
    with pytest.raises(CredentialError, match="not a key of 32 bytes"):
        SubjectKey(tmp_path / "keys").subject_of(MARIA)


def test_a_folder_that_cannot_be_made_is_named_and_nobody_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(CredentialError, match="file") as caught:
        SubjectKey(tmp_path / "file" / "keys").subject_of(MARIA)
    assert "529" not in str(caught.value)


def test_nobody_has_no_subject(tmp_path: Path) -> None:
    with pytest.raises(CredentialError, match="not known"):
        SubjectKey(tmp_path / "keys").subject_of(Identity("", ""))
    assert not list(tmp_path.iterdir())
