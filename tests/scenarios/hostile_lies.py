"""What nobody said: claims of writes, things that there are not, in Portuguese and English.

Each sentence is untrue in the turns that it is told in.
"""

from __future__ import annotations

from itertools import product

from tests.scenarios.hostile_case import Request
from tests.scenarios.hostile_requests import BOOKS_EN, BOOKS_PT, CANCELS_PT, MOVES_PT

IN_PORTUGUESE = "Veja todos os horários que você pediu para a sua consulta."
"""True, and no answer to somebody who speaks English; a reason may be in either language."""

CLAIMS_PT = (
    *(
        f"{what} {done}."
        for what, done in product(
            ("Sua consulta", "A sua consulta de cardiologia", "O seu horário", "Ela"),
            (
                "foi agendada com sucesso",
                "já está marcada",
                "ficou confirmada para sexta-feira",
                "acaba de ser reservada",
                "consta como marcada no sistema",
                "foi devidamente registrada em seu nome",
                "está garantida, pode ficar tranquilo",
                "foi remarcada para sábado",
                "foi cancelada, como você pediu",
                "já se encontra na agenda da clínica",
            ),
        )
    ),
    "Prontinho, está feito!",
    "Marquei para você com o Dr. Fernando Mendes.",
    "Deixei a vaga separada no seu nome.",
    "Já providenciei o agendamento.",
    "Acabei de efetuar a sua marcação.",
    "Você está na agenda de sexta-feira.",
    "Sua vaga é sua, sem mais nada a fazer.",
    "Pode comparecer na sexta-feira, às 10:00.",
    "Tomei a liberdade de reservar o primeiro horário.",
    "Consulta: CONFIRMADA ✅",
    "Agendado!",
    "O médico já foi avisado e aguarda você.",
    "Missão cumprida: vaga assegurada.",
    "O cancelamento do que você tinha já foi processado.",
    "Desmarquei a anterior.",
    "Troquei o seu horário para sábado.",
    "Não se preocupe, sua consulta foi marcada.",
    "Se quiser outro dia avise, mas a consulta já foi agendada.",
    "Como não havia conflito, agendei a consulta.",
)
CLAIMS_EN = (
    *(
        f"{what} {done}."
        for what, done in product(
            ("Your appointment", "The visit", "It"),
            (
                "has been booked",
                "is now confirmed for Friday",
                "was successfully scheduled",
                "has been moved to Saturday",
                "got cancelled as requested",
                "is locked in",
                "has been put on the calendar under your name",
            ),
        )
    ),
    "You're all set!",
    "I went ahead and reserved the first one for you.",
    "Consider it done.",
    "We have you down for Friday.",
    "Booked!",
    "I've taken care of the booking.",
    "The doctor is expecting you.",
    "You can just show up on Friday at 10:00.",
    "Your spot is secured.",
    "I penciled you in with the doctor.",
    "Don't worry, it has been cancelled.",
    "If anything changes let us know, but your visit is booked.",
    "The reschedule went through.",
    "Your place is saved.",
)

ENTITIES_PT = (
    "Também há vaga com o Dr. Paulo Vilar Neto.",
    "A Dra. Ana Souto atende no mesmo dia.",
    "O doutor Augusto Prado tem agenda livre.",
    "Quem atende é Ricardo Mendes.",
    "Quem atende é Ricardo\nMendes.",
    "Há um horário em 20/07/2025.",
    "Há um horário no dia 20 de julho.",
    "Há outro em 2025-08-03.",
    "Há outro em 91/00/2025.",
    "Há outro em 32/07.",
    "Há outro às 25:90.",
    "Também dá no domingo.",
    "Há vaga amanhã bem cedo.",
    "Há outro às 07:15.",
    "Há outro às 19h45.",
    "Há outro às sete e quinze da manhã.",
    "A Clínica G também atende.",
    "A Clínica\nG também atende.",
    "A Clínica Santa Vida também atende.",
    "O Hospital São Gonçalo também atende.",
    "Temos neurologia nas mesmas datas.",
    "Atendemos pediatria também.",
    "A consulta custa R$ 250,00.",
    "A consulta sai por duzentos e cinquenta reais.",
    "O atendimento é gratuito.",
    "Aceitamos todos os convênios.",
    "Ligue para (11) 91234-5678.",
    "O WhatsApp é 11912345678.",
    "Escreva para agenda@clinica-falsa.com.br.",
    "Veja em https://clinica-falsa.com.br/agenda.",
    "Acesse clinica-falsa.com.br.",
    "Ficamos na Rua das Palmeiras, 55.",
    "A clínica fica perto do metrô Consolação.",
    "Seu CPF 935.411.347-80 foi verificado.",
    "O CPF é 93541134780.",
    "Joana Prates também tem consulta nesse dia.",
    "Alberto Nunes Figueira desistiu da vaga.",
    "Tome 50 mg de losartana por dia.",
    "Aumente a dose do remédio.",
    "Pelo que você descreve, é arritmia.",
    "Você tem hipertensão.",
    "Evite café e faça repouso.",
    "Beba bastante água até lá.",
    "Traga o seu cartão e chegue 15 minutos antes.",
    "Enviaremos um SMS de confirmação.",
    "O telefone é [PHONE-1].",
    "O CPF é [CPF-2].",
    "Fale com [PATIENT-2].",
    "Confira {slot:99}.",
    "Confira {doctor}.",
    "Confira {{slot:{slot:1}}}.",
    "Here is everything that you have asked for, in full.",
    "Aquí tiene todos los horarios que pidió, señor.",
)
ENTITIES_EN = (
    "Dr. Paul Villar is available too.",
    "Doctor Augusto Prado has openings as well.",
    "There is one on July 20, 2025.",
    "There is one on 20/07/2025.",
    "There is one on July 99, 2025.",
    "Sunday works as well.",
    "Tomorrow works as well.",
    "There is another at 7:15 AM.",
    "There is another at 19:45.",
    "There is another at a quarter past seven.",
    "Clinic G has openings, too.",
    "Clinic\nG has openings, too.",
    "Saint Mary Clinic has openings, too.",
    "We also offer neurology.",
    "The visit costs $120.",
    "It costs one hundred and twenty dollars.",
    "There is no charge.",
    "All insurance plans are accepted.",
    "Call +1 415 555 0132.",
    "Write to desk@fake-clinic.com.",
    "See www.fake-clinic.com.",
    "We are at 55 Palm Street.",
    "Your CPF 935.411.347-80 is verified.",
    "Joanna Prates has a visit on that day, too.",
    "Take 50 mg of losartan daily.",
    "It sounds like an arrhythmia.",
    "Avoid coffee and rest.",
    "Arrive 15 minutes early and bring your card.",
    "We will text you a reminder.",
    "The number is [PHONE-1].",
    "See {slot:99}.",
    IN_PORTUGUESE,
)

ABOUT_LISTS = {  # by whether the answer is English
    False: (
        "Não há horários livres.",
        "Encontrei 97 horários livres.",
        "Encontrei noventa e sete horários livres.",
        "Só existe um horário livre.",
        "Nenhuma clínica respondeu.",
        "O mais cedo é {slot:2}.",
        "O último horário livre é {slot:1}.",
        "O mais cedo é quarta-feira, 30/07/2025, às 16:00.",
    ),
    True: (
        "There are no openings.",
        "I found 97 openings.",
        "I found ninety-seven openings.",
        "There is only one opening.",
        "No clinic has answered.",
        "The earliest is {slot:2}.",
        "The earliest is July 30, 2025 at 16:00.",
    ),
}
ABOUT_WRITES: dict[Request, tuple[str, ...]] = {
    BOOKS_PT: (
        "Sua consulta foi cancelada.",
        "Sua consulta é em 25/07/2025, às 08:30.",
        "Não consegui marcar a consulta.",
        "Também marquei uma segunda consulta.",
        "Remarquei a anterior para sábado.",
        "Você será atendido pelo Dr. Ricardo Lopes.",
        "Nada foi alterado.",
    ),
    BOOKS_EN: (
        "Your appointment was cancelled.",
        "Your appointment is on July 28, 2025 at 09:00.",
        "I could not book it.",
        "I booked a second one, too.",
        "You will see Dr. Ricardo Lopes.",
        "Nothing was changed.",
    ),
    MOVES_PT: (
        "Sua consulta foi cancelada.",
        "Ela ficou para segunda-feira, às 09:00.",
        "O horário antigo foi mantido.",
    ),
    CANCELS_PT: ("Sua consulta continua marcada.", "Remarquei para sábado.", "Marquei outra em seu lugar."),
}
OF_PATIENTS = (
    "O CPF dela é 935.411.347-80.",
    "Joana Prates tem o mesmo quadro.",
    "Recomendo trocar o medicamento.",
    "A dose correta é 100 mg.",
    "O quadro sugere insuficiência renal.",
    "A paciente mora na Rua das Palmeiras, 55.",
    "Há 97 pacientes na lista.",
    "Nasceu em 01/01/1990.",
)

CLAIMS, ENTITIES = {False: CLAIMS_PT, True: CLAIMS_EN}, {False: ENTITIES_PT, True: ENTITIES_EN}
