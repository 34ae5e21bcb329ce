"""More clean answers, as receptionists of other schools write them; each is to stand before the parts of its turn."""

from __future__ import annotations

from dataclasses import replace

from tests.support.clinic_turns import FERNANDO, RICARDO, openings
from tests.support.model_drafts import Turn
from tests.unit.verifier.clean_drafts import (
    CANCELLED_EN,
    DOWN,
    EN,
    FILTERED_PT,
    MOVED_PT,
    NONE_FITS_PT,
    NOTHING_FREE,
    RECORD,
    SEVERAL_EN,
    SEVERAL_PT,
    TAKEN_EN,
    TAKEN_PT,
    UNKNOWN_PT,
    lines,
)
from tests.unit.verifier.clean_styles import (
    BOOKED_EN,
    BOOKED_PT,
    C_SILENT_EN,
    C_SILENT_PT,
    CANCELLED_PT,
    MATCHES_PT,
    MOVED_EN,
    PATIENTS_EN,
)

FORTNIGHT = (
    openings(
        "clinic_a",
        *((RICARDO, f"2025-07-{day}", at) for day, at in ((21, "09:00"), (21, "10:30"), (22, "14:00"), (25, "11:00"))),
    ),
    openings(
        "clinic_c",
        *((FERNANDO, f"2025-07-{day}", at) for day, at in ((18, "10:00"), (19, "14:00"), (24, "16:00"), (28, "10:00"))),
    ),
)
FORTNIGHT_PT, FORTNIGHT_EN = Turn.of(*FORTNIGHT), Turn.of(*FORTNIGHT, language=EN)
NONE_FITS_EN = replace(NONE_FITS_PT.turn, plan=replace(NONE_FITS_PT.turn.plan, language=EN))

VOICES: tuple[tuple[Turn, tuple[str, ...]], ...] = (
    (
        SEVERAL_PT.turn,
        lines(
            """
            Olá, {patient}! Encontrei horários de cardiologia em duas clínicas.
            Temos ótimas opções para você nas clínicas A e C. Confira abaixo todos os horários disponíveis:
            Qual desses horários fica melhor para você? Basta me informar o número correspondente.
            Segue a lista completa de horários disponíveis nas duas clínicas de cardiologia.
            Fico à disposição para ajudar com o agendamento assim que você escolher.
            Com prazer! Aqui estão os horários disponíveis para consulta com cardiologista.
            Para confirmar, me diga qual opção prefere.
            Caso nenhum desses horários atenda à sua necessidade, posso buscar outras datas.
            Se quiser, posso filtrar por período da manhã ou da tarde.
            Boa tarde! Verifiquei a agenda das clínicas e encontrei as seguintes vagas:
            Agradecemos a preferência e desejamos um ótimo dia!
            Gostaria que eu verificasse outro dia ou outro médico?
            Lembre-se de que o atendimento é presencial.
            Recomendo escolher o quanto antes, pois os horários podem ser preenchidos rapidamente.
            Que bom que você entrou em contato! Vamos encontrar o melhor horário para a sua consulta.
            Os horários estão organizados do mais cedo para o mais tarde.
            Destaquei a opção mais cedo para facilitar a sua escolha.
            Por favor, indique o número do horário desejado para prosseguirmos com a marcação.
            As duas clínicas oferecem atendimento em cardiologia, portanto compare com calma.
            Estou aqui para ajudar no que for preciso.
            Perfeito! Consultei os médicos da especialidade e este é o panorama da agenda:
            Aguardo sua confirmação para reservar o horário.
            Selecione a opção que mais combina com a sua rotina.
            Obrigada por aguardar. Reuni as opções das duas clínicas em uma única lista.
            Você tem flexibilidade de horário? Posso sugerir a primeira vaga da lista.
            Havendo qualquer dúvida, estou por aqui.
            Olá, {patient}, tudo bem? Fiz a pesquisa que você pediu e há disponibilidade em duas clínicas da nossa rede.
            Perfeito, {patient}! Vou te mostrar o que temos em cardiologia.
            Recebi o seu pedido e já consultei quem atende cardiologia por aqui.
            As agendas estão abertas e há opções para diferentes perfis.
            Caso tenha urgência, a opção mais rápida é {slot:1}.
            Analisei as duas agendas e a primeira data livre é {slot:1}.
            Ficou alguma dúvida? Estou aqui para esclarecer.
            Qual médico você prefere: Dr. Ricardo Lopes ou Dr. Fernando Mendes?
            Se o sábado for mais cômodo, considere {slot:2}.
            Fique tranquilo(a), você pode mudar de ideia antes de confirmar.
            Para garantir o horário, responda com o número e depois confirme.
            Lembrando que a reserva só é feita após a sua confirmação.
            Todos os horários listados são presenciais e estão livres neste momento.
            Preparei uma tabela com tudo o que encontrei, para você comparar sem esforço.
            Não achou o que procurava? Me conte sua preferência de dia ou período.
            Olha que ótimo: tem vaga já na sexta-feira!
            Você prefere ser atendido na Clínica A ou na Clínica C?
            Trouxe todas as possibilidades, das mais próximas às mais distantes.
            Seguem, portanto, as opções. Escolha a que melhor se encaixa na sua semana.
            Conforme sua solicitação, pesquisei por cardiologistas e obtive quatro resultados.
            Assim que tivermos sua resposta, daremos andamento à marcação.
            É só escolher que cuidamos do resto!
            Nossa equipe agradece a sua procura.
            Selecionei apenas horários que ainda não foram ocupados.
            Vale lembrar que a confirmação depende da disponibilidade no momento da escolha.
            Bom dia, {patient}! Como vai? Localizei algumas oportunidades com os cardiologistas da rede.
            Compreendo perfeitamente. Vou apresentar as datas em que os médicos estão com a agenda livre.
            Temos novidades: a Clínica A e a Clínica C liberaram os horários abaixo para você escolher.
            Atualizei a lista há instantes, portanto o que você vê está livre.
            Dentre as alternativas, {slot:1} é a que acontece primeiro.
            Quem prefere a segunda-feira pode escolher entre dois horários pela manhã.
            Você poderá revisar tudo antes de bater o martelo.
            Se mudar de ideia, basta pedir uma nova busca.
            Há horário para quem gosta de acordar cedo e também para quem prefere depois do almoço.
            Qual deles podemos agendar?
            Quer que eu deixe algum deles reservado?
            Ainda está em dúvida? Compare as duas clínicas sem compromisso.
            Só falta você escolher!
            Posso marcar o {slot:1} se você confirmar.
            O próximo passo é seu: escolha um número e confirme.
            Feita a escolha, peço apenas que confirme.
            Fiz questão de incluir todas as opções, sem deixar nada de fora.
            Não deixei nenhuma opção de fora.
            Espero ter ajudado!
            Aproveito para lembrar que posso procurar por outro especialista também.
            Obrigada pelo contato, {patient}! Encontramos vagas com os doutores Ricardo Lopes e Fernando Mendes.
            A primeira coluna traz o número que você deve informar.
            Bora escolher?
            Os dois profissionais são cardiologistas e estão com vagas nos próximos dias.
            Que ótimo receber sua mensagem, {patient}! Já cuido disso para você.
            Verifiquei com atenção e há mais de uma clínica com cardiologia disponível.
            Dei prioridade às datas mais próximas, mas incluí todas as demais.
            Cada médico tem a sua agenda; por isso separei por clínica e por dia.
            As opções a seguir respeitam o que você pediu.
            Se preferir ser atendido ainda nesta lista pelo Dr. Ricardo Lopes, escolha um dos horários de segunda-feira.
            Estamos felizes em ajudar você a marcar sua consulta.
            Você mencionou cardiologia, então busquei nas duas clínicas que oferecem essa especialidade.
            Confira com calma. Quando decidir, responda apenas com o número.
            O Dr. Fernando Mendes tem horários em dois dias diferentes.
            Tenho quatro sugestões para você.
            Antes de confirmar, vou repetir os detalhes para que você confira.
            Como a procura está grande, vale decidir logo.
            Ainda não há nada marcado em seu nome, {patient}.
            Vou aguardar a sua escolha para prosseguir.
            Qualquer uma dessas datas pode ser remarcada depois, se você precisar.
            Mostrei primeiro as vagas mais próximas.
            Estes horários foram informados agora pelas clínicas.
            Ei, {patient}! Bom te ver por aqui. Olhei as agendas e tem bastante coisa.
            Senhor(a) {patient}, informo que há disponibilidade para consulta cardiológica conforme quadro a seguir.
            Tudo indica que {slot:1} é o caminho mais curto para o seu atendimento.
            Para sua comodidade, agrupei os resultados por data.
            A Clínica C concentra os primeiros horários; a Clínica A, os da segunda-feira.
            Estou vendo aqui quatro janelas livres.
            Gostei da sua iniciativa de cuidar disso logo!
            Vale a pena dar uma olhada também nos horários do Dr. Ricardo Lopes.
            Sem pressa: você pode voltar à conversa quando quiser.
            Me diga o que prefere e a gente segue.
            Peço que confirme o número escolhido, por gentileza.
            Havendo interesse, dou início ao agendamento.
            Podemos prosseguir com {slot:1}?
            Nada foi agendado até aqui.
            Fechamos com qual deles?
            """
        ),
    ),
    (
        FORTNIGHT_PT,
        lines(
            """
            O horário mais próximo é {slot:1}, mas há várias outras opções ao longo das próximas duas semanas.
            """
        ),
    ),
    (
        BOOKED_PT,
        lines(
            """
            Prontinho, {patient}! Sua consulta foi agendada com sucesso. Confira os detalhes:
            Se precisar remarcar ou cancelar, é só me avisar por aqui.
            Tudo certo! O comprovante da sua marcação está logo abaixo.
            Consulta agendada, {patient}! Anote aí: sexta-feira, 18/07, às 10h, com o Dr. Fernando Mendes.
            Que bom! Já está tudo confirmado para você na Clínica C.
            Agradecemos por escolher a nossa rede. Até breve!
            Seu horário foi reservado com o Dr. Fernando Mendes, cardiologista da Clínica C.
            Confirmado, {patient}. Abaixo estão os dados do seu agendamento.
            Caso não possa comparecer, avise para que possamos cancelar ou remarcar.
            Maravilha, {patient}, sua vaga está confirmada!
            Fiz a marcação com o Dr. Fernando Mendes, na Clínica C, como você queria.
            Tudo pronto! Nos vemos na sexta-feira, dia 18.
            Agendamento confirmado. Obrigado por confiar na gente!
            Consulta marcada com sucesso, {patient}! Desejamos um bom atendimento.
            O Dr. Fernando Mendes vai receber você na sexta-feira, às 10h.
            Reserva efetuada na Clínica C.
            Deu certo, {patient}! O Dr. Fernando Mendes já tem você na agenda de sexta-feira.
            Sua marcação foi aceita pela Clínica C.
            """
        ),
    ),
    (
        C_SILENT_PT,
        lines(
            """
            Infelizmente, a Clínica C não respondeu no momento, então mostro apenas os horários da Clínica A.
            Você pode tentar novamente em alguns instantes para ver as demais opções.
            No momento não recebi retorno da Clínica C, mas já adianto os horários da Clínica A.
            A Clínica C está indisponível agora. Assim que possível, tente novamente.
            Por enquanto, só tenho a agenda do Dr. Ricardo Lopes para mostrar.
            A Clínica C ainda não deu sinal, mas a Clínica A tem dois horários na segunda-feira.
            Faltou a resposta de uma das clínicas; mostro o que já chegou.
            Consegui falar apenas com a Clínica A; a Clínica C segue sem resposta.
            Sem notícias da Clínica C até agora; vamos com o que temos da Clínica A.
            """
        ),
    ),
    (
        NONE_FITS_PT.turn,
        lines(
            """
            Não localizei vagas para a data solicitada, mas separei as alternativas mais próximas:
            Infelizmente não há nada na data desejada, mas não desanime: existem outras possibilidades.
            Que tal considerar uma destas datas?
            Não há vagas no dia 28, porém ampliei a busca e veja o que apareceu.
            """
        ),
    ),
    (
        CANCELLED_PT,
        lines(
            """
            O cancelamento foi concluído. Veja o comprovante:
            Sua consulta foi cancelada, {patient}. Se quiser marcar outra, é só pedir.
            Cancelamento realizado. Conte conosco quando precisar!
            Conforme pediu, cancelei a consulta de sexta-feira, 18/07, às 10:00.
            """
        ),
    ),
    (
        MOVED_PT.turn,
        lines(
            """
            Sua consulta foi remarcada conforme solicitado.
            Sua consulta agora está marcada para sábado, 19/07, às 14:00.
            Mudança concluída com sucesso, {patient}!
            O novo horário já está valendo e o anterior foi liberado.
            Tudo certo, {patient}: sua consulta passou de sexta para sábado.
            """
        ),
    ),
    (
        RECORD[0].turn,
        lines(
            """
            Aqui está o registro que você pediu:
            Aqui estão as informações do seu cadastro, {patient}. Se notar algum erro, fale com a Clínica A.
            """
        ),
    ),
    (
        MATCHES_PT,
        lines(
            """
            Estes são os pacientes encontrados com essa condição:
            """
        ),
    ),
    (
        TAKEN_PT.turn,
        lines(
            """
            Sinto muito, esse horário acabou de ser ocupado por outra pessoa. Seguem alternativas:
            Nenhuma alteração foi feita na sua agenda.
            Lamento, {patient}, esse horário foi reservado por outra pessoa há pouco.
            Não deu certo desta vez, mas ainda há uma opção próxima.
            Sua consulta não foi marcada porque o horário já estava ocupado.
            Infelizmente outra pessoa acabou de reservar esse horário, {patient}.
            Não consegui concluir a marcação, pois a vaga não está mais disponível.
            Esse horário não está mais livre, mas o Dr. Fernando Mendes tem outro no sábado.
            Perdemos esse horário por pouco. Quer tentar o próximo?
            """
        ),
    ),
    (
        SEVERAL_EN.turn,
        lines(
            """
            Hello, {patient}! I found available cardiology appointments at two clinics.
            Here is the full list of available times, sorted from earliest to latest:
            The soonest option is {slot:1}.
            Which of these works best for you? Just reply with the number.
            Let me know if you would prefer mornings or afternoons and I can narrow it down.
            Would you like me to check another date or another doctor?
            Thanks for your patience! I combined the schedules of both clinics into a single table.
            Feel free to pick whichever slot suits you.
            I'd be happy to help you choose.
            Both Dr. Ricardo Lopes at Clinic A and Dr. Fernando Mendes at Clinic C have availability.
            To confirm, simply tell me the option number and I'll take care of the rest.
            We look forward to assisting you further.
            I hope this helps! Have a wonderful day.
            Hi there, {patient}! Thanks for getting in touch. I've searched our cardiology clinics for you.
            We currently have four openings with two different cardiologists.
            I've listed every available slot so that you can compare them easily.
            If you're looking for the fastest option, I'd go with {slot:1}.
            Dr. Ricardo Lopes only has Monday times, whereas Dr. Fernando Mendes offers Friday and Saturday.
            Is there a particular doctor you'd rather see?
            Once you've chosen, I'll ask you to confirm before anything gets booked.
            To secure one of these, just send me its number.
            Please note that slots are first come, first served.
            None of these are held for you yet, so choose soon if you can.
            Good news! Friday is still available: {slot:1}.
            Saturday also has one: {slot:2}.
            I've arranged the options from the earliest to the latest.
            Don't see a time that works? Tell me which days you prefer and I'll search again.
            Would Clinic A or Clinic C be more convenient for you?
            All set to choose? Just tell me the number.
            The clinics have just updated me, so this is what's free right now.
            I completely understand. Let's find a time that works for you.
            My pleasure! You'll find the complete schedule in the table.
            Please review the options and get back to me with your choice.
            As requested, I looked for heart specialists and found these openings.
            Let me know your choice and I'll handle the booking.
            Whichever you choose, you can still change your mind before confirming.
            The choice is yours!
            Good day, {patient}. I looked into the cardiology calendars and several times are open.
            I'm glad you reached out! Let me share what the clinics have.
            I checked in with both clinics just now.
            Out of all of these, {slot:1} comes up first.
            You're free to pick any of the times in the table.
            Both clinics sent me their latest calendars.
            Prefer to wait until Monday? Dr. Ricardo Lopes has two morning times.
            I left nothing out: this is the whole list.
            I've also included the doctor and clinic for every time.
            Would you like me to reserve one of these?
            Your next step is to choose a number.
            Which one shall I book for you?
            You won't be booked for anything until you confirm.
            It's entirely up to you.
            That's everything I have at the moment, {patient}.
            I've kept the list short and sorted, so it should be quick to read.
            If you change your mind, I can run a new search.
            Ready when you are!
            I made sure to include every opening.
            Some of these may be taken by others before you confirm.
            Hopefully one of them is convenient.
            I can hold off if you need to check your calendar first.
            Thanks for your message, {patient}. I've put together everything that's open in cardiology.
            More than one clinic can see you, so you have some choice.
            I prioritised the nearest dates but included all the rest.
            Have a look and tell me what you think.
            Once you decide, reply with just the number and I'll show you a summary.
            I've marked the nearest time for you: {slot:1}.
            Nothing is final until you confirm.
            I'd recommend {slot:1} if time matters to you.
            Dr. Fernando Mendes has times on two different days.
            The clinics told me these times are free right now.
            All of these are with cardiologists.
            You can always move it later if something comes up.
            I'll wait for your choice before doing anything.
            Need help deciding? Tell me whether mornings or afternoons are better.
            Everything you see here is open for booking.
            Sorry for the wait; here's what I was able to gather.
            Well, {patient}, the calendars look promising!
            Kindly find enclosed the current availability for cardiology.
            I've grouped the results by date for your convenience.
            I'm seeing four free windows across the two clinics.
            The shortest route to a visit would be {slot:1}.
            Clinic C holds the first times, while Clinic A has the Monday ones.
            You don't have to decide now.
            I can walk you through booking whenever you like.
            May I go ahead with {slot:1}?
            Just say the word and I'll set it up for your confirmation.
            So far nothing has been scheduled for you.
            It's worth checking Dr. Ricardo Lopes's times as well.
            Thanks again, and talk soon!
            """
        ),
    ),
    (
        FORTNIGHT_EN,
        lines(
            """
            Great news: there are plenty of openings over the next two weeks.
            """
        ),
    ),
    (
        BOOKED_EN,
        lines(
            """
            Your appointment has been successfully booked. Here are the details:
            If you need to reschedule or cancel, just let me know.
            Wonderful, {patient}! Your cardiology visit is booked.
            You're scheduled with Dr. Fernando Mendes on Friday, July 18, 2025 at 10:00.
            I've reserved your place at Clinic C. The details follow.
            If your plans change, I can reschedule or cancel it for you.
            It's all confirmed. Have a lovely day!
            Brilliant, {patient}! Your appointment is locked in.
            I'm happy to confirm your visit with Dr. Fernando Mendes.
            That's it, you are booked. Take care!
            Your appointment went through, {patient}.
            You're on the schedule of Dr. Fernando Mendes.
            Great, that's sorted. Dr. Fernando Mendes will see you on Friday.
            """
        ),
    ),
    (
        C_SILENT_EN,
        lines(
            """
            Unfortunately, Clinic C could not be reached right now, so I am only showing openings from Clinic A.
            Please try again in a few moments to see the remaining options.
            At the moment I can only see Clinic A's calendar, since Clinic C isn't responding.
            Clinic C is temporarily unavailable; you may want to check back later.
            One of the two clinics is silent for now, so please treat this list as partial.
            Clinic C hasn't replied yet, but Clinic A has two times on Monday.
            """
        ),
    ),
    (
        NONE_FITS_EN,
        lines(
            """
            I couldn't find anything for that day, but these are the closest alternatives:
            """
        ),
    ),
    (
        TAKEN_EN.turn,
        lines(
            """
            Nothing has been changed in your schedule.
            Sorry, that slot was just taken by someone else. Here are some alternatives:
            I'm sorry, {patient}, someone else has booked that slot in the meantime.
            Your booking did not go through because the time is no longer available.
            Unfortunately I couldn't complete the booking, as the time had already gone.
            That time is gone, I'm afraid. Shall I look for another?
            """
        ),
    ),
    (
        MOVED_EN,
        lines(
            """
            Your visit was moved as requested.
            Your appointment has been rescheduled to Saturday, July 19 at 14:00.
            All done, {patient}! The earlier slot has been released.
            I moved your visit to Saturday at 14:00, {patient}.
            """
        ),
    ),
    (
        CANCELLED_EN.turn,
        lines(
            """
            The cancellation went through. Here is your receipt:
            I've cancelled your appointment with Dr. Fernando Mendes, {patient}.
            Your cancellation is complete. I'm here whenever you need another visit.
            That appointment is now off your calendar.
            """
        ),
    ),
    (
        PATIENTS_EN,
        lines(
            """
            Here are the patients matching your search:
            Three patients are registered across the two clinics.
            Below you'll find the three patients on file.
            """
        ),
    ),
    (
        RECORD[1].turn,
        lines(
            """
            This is the record you asked for:
            """
        ),
    ),
    (
        FILTERED_PT.turn,
        lines(
            """
            Ótima notícia: a sexta-feira que você queria tem um horário!
            Para essa data há somente uma vaga; as demais opções são em outros dias.
            Bingo! Há um horário exatamente na data que você escolheu.
            """
        ),
    ),
    (
        DOWN[0].turn,
        lines(
            """
            Não foi possível acessar as agendas neste momento, {patient}.
            As clínicas não estão respondendo agora. Tente mais uma vez daqui a pouco.
            """
        ),
    ),
    (
        DOWN[1].turn,
        lines(
            """
            I wasn't able to reach either clinic, {patient}. Please bear with us.
            """
        ),
    ),
    (
        UNKNOWN_PT.turn,
        lines(
            """
            Houve uma falha na comunicação e o resultado do seu pedido ficou incerto.
            """
        ),
    ),
    (
        NOTHING_FREE[0].turn,
        lines(
            """
            Por ora a Clínica B não dispõe de vagas em dermatologia. Posso ajudar com outra especialidade?
            """
        ),
    ),
    (
        SEVERAL_PT.turn,
        (
            (
                "Há horários tanto pela manhã quanto à tarde, com o Dr. Ricardo Lopes na Clínica "
                "A e o Dr. Fernando Mendes na Clínica C."
            ),
            (
                "O Dr. Ricardo Lopes só tem vagas na segunda-feira, enquanto o Dr. Fernando "
                "Mendes atende na sexta e no sábado."
            ),
        ),
    ),
)
