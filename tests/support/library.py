"""A library that is served by the mesh: an annotated service that is no clinic, compiled when a test asks for it.

Its messages exist at run time only, so no type checker knows their fields: `Any` stands for them here and in the tests.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, struct_pb2
from google.protobuf.descriptor import EnumDescriptor, FileDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from generated.mesh.v1 import options_pb2
from mesh.caller import Caller
from mesh.catalogue import Catalogue, Tool

_PROTOS = Path(__file__).parent / "protos"
_CONTRACT = Path(__file__).parents[2] / "protos"
_FILES = ("library/v1/library_service.proto", "faulty/v1/faulty.proto")

Answer = Callable[[Any, Caller], Message]


@cache
def compiled() -> dict[str, FileDescriptor]:
    """Return the files under support/protos by package, compiled once a process into the default pool."""
    with tempfile.TemporaryDirectory(prefix="library-") as folder:
        out = Path(folder) / "descriptors"
        command = [
            *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={_CONTRACT}", f"--proto_path={_PROTOS}"),
            *(f"--descriptor_set_out={out}", *_FILES),
        ]
        subprocess.run(command, check=True, timeout=60)
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    pool = descriptor_pool.Default()
    for dependency in (options_pb2, struct_pb2):
        assert dependency.DESCRIPTOR.pool is pool
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return {file.package: pool.FindFileByName(file.name) for file in files}


def library_service() -> ServiceDescriptor:
    return compiled()["library.v1"].services_by_name["LibraryService"]


def descriptor_set(*, without: str = "") -> bytes:
    """Return the library's contract with all that it imports, as protoc writes it; perhaps without a file."""
    files: dict[str, FileDescriptor] = {}
    found = [library_service().file]
    while found:
        file = found.pop()
        files[file.name] = file
        found += file.dependencies
    contract = descriptor_pb2.FileDescriptorSet()
    for name, file in files.items():
        if name != without:
            file.CopyToProto(contract.file.add())
    return contract.SerializeToString()


def library_reasons() -> EnumDescriptor:
    return compiled()["library.v1"].enum_types_by_name["ErrorReason"]


def faulty_service(name: str) -> ServiceDescriptor:
    return compiled()["faulty.v1"].services_by_name[name]


def faulty_reasons(name: str) -> EnumDescriptor:
    return compiled()["faulty.v1"].enum_types_by_name[name]


def message(name: str, /, **fields: Any) -> Message:
    """Return a message of library.v1."""
    return GetMessageClass(compiled()["library.v1"].message_types_by_name[name])(**fields)


def tool(name: str) -> Tool:
    """Return a tool of the library."""
    return Catalogue(library_service())[name]


def lend(request: Any, caller: Caller) -> Message:
    """Lend any book."""
    return message("LendBookResponse", title=request.title, until=request.until)


def shred(request: Any, caller: Caller) -> Message:
    """Shred the last copy of any book."""
    return message("ShredBookResponse", copies_left=0)


class Library:
    """Implements library.v1.LibraryService.

    Args:
        lending: What LendBook does.
        shredding: What ShredBook does.
        counting: What CountVisitor does.
    """

    def __init__(
        self,
        lending: Answer = lend,
        shredding: Answer = shred,
        counting: Answer = lambda request, caller: message("CountVisitorResponse", visitors=1),
    ) -> None:
        self.lend_book = lending
        self.shred_book = shredding
        self.count_visitor = counting

    def get_library(self, request: Any, caller: Caller) -> Message:
        return message("GetLibraryResponse", name="Biblioteca")

    def find_books(self, request: Any, caller: Caller) -> Message:
        return message("FindBooksResponse", asked=request)
