"""Server reflection that can describe every part of the contract.

protobuf's descriptor pool finds the file of a type or a service by name but not that of a method, so `grpcurl describe`
would fail on each RPC; this pool looks for the method's service then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc


class _MethodFindingPool:
    """The default pool, with methods."""

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the pool has)
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802 (the pool's name)
        """Return the file that defines `symbol`, or whose service has it as a method.

        Raises:
            KeyError: There is none.
        """
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindFileContainingSymbol(symbol.rpartition(".")[0])


def enable_reflection(server: grpc.Server, services: Sequence[str]) -> None:
    """Let clients ask `server` for the descriptors of `services` (full names)."""
    servicer = reflection.ReflectionServicer((*services, reflection.SERVICE_NAME), pool=_MethodFindingPool())
    # The package's own `enable_server_reflection` looks whether the server is asyncio's, which loads that.
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, server)
