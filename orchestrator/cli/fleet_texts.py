"""What the commands about the clinics say, in both languages; why the fleet cannot be had is `fleet.trouble`'s to say.

JSON is in English always: programs read it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language, language_of_locale


class FleetTexts(NamedTuple):
    """The texts in one language; placeholders are filled with `str.format`."""

    # up
    started: str
    ran_before: str
    nothing_started: str
    until_interrupt: str
    ended: str

    # down and restart
    nothing_runs: str
    not_running: str
    holder: str
    not_listening: str
    stopped: str
    not_stopped: str
    left_alone: str
    restarted: str

    # status
    columns: tuple[str, ...]
    health: Mapping[str, str]
    is_other: str
    lacking: str
    durations: tuple[str, str, str, str]

    # logs
    no_log: str


_TEXTS: Mapping[Language, FleetTexts] = {
    Language.EN: FleetTexts(
        started="started: {clinics}",
        ran_before="already running, left as they are: {clinics}",
        nothing_started="nothing was started; `clinic-mesh down` stops those that run",
        until_interrupt="Ctrl-C stops the clinics that were started here.",
        ended="{clinic}: ended (status {status}) and stays down; `clinic-mesh restart {clinic}` starts it again",
        nothing_runs="no clinic runs from {folder}",
        not_running="{clinic}: does not run from {folder}",
        holder="{clinic} (process {pid}, {address}, {agenda})",
        not_listening="not listening yet",
        stopped="{holder}: stopped",
        not_stopped="{holder}: could not be stopped",
        left_alone="{holder}: does not answer as this clinic there, left alone; end the process yourself",
        restarted="{clinic}: restarted",
        columns=("clinic", "address", "pid", "up for", "health", "agenda", "tools", "doctors"),
        health={},
        is_other="is {clinic}",
        lacking="not offered: {intents}",
        durations=("{n} s", "{n} min", "{n} h", "{n} d"),
        no_log="{clinic}: nothing was logged in {log}",
    ),
    Language.PT: FleetTexts(
        started="iniciadas: {clinics}",
        ran_before="já estavam rodando e ficam como estão: {clinics}",
        nothing_started="nada foi iniciado; `clinic-mesh down` para as que estão rodando",
        until_interrupt="Ctrl-C para as clínicas que foram iniciadas aqui.",
        ended="{clinic}: terminou (status {status}) e fica parada; `clinic-mesh restart {clinic}` a inicia de novo",
        nothing_runs="nenhuma clínica está rodando a partir de {folder}",
        not_running="{clinic}: não está rodando a partir de {folder}",
        holder="{clinic} (processo {pid}, {address}, {agenda})",
        not_listening="ainda não atende",
        stopped="{holder}: parada",
        not_stopped="{holder}: não pôde ser parada",
        left_alone="{holder}: não responde como essa clínica nesse endereço e não foi tocada; encerre você mesmo o "
        "processo",
        restarted="{clinic}: reiniciada",
        columns=("clínica", "endereço", "pid", "há", "estado", "agenda", "ferramentas", "médicos"),
        health={
            "serving": "atendendo",
            "not serving": "sem atender",
            "down": "parada",
            "no clinic": "não é clínica",
            "other keys": "outras chaves",
        },
        is_other="é a {clinic}",
        lacking="não oferece: {intents}",
        durations=("{n} s", "{n} min", "{n} h", "{n} d"),
        no_log="{clinic}: nada foi registrado em {log}",
    ),
}


def fleet_texts() -> FleetTexts:
    """Return the texts in the language of this process's locale."""
    return _TEXTS[language_of_locale(os.environ)]
