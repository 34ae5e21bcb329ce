"""What implements the services of memory/v1/memory_service.proto; generated, never edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import generated.memory.v1.memory_service_pb2 as memory_v1_memory_service_pb2
    from mesh.caller import Caller


class MemoryServiceHandlers(Protocol):
    """What implements memory.v1.MemoryService: a method for each RPC."""

    def salvar_memoria(self, request: memory_v1_memory_service_pb2.SalvarMemoriaRequest, caller: Caller, /) -> memory_v1_memory_service_pb2.SalvarMemoriaResponse: ...

    def buscar_memorias(self, request: memory_v1_memory_service_pb2.BuscarMemoriasRequest, caller: Caller, /) -> memory_v1_memory_service_pb2.BuscarMemoriasResponse: ...

    def listar_memorias(self, request: memory_v1_memory_service_pb2.ListarMemoriasRequest, caller: Caller, /) -> memory_v1_memory_service_pb2.ListarMemoriasResponse: ...

    def esquecer_memoria(self, request: memory_v1_memory_service_pb2.EsquecerMemoriaRequest, caller: Caller, /) -> memory_v1_memory_service_pb2.EsquecerMemoriaResponse: ...

    def esquecer_tudo(self, request: memory_v1_memory_service_pb2.EsquecerTudoRequest, caller: Caller, /) -> memory_v1_memory_service_pb2.EsquecerTudoResponse: ...
