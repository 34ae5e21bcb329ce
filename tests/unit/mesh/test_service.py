"""A service is served only by something that implements all of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

from generated.mesh.v1 import error_reason_pb2
from mesh.reasons import Reasons
from mesh.service import Service
from mesh.tokens import TokenCheck, read_public_keys
from tests.support.library import Library, faulty_service, library_service, message
from tests.support.tokens import make_keys


class HalfLibrary(Library):
    lend_book: Any = None

    def __init__(self) -> None:
        self.shred_book = self.count_visitor = lambda request, caller: message("ShredBookResponse")

    def find_books(self, request: Any) -> Message:  # type: ignore[override]
        return message("FindBooksResponse")


def test_all_that_an_implementation_lacks_is_named_in_one_line() -> None:
    with pytest.raises(ValueError, match="HalfLibrary") as refused:
        Service(library_service(), HalfLibrary())
    assert str(refused.value) == (
        "HalfLibrary.find_books must take the request and the caller; "
        "there is no method HalfLibrary.lend_book, which library.v1.LibraryService.LendBook needs"
    )


def test_a_tool_that_is_nobodys_is_named_where_tokens_are_asked_for(tmp_path: Path) -> None:
    tokens = TokenCheck(read_public_keys(make_keys(tmp_path).public), "library", "get another")
    with pytest.raises(ValueError, match=r"library\.v1\.LibraryService\.FindBooks: mesh\.v1\.tool needs access"):
        Service(library_service(), Library(), tokens=tokens)


def test_a_contract_that_is_faulty_is_named() -> None:
    with pytest.raises(ValueError, match="needs a name and a description"):
        Service(faulty_service("UnnamedService"), object())


def test_every_reason_of_a_violation_that_the_code_gives_is_in_the_contract() -> None:
    listed = {name.removeprefix("VIOLATION_REASON_") for name in error_reason_pb2.ViolationReason.keys()}  # noqa: SIM118
    root = Path(__file__).parents[3]
    files = ("mesh/arguments.py", "mesh/catalogue.py", "orchestrator/agents/router.py")
    text = "".join((root / file).read_text("utf-8") for file in files)
    given = set(re.findall(r', "([A-Z_]{4,})"', text))
    assert given - Reasons().keys() == listed - {"UNSPECIFIED"}
