"""The memory tools of `memory.v1`: whose memories are meant is the token's word, and never an argument's."""

import hmac
from collections.abc import Mapping
from datetime import date

from generated.memory.v1 import error_reason_pb2
from generated.memory.v1 import memory_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.tokens import subject_of
from orchestrator import turn
from orchestrator.memory.turn_memory import MemoryKeeper
from orchestrator.texts import Texts

SERVICE = pb.DESCRIPTOR.services_by_name["MemoryService"], error_reason_pb2.ErrorReason.DESCRIPTOR
"""The service and its reasons."""

_DONE = frozenset({turn.MemoryStatus.SAVED, turn.MemoryStatus.KNOWN, turn.MemoryStatus.FORGOTTEN})


class MemoryService:
    """Implements `memory.v1.MemoryService` with a keeper for each role; `texts` words the outcome."""

    def __init__(self, keepers: Mapping[turn.Role, MemoryKeeper], texts: Texts) -> None:
        self._keepers = keepers
        self._said = texts.table("memory.tools")

    def salvar_memoria(self, request: pb.SalvarMemoriaRequest, caller: Caller) -> pb.SalvarMemoriaResponse:
        kinds, size = list(turn.MemoryKind), len(request.conteudo.strip())
        if request.tipo not in kinds or not size:
            return pb.SalvarMemoriaResponse(mensagem=self._said["incomplete"])
        if not turn.MIN_CONTENT <= size <= turn.MAX_CONTENT:
            return pb.SalvarMemoriaResponse(mensagem=self._said["short" if size < turn.MIN_CONTENT else "long"])
        until = date.fromisoformat(request.valido_ate) if request.valido_ate else None
        call = turn.SaveMemory(turn.MemoryKind(request.tipo), request.conteudo, request.contexto, until)
        status = self._do(call, request.cpf, caller, request.patient_name).status
        return pb.SalvarMemoriaResponse(success=status in _DONE, mensagem=self._said[status])

    def buscar_memorias(self, request: pb.BuscarMemoriasRequest, caller: Caller) -> pb.BuscarMemoriasResponse:
        found = self._do(turn.RecallMemories(request.consulta), request.cpf, caller).memories
        return pb.BuscarMemoriasResponse(memorias=map(_memoria, found))

    def listar_memorias(self, request: pb.ListarMemoriasRequest, caller: Caller) -> pb.ListarMemoriasResponse:
        found = self._do(turn.ListMemories(), request.cpf, caller).memories
        return pb.ListarMemoriasResponse(memorias=map(_memoria, found))

    def esquecer_memoria(self, request: pb.EsquecerMemoriaRequest, caller: Caller) -> pb.EsquecerMemoriaResponse:
        status = self._do(turn.ForgetMemory(request.sobre), request.cpf, caller).status
        return pb.EsquecerMemoriaResponse(success=status in _DONE, mensagem=self._said[status])

    def esquecer_tudo(self, request: pb.EsquecerTudoRequest, caller: Caller) -> pb.EsquecerTudoResponse:
        status = self._do(turn.ForgetAllMemories(), request.cpf, caller).status
        return pb.EsquecerTudoResponse(success=status in _DONE, mensagem=self._said[status])

    def _do(self, call: turn.MemoryCall, cpf: str, caller: Caller, name: str = "") -> turn.MemoryResult:
        # An operator's token speaks for others at a clinic; here it speaks for its owner, like any other.
        claims = caller.claims
        if claims is None or not hmac.compare_digest(claims.subject, subject_of(cpf, claims.salt)):
            raise DomainError("PERMISSION_DENIED", f"{call.tool} is for the person alone whom the token was made for")
        result = self._keepers[turn.Role(claims.role)].execute(turn.Identity(name, turn.parse_cpf(cpf)), call, "")
        if result.status is turn.MemoryStatus.FAILED and isinstance(call, turn.RecallMemories | turn.ListMemories):
            raise DomainError("MEMORY_UNAVAILABLE", "The memories cannot be read now. Ask again in a moment.")
        return result


def _memoria(memory: turn.Memory) -> pb.Memoria:
    until = None if memory.expires_on is None else memory.expires_on.isoformat()
    since = memory.created_at.date().isoformat()
    return pb.Memoria(conteudo=memory.content, tipo=memory.kind, desde=since, valido_ate=until)
