"""Generate the Python code of a contract by protoc: messages, stubs, their type stubs, and the Protocols of services.

It needs grpcio-tools and mypy-protobuf beside this interpreter. `NAME_handlers.py` holds a Protocol for each service,
which an implementation is checked by.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from mesh.errors import UsageError
from mesh.text_folding import snake_case

_PLUGINS = ("protoc-gen-mypy", "protoc-gen-mypy_grpc")


def generate_code(protos: Path, out: Path, includes: Sequence[Path] = ()) -> tuple[str, ...]:
    """Write the code of a folder's .proto files, which may import from `includes`; return them, or raise UsageError."""
    sources = tuple(sorted(path.relative_to(protos).as_posix() for path in protos.rglob("*.proto")))
    if not sources:
        raise UsageError(f"no .proto file under {protos}")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="contract-") as folder:
        described = Path(folder) / "descriptors"
        _run_protoc((protos, *includes), sources, out, described)
        files = FileDescriptorSet.FromString(described.read_bytes()).file
    owners = {f".{file.package}.{each.name}".replace("..", "."): file for file in files for each in file.message_type}
    for file in files:
        if file.name in sources and file.service:
            (out / f"{_stem(file.name)}_handlers.py").write_text(_handlers(file, owners), encoding="utf-8")
    for source in sources:
        for package in Path(source).parents[:-1]:
            (out / package / "__init__.py").touch()
    return sources


def module_of(source: str) -> str:
    """Return the module that protoc makes of a .proto file's messages."""
    return _stem(source).replace("/", ".") + "_pb2"


def _stem(source: str) -> str:
    return source.removesuffix(".proto").replace("-", "_")


def _run_protoc(roots: Sequence[Path], sources: Sequence[str], out: Path, described: Path) -> None:
    # The plugins of this interpreter, before those of whatever environment comes first on PATH.
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    found = {plugin: shutil.which(plugin, path=places) for plugin in _PLUGINS}
    if None in found.values() or find_spec("grpc_tools") is None:
        raise UsageError("install grpcio-tools and mypy-protobuf: they are the extra `generate` of clinic-mesh")
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc", *(f"--proto_path={root}" for root in roots)),
        *(f"--plugin={plugin}={path}" for plugin, path in found.items()),
        *(f"--python_out={out}", f"--grpc_python_out={out}"),
        # Sync only: nothing here calls or serves through grpc.aio, and a union of both hides mistakes.
        *(f"--mypy_out=quiet:{out}", f"--mypy_grpc_out=quiet,only_sync:{out}"),
        *("--include_imports", f"--descriptor_set_out={described}"),
        *sources,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"protoc refused the contract:\n{done.stderr.strip()}")
    sys.stderr.write(done.stderr)


def _handlers(file: FileDescriptorProto, owners: Mapping[str, FileDescriptorProto]) -> str:
    """Return the module of the Protocols of a file's services; `owners` are the files of the outermost messages."""
    used: set[str] = set()

    def named(message: str) -> str:
        outermost = next(name for name in owners if f"{message}.".startswith(f"{name}."))
        module = module_of(owners[outermost].name)
        used.add(f"    import {module} as {module.replace('.', '_')}")
        return module.replace(".", "_") + message.removeprefix(outermost.rpartition(".")[0])

    protocols = []
    for service in file.service:
        protocols += ["\n", f"class {service.name}Handlers(Protocol):"]
        protocols += [f'    """What implements {file.package}.{service.name}: a method for each RPC."""']
        for rpc in service.method:
            taken = f"self, request: {named(rpc.input_type)}, caller: Caller, /"
            protocols += ["", f"    def {snake_case(rpc.name)}({taken}) -> {named(rpc.output_type)}: ..."]
    head = [
        f'"""What implements the services of {file.name}; generated, never edited by hand."""\n',
        "from __future__ import annotations\n",
        "from typing import TYPE_CHECKING, Protocol\n",
        "if TYPE_CHECKING:",
        *sorted(used),
        "    from mesh.caller import Caller",
    ]
    return "\n".join([*head, *protocols, ""])
