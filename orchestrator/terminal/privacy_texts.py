"""What the terminal says of who speaks, what is kept, and how all that is forgotten, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.settings import HistoryKind
from orchestrator.turn import Language, Role


class PrivacyTexts(NamedTuple):
    """The texts in one language; placeholders are named and filled with `str.format`."""

    # /whoami
    who_title: str
    name: str
    role: str
    roles: Mapping[Role, str]
    language: str
    pinned: str
    followed: str
    since: str
    moment: str
    conversation: str
    conversation_kept: str
    history: str
    histories: Mapping[HistoryKind, str]
    memory: str
    memory_kept: str
    memory_off: str
    log: str
    log_kept: str
    log_off: str

    # /history
    kept_title: str
    nothing_kept: str
    history_cleared: str
    history_not_cleared: str
    history_usage: str

    # /logout
    ask_drop: str
    ask_unsettled: str
    stayed: str
    logged_out: str
    screen_stays: str

    # --incognito
    no_desk: str


PORTUGUESE = PrivacyTexts(
    who_title="Quem está falando",
    name="Nome",
    role="Papel",
    roles={Role.PATIENT: "paciente", Role.OPERATOR: "recepção"},
    language="Idioma",
    pinned="português, fixado com /lang",
    followed="português; acompanha o que você escreve",
    since="Desde",
    moment="%d/%m/%Y %H:%M",
    conversation="Conversa",
    conversation_kept="só na memória deste programa, até /logout ou a saída",
    history="Histórico",
    histories={
        HistoryKind.COMMANDS: "só comandos, em {file}",
        HistoryKind.REDACTED: "as linhas sem dados pessoais, em {file}",
        HistoryKind.OFF: "nada é gravado",
    },
    memory="Memória",
    memory_kept="o que você conta de si para as próximas conversas; /memory mostra e apaga",
    memory_off="nada é guardado",
    log="Registro",
    log_kept="planos, resultados e tempos, sem dados pessoais, em {folder}",
    log_off="nada é gravado",
    kept_title="Guardado em {file}:",
    nothing_kept="Nada está guardado no histórico.",
    history_cleared="O histórico foi apagado, também o desta sessão.",
    history_not_cleared="O histórico desta sessão foi apagado, mas o arquivo {file} não pôde ser removido.",
    history_usage="Use /history ou /history clear.",
    ask_drop="Há uma proposta em aberto, que será descartada. Encerrar a sessão mesmo assim? (s/N) ",
    ask_unsettled=(
        "Não se sabe se o último pedido foi feito, e depois de sair não será possível verificar por aqui. "
        "Encerrar a sessão mesmo assim? (s/N) "
    ),
    stayed="A sessão continua.",
    logged_out="Sessão encerrada: conversa, histórico e identificação foram apagados. Quem está falando agora?",
    screen_stays="Este terminal não permite limpar a tela: o que foi mostrado continua nela.",
    no_desk="A mesa de pesquisa guarda suas sessões; com --incognito ela não é aberta.",
)

ENGLISH = PrivacyTexts(
    who_title="Who is speaking",
    name="Name",
    role="Role",
    roles={Role.PATIENT: "patient", Role.OPERATOR: "front desk"},
    language="Language",
    pinned="English, set with /lang",
    followed="English; follows what you write",
    since="Since",
    moment="%Y-%m-%d %H:%M",
    conversation="Conversation",
    conversation_kept="in the memory of this program only, until /logout or the end",
    history="History",
    histories={
        HistoryKind.COMMANDS: "commands only, in {file}",
        HistoryKind.REDACTED: "lines without personal data, in {file}",
        HistoryKind.OFF: "nothing is written",
    },
    memory="Memory",
    memory_kept="what you tell of yourself, for later conversations; /memory shows and forgets it",
    memory_off="nothing is kept",
    log="Log",
    log_kept="plans, outcomes and times, without personal data, in {folder}",
    log_off="nothing is written",
    kept_title="Kept in {file}:",
    nothing_kept="The history keeps nothing.",
    history_cleared="The history has been erased, that of this session too.",
    history_not_cleared="The history of this session has been erased, but the file {file} could not be removed.",
    history_usage="Use /history or /history clear.",
    ask_drop="There is an open proposal, which will be dropped. End the session all the same? (y/N) ",
    ask_unsettled=(
        "It is not known whether the last request was carried out, and once you have left this cannot be found out "
        "from here. End the session all the same? (y/N) "
    ),
    stayed="The session goes on.",
    logged_out="The session has ended: conversation, history and identity are erased. Who is speaking now?",
    screen_stays="This terminal cannot be cleared from here: what was shown is still on it.",
    no_desk="The research desk keeps its sessions; with --incognito it is not opened.",
)

PRIVACY_TEXTS: Mapping[Language, PrivacyTexts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}
