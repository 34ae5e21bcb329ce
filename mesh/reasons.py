"""What a reason means on the wire: read from the contract, the one table there is.

A package of the contract lists its reasons in an enum `ErrorReason` whose values carry `mesh.v1.error`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import grpc
from google.protobuf.descriptor import EnumDescriptor

from generated.mesh.v1 import error_reason_pb2, options_pb2

_PREFIX = "ERROR_REASON_"
_MESH = error_reason_pb2.DESCRIPTOR.package
_STATUS_CODES = {code.value[0]: code for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason and its codes.

    Attributes:
        name: Without the enum's prefix, such as "SLOT_UNAVAILABLE".
        domain: The package that lists it, such as "clinic.v1".
        status: The typed door's status.
        json_rpc_code: The envelope door's code.
    """

    name: str
    domain: str
    status: grpc.StatusCode
    json_rpc_code: int

    @property
    def is_decision(self) -> bool:
        """Whether the agent itself said no; the mesh refuses before the agent looks, or where it cannot.

        In answer to a repeated write only this tells of an earlier try under its request_id: it was not made, unless
        the metadata "outcome" says that this is not known.
        """
        return self.domain != _MESH


class Reasons(Mapping[str, Reason]):
    """The mesh's own reasons and those of the given enums, by name.

    Args:
        enums: `ErrorReason` enums of further packages.

    Raises:
        ValueError: Two packages use one name, or a value lacks one of its codes.
    """

    def __init__(self, *enums: EnumDescriptor) -> None:
        self._reasons: dict[str, Reason] = {}
        for enum in (error_reason_pb2.ErrorReason.DESCRIPTOR, *enums):
            for reason in _reasons_of(enum):
                if reason.name in self._reasons:
                    raise ValueError(f"two packages list the reason {reason.name}")
                self._reasons[reason.name] = reason

    def __getitem__(self, name: str) -> Reason:
        return self._reasons[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)


def _reasons_of(enum: EnumDescriptor) -> Iterator[Reason]:
    for value in enum.values:
        if value.number == 0:
            continue
        meaning = value.GetOptions().Extensions[options_pb2.error]
        if not meaning.status or not meaning.json_rpc_code:
            raise ValueError(f"{enum.full_name}.{value.name} lacks a status or a JSON-RPC code")
        yield Reason(
            name=value.name.removeprefix(_PREFIX),
            domain=enum.file.package,
            status=_STATUS_CODES[meaning.status],
            json_rpc_code=meaning.json_rpc_code,
        )
