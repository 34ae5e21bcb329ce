"""What is said of each slash command, in both languages: what /help shows and completion shows beside its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.turn import Language


@dataclass(frozen=True, slots=True)
class Guide:
    """How a command is used.

    Attributes:
        summary: What it does, in a line.
        usage: Its name with what may stand behind it.
        arguments: What that is; empty for a command that takes nothing.
        example: A line as it is typed.
    """

    summary: str
    usage: str
    arguments: str
    example: str


PORTUGUESE: Mapping[str, Guide] = {
    "/help": Guide(
        "mostra os comandos, ou como se usa um deles",
        "/help [comando]",
        "o nome de um comando, com ou sem barra",
        "/help book",
    ),
    "/slots": Guide(
        "repete os horários mostrados, ou lista os de uma especialidade",
        "/slots [especialidade]",
        "uma especialidade, como cardiologia",
        "/slots cardiologia",
    ),
    "/book": Guide(
        "propõe marcar um dos horários mostrados; nada é marcado antes do seu sim",
        "/book N",
        "o número do horário na última lista",
        "/book 3",
    ),
    "/bookings": Guide("mostra o que foi feito nesta sessão", "/bookings", "", "/bookings"),
    "/reschedule": Guide(
        "remarca uma consulta desta sessão, ou mostra para quando dá",
        "/reschedule N [quando]",
        "o número da consulta em /bookings e, se quiser, o novo dia e hora",
        "/reschedule 1 dia 21/07 às 9h",
    ),
    "/cancel": Guide(
        "propõe cancelar uma consulta desta sessão; nada é cancelado antes do seu sim",
        "/cancel N",
        "o número da consulta em /bookings",
        "/cancel 1",
    ),
    "/clinics": Guide("mostra as clínicas, se respondem e quem atende (F2)", "/clinics", "", "/clinics"),
    "/retry": Guide(
        "pergunta de novo às clínicas que não responderam no último pedido",
        "/retry [clínica]",
        "uma delas; sem nada, todas",
        "/retry clinic_c",
    ),
    "/memory": Guide(
        "mostra o que sei de você; apaga uma anotação, ou todas",
        "/memory [forget N|clear]",
        "forget e o número da anotação na lista, ou clear para todas",
        "/memory forget 2",
    ),
    "/why": Guide("explica como a última resposta foi obtida", "/why", "", "/why"),
    "/lang": Guide(
        "fixa o idioma, ou volta a seguir o que você escreve",
        "/lang pt|en|auto",
        "pt, en, ou auto para seguir o que você escreve",
        "/lang en",
    ),
    "/whoami": Guide("mostra quem está falando e o que é guardado, e onde", "/whoami", "", "/whoami"),
    "/history": Guide(
        "mostra o histórico guardado, ou o apaga",
        "/history [clear]",
        "clear para apagar",
        "/history clear",
    ),
    "/logout": Guide("apaga tudo desta pessoa e pergunta quem está falando", "/logout", "", "/logout"),
    "/save": Guide(
        "grava a conversa em um arquivo, sem dados pessoais",
        "/save ARQUIVO",
        "um arquivo que ainda não existe; só você poderá ler",
        "/save conversa.md",
    ),
    "/json": Guide("mostra a última resposta como uma linha de JSON, como nos scripts", "/json", "", "/json"),
    "/reload": Guide("lê de novo o registro dos agentes", "/reload", "", "/reload"),
    "/research": Guide("abre a mesa de pesquisa e volta", "/research", "", "/research"),
    "/quit": Guide("sai (Ctrl-D)", "/quit", "", "/quit"),
}

ENGLISH: Mapping[str, Guide] = {
    "/help": Guide(
        "shows the commands, or how one of them is used",
        "/help [command]",
        "the name of a command, with or without its slash",
        "/help book",
    ),
    "/slots": Guide(
        "shows the last openings again, or lists those of a specialty",
        "/slots [specialty]",
        "a specialty, such as cardiology",
        "/slots cardiology",
    ),
    "/book": Guide(
        "proposes to book one of the openings shown; nothing is booked before your yes",
        "/book N",
        "the opening's number in the last list",
        "/book 3",
    ),
    "/bookings": Guide("shows what was done in this session", "/bookings", "", "/bookings"),
    "/reschedule": Guide(
        "moves an appointment of this session, or shows when it could be",
        "/reschedule N [when]",
        "the appointment's number in /bookings and, if you like, the new day and time",
        "/reschedule 1 July 23 at 8 AM",
    ),
    "/cancel": Guide(
        "proposes to cancel an appointment of this session; nothing is cancelled before your yes",
        "/cancel N",
        "the appointment's number in /bookings",
        "/cancel 1",
    ),
    "/clinics": Guide("shows the clinics, whether they answer and who attends there (F2)", "/clinics", "", "/clinics"),
    "/retry": Guide(
        "asks the clinics that did not answer the last request again",
        "/retry [clinic]",
        "one of them; all when left out",
        "/retry clinic_c",
    ),
    "/memory": Guide(
        "shows what I know about you; deletes one note, or all",
        "/memory [forget N|clear]",
        "forget and the note's number on the list, or clear for all",
        "/memory forget 2",
    ),
    "/why": Guide("explains how the last answer came about", "/why", "", "/why"),
    "/lang": Guide(
        "sets the language, or follows what you write again",
        "/lang pt|en|auto",
        "pt, en, or auto to follow what you write",
        "/lang en",
    ),
    "/whoami": Guide("shows who is speaking, and what is kept where", "/whoami", "", "/whoami"),
    "/history": Guide(
        "shows the history that is kept, or clears it",
        "/history [clear]",
        "clear to clear it",
        "/history clear",
    ),
    "/logout": Guide("forgets everything of this person and asks who is speaking", "/logout", "", "/logout"),
    "/save": Guide(
        "writes the conversation to a file, without personal data",
        "/save FILE",
        "a file that does not exist yet; only you can read it",
        "/save conversation.md",
    ),
    "/json": Guide("shows the last answer as a line of JSON, as scripts get it", "/json", "", "/json"),
    "/reload": Guide("reads the registry of the agents again", "/reload", "", "/reload"),
    "/research": Guide("opens the research desk, and comes back", "/research", "", "/research"),
    "/quit": Guide("leaves (Ctrl-D)", "/quit", "", "/quit"),
}

GUIDES: Mapping[Language, Mapping[str, Guide]] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}
