"""Every reason has its two codes, and no two packages share a name."""

import grpc
import pytest

from mesh.reasons import Reason, Reasons
from tests.support.library import faulty_reasons, library_reasons


def test_the_meshs_own_reasons_are_always_known() -> None:
    reasons = Reasons()
    assert reasons["INTERNAL"] == Reason("INTERNAL", "mesh.v1", grpc.StatusCode.INTERNAL, -32603)
    assert all(reason.domain == "mesh.v1" for reason in reasons.values())


def test_the_reasons_of_a_package_are_added_under_its_domain() -> None:
    reasons = Reasons(library_reasons())
    assert reasons["BOOK_LENT"] == Reason("BOOK_LENT", "library.v1", grpc.StatusCode.FAILED_PRECONDITION, 2001)
    assert len(reasons) == len(Reasons()) + 2


def test_only_an_agents_own_no_is_a_decision() -> None:
    reasons = Reasons(library_reasons())
    assert {reason.name for reason in reasons.values() if reason.is_decision} == {"BOOK_LENT", "CATALOGUE_BUSY"}


def test_the_value_that_means_nothing_is_no_reason() -> None:
    assert "UNSPECIFIED" not in Reasons(library_reasons())


@pytest.mark.parametrize("enum", ["UnmappedReason", "HalfMappedReason", "UncodedReason"])
def test_a_reason_without_both_codes_is_refused_by_name(enum: str) -> None:
    with pytest.raises(ValueError, match=rf"faulty\.v1\.{enum}\.\w+_LOST"):
        Reasons(faulty_reasons(enum))


def test_a_name_that_two_packages_list_is_refused() -> None:
    with pytest.raises(ValueError, match="two packages list the reason INTERNAL"):
        Reasons(faulty_reasons("TakenReason"))
