"""A service is served only by something that implements all of it."""

from typing import Any

import pytest
from google.protobuf.message import Message

from mesh.caller import Caller
from mesh.service import Service
from tests.support.library import library_service, message


class HalfLibrary:
    def find_books(self, request: Any, caller: Caller) -> Message:
        return message("FindBooksResponse")


def test_an_implementation_that_lacks_a_method_is_refused_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"HalfLibrary has no method lend_book.*library\.v1\.LibraryService\.LendBook"):
        Service(library_service(), HalfLibrary())
