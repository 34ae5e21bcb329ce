"""What a front desk's sentences do: the phrases that tell an offer from a receipt, a question from a refusal.

Rows are in the planner's phrase language (`planner.text.phrase_tables`), folded, of both languages. `desk_utterance`
reads them; nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from orchestrator.planner.dialogue import BOOK, CANCEL, MOVE
from orchestrator.planner.lexicon import phrases
from orchestrator.turn import ReceiptKind, Topic

DONE: Mapping[ReceiptKind, re.Pattern[str]] = {
    ReceiptKind.CANCELLED: phrases(
        ("cancelad*", "cancelei", "cancelamos", "desmarcad*", "desmarquei", "desmarcamos", "cancelled", "canceled")
    ),
    ReceiptKind.RESCHEDULED: phrases(
        (
            *("remarcad*", "remarquei", "remarcamos", "reagendad*", "reagendei", "reagendamos", "transferid*"),
            *("transferi", "mudei", "mudamos", "mudad*", "alterad*", "alterei", "trocad*", "troquei", "adiad*"),
            *("antecipad*", "passei", "moved", "rescheduled", "changed", "switched", "postponed"),
        )
    ),
    ReceiptKind.CONFIRMED: phrases(
        (
            *("marcad*", "marquei", "marcamos", "agendad*", "agendei", "agendamos", "reservad*", "reservei"),
            *("confirmad*", "confirmei", "booked", "scheduled", "reserved", "confirmed", "all set", "see you on"),
        )
    ),
}
"""Past forms, the more telling first: "sua consulta marcada para sexta foi cancelada" is a cancellation."""

DONE_UNSAID = phrases(("feito", "prontinho", "done", "com sucesso", "tudo certo", "successfully"))
"""Something was done; what, only the turn before tells."""

NOT_DONE = phrases(
    (
        *("nao", "nada", "nenhum*", "not", "nothing", "no", "none", "cannot", "failed", "unable", "falhou", "erro"),
        *("(pode*|poderia*|vai|sera*|seria*) ser", "sera*", "seria*", "para ser", "antes de", "caso", "se"),
        *("(quer*|deseja*|gostaria*|precis*)", "(can|could|will|would|to|should) be", "if", "before", "until", "want"),
    )
)
"""Beside a past form: it did not happen, or has yet to."""

_DOING: Mapping[str, str] = {
    CANCEL: (
        "cancel cancelar cancele cancelo cancelling canceling cancellation cancelamento desmarcar desmarque desmarco"
    ),
    MOVE: (
        "remarcar remarque remarco remarcacao reagendar reagende reagendo reagendamento transferir transfira transfiro "
        "transferencia mudar mude mudo mudanca alterar altere altero alteracao trocar troque troco troca passar passo "
        "adiar adio move moving reschedule rescheduling change changing switch switching postpone"
    ),
    BOOK: (
        "marcar marque marcacao agendar agende agendo agendamento reservar reserve reservo reserva book booking "
        "schedule scheduling reservation"
    ),
}

TO_DO: Mapping[str, re.Pattern[str]] = {action: phrases(words.split()) for action, words in _DOING.items()}
"""What a proposal is about, the more telling first: "cancelar o agendamento" is a cancellation."""

_DO = f"({'|'.join(' '.join(_DOING.values()).split())})"

CONFIRMING = phrases(("confirm", "confirma*", "confirme", "confirmo"))
"""Consent is asked for, as a question or as a request."""

CONFIRMING_ASKED = phrases(
    (
        f"(posso|podemos|devo|vamos|pode|aceita|quer|deseja|gostaria de|prefere) (entao |ja )?{_DO}",
        f"(quer|deseja|gostaria|prefere) ... que (eu|a gente) (ja )?{_DO}",
        f"({_DO}|marco) (para voce|entao|assim|esse|essa|este|esta)",
        *("cancelo", "desmarco", "remarco", "reagendo", "transfiro", "mudo", "altero", "troco", "agendo", "reservo"),
        f"(shall|should|can|may|could) (i|we) (then |now )?({_DO}|go ahead|proceed)",
        f"(do|would) you (want|like) ... to {_DO}",
        *("go ahead", "proceed", "(posso|podemos) (seguir|prosseguir|continuar|fechar|finalizar)", "seguimos"),
        *("(esta|estao|ta|tudo) (certo|correto|ok|bem|bom)", "e isso", "certo", "correto", "combinado", "correct"),
        *("right", "(is|sounds|does) (that|this|it|good) (ok|okay|fine|good|sound|work)?", "ok", "okay"),
    )
)
"""Consent is asked for, where it is a question; "certo, nada foi alterado" asks for none."""

HOLDING = phrases(
    (
        *(
            "(voce|senhor|senhora|paciente|ja) ... (tem|possui) ... consulta*",
            "sua* (proxima* )?consulta* (e|sao|esta*)",
        ),
        *("(suas|seus) (consultas|agendamentos)", "consta* ... (consulta*|agendamento*)", "destas consultas"),
        *("(sua|seu) (consulta|agendamento) ... (e|esta|fica)", "these appointments", "your appointments"),
        *("(i see|encontrei|vejo|ha|existem|there are) ... (consulta*|agendamento*|appointment*|booking*)",),
        *("you (already |currently )?have ... (appointment*|booking*)", "your ... (appointment*|booking*) (is|are)"),
    )
)
"""Appointments that the person holds."""

OFFERING = phrases(
    (
        *("horarios", "opcoes", "vagas", "disponiveis", "livres", "tenho", "temos", "encontrei", "openings", "slots"),
        *("available", "options", "(i|we) (have|found)", "there are"),
    )
)
"""What follows is open; a receipt's own "horário: 09:00" is not meant."""

LACKING = phrases(
    (
        *("nao (ha|tem|temos|tenho|existe*|encontr*|possui*|atend*|esta|estao|esta mais)", "sem (vaga*|horario*)"),
        *("indisponive*", "ocupad*", "esgotad*", "lotad*", "preenchid*", "nenhum* (horario|vaga)"),
        *("infelizmente", "unfortunately"),
        *("no (open*|slot*|time*|availab*|appointment*|longer)", "not (available|open|free)", "is (not|taken|full)"),
        *("are (not|taken|full)", "unavailable", "fully booked", "(do|does) not have", "could not find", "taken"),
        "there (is|are) (no|not)",
    )
)
"""What is named is not to be had."""

TAKEN = re.compile(r"\b(?:horario|vaga|slot|time|opening)\b.*\b(?:ja|already|just)\b")
"""Before a past form: it was done for somebody else ("esse horário já foi reservado")."""

POINTING_BACK = phrases(("ess*", "est*", "aquel*", "that", "this", "it", "those", "these"))
"""What was named before is spoken of."""

SHOWING = phrases(
    (
        *("(ver|mostr*|consult*|verific*|busc*|procur*|list*|conhec*) ... (horario*|vaga*|opco*|disponib*|agenda*)",),
        *("(outr*|mais) (horario*|opco*|opca*|dia*|data*|vaga*|medic*)", "(ver|mostr*|quer|prefere) (os |as )?outr*"),
        *("(see|show|check|view|look*|list) ... (opening*|slot*|time*|availab*|option*|schedule)",),
        *(
            "(other|another|more|different) (opening*|slot*|time*|day*|date*|option*|doctor*)",
            "(see|show) (the )?others",
        ),
    )
)
"""Whether to show openings is asked, rather than whether these suit."""

_WANTS = "(quer|queria|deseja|gostaria|devo|posso|should|shall|would|do|can|to)"
_CHANGES = "(cancel*|desmarc*|remarc*|reagend*|reschedule|move|change|mudar|alterar|trocar)"

ASKING: Mapping[Topic, re.Pattern[str]] = {
    Topic.ASK_WHICH_APPOINTMENT: phrases(
        (
            *("(qual|quais|que) (das |destas |dessas |das suas |sua )?(consulta*|agendamento*)", "consultas estamos"),
            f"(qual|quais) (delas |deles |dessas |das (duas |tres |suas )?)?(voce )?{_WANTS} ... {_CHANGES}",
            *(
                "which (of (these|your|the) )?(appointment*|booking*)",
                f"which (one )?(of (these|them) )?{_WANTS} ... {_CHANGES}",
            ),
        )
    ),
    Topic.ASK_SPECIALTY: phrases(
        (
            *(
                "(qual|que|quais) ... especialidade*",
                "especialidade",
                "(qual|que) (tipo|area)",
                "tipo de (medico|consulta)",
            ),
            *("(which|what) ... (specialty|speciality|specialist)", "specialty", "(what|which) (kind|type) of"),
        )
    ),
    Topic.ASK_WHICH_DOCTOR: phrases(
        (
            *(
                "(qual|que) ... (medic*|profissional|doutor*)",
                "com (qual|quem)",
                "algum* (medic*|doutor*|profissional)",
            ),
            *("(which|what) ... (doctor*|physician*|professional*)", "with (whom|who|which)", "preferred doctor"),
        )
    ),
    Topic.ASK_NEW_TIME: phrases(
        (
            *("para quando", "novo (dia|horario|data)", "nova (data|hora)", "(qual|que) ... (dia|data|horario|hora)"),
            *("(what|which|new) ... (day|date|time)", "(to )?when", "quando"),
        )
    ),
}
"""What is asked for, the more telling first."""
