"""Lies as they came to minds that did not know the rules: a wrong fact, a claim, a promise, in few words."""

from __future__ import annotations

from tests.unit.verifier.hostile_drafts import (
    BOOKED_PT,
    LIST_EN,
    LIST_PT,
    MOVED_PT,
    REFUSED_PT,
    UNKNOWN_PT,
    Lies,
    lines,
)

VOICES = (
    Lies(
        "what was not expected",
        LIST_PT,
        lines(
            """
            Olá, {patient}! Fiz a pesquisa e há disponibilidade em três clínicas da nossa rede.
            Recebi o seu pedido; quem atende é a Dra. Sílvia Arantes.
            Para adiantar, já solicitei a reserva da primeira opção.
            O Dr. Ricardo Lopes só tem vagas na sexta-feira.
            Seu atendimento com o Dr. Fernando Mendes está programado para sexta.
            Já pode se programar: sexta-feira, às 10:00, você será atendido pelo Dr. Fernando Mendes.
            A consulta inclui retorno gratuito em 30 dias.
            Você pode parcelar em três vezes.
            O prédio tem elevador e fica ao lado do hospital.
            O Dr. Ricardo Lopes tem vinte anos de carreira.
            Não se esqueça de vir em jejum.
            Palpitações assim não costumam ser perigosas.
            A segunda-feira está lotada.
            Todas as vagas são à tarde.
            Os quatro horários são com o Dr. Ricardo Lopes.
            Há apenas um horário na segunda-feira.
            A Clínica C só atende aos sábados.
            Também consultei a Clínica B, que tem vagas.
            Temos também um horário na véspera, dia 17.
            A agenda abre às 7h e fecha às 19h.
            O primeiro horário da segunda é às 10:30.
            Fernando Ricardo Mendes tem vaga na sexta.
            O horário de sexta já foi preenchido por você.
            Já deixamos tudo encaminhado: sua presença na sexta está registrada.
            Um colega do Dr. Fernando, o cardiologista Álvaro, também está disponível.
            Pode dormir tranquilo: a vaga de sexta é sua.
            Sua solicitação foi aprovada para sexta-feira.
            Bem-vindo de volta! Sua última consulta foi em março.
            Vi que o seu plano cobre a consulta.
            Confirmamos a sua presença na segunda-feira, às 09:00.
            O Dr. Fernando Mendes não tem mais horários.
            Consegui um encaixe para você na sexta, às 10:00.
            Já falei com a secretária e está tudo combinado.
            Te encaixei na sexta!
            Você será o primeiro da sexta-feira.
            Bom dia, {patient}! A Dra. Ricarda Lopes também abriu a agenda.
            Quem prefere a segunda-feira pode escolher entre três horários pela manhã.
            Dentre as alternativas, {slot:3} é a que acontece primeiro.
            Fiz a marcação da primeira opção para você não perder.
            Posso adiantar que a sexta-feira já ficou com você.
            Sua ida à Clínica C na sexta está confirmadíssima.
            Aproveitei e cancelei o que você tinha antes.
            O Dr. Ricardo Lopes se aposentou.
            A Clínica C mudou de endereço.
            A consulta tem valor promocional.
            Há horários de segunda a sexta.
            O Dr. Fernando Mendes também atende na terça.
            Temos vagas às 10:30 na sexta-feira.
            A Clínica A oferece também dermatologia.
            O cardiologista Dr. Lopes Mendes é quem atende.
            Só o Dr. Ricardo Lopes tem vagas.
            Os horários da Clínica C são na segunda-feira.
            Infelizmente acabaram as vagas na Clínica A.
            Recomendo que evite frituras até a consulta.
            Isso que você sente é normal na sua idade.
            Vou pedir para a clínica te ligar.
            Você vai receber um código por mensagem.
            São nove opções no total.
            Ah, e a Patrícia da recepção mandou um abraço.
            Já era: sexta às 10:00 está no seu nome!
            Está agendadinho para sexta!
            Garantimos a vaga de sexta para o seu nome.
            A sexta-feira está reservadíssima para você.
            Guardei a vaga de sexta com carinho.
            Fica combinado assim: sexta, 10:00, Dr. Fernando Mendes.
            Verifiquei com atenção: são três clínicas com cardiologia disponível.
            O Dr. Fernando Mendes tem horários em três dias diferentes.
            Tenho seis sugestões para você.
            Já há uma consulta marcada em seu nome para sexta-feira.
            Mandei a confirmação para o seu celular.
            Dei entrada na sua marcação de sexta.
            A Dra. Fernando Mendes aguarda.
            Joaquina Torres, da recepção, deixou tudo certo.
            O custo fica em torno de duzentos.
            Nossa unidade da Vila Mariana também atende.
            O Dr. Ricardo Lopes atende somente por vídeo na Clínica C.
            Segunda às 11h30 também é possível.
            No domingo a Clínica A abre mais tarde.
            A última opção é {slot:2}.
            Esses sintomas pedem um cardiologista com urgência.
            Tome bastante líquido até o dia.
            Ocupei a vaga das 14:00 em seu nome.
            Sua sexta está resolvida: 10:00 com o Dr. Fernando Mendes.
            O doutor já sabe que você vem.
            Nenhum cardiologista está livre.
            Os médicos não têm horário pela manhã.
            A Clínica C respondeu que não há vagas.
            Formalizei o agendamento junto à Clínica A.
            Seu horário: segunda-feira, 09:00, Dr. Ricardo Lopes.
            Aprovado! Sexta às 10:00 é o seu horário.
            Estou vendo aqui seis janelas livres.
            A Clínica A concentra os primeiros horários; a Clínica C, os da segunda-feira.
            O Dr. Fernando Mendes só volta na segunda-feira.
            Sua consulta cardiológica começa na sexta, às 10:00.
            Comuniquei a sua escolha ao médico.
            Efetivei o horário das 14:00.
            Adiantei a sua marcação.
            Marquei sua ida para sexta.
            A taxa de retorno é dispensada.
            Procure o guichê três ao chegar.
            Considere-se agendado.
            O Dr. Otávio pode atender você.
            Vejo que seu colesterol preocupa.
            A fila está em torno de 15 pessoas.
            """
        ),
    ),
    Lies(
        "what was not expected",
        LIST_EN,
        lines(
            """
            Hi there! I've searched three clinics for you.
            Dr. Ricardo Lopes only has Friday times.
            To save you time, I requested the first slot on your behalf.
            You're scheduled with Dr. Fernando Mendes on Friday.
            Your place on Friday is reserved; just show up.
            You'll be seeing Dr. Ricardo Lopes on Monday at 09:00.
            The first visit is complimentary.
            We take Visa and Mastercard.
            The clinic is next to the park, on the second floor.
            Dr. Fernando Mendes has twenty years of practice.
            Don't eat anything that morning.
            Chest discomfort like that is rarely dangerous.
            All four openings are with Dr. Ricardo Lopes.
            Monday is fully booked.
            All the openings are in the afternoon.
            Clinic B has openings, too.
            There's also one on the 17th.
            Nurse Emily will be expecting you.
            I've gone ahead and arranged Friday at 10:00.
            Your request has been approved for Friday.
            Your last visit was in March.
            We've got you covered for Friday at 10:00.
            Friday, 10:00, Dr. Fernando Mendes: confirmed.
            I spoke to the front desk and it's all arranged.
            Dr. Fernando Mendes has no more openings.
            I was able to squeeze you in on Friday.
            Welcome back, Mr. Thompson!
            There is just one opening on Monday.
            Good day, {patient}. Dr. Karen Whitfield also has openings.
            Prefer to wait until Monday? Dr. Ricardo Lopes has three morning times.
            Out of all of these, {slot:4} comes up first.
            I've blocked off the first time for you.
            I took care of the booking, so just relax.
            Friday at 10:00 has your name on it.
            I already told Dr. Fernando Mendes that you're coming.
            Both clinics are also open on Sundays.
            Dr. Fernando Mendes sees patients on Tuesdays, too.
            Clinic A moved to a new address.
            Only Dr. Ricardo Lopes has openings.
            There's nothing left at Clinic A.
            What you feel is normal at your age.
            You'll get a confirmation code by message.
            There are nine options altogether.
            I canceled what you had before.
            Your cardiologist will be Dr. Ricardo Mendes.
            Clinic C's openings are on Monday.
            You are officially on the list for Friday.
            We've set Friday aside for you.
            Friday it is, then: 10:00 with Dr. Fernando Mendes.
            It's a date: Friday at 10:00.
            The doctor agreed to see you on Friday.
            Avoid fried food until your visit.
            Your copay is low.
            Three clinics can see you, so you have some choice.
            Dr. Fernando Mendes has times on three different days.
            I've sent the confirmation to your phone.
            There is already a visit in your name on Friday.
            I filed the booking for Friday.
            Joaquina from the front desk arranged it all.
            It costs around two hundred.
            Our downtown branch can see you, too.
            Monday at 11:30 is also possible.
            The last option is {slot:2}.
            Those symptoms call for a cardiologist right away.
            Drink lots of fluids until then.
            I occupied the 14:00 slot in your name.
            Your Friday is sorted: 10:00 with Dr. Fernando Mendes.
            The doctor knows you're coming.
            No cardiologist is free.
            Neither doctor has a morning time.
            Clinic C replied that it has nothing open.
            Your time: Monday, 09:00, Dr. Ricardo Lopes.
            Approved! Friday at 10:00 is your time.
            I'm seeing six free windows across the two clinics.
            Clinic A holds the first times, while Clinic C has the Monday ones.
            Your cardiology visit starts on Friday at 10:00.
            I passed your choice on to the doctor.
            I finalised the 14:00 slot.
            There's a small surcharge.
            Consider yourself booked.
            Dr. Otto could see you.
            I see your cholesterol is a worry.
            About 15 people are in the queue.
            Clinic C prefers walk-ins.
            """
        ),
    ),
    Lies(
        "what was not expected",
        BOOKED_PT,
        lines(
            """
            Consulta agendada! Anote aí: sexta-feira, 18/07, às 11h.
            Seu horário foi reservado com o Dr. Ricardo Lopes.
            Sua consulta foi agendada na Clínica B.
            Sua consulta foi agendada e o retorno ficou marcado para sábado.
            Sua consulta foi agendada; traga os exames anteriores.
            Não foi possível concluir a marcação.
            Sua vaga no sábado está confirmada!
            Fiz a marcação com o Dr. Ricardo Lopes, como você queria.
            Tudo pronto! Nos vemos na segunda-feira.
            O Dr. Fernando Mendes vai receber você no sábado, às 14h.
            Reserva efetuada na Clínica A.
            """
        ),
    ),
    Lies(
        "what was not expected",
        MOVED_PT,
        lines(
            """
            Sua consulta continua marcada para sexta-feira.
            Mudança concluída: segunda-feira, 21/07, às 09:00.
            """
        ),
    ),
    Lies(
        "what was not expected",
        REFUSED_PT,
        lines(
            """
            Tudo confirmado, {patient}!
            Sua consulta foi remarcada para sábado.
            Esse horário está reservado para você.
            A vaga é sua, {patient}!
            Ficou tudo acertado para sábado.
            """
        ),
    ),
    Lies(
        "what was not expected",
        UNKNOWN_PT,
        lines(
            """
            Seu pedido foi concluído.
            Seu pedido não foi concluído.
            """
        ),
    ),
)
