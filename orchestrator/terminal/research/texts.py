"""What the desk's terminal itself says, in both languages; the agents' words are the desk's.

Placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language


class ResearchTexts(NamedTuple):
    """The texts in one language; a field's name says where it is shown."""

    welcome: str
    no_counts: str
    prompt: str
    toolbar: str
    resumed: str
    new_session: str
    goodbye: str
    interrupt_hint: str
    too_long: str
    failed: str
    unknown_command: str
    help_title: str
    help_examples: tuple[str, ...]
    help_columns: tuple[str, str]
    summaries: Mapping[str, str]
    usages: Mapping[str, str]
    no_versions: str
    no_sessions: str
    sessions_columns: tuple[str, str, str, str]
    stages: Mapping[str, str]
    exported: str
    export_exists: str
    export_failed: str
    nothing_to_export: str


DESK_PORTUGUESE = ResearchTexts(
    welcome=(
        "Mesa de pesquisa: conte uma observação sobre pacientes e cuidados, por exemplo: “percebi que hipertensos que "
        "caminham faltam menos às consultas”.\n/help mostra os comandos. In English? Just write."
    ),
    no_counts="Contar pacientes cabe a um operador (--role operator); aqui a pergunta é feita sem contagens.",
    prompt="pesquisa> ",
    toolbar=" sessão {session} · /help mostra os comandos · Ctrl-D sai",
    resumed="Sessão {session} retomada.",
    new_session="Nova sessão. O que você observou?",
    goodbye="Até logo! Para continuar depois: clinic-mesh research --session {session}",
    interrupt_hint="Ctrl-D ou /quit para sair.",
    too_long="A mensagem tem {length} caracteres; o limite é {limit}. Nada foi enviado.",
    failed="Houve uma falha interna e esta mensagem não foi respondida. A sessão continua; o registro está em {log}.",
    unknown_command="Esse comando não existe. Os comandos são: {commands}.",
    help_title="Escreva com suas palavras. Exemplos:",
    help_examples=(
        "percebi que pacientes com asma que recebem lembretes faltam menos às consultas",
        "como o tempo de tela impacta o sono em adolescentes?",
        "comparados com quem não recebe lembretes; durante 12 meses",
    ),
    help_columns=("Comando", "O que faz"),
    summaries={
        "/help": "mostra os comandos e exemplos",
        "/versions": "mostra as versões da pergunta e as lacunas de cada uma",
        "/export": "grava a sessão em Markdown",
        "/sessions": "mostra as sessões guardadas",
        "/new": "começa outra sessão",
        "/quit": "sai",
    },
    usages={"/export": "/export [ARQUIVO]"},
    no_versions="Ainda não há uma versão da pergunta.",
    no_sessions="Ainda não há sessões guardadas.",
    sessions_columns=("Sessão", "Estágio", "Versões", "Pergunta"),
    stages={
        "classifying": "classificação",
        "structuring": "estruturação",
        "validating": "validação",
        "done": "concluída",
    },
    exported="Sessão gravada em {path}.",
    export_exists="{path} já existe e não foi alterado; dê outro nome: /export ARQUIVO.",
    export_failed="{path} não pôde ser gravado: {reason}.",
    nothing_to_export="Ainda não há o que exportar.",
)

DESK_ENGLISH = ResearchTexts(
    welcome=(
        "Research desk: tell an observation about patients and care, for example: “I noticed that patients with "
        "hypertension who walk miss fewer appointments”.\n/help shows the commands."
    ),
    no_counts="Counting patients is an operator's (--role operator); here the question is worked out without counts.",
    prompt="research> ",
    toolbar=" session {session} · /help shows the commands · Ctrl-D leaves",
    resumed="Session {session} goes on.",
    new_session="A new session. What did you observe?",
    goodbye="Goodbye! To go on later: clinic-mesh research --session {session}",
    interrupt_hint="Ctrl-D or /quit to leave.",
    too_long="The message has {length} characters; the limit is {limit}. Nothing was sent.",
    failed="Something went wrong in here and this message was not answered. The session goes on; the log is in {log}.",
    unknown_command="There is no such command. The commands are: {commands}.",
    help_title="Write in your own words. Examples:",
    help_examples=(
        "I noticed that patients with asthma who receive reminders miss fewer appointments",
        "how does screen time affect sleep in adolescents?",
        "compared with those who receive no reminders; over 12 months",
    ),
    help_columns=("Command", "What it does"),
    summaries={
        "/help": "shows the commands and examples",
        "/versions": "shows the versions of the question and the gaps of each",
        "/export": "writes the session as Markdown",
        "/sessions": "shows the sessions that are kept",
        "/new": "begins another session",
        "/quit": "leaves",
    },
    usages={"/export": "/export [FILE]"},
    no_versions="There is no version of the question yet.",
    no_sessions="No sessions are kept yet.",
    sessions_columns=("Session", "Stage", "Versions", "Question"),
    stages={
        "classifying": "classifying",
        "structuring": "structuring",
        "validating": "validating",
        "done": "done",
    },
    exported="The session was written to {path}.",
    export_exists="{path} exists and was not touched; give another name: /export FILE.",
    export_failed="{path} cannot be written: {reason}.",
    nothing_to_export="There is nothing to export yet.",
)

RESEARCH_TEXTS: Mapping[Language, ResearchTexts] = {Language.PT: DESK_PORTUGUESE, Language.EN: DESK_ENGLISH}

AGENTS: Mapping[Language, Mapping[str, str]] = {
    Language.PT: {
        "orchestrator": "Orquestrador",
        "structurer": "Estruturador",
        "methodologist": "Metodologista",
    },
    Language.EN: {
        "orchestrator": "Orchestrator",
        "structurer": "Structurer",
        "methodologist": "Methodologist",
    },
}
"""What people call the agents."""
