"""How often one caller may call: what the setting says, who counts as one caller, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from google.rpc.error_details_pb2 import RetryInfo

from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.limits import DEFAULT, Limits, read_limits
from mesh.policies import RateLimit
from mesh.reasons import retry_after_s
from mesh.tokens import GRANTS, Claims
from tests.support.library import tool

LIMITS = Limits(reads_per_s=1.0, writes_per_s=0.5)


@dataclass
class _Time:
    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


def caller(subject: str | None = None, machine: str = "ipv4:10.0.0.7") -> Caller:
    grant = GRANTS["orchestrator"]
    claims = None if subject is None else Claims("orchestrator", "a", subject, "5a", grant.role, grant.scopes, 0, 60)
    return Caller("trace", 0.0, claims=claims, connection=f"{machine}:51234")


def calls(limit: RateLimit, name: str, by: Caller, times: int) -> list[DomainError | None]:
    """Return what each of some calls at one moment is told."""
    answers: list[DomainError | None] = []
    for _ in range(times):
        try:
            limit(tool(name), by)
            answers.append(None)
        except DomainError as error:
            answers.append(error)
    return answers


def admitted(answers: list[DomainError | None]) -> int:
    return sum(answer is None for answer in answers)


def test_by_default_sixty_reads_and_twenty_writes_may_come_at_once() -> None:
    limit = RateLimit(DEFAULT, _Time())
    assert admitted(calls(limit, "find_books", caller(), 100)) == 60
    assert admitted(calls(limit, "lend_book", caller(), 100)) == 20


def test_a_refusal_says_when_to_ask_again_and_who_waits_so_long_is_served() -> None:
    now = _Time()
    limit = RateLimit(LIMITS, now)
    *_, refusal = calls(limit, "lend_book", caller(), 3)
    assert refusal is not None
    assert (refusal.reason, refusal.metadata) == ("RATE_LIMITED", {"tool": "lend_book"})
    delay_s = retry_after_s(refusal)
    assert delay_s is not None
    assert delay_s == pytest.approx(2.0, abs=0.001)
    now.seconds += delay_s
    assert admitted(calls(limit, "lend_book", caller(), 2)) == 1


def test_writes_do_not_use_up_reads() -> None:
    limit = RateLimit(LIMITS, _Time())
    assert admitted(calls(limit, "lend_book", caller(), 10)) == 2
    assert admitted(calls(limit, "find_books", caller(), 10)) == 3


def test_a_caller_is_whom_the_token_speaks_for_wherever_they_call_from() -> None:
    limit = RateLimit(LIMITS, _Time())
    assert admitted(calls(limit, "find_books", caller("ana"), 3)) == 3
    assert admitted(calls(limit, "find_books", caller("ana", "ipv4:10.0.0.8"), 1)) == 0
    assert admitted(calls(limit, "find_books", caller("bruno"), 1)) == 1


def test_without_tokens_a_caller_is_a_machine() -> None:
    limit = RateLimit(LIMITS, _Time())
    assert admitted(calls(limit, "find_books", caller(), 4)) == 3
    assert admitted(calls(limit, "find_books", caller(machine="ipv4:10.0.0.8"), 1)) == 1


@pytest.mark.parametrize(
    ("peer", "machine"),
    [
        ("ipv4:10.0.0.7:51234", "ipv4:10.0.0.7"),
        ("ipv6:%5B::1%5D:51234", "ipv6:[::1]"),
        ("ipv6:[::1]:51234", "ipv6:[::1]"),
        ("unix:/run/a.sock", "unix:/run/a.sock"),
        ("", ""),
    ],
)
def test_each_connection_of_a_machine_is_the_same_machine(peer: str, machine: str) -> None:
    assert Caller("", 0.0, connection=peer).machine == machine


def test_a_setting_is_two_rates_or_off() -> None:
    assert read_limits("20,5") == DEFAULT
    assert read_limits("0.5, 0.1") == Limits(0.5, 0.1)
    assert read_limits("off") is None


@pytest.mark.parametrize(
    "text", ["", "20", "1,2,3", "0,5", "5,-1", "nan,1", "1,inf", "1e308,5", "5,1e-320", "on", "a,b"]
)
def test_anything_else_is_no_setting(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whoever reads the setting says what is allowed
        read_limits(text)


def test_however_slow_a_rate_is_one_call_may_come() -> None:
    limit = RateLimit(Limits(0.001, 0.001), _Time())
    assert admitted(calls(limit, "find_books", caller(), 2)) == 1


def test_other_refusals_say_no_delay() -> None:
    assert retry_after_s(DomainError("OVERLOADED", "full")) is None
    assert retry_after_s(DomainError("RATE_LIMITED", "wait", details=(RetryInfo(),))) == 0.0
