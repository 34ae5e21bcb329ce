"""What the terminal itself says, in both languages; replies to an utterance are the responder's.

Placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.responder import Counted
from orchestrator.turn import Language


class TerminalTexts(NamedTuple):
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
    end_hint: str
    end_hint_unsettled: str
    failed: str

    # toolbar
    toolbar_clinics: str
    toolbar_proposal: str
    toolbar_unsettled: str
    toolbar_keys: str

    # commands
    unknown_command: str
    nearest_command: str
    known_commands: str
    help_title: str
    help_examples: tuple[str, ...]
    help_columns: tuple[str, str]
    help_more: str
    guide_labels: tuple[str, str, str]
    clinics_columns: tuple[str, str, str, str, str]
    up: str
    down: str
    specialties: Mapping[str, str]
    slots_columns: tuple[str, str, str, str, str]
    no_slots: str
    ask_slots: str
    bookings_columns: tuple[str, str, str, str, str, str]
    receipts: Mapping[str, str]
    no_bookings: str
    nothing_held: str
    which_number: str
    day: str
    to: str
    say_book: str
    say_move: str
    say_cancel: str
    nothing_to_retry: str
    retry_whom: str
    retry_unsettled: str
    say_retry: str
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
    save_usage: str
    saved: str
    save_exists: str
    save_failed: str
    transcript_title: str
    transcript_private: str
    reloaded: str
    agents_added: str
    agents_removed: str
    not_reloaded: str


PORTUGUESE = TerminalTexts(
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
    interrupt_hint="Para sair: Ctrl-C de novo em até 2 segundos, Ctrl-D ou /quit.",
    end_hint="Há uma proposta aberta, e nada foi feito ainda. Ctrl-D de novo sai sem fazer nada; “sim” confirma.",
    end_hint_unsettled="Não se sabe se o último pedido foi feito. Ctrl-D de novo sai assim mesmo; “sim” verifica.",
    failed="Houve uma falha interna e este pedido não foi concluído. Sua sessão continua; o registro está em {log}.",
    toolbar_clinics="clínicas {up}/{total}",
    toolbar_proposal="proposta aberta: sim ou não?",
    toolbar_unsettled="resultado desconhecido: sim para verificar",
    toolbar_keys="F2 clínicas · F4 {mode} · Ctrl-D sai",
    unknown_command="O comando {command} não existe.",
    nearest_command="Você quis dizer {near}?",
    known_commands="Os comandos são: {commands}.",
    help_title="Escreva com suas palavras. Exemplos:",
    help_examples=(
        "quero marcar uma consulta com cardiologista",
        "pode ser com o Dr. Fernando dia 18 às 10h",
        "o mais cedo, por favor",
        "preciso reagendar para o dia 19 às 14h",
        "preciso cancelar minha consulta",
    ),
    help_columns=("Comando", "O que faz"),
    help_more="/help e o nome de um comando mostra como se usa, como em /help book.",
    guide_labels=("O que faz", "Argumentos", "Exemplo"),
    clinics_columns=("Clínica", "Especialidade", "Endereço", "Estado", "Médicos"),
    up="no ar",
    down="fora do ar",
    specialties={"Cardiology": "Cardiologia", "Dermatology": "Dermatologia", "Orthopedics": "Ortopedia"},
    slots_columns=("Nº", "Data", "Hora", "Médico(a)", "Clínica"),
    no_slots="Nenhum horário foi mostrado ainda. Experimente /slots cardiologia.",
    ask_slots="quais são os horários de {specialty}?",
    bookings_columns=("Nº", "O que foi feito", "Data", "Hora", "Médico(a)", "Clínica"),
    receipts={"confirmed": "marcada", "rescheduled": "reagendada", "cancelled": "cancelada"},
    no_bookings="Nada foi marcado, reagendado nem cancelado nesta sessão.",
    nothing_held="Esta sessão não marcou nada. Para uma consulta de antes, diga com que médico, em que dia e hora.",
    which_number="Diga um número de 1 a {last}, como em {command} 1; {list} mostra quais são.",
    day="{day:02}/{month:02}/{year}",
    to="para ",
    say_book="quero marcar com {doctor}, dia {day} às {time}",
    say_move="quero remarcar a minha consulta com {doctor} do dia {day} às {time}",
    say_cancel="quero cancelar a minha consulta com {doctor} do dia {day} às {time}",
    nothing_to_retry="No último pedido, nenhuma clínica consultada ficou sem responder.",
    retry_whom="Quem não respondeu no último pedido: {clinics}.",
    retry_unsettled="O resultado do último pedido não é conhecido. Para verificar, responda “sim”.",
    say_retry="pergunte de novo: {clinics}",
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
    save_usage="Diga em que arquivo gravar, como em /save conversa.md.",
    saved="A conversa foi gravada em {path}, sem dados pessoais.",
    save_exists="O arquivo {path} já existe e ficou como estava; escolha outro nome.",
    save_failed="Não foi possível gravar {path}: {why}. Nada foi gravado.",
    transcript_title="Conversa com as clínicas",
    transcript_private="(Resposta com dados de pacientes: não foi gravada.)",
    reloaded="Registro lido de novo; agentes: {total}.",
    agents_added="Novos: {agents}.",
    agents_removed="Não são mais chamados: {agents}.",
    not_reloaded="O registro não pôde ser usado e continua como estava: {error}",
)

ENGLISH = TerminalTexts(
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
    interrupt_hint="To leave: Ctrl-C again within 2 seconds, Ctrl-D or /quit.",
    end_hint="A proposal is open, and nothing has been done yet. Ctrl-D again leaves it undone; “yes” confirms it.",
    end_hint_unsettled=(
        "It is not known whether the last request was carried out. Ctrl-D again leaves all the same; “yes” finds out."
    ),
    failed="Something went wrong in here and this request was not finished. Your session goes on; the log is in {log}.",
    toolbar_clinics="clinics {up}/{total}",
    toolbar_proposal="open proposal: yes or no?",
    toolbar_unsettled="outcome unknown: yes to find out",
    toolbar_keys="F2 clinics · F4 {mode} · Ctrl-D leaves",
    unknown_command="There is no command {command}.",
    nearest_command="Did you mean {near}?",
    known_commands="The commands are: {commands}.",
    help_title="Write in your own words. Examples:",
    help_examples=(
        "I want to book an appointment with a cardiologist",
        "I'll take Dr. Ricardo on July 21 at 9 AM",
        "the earliest one, please",
        "reschedule to July 23 at 8 AM",
        "cancel my appointment",
    ),
    help_columns=("Command", "What it does"),
    help_more="/help and the name of a command shows how it is used, as in /help book.",
    guide_labels=("What it does", "Arguments", "Example"),
    clinics_columns=("Clinic", "Specialty", "Address", "State", "Doctors"),
    up="up",
    down="no answer",
    specialties={"Cardiology": "Cardiology", "Dermatology": "Dermatology", "Orthopedics": "Orthopedics"},
    slots_columns=("No.", "Date", "Time", "Doctor", "Clinic"),
    no_slots="No openings were shown yet. Try /slots cardiology.",
    ask_slots="what are the available slots for {specialty}?",
    bookings_columns=("No.", "What was done", "Date", "Time", "Doctor", "Clinic"),
    receipts={"confirmed": "booked", "rescheduled": "moved", "cancelled": "cancelled"},
    no_bookings="Nothing was booked, moved or cancelled in this session.",
    nothing_held="Nothing was booked in this session. For an earlier appointment, say with which doctor and when.",
    which_number="Give a number from 1 to {last}, as in {command} 1; {list} shows which they are.",
    day="{year}-{month:02}-{day:02}",
    to="to ",
    say_book="I want to book with {doctor} on {day} at {time}",
    say_move="I want to reschedule my appointment with {doctor} on {day} at {time}",
    say_cancel="I want to cancel my appointment with {doctor} on {day} at {time}",
    nothing_to_retry="Every clinic that was asked in the last request has answered.",
    retry_whom="Those that did not answer the last request: {clinics}.",
    retry_unsettled="The outcome of the last request is not known. To find out, answer “yes”.",
    say_retry="ask again: {clinics}",
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
    save_usage="Say which file to write, as in /save conversation.md.",
    saved="The conversation was written to {path}, without personal data.",
    save_exists="The file {path} exists and was left as it is; choose another name.",
    save_failed="{path} could not be written: {why}. Nothing was saved.",
    transcript_title="Conversation with the clinics",
    transcript_private="(An answer with data of patients: it was not written.)",
    reloaded="The registry has been read again; agents: {total}.",
    agents_added="New: {agents}.",
    agents_removed="No longer called: {agents}.",
    not_reloaded="The registry cannot be used and stays as it was: {error}",
)

TEXTS: Mapping[Language, TerminalTexts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}


def decimal(value: float, language: Language) -> str:
    """Return a number with one digit after the sign that the language uses: "2,0" or "2.0"."""
    text = f"{value:.1f}"
    return text.replace(".", ",") if language is Language.PT else text
