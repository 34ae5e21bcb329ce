"""What can be wrong with the fleet, in words of both languages, and the error that says so.

Placeholders are named; what fills them are ids, addresses, paths and what a clinic said on its way down.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from orchestrator.turn import Language


class Trouble(Enum):
    """A reason why the fleet cannot be had as it was asked for."""

    OTHER_CLINIC = auto()
    OTHER_SERVICE = auto()
    OTHER_CALENDAR = auto()
    OTHER_KEYS = auto()
    NO_KEYS = auto()
    PORT_HELD_BY_PROCESS = auto()
    PORT_HELD_BY_ANOTHER_USER = auto()
    PORT_HELD = auto()
    ENDED = auto()
    SILENT = auto()
    NOT_HERE = auto()
    NOT_FROM_HERE = auto()
    NOT_STOPPED = auto()
    LOG = auto()
    NOT_STARTED = auto()
    SILENT_ALREADY = auto()
    EVALUATION = auto()


_TEXTS: Mapping[Language, Mapping[Trouble, str]] = {
    Language.EN: {
        Trouble.OTHER_CLINIC: "{clinic}: {found} answers at {address}; stop it, or set CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_SERVICE: "{clinic}: another service answers at {address}; stop it, or set CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_CALENDAR: '{clinic}: already running at {address} with {what} "{has}", not "{wanted}"; '
        "stop it with `clinic-mesh down`, or set CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_KEYS: "{clinic}: already running at {address} with other keys than ours; "
        "stop it, set CLINIC_MESH_KEYS_DIR to the folder of its keys, or set CLINIC_MESH_BASE_PORT",
        Trouble.NO_KEYS: "{clinic}: already running at {address} with no keys, so that anybody may call it; "
        "stop it, set CLINIC_MESH_KEYS_DIR to the folder of its keys, or set CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD_BY_PROCESS: "{clinic}: port {port} is held by {program} (process {pid}), which does not "
        "answer as a clinic; nothing was started. Stop it, or set CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD_BY_ANOTHER_USER: "{clinic}: port {port} is held by another user's process, which does not "
        "answer as a clinic; nothing was started. Have it stopped, or set CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD: "{clinic}: port {port} is held by a program that does not answer as a clinic; nothing was "
        "started. Stop it, or set CLINIC_MESH_BASE_PORT",
        Trouble.ENDED: "{clinic}: could not start: {words}",
        Trouble.SILENT: "{clinic}: does not answer at {address} in time; see {log}",
        Trouble.NOT_HERE: "{clinic}: {address} is not an address of this machine",
        Trouble.NOT_FROM_HERE: "{clinic}: runs at {address}, but not from this data folder; left alone",
        Trouble.NOT_STOPPED: "{clinic}: process {pid} could not be stopped",
        Trouble.LOG: "{log}: cannot be written ({reason}); set CLINIC_MESH_LOG_DIR",
        Trouble.NOT_STARTED: "{clinic}: cannot be started ({reason})",
        Trouble.SILENT_ALREADY: "{clinic}: does not answer",
        Trouble.EVALUATION: "{reason}",
    },
    Language.PT: {
        Trouble.OTHER_CLINIC: "{clinic}: quem responde em {address} é {found}; pare esse processo ou defina "
        "CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_SERVICE: "{clinic}: outro serviço responde em {address}; pare esse processo ou defina "
        "CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_CALENDAR: '{clinic}: já está rodando em {address} com {what} "{has}", e não "{wanted}"; '
        "pare-a com `clinic-mesh down` ou defina CLINIC_MESH_BASE_PORT",
        Trouble.OTHER_KEYS: "{clinic}: já está rodando em {address} com outras chaves; pare-a, aponte "
        "CLINIC_MESH_KEYS_DIR para a pasta das chaves dela ou defina CLINIC_MESH_BASE_PORT",
        Trouble.NO_KEYS: "{clinic}: já está rodando em {address} sem chaves, aberta a qualquer um; pare-a, aponte "
        "CLINIC_MESH_KEYS_DIR para a pasta das chaves dela ou defina CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD_BY_PROCESS: "{clinic}: a porta {port} está ocupada por {program} (processo {pid}), que não "
        "responde como clínica; nada foi iniciado. Pare esse processo ou defina CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD_BY_ANOTHER_USER: "{clinic}: a porta {port} está ocupada por um processo de outro usuário, "
        "que não responde como clínica; nada foi iniciado. Peça que o parem ou defina CLINIC_MESH_BASE_PORT",
        Trouble.PORT_HELD: "{clinic}: a porta {port} está ocupada por um programa que não responde como clínica; nada "
        "foi iniciado. Pare-o ou defina CLINIC_MESH_BASE_PORT",
        Trouble.ENDED: "{clinic}: não conseguiu iniciar: {words}",
        Trouble.SILENT: "{clinic}: não respondeu em {address} a tempo; veja {log}",
        Trouble.NOT_HERE: "{clinic}: {address} não é um endereço desta máquina",
        Trouble.NOT_FROM_HERE: "{clinic}: está rodando em {address}, mas não a partir desta pasta de dados; "
        "não foi tocada",
        Trouble.NOT_STOPPED: "{clinic}: o processo {pid} não pôde ser parado",
        Trouble.LOG: "{log}: não pode ser gravado ({reason}); defina CLINIC_MESH_LOG_DIR",
        Trouble.NOT_STARTED: "{clinic}: não pode ser iniciada ({reason})",
        Trouble.SILENT_ALREADY: "{clinic}: não responde",
        Trouble.EVALUATION: "{reason}",
    },
}


class FleetError(Exception):
    """The fleet cannot be had as it was asked for.

    Args:
        trouble: What is wrong.
        **facts: What fills the placeholders of its text.
    """

    def __init__(self, trouble: Trouble, **facts: object) -> None:
        super().__init__(_TEXTS[Language.EN][trouble].format(**facts))
        self.trouble = trouble
        self._facts = facts

    def told(self, language: Language) -> str:
        """Return which clinic, what is wrong and what to do, for a person; `str` is that in English."""
        return _TEXTS[language][self.trouble].format(**self._facts)
