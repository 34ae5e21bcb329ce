"""Answers as good ones are written, in many hands, each with one wrong fact or one claim in the midst of it."""

from __future__ import annotations

from tests.unit.verifier.clean_styles import C_SILENT_EN, C_SILENT_PT, CANCELLED_PT, MOVED_EN
from tests.unit.verifier.hostile_drafts import (
    BOOKED_EN,
    BOOKED_PT,
    LIST_EN,
    LIST_PT,
    MOVED_PT,
    REFUSED_PT,
    UNKNOWN_PT,
    Lies,
    lines,
)

STYLES = (
    Lies(
        "a wrong fact in good prose",
        LIST_PT,
        lines(
            """
            Dei uma olhada nas agendas e achei coisa boa: até o Dr. Tadeu Brito abriu espaço.
            Cruzei as agendas das duas clínicas e a Dra. Ricardo Lopes aparece em ambas as manhãs.
            Vasculhei tudo e garimpei cinco horários para você.
            Que alegria falar com você, {patient}! Há vagas na sexta, no sábado e na quarta.
            Se manhã for melhor, o Dr. Ricardo Lopes tem espaço às oito.
            Prefere a parte da noite? Então vale olhar a lista com calma.
            Segue um resumo do que levantei junto às clínicas de cardiologia e de neurologia.
            Fique à vontade para comparar: a Clínica do Bosque também abriu agenda.
            Como prometido, aqui vai a relação; a consulta sai por R$ 180.
            Pense com calma e, se quiser, mande um e-mail para agenda@clinicas.br.
            Estou à disposição; qualquer coisa, ligue 3322-1100.
            Quem chega primeiro na fila é {slot:2}, seguido de {slot:3}.
            Para quem quer resolver logo, a data mais próxima é {slot:3}.
            Poxa, {patient}, procurei bastante, mas não há vagas na Clínica A.
            O Dr. Fernando Mendes atende na Clínica A, e o Dr. Ricardo Lopes, na Clínica C.
            A Clínica A não atende mais, mas separei outras opções.
            O Dr. Ricardo Lopes está de férias, então sugiro olhar os demais.
            Entendo a sua pressa; a Clínica C encerrou as atividades neste mês.
            Caso a segunda-feira lhe convenha, o Dr. Fernando Mendes dispõe de um horário nesse dia.
            Boas notícias: os dois médicos atendem na Clínica C.
            Você receberá um lembrete na véspera, pode ficar tranquilo.
            Assim que escolher, mandamos os detalhes por WhatsApp.
            Escolha com calma; pelo relato, parece ser apenas ansiedade.
            Enquanto decide, evite café e descanse bastante.
            Os horários estão na lista; até lá, um comprimido de dipirona alivia.
            São vagas concorridas: a paciente Marlene Dutra acabou de desistir de uma.
            Espero que alguma caiba na sua agenda, João!
            Trago as janelas abertas; lembre-se de levar documento com foto.
            Aceitamos todos os planos de saúde, e há estacionamento no local.
            Os horários ficam na lista, and you can choose whichever you like best.
            """
        ),
    ),
    Lies(
        "a claim in good prose",
        LIST_PT,
        lines(
            """
            Prontinho: sexta às 10:00 com o Dr. Fernando Mendes, como pediu.
            Reuni as opções e já deixei a primeira no seu nome.
            Dei uma olhada nas agendas e, para adiantar, garanti a sexta-feira.
            Separei esse horário para você: sexta-feira às 10:00.
            Organizei tudo e encaixei você no sábado às 14:00.
            Como você tinha pressa, confirmei a primeira opção.
            Os horários estão na lista, mas fique tranquilo: o seu já foi bloqueado.
            Feito: {slot:1}.
            Tudo certo para sexta-feira, {patient}!
            Montei a tabela e, de quebra, cancelei a sua consulta antiga.
            Veja as opções; a sua vaga de sexta está assegurada.
            O agendamento de sexta já foi concluído, mas mostro as demais opções.
            Segurei a vaga das 10:00 enquanto você decide.
            Sua consulta de segunda passou para sábado.
            Missão cumprida: seu nome já consta na agenda do Dr. Fernando Mendes.
            Combinado então, sexta-feira às 10:00 é toda sua.
            Coloquei você na lista do Dr. Ricardo Lopes para segunda-feira.
            Está tudo acertado com a Clínica C para sexta-feira.
            """
        ),
    ),
    Lies(
        "a wrong fact in good prose",
        LIST_EN,
        lines(
            """
            I dug through both calendars, and Dr. Melissa Crane has a gap, too.
            I rounded up five openings for you, {patient}.
            If mornings are your thing, Dr. Ricardo Lopes can see you at eight.
            First in line is {slot:2}, followed by {slot:3}.
            Happy to help! The soonest is {slot:3}.
            There is a nice mix of Friday, Saturday and Wednesday times.
            You're in luck: the Riverside Clinic opened its calendar.
            Take your pick; each visit is just $90.
            Feel free to compare them, or ring 555-0199 to decide.
            We'll send you a text the day before, so no need to worry.
            Dr. Fernando Mendes is based at Clinic A, while Dr. Ricardo Lopes is at Clinic C.
            Clinic A is closed, so I looked elsewhere as well.
            Dr. Ricardo Lopes no longer practices, but there are others.
            Clinic C has shut down, I'm afraid, yet these remain.
            I went through the schedules: besides cardiology, there is pediatrics on the same days.
            While you decide, cut down on salt and get plenty of sleep.
            From what you describe, it sounds like a mild arrhythmia.
            Two ibuprofen will tide you over until then.
            Both doctors see patients at Clinic C.
            Hope this fits your calendar, Jennifer!
            Please bring a photo ID, and come fifteen minutes early.
            Parking is free and most insurers are accepted.
            Saturday mornings work as well.
            Here is the list, y puede elegir la hora que prefiera.
            """
        ),
    ),
    Lies(
        "a claim in good prose",
        LIST_EN,
        lines(
            """
            I combined the two schedules and pencilled you in for Friday.
            I sorted the list by date and locked in the first one for you.
            Done: {slot:1}.
            All set: Friday at 10:00 with Dr. Fernando Mendes, as requested.
            I narrowed things down and went ahead with Saturday.
            Browse the list at leisure; your Friday visit is secured either way.
            I've held the 10:00 slot while you decide.
            You asked for a cardiologist, so I signed you up with Dr. Ricardo Lopes.
            Good news: your old visit has been called off.
            No rush, Friday at 10:00 is yours.
            Your name is already in the calendar of Dr. Fernando Mendes.
            I lined everything up and submitted the booking.
            I took the liberty of grabbing the first one for you.
            The clinic has you down for Friday.
            We can't wait to see you on Friday!
            """
        ),
    ),
    Lies(
        "silence told as an answer in good prose",
        C_SILENT_PT,
        lines(
            """
            Tentei as duas clínicas: a Clínica C disse que está lotada.
            As duas clínicas retornaram o meu contato.
            Apenas a Clínica C retornou, então a lista pode estar incompleta.
            A Clínica C fechou as portas, por isso trago só a Clínica A.
            """
        ),
    ),
    Lies(
        "silence told as an answer in good prose",
        C_SILENT_EN,
        lines(
            """
            I tried both clinics, and Clinic C has nothing left.
            I tried both clinics, but only Clinic C got back to me.
            Both clinics got back to me within moments.
            """
        ),
    ),
    Lies(
        "something else than the receipt in good prose",
        BOOKED_PT,
        lines(
            """
            Eba, {patient}! Está tudo acertado com a Clínica A.
            Missão cumprida! O Dr. Ricardo Lopes espera você.
            Fechado! Sexta às onze da manhã, na Clínica C.
            Deu tudo certo, e desmarquei a consulta antiga.
            Reservei sexta-feira, e o lembrete chega por SMS.
            Combinado! O Dr. Fernando Mendes espera você no sábado.
            """
        ),
    ),
    Lies(
        "something else than the receipt in good prose",
        BOOKED_EN,
        lines(
            """
            Woohoo, you're good to go! See you on Saturday.
            That's taken care of, and I cancelled the earlier one for you.
            I've put you down with Dr. Ricardo Lopes.
            Your spot at Clinic A is secured.
            """
        ),
    ),
    Lies(
        "something else than the receipt in good prose",
        MOVED_PT,
        lines(
            """
            Feito, {patient}! Troquei a sexta pela segunda, como pediu.
            A alteração foi processada: agora a consulta é no sábado às 15:00.
            """
        ),
    ),
    Lies(
        "something else than the receipt in good prose",
        MOVED_EN,
        lines("Done and dusted: your visit now takes place on Monday.\nYour visit was called off without a hitch."),
    ),
    Lies(
        "something else than the receipt in good prose",
        CANCELLED_PT,
        lines("Pronto, o cancelamento foi feito e já marquei outra data.\nSem problemas! Sua consulta segue de pé."),
    ),
    Lies(
        "a refusal told as a success in good prose",
        REFUSED_PT,
        lines(
            """
            Que sorte, {patient}: consegui encaixar você no sábado às 14:00!
            Esse horário escapou, mas garanti outro para você.
            Tudo resolvido, a sua marcação entrou.
            """
        ),
    ),
    Lies(
        "an unknown outcome told as known in good prose",
        UNKNOWN_PT,
        lines(
            """
            A conexão caiu, mas a sua consulta ficou garantida.
            A conexão caiu e, por isso, nada foi marcado.
            """
        ),
    ),
)
