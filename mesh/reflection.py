"""gRPC server reflection, v1 and v1alpha (two names of one service): the contract for those who have no file of it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from mesh.errors import DomainError
from mesh.transport import Stream, read_request

SERVICES = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)  # the full names of both versions
LONGEST_PAUSE_S, MOST_REQUESTS = 10.0, 200  # between two requests of a stream, and of a stream
LARGEST_REQUEST = 1024  # bytes of a request, which is a name


class ServerReflection:
    """What a server says of its services."""

    def __init__(self, services: Sequence[str]) -> None:
        self._servicer = reflection.ReflectionServicer((*services, *SERVICES), pool=_MethodFindingPool())
        self._answer = lru_cache(256)(self._made)  # an answer takes a millisecond to make and is always the same

    def answers(self, stream: Stream) -> Iterator[ServerReflectionResponse]:
        """Yield the answer to each request of a stream; see `ServerReflection.ServerReflectionInfo`."""
        for _ in range(MOST_REQUESTS):
            content = stream.next_request(LONGEST_PAUSE_S)
            if content is None:
                return
            if len(content) > LARGEST_REQUEST:
                raise DomainError("INVALID_ARGUMENTS", f"a request has at most {LARGEST_REQUEST} bytes")
            yield self._answer(content)
        raise DomainError("OVERLOADED", f"a stream has at most {MOST_REQUESTS} requests; open another")

    def _made(self, content: bytes) -> ServerReflectionResponse:
        request = read_request(ServerReflectionRequest.FromString, content)
        answer: ServerReflectionResponse = next(self._servicer.ServerReflectionInfo(iter([request]), None))
        return answer


class _MethodFindingPool:
    """The default descriptor pool, which also finds methods, as `grpcurl describe` of an RPC needs, and v1."""

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()
        try:
            self._pool.FindFileContainingSymbol(SERVICES[0])
        except KeyError:
            file = descriptor_pb2.FileDescriptorProto()  # the package has v1alpha only
            reflection_pb2.DESCRIPTOR.CopyToProto(file)
            text = text_format.MessageToString(file).replace("v1alpha", "v1")
            self._pool.Add(text_format.Parse(text, descriptor_pb2.FileDescriptorProto()))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the pool has)
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802 (the pool's name)
        """Return the file that defines `symbol`, or whose service has it as a method; KeyError if there is none."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindFileContainingSymbol(symbol.rpartition(".")[0])
