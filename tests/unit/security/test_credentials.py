"""A token serves one clinic, one person and one role, and is made anew before it expires."""

from __future__ import annotations

from pathlib import Path

import pytest

from mesh.tokens import CredentialError
from orchestrator.security.token_keys import TTL_S, Credentials, KeyFolder
from orchestrator.turn.identity import Identity, Role
from tests.support.tokens import make_keys, payload_of

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
JOANA = Identity.of("Joana Outra Pessoa", "111.444.777-35")
NOW = 1_800_000_000.0


class Watch:
    """A clock that is set by hand."""

    at = NOW

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def keys(tmp_path: Path) -> KeyFolder:
    return make_keys(tmp_path)


def test_a_token_is_used_again_until_shortly_before_it_expires(keys: KeyFolder) -> None:
    watch = Watch()
    credentials = Credentials(keys, watch)
    first = credentials.token(CARLOS, Role.PATIENT, "clinic_a")
    watch.at = NOW + TTL_S - 20
    assert credentials.token(CARLOS, Role.PATIENT, "clinic_a") == first
    watch.at = NOW + TTL_S - 10
    second = payload_of(credentials.token(CARLOS, Role.PATIENT, "clinic_a"))
    assert second["exp"] == NOW + 2 * TTL_S - 10


def test_a_person_has_one_subject_at_a_clinic_in_a_run_so_that_a_limit_by_subject_holds(keys: KeyFolder) -> None:
    watch = Watch()
    credentials = Credentials(keys, watch)

    def subject(clinic: str, who: Identity = CARLOS, of: Credentials = credentials) -> object:
        return payload_of(of.token(who, Role.PATIENT, clinic))["sub"]

    first = subject("clinic_a")
    watch.at = NOW + 2 * TTL_S
    assert subject("clinic_a") == first
    others = (subject("clinic_b"), subject("clinic_a", JOANA), subject("clinic_a", of=Credentials(keys, watch)))
    assert len({first, *others}) == 4


def test_a_token_of_before_the_clock_was_set_back_is_not_used_any_more(keys: KeyFolder) -> None:
    watch = Watch()
    credentials = Credentials(keys, watch)
    watch.at = NOW + 3600
    early = credentials.token(CARLOS, Role.PATIENT, "clinic_a")
    watch.at = NOW
    held = credentials.token(CARLOS, Role.PATIENT, "clinic_a")
    assert (payload_of(early)["iat"], payload_of(held)["iat"]) == (NOW + 3600, NOW)
    assert credentials.token(CARLOS, Role.PATIENT, "clinic_a") == held


def test_each_clinic_person_and_role_has_a_token_of_its_own(keys: KeyFolder) -> None:
    credentials = Credentials(keys, Watch())
    said = [
        payload_of(credentials.token(who, role, clinic))
        for who in (CARLOS, JOANA)
        for role in Role
        for clinic in ("clinic_a", "clinic_b")
    ]
    assert len({payload["sub"] for payload in said}) == 4  # a subject is a person at a clinic, whatever their role
    assert {(payload["iss"], payload["role"], payload["scope"]) for payload in said} == {
        ("orchestrator", "patient", "read write"),
        ("operator", "operator", "read records write"),
    }
    assert {payload["exp"] - payload["iat"] for payload in said} == {TTL_S}


def test_an_operator_without_the_key_gets_none_and_a_patient_does(keys: KeyFolder) -> None:
    (keys.path / "operator.pem").unlink()
    credentials = Credentials(keys)
    with pytest.raises(CredentialError, match="the key of the operator"):
        credentials.token(CARLOS, Role.OPERATOR, "clinic_a")
    credentials.token(CARLOS, Role.PATIENT, "clinic_a")


def test_nothing_of_it_shows_who_speaks(keys: KeyFolder) -> None:
    credentials = Credentials(keys)
    token = credentials.token(CARLOS, Role.PATIENT, "clinic_a")
    assert token not in repr(credentials)
    assert "123.456" not in repr(credentials)


def test_who_is_forgotten_has_another_token_and_another_subject(keys: KeyFolder) -> None:
    credentials = Credentials(keys, Watch())
    before = payload_of(credentials.token(CARLOS, Role.PATIENT, "clinic_a"))
    credentials.forget()
    assert CARLOS not in {who for who, *_ in (*credentials._signed, *credentials._salts)}
    assert payload_of(credentials.token(CARLOS, Role.PATIENT, "clinic_a"))["sub"] != before["sub"]
