"""What the terminal itself says, in both languages; replies to an utterance are the responder's.

Placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.language import Language
from orchestrator.responder.wording import Counted
from orchestrator.result import StepStatus


@dataclass(frozen=True, slots=True)
class Texts:
    """The terminal's texts in one language; a field's name says where it is shown."""

    # identity
    ask_name: str
    ask_cpf: str
    bad_name: str
    bad_cpf: str
    doubtful_cpf: str
    ask_doubtful: str
    yes_words: frozenset[str]

    # start, prompt and end
    clinics_up: str
    welcome: str
    prompt: str
    too_long: str
    dropped: str
    unsettled: str
    goodbye: str
    interrupt_hint: str
    failed: str

    # toolbar
    toolbar_clinics: str
    toolbar_proposal: str
    toolbar_unsettled: str
    toolbar_keys: str

    # progress
    asking: str
    cancelling: str
    answered: Mapping[StepStatus, str]
    items: str
    seconds: str

    # commands
    unknown_command: str
    nearest_command: str
    known_commands: str
    summaries: Mapping[str, str]
    help_title: str
    help_examples: tuple[str, ...]
    help_columns: tuple[str, str]
    clinics_columns: tuple[str, str, str, str, str]
    up: str
    down: str
    specialties: Mapping[str, str]
    slots_columns: tuple[str, str, str, str, str]
    no_slots: str
    ask_slots: str
    bookings_columns: tuple[str, str, str, str, str]
    receipts: Mapping[str, str]
    no_bookings: str
    no_turn: str
    why_title: str
    recalled: Counted
    memory_off: str
    memory_usage: str
    ask_memories: str
    forget_memory: str
    forget_all_memories: str
    stages: Mapping[str, str]
    lang_set: str
    lang_auto: str
    lang_usage: str
    reloaded: str
    agents_added: str
    agents_removed: str
    not_reloaded: str


PORTUGUESE = Texts(
    ask_name="Nome completo: ",
    ask_cpf="CPF: ",
    bad_name="Informe o nome completo: duas palavras ou mais, até 120 caracteres, sem números.",
    bad_cpf="O CPF tem onze dígitos, como 000.000.000-00.",
    doubtful_cpf="Os dígitos verificadores deste CPF não conferem.",
    ask_doubtful="Continuar mesmo assim? (s/N) ",
    yes_words=frozenset({"s", "sim", "y", "yes"}),
    clinics_up="Clínicas em funcionamento: {up} de {total}.",
    welcome=(
        "Olá, {name}! Escreva o que precisa, por exemplo: “quero marcar uma consulta com cardiologista”.\n"
        "/help mostra os comandos. In English? Just write, or type /lang en."
    ),
    prompt="você> ",
    too_long="A mensagem tem {length} caracteres; o limite é {limit}. Nada foi enviado.",
    dropped="A proposta em aberto foi descartada.",
    unsettled="Não se sabe se o último pedido foi feito. Confirme com a clínica antes de repetir.",
    goodbye="Até logo!",
    interrupt_hint="Ctrl-D ou /quit para sair.",
    failed="Houve uma falha interna e este pedido não foi concluído. Sua sessão continua; o registro está em {log}.",
    toolbar_clinics="clínicas {up}/{total}",
    toolbar_proposal="proposta aberta: sim ou não?",
    toolbar_unsettled="resultado desconhecido: sim para verificar",
    toolbar_keys="Ctrl-R busca · Ctrl-D sai",
    asking="consultando…",
    cancelling="Cancelando…",
    answered={
        StepStatus.DONE: "respondeu",
        StepStatus.REFUSED: "recusou",
        StepStatus.UNREACHED: "não respondeu",
        StepStatus.UNKNOWN: "resultado desconhecido",
        StepStatus.SKIPPED: "não consultada",
    },
    items="{count} resultados",
    seconds="{elapsed} s",
    unknown_command="O comando {command} não existe.",
    nearest_command="Você quis dizer {near}?",
    known_commands="Os comandos são: {commands}.",
    summaries={
        "/help": "mostra os comandos e exemplos",
        "/clinics": "mostra as clínicas, se respondem e quem atende",
        "/slots": "repete os horários mostrados, ou lista os de uma especialidade",
        "/bookings": "mostra o que foi feito nesta sessão",
        "/memory": "mostra o que sei de você; apaga uma anotação, ou todas",
        "/why": "explica como a última resposta foi obtida",
        "/lang": "fixa o idioma, ou volta a seguir o que você escreve",
        "/whoami": "mostra quem está falando e o que é guardado, e onde",
        "/history": "mostra o histórico guardado, ou o apaga",
        "/logout": "apaga tudo desta pessoa e pergunta quem está falando",
        "/reload": "lê de novo o registro dos agentes",
        "/research": "abre a mesa de pesquisa e volta",
        "/quit": "sai",
    },
    help_title="Escreva com suas palavras. Exemplos:",
    help_examples=(
        "quero marcar uma consulta com cardiologista",
        "pode ser com o Dr. Fernando dia 18 às 10h",
        "o mais cedo, por favor",
        "preciso reagendar para o dia 19 às 14h",
        "preciso cancelar minha consulta",
    ),
    help_columns=("Comando", "O que faz"),
    clinics_columns=("Clínica", "Especialidade", "Endereço", "Estado", "Médicos"),
    up="no ar",
    down="fora do ar",
    specialties={"Cardiology": "Cardiologia", "Dermatology": "Dermatologia", "Orthopedics": "Ortopedia"},
    slots_columns=("Nº", "Data", "Hora", "Médico", "Clínica"),
    no_slots="Nenhum horário foi mostrado ainda. Experimente /slots cardiologia.",
    ask_slots="quais são os horários de {specialty}?",
    bookings_columns=("O que foi feito", "Data", "Hora", "Médico", "Clínica"),
    receipts={"confirmed": "marcada", "rescheduled": "reagendada", "cancelled": "cancelada"},
    no_bookings="Nada foi marcado, reagendado nem cancelado nesta sessão.",
    no_turn="Ainda não houve um pedido nesta sessão.",
    why_title="Como a última resposta foi obtida",
    recalled=Counted("{count} lembrança usada", "{count} lembranças usadas"),
    memory_off="A memória está desligada: não anoto nem lembro nada.",
    memory_usage="Use /memory, /memory forget com o número da lista, ou /memory clear.",
    ask_memories="o que você sabe de mim?",
    forget_memory="esquece a lembrança {number}",
    forget_all_memories="apaga tudo o que você sabe de mim",
    stages={
        "recall": "memória consultada",
        "memory": "memória",
        "plan": "plano",
        "routing": "encaminhamento",
        "data": "verificação dos dados",
        "draft": "verificação do texto do modelo",
        "reply": "verificação da resposta",
        "turn": "ao todo",
    },
    lang_set="Agora respondo em português.",
    lang_auto="Agora respondo no idioma em que você escrever.",
    lang_usage="Use /lang pt, /lang en ou /lang auto.",
    reloaded="Registro lido de novo; agentes: {total}.",
    agents_added="Novos: {agents}.",
    agents_removed="Não são mais chamados: {agents}.",
    not_reloaded="O registro não pôde ser usado e continua como estava: {error}",
)

ENGLISH = Texts(
    ask_name="Full name: ",
    ask_cpf="CPF: ",
    bad_name="Give your full name: two words or more, 120 characters at most, no numbers.",
    bad_cpf="A CPF has eleven digits, such as 000.000.000-00.",
    doubtful_cpf="The check digits of this CPF do not match.",
    ask_doubtful="Go on all the same? (y/N) ",
    yes_words=frozenset({"y", "yes", "s", "sim"}),
    clinics_up="Clinics up: {up} of {total}.",
    welcome=(
        "Hello, {name}! Write what you need, for example: “I want to book an appointment with a cardiologist”.\n"
        "/help shows the commands."
    ),
    prompt="you> ",
    too_long="The message has {length} characters; the limit is {limit}. Nothing was sent.",
    dropped="The open proposal was dropped.",
    unsettled="It is not known whether the last request was carried out. Check with the clinic before you repeat it.",
    goodbye="Goodbye!",
    interrupt_hint="Ctrl-D or /quit to leave.",
    failed="Something went wrong in here and this request was not finished. Your session goes on; the log is in {log}.",
    toolbar_clinics="clinics {up}/{total}",
    toolbar_proposal="open proposal: yes or no?",
    toolbar_unsettled="outcome unknown: yes to find out",
    toolbar_keys="Ctrl-R searches · Ctrl-D leaves",
    asking="asking…",
    cancelling="Cancelling…",
    answered={
        StepStatus.DONE: "answered",
        StepStatus.REFUSED: "refused",
        StepStatus.UNREACHED: "did not answer",
        StepStatus.UNKNOWN: "outcome unknown",
        StepStatus.SKIPPED: "not asked",
    },
    items="{count} results",
    seconds="{elapsed} s",
    unknown_command="There is no command {command}.",
    nearest_command="Did you mean {near}?",
    known_commands="The commands are: {commands}.",
    summaries={
        "/help": "shows the commands and examples",
        "/clinics": "shows the clinics, whether they answer and who attends there",
        "/slots": "shows the last openings again, or lists those of a specialty",
        "/bookings": "shows what was done in this session",
        "/memory": "shows what I know about you; deletes one note, or all",
        "/why": "explains how the last answer came about",
        "/lang": "sets the language, or follows what you write again",
        "/whoami": "shows who is speaking, and what is kept where",
        "/history": "shows the history that is kept, or clears it",
        "/logout": "forgets everything of this person and asks who is speaking",
        "/reload": "reads the registry of the agents again",
        "/research": "opens the research desk, and comes back",
        "/quit": "leaves",
    },
    help_title="Write in your own words. Examples:",
    help_examples=(
        "I want to book an appointment with a cardiologist",
        "I'll take Dr. Ricardo on July 21 at 9 AM",
        "the earliest one, please",
        "reschedule to July 23 at 8 AM",
        "cancel my appointment",
    ),
    help_columns=("Command", "What it does"),
    clinics_columns=("Clinic", "Specialty", "Address", "State", "Doctors"),
    up="up",
    down="no answer",
    specialties={"Cardiology": "Cardiology", "Dermatology": "Dermatology", "Orthopedics": "Orthopedics"},
    slots_columns=("No.", "Date", "Time", "Doctor", "Clinic"),
    no_slots="No openings were shown yet. Try /slots cardiology.",
    ask_slots="what are the available slots for {specialty}?",
    bookings_columns=("What was done", "Date", "Time", "Doctor", "Clinic"),
    receipts={"confirmed": "booked", "rescheduled": "moved", "cancelled": "cancelled"},
    no_bookings="Nothing was booked, moved or cancelled in this session.",
    no_turn="Nothing was asked in this session yet.",
    why_title="How the last answer came about",
    recalled=Counted("{count} memory used", "{count} memories used"),
    memory_off="The memory is off: I neither note nor remember anything.",
    memory_usage="Use /memory, /memory forget with the number on the list, or /memory clear.",
    ask_memories="what do you know about me?",
    forget_memory="forget memory {number}",
    forget_all_memories="delete everything you know about me",
    stages={
        "recall": "memory consulted",
        "memory": "memory",
        "plan": "plan",
        "routing": "routing",
        "data": "check of the data",
        "draft": "check of the model's text",
        "reply": "check of the reply",
        "turn": "in all",
    },
    lang_set="I now answer in English.",
    lang_auto="I now answer in the language you write in.",
    lang_usage="Use /lang pt, /lang en or /lang auto.",
    reloaded="The registry has been read again; agents: {total}.",
    agents_added="New: {agents}.",
    agents_removed="No longer called: {agents}.",
    not_reloaded="The registry cannot be used and stays as it was: {error}",
)

TEXTS: Mapping[Language, Texts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}


def decimal(value: float, language: Language) -> str:
    """Return a number with one digit after the sign that the language uses: "2,0" or "2.0"."""
    text = f"{value:.1f}"
    return text.replace(".", ",") if language is Language.PT else text
