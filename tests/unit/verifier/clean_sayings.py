"""Sentences of good answers as different hands write them, each to stand before the parts of its turn."""

from __future__ import annotations

from tests.support.model_drafts import Turn
from tests.unit.verifier.clean_drafts import (
    BOOKED,
    CANCELLED_EN,
    DOWN,
    FILTERED_EN,
    FILTERED_PT,
    MANY_PT,
    MOVED_PT,
    NONE_FITS_PT,
    NOT_FOUND_PT,
    NOTHING_FREE,
    PARTIAL_PT,
    PATIENTS,
    RECORD,
    SEVERAL_EN,
    SEVERAL_PT,
    TAKEN_EN,
    TAKEN_PT,
    UNKNOWN_PT,
    lines,
)

SAYINGS: tuple[tuple[Turn, tuple[str, ...]], ...] = (
    (
        SEVERAL_PT.turn,
        lines(
            """
            Olá, {patient}! Aqui estão as opções de cardiologia nas nossas clínicas:
            Perfeito! Encontrei as seguintes opções de horário com cardiologistas:
            Claro, {patient}, vou te ajudar a escolher um horário.
            Temos opções com dois médicos: Dr. Ricardo Lopes e Dr. Fernando Mendes.
            Os horários vão de sexta-feira, 18/07, a segunda-feira, 21/07.
            As consultas com o Dr. Fernando são na sexta e no sábado; com o Dr. Ricardo, na segunda.
            Você pode escolher entre 18/07 às 10:00, 19/07 às 14:00, 21/07 às 09:00 ou 21/07 às 10:30.
            O atendimento mais próximo é com o Dr. Fernando Mendes, na sexta-feira, dia 18/07, às 10:00.
            Caso prefira, há opções na semana seguinte também: segunda-feira às 09:00 e às 10:30.
            Para confirmar, basta responder com o número da opção desejada.
            Posso reservar algum deles para você?
            Fico à disposição!
            Estou à disposição para ajudar.
            Me diga qual horário fica melhor e eu sigo com a marcação.
            Lembre-se de que nada é marcado sem a sua confirmação.
            Assim que você escolher, mostro o resumo para confirmar.
            A primeira opção é {slot:1}; a última, {slot:4}.
            Segunda-feira, 21 de julho: 09:00 e 10:30, com o Dr. Ricardo Lopes (Clínica A).
            - Clínica A: 2 horários
            Há disponibilidade pela manhã e à tarde.
            Se nenhum desses horários servir, posso buscar outras datas.
            Consultei a Clínica A e a Clínica C, e as duas têm vagas para você.
            O Dr. Ricardo Lopes tem dois horários na segunda-feira.
            Qual opção você gostaria de agendar?
            Ótimo! O que acha de {slot:1}?
            Oi, {patient}! Tudo bem? Seguem os horários que temos em cardiologia:
            Com prazer! Estas são as datas e os horários livres nas duas clínicas de cardiologia.
            Olá! Para consulta com cardiologista, temos as seguintes opções:
            Certo, {patient}. Localizei 4 vagas em cardiologia, distribuídas entre as Clínicas A e C.
            Aqui estão todos os horários disponíveis, organizados por data:
            O primeiro atendimento possível é {slot:1}, na Clínica C.
            Se a prioridade for a data mais próxima, sugiro {slot:1}.
            Para sexta-feira, há {slot:1}.
            No sábado há um horário às 14:00 com o Dr. Fernando Mendes, e na segunda-feira há dois com o Dr. Ricardo.
            O Dr. Ricardo Lopes (Clínica A) tem horários na segunda-feira, 21/07/2025, às 09:00 e às 10:30.
            Na Clínica C você encontra o Dr. Fernando Mendes na sexta e no sábado.
            Por favor, informe o número do horário desejado para que eu possa prosseguir com o agendamento.
            Qual dia e horário funcionam melhor para você?
            Quando escolher, me diga o número e eu preparo a marcação para a sua confirmação.
            Se preferir um médico específico, é só avisar.
            Aguardo a sua escolha.
            Será um prazer ajudar!
            Gostaria de agendar algum desses horários?
            Deseja marcar em algum deles?
            Os horários acima são das duas clínicas juntas.
            O mais cedo deles é o primeiro da lista: {slot:1}.
            As opções começam em 18/07 e terminam em 21/07.
            Há opções de manhã, como {slot:1}, e uma à tarde: {slot:2}.
            Boa tarde, {patient}! Verifiquei a agenda dos cardiologistas e há horários livres nas Clínicas A e C.
            Estes são os próximos horários de cardiologia que tenho para oferecer:
            Veja abaixo os horários de cada clínica:
            Temos estas datas para você escolher:
            Para agilizar, o mais cedo é {slot:1}.
            O Dr. Fernando Mendes tem o horário mais cedo: {slot:1}.
            O horário mais cedo com o Dr. Ricardo Lopes é {slot:3}.
            Também é possível ser atendido na segunda-feira, às 09:00 ou às 10:30.
            São dois horários por clínica.
            Há horários nos dias 18, 19 e 21 de julho.
            Qual deles combina mais com a sua agenda?
            Me avise o número que preferir.
            É só me dizer qual número prefere que eu já deixo pronto para você confirmar.
            Posso ajudar com mais alguma informação?
            Espero que algum desses horários funcione para você.
            Todos os horários estão sujeitos à confirmação da clínica.
            Se quiser comparar, os da Clínica A são na segunda-feira e os da Clínica C, na sexta e no sábado.
            Tem alguma preferência de médico ou de clínica?
            """
        ),
    ),
    (
        SEVERAL_EN.turn,
        lines(
            """
            Here are the available cardiology appointments across our clinics:
            Sure thing, {patient}! Take a look at these options:
            I checked both clinics and found these openings.
            We have openings with two doctors: Dr. Ricardo Lopes and Dr. Fernando Mendes.
            The openings run from Friday, July 18 to Monday, July 21.
            Dr. Fernando Mendes sees patients on Friday and Saturday; Dr. Ricardo Lopes on Monday.
            You can choose July 18 at 10:00, July 19 at 14:00, July 21 at 09:00 or July 21 at 10:30.
            The earliest available is with Dr. Fernando Mendes at Clinic C on Friday, July 18, at 10:00.
            Just reply with the number of the option you would like.
            Nothing is booked until you confirm.
            Once you choose, I will show you a summary to confirm.
            Let me know which works best, and I can help you book it.
            Would any of these work for you?
            The first option is {slot:1}; the last one is {slot:4}.
            There are morning and afternoon options.
            On Monday, Dr. Ricardo Lopes has two openings.
            If none of these work for you, I can look for other dates.
            Happy to help!
            Thank you for waiting, {patient}.
            Please let me know if you have any questions.
            Hi {patient}, here's what I found for cardiology:
            I'd be happy to help you book a cardiology appointment.
            We have availability at two of our clinics.
            There are several cardiologists with openings in the coming days:
            The next available appointment is {slot:1}.
            If you'd like the earliest option, that would be {slot:1}.
            Dr. Ricardo Lopes at Clinic A is available on Monday, July 21, 2025 at 09:00 and 10:30.
            At Clinic C, Dr. Fernando Mendes has one opening on Friday and another on Saturday.
            Please reply with the number of your preferred time and I'll get it ready for you to confirm.
            Would you like to schedule one of these?
            Which of these times would you prefer?
            All openings from both clinics are shown above.
            Feel free to pick any of them.
            Let me know how you would like to proceed.
            You can also ask me for a different day or doctor.
            Good afternoon, {patient}! I looked at both clinics and here is what is available:
            Below are the available times with our cardiologists:
            We have four appointments available between July 18 and July 21.
            The earliest appointment with Dr. Ricardo Lopes is {slot:3}.
            The two openings on Monday are with Dr. Ricardo Lopes at Clinic A.
            All four openings are listed below, earliest first:
            Which clinic or doctor do you prefer?
            Do any of these work for you?
            Tell me the number and I will show you the details before anything is booked.
            If you prefer Clinic A, there are two openings on Monday.
            Both Dr. Ricardo Lopes and Dr. Fernando Mendes have openings.
            Is there a day that suits you best?
            """
        ),
    ),
    (
        BOOKED[0].turn,
        lines(
            """
            Obrigado, {patient}! Sua consulta com o Dr. Fernando Mendes, na Clínica C, está confirmada.
            Perfeito! Sua consulta de Cardiologia foi marcada com sucesso.
            Seu agendamento foi realizado para 18/07/2025 às 10:00.
            Confirmado! Você tem consulta com o Dr. Fernando Mendes na sexta-feira.
            Caso precise remarcar ou cancelar, estou à disposição.
            Nos vemos na sexta-feira!
            Tenha um ótimo dia!
            Excelente, {patient}! Sua consulta foi agendada com sucesso.
            Sua consulta com o Dr. Fernando Mendes foi confirmada para sexta-feira, 18 de julho de 2025, às 10h.
            Consulta marcada! Confira os detalhes:
            Aqui está o comprovante da sua consulta:
            Se quiser mudar alguma coisa, me avise.
            Qualquer dúvida, estou por aqui.
            Esperamos por você!
            Pronto, {patient}, está tudo certo com a sua consulta.
            A consulta está agendada com o Dr. Fernando Mendes, na Clínica C, no dia 18/07/2025 (sexta-feira).
            Consulta confirmada com sucesso!
            Agendei a sua consulta, {patient}. Veja os dados:
            Até sexta-feira!
            """
        ),
    ),
    (
        BOOKED[1].turn,
        lines(
            """
            {patient}! Your appointment with Dr. Fernando Mendes has been booked for Friday, July 18, 2025, at 10:00.
            Your booking is complete.
            You're all set for Friday at 10 AM with Dr. Fernando Mendes.
            Let me know if you need to reschedule or cancel.
            Have a great day!
            Your cardiology appointment has been successfully booked, {patient}.
            Here are the details of your appointment:
            We look forward to seeing you on Friday.
            If you need to make any changes, just let me know.
            Done! Your appointment with Dr. Fernando Mendes is booked for Friday, July 18.
            Thank you, {patient}. Everything is confirmed.
            Here is your confirmation:
            See you on Friday!
            """
        ),
    ),
    (
        MOVED_PT.turn,
        lines(
            """
            Sua consulta foi reagendada com sucesso para sábado, 19/07/2025, às 14:00, com o Dr. Fernando Mendes.
            O horário antigo, de sexta-feira às 10:00, foi liberado.
            Alteração concluída!
            Prontinho, {patient}! A consulta passou para sábado, 19/07/2025, às 14:00.
            Sua consulta com o Dr. Fernando Mendes, que era na sexta-feira às 10:00, agora é no sábado às 14:00.
            Remarquei a sua consulta para o dia 19.
            """
        ),
    ),
    (
        TAKEN_PT.turn,
        lines(
            """
            O horário solicitado não está mais disponível, mas encontrei esta alternativa:
            Que pena, esse horário já foi ocupado.
            Nada foi marcado. Quer ficar com sábado, 19/07, às 14:00?
            A alternativa mais próxima é sábado, dia 19, às 14h, na Clínica C.
            Não foi possível marcar para sexta-feira, 18/07, às 10:00, pois o horário não está mais livre.
            Por isso, trago uma opção próxima: {slot:1}.
            Você gostaria de ficar com esse horário?
            Esse horário acabou de ser ocupado.
            Poxa, {patient}, esse horário não está mais livre.
            Nenhuma consulta foi marcada.
            Outra opção com o mesmo médico é {slot:1}.
            """
        ),
    ),
    (
        PARTIAL_PT.turn,
        lines(
            """
            Consegui consultar apenas a Clínica C desta vez:
            A Clínica A não respondeu agora, então mostro os horários da Clínica C.
            Encontrei dois horários com o Dr. Fernando Mendes na Clínica C.
            Infelizmente, a Clínica A não respondeu, mas temos estas opções na Clínica C:
            Recebi resposta de uma das duas clínicas.
            Se quiser ver também os horários da Clínica A, peça de novo em instantes.
            Só a Clínica C respondeu; estes são os horários dela:
            Por enquanto, mostro apenas os da Clínica C.
            """
        ),
    ),
    (
        FILTERED_EN.turn,
        lines(
            """
            I found one opening that matches: {slot:1}.
            For the afternoon, there is an opening on Saturday, July 19 at 14:00 with Dr. Fernando Mendes at Clinic C.
            There are three more openings at other times.
            """
        ),
    ),
    (
        NOTHING_FREE[0].turn,
        lines(
            """
            A agenda de Dermatologia está cheia no momento.
            Infelizmente não encontrei vagas de dermatologia.
            """
        ),
    ),
    (
        MANY_PT.turn,
        lines(
            """
            A Dra. Marina Teles atende nos dias 22, 24, 29 e 31 de julho.
            Há horários de manhã (09:00 e 10:00) e à tarde.
            São 20 opções em quatro dias.
            O primeiro é terça-feira, 22/07, às 09:00.
            Todos os horários são com a Dra. Marina Teles, na Clínica B.
            O mais cedo é terça-feira, dia 22, às 09:00.
            As terças são 22 e 29; as quintas, 24 e 31.
            Encontrei vinte opções com a Dra. Marina Teles entre 22 e 31 de julho.
            Os horários são às 09:00, 10:00, 14:00, 15:30 e 16:00.
            A opção mais próxima é {slot:1}.
            """
        ),
    ),
    (
        PATIENTS[0].turn,
        lines(
            """
            Segue a lista de pacientes das Clínicas A e C.
            Foram encontrados três pacientes com arritmia.
            A Clínica A tem dois pacientes e a Clínica C, um.
            Aqui está a lista completa, com o código e a condição de cada paciente:
            São 3 no total: dois da Clínica A e um da Clínica C.
            Estes são os pacientes das duas clínicas:
            """
        ),
    ),
    (
        DOWN[0].turn,
        lines(
            """
            No momento não consegui falar com as clínicas de cardiologia.
            As clínicas A e C não responderam agora.
            """
        ),
    ),
    (
        CANCELLED_EN.turn,
        lines(
            """
            Your appointment has been cancelled, as you requested.
            The slot with Dr. Fernando Mendes on Friday, July 18 at 10:00 is open again.
            I have cancelled your appointment at Clinic C.
            Let me know if you would like to book another time.
            Your appointment with Dr. Fernando Mendes on July 18 is now cancelled.
            As requested, I cancelled it.
            """
        ),
    ),
    (
        TAKEN_EN.turn,
        lines(
            """
            That slot has just been taken, so I could not book it.
            The requested time is not available anymore.
            """
        ),
    ),
    (
        NOT_FOUND_PT.turn,
        lines(
            """
            Não localizei nenhuma consulta sua com esses dados.
            Por favor, confirme o médico, a data e o horário.
            """
        ),
    ),
    (
        FILTERED_PT.turn,
        lines(
            """
            Para o dia 18/07 só há um horário:
            Temos apenas uma opção na sexta-feira: {slot:1}.
            Há outros três horários em outros dias.
            Na sexta-feira, 18/07/2025, há uma vaga com o Dr. Fernando Mendes às 10:00.
            Os demais três horários são em outros dias.
            """
        ),
    ),
    (
        NONE_FITS_PT.turn,
        lines(
            """
            Para o dia 28 não há vagas, mas estes são os horários mais próximos:
            Não encontrei nada na segunda-feira, 28/07.
            """
        ),
    ),
    (
        DOWN[1].turn,
        lines(
            """
            Unfortunately, I could not reach the cardiology clinics.
            Neither Clinic A nor Clinic C responded.
            """
        ),
    ),
    (
        NOTHING_FREE[1].turn,
        lines(
            """
            Unfortunately, there is nothing available in Dermatology right now.
            Clinic B has no openings at the moment.
            """
        ),
    ),
    (
        RECORD[0].turn,
        lines(
            """
            {patient}, aqui está a sua ficha completa:
            Estes são os seus dados na Clínica A, com condição, medicamentos e exames.
            """
        ),
    ),
    (
        UNKNOWN_PT.turn,
        lines(
            """
            A Clínica C não respondeu a tempo, então não sei dizer se a remarcação foi feita.
            Posso repetir o pedido para verificar?
            """
        ),
    ),
)
"""Sentences that may stand before the parts of an answer."""
