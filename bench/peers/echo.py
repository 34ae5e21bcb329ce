"""What gRPC itself costs: a method that answers every request with the bytes of a file, parsed by nobody.

With --asyncio the same on grpc.aio, for the choice between the two servers.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

METHOD = "/bench.Echo/Call"
_OPTIONS = (("grpc.so_reuseport", 0),)
_WORKERS = 72


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, handler: grpc.RpcMethodHandler[bytes, bytes]) -> None:
        self._handler = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        return self._handler if handler_call_details.method == METHOD else None


def _serve(content: bytes) -> None:
    def answer(_request: bytes, _context: grpc.ServicerContext) -> bytes:
        return content

    server = grpc.server(ThreadPoolExecutor(_WORKERS), options=_OPTIONS, maximum_concurrent_rpcs=_WORKERS)
    server.add_generic_rpc_handlers((_Handlers(grpc.unary_unary_rpc_method_handler(answer)),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"peer listening on 127.0.0.1:{port}", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    server.stop(None).wait()


async def _serve_asyncio(content: bytes) -> None:
    async def answer(_request: bytes, _context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        return content

    server = grpc.aio.server(options=_OPTIONS)
    server.add_generic_rpc_handlers((_Handlers(grpc.unary_unary_rpc_method_handler(answer)),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"peer listening on 127.0.0.1:{port}", flush=True)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await server.stop(None)


def main() -> None:
    """Serve a file's bytes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", type=Path)
    parser.add_argument("--asyncio", action="store_true")
    options = parser.parse_args()
    content = options.content.read_bytes()
    if options.asyncio:
        asyncio.run(_serve_asyncio(content))
    else:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        _serve(content)


if __name__ == "__main__":
    main()
