"""What is said in Brazilian Portuguese."""

from __future__ import annotations

from orchestrator.responder.texts import (
    ConsentTexts,
    FailureTexts,
    FilterTexts,
    Label,
    ListingTexts,
    PatientTexts,
    ReplyTexts,
)
from orchestrator.responder.wording import Counted
from orchestrator.turn import ReceiptKind, Rule, Topic

_TOPICS = {
    Topic.ASK_REQUEST: (
        "Não entendi bem. Posso mostrar horários, marcar, remarcar ou cancelar uma consulta em {specialties}. "
        "Por exemplo: “quero um cardiologista” ou “tem dermatologista amanhã de manhã?”."
    ),
    Topic.ASK_WHICH_FIRST: "São pedidos diferentes de uma vez só. Com qual eu começo?",
    Topic.ASK_SPECIALTY: "Claro. Para qual especialidade: {one_specialty}?",
    Topic.ASK_WHICH_DOCTOR: "Com qual destes médicos?",
    Topic.ASK_WHICH_OFFER: "Qual destes horários? Diga o número, ou o médico com o dia e a hora.",
    Topic.ASK_ANOTHER_TIME: (
        "Sem problema. Que dia ou período fica melhor? Também posso ver outro médico ou especialidade."
    ),
    Topic.ASK_WHICH_APPOINTMENT: "De qual destas consultas estamos falando?",
    Topic.ASK_APPOINTMENT: "De qual consulta? Diga {missing}.",
    Topic.ASK_NEW_TIME: "Para quando? Diga o novo dia e a hora, ou peça para ver os horários.",
    Topic.ASK_CHANGE: "Entendi que você não vai poder ir. Quer cancelar a consulta ou remarcar para outro dia?",
    Topic.ASK_GO_ON: "Quer que eu siga com o seu pedido? (sim/não)",
    Topic.ASK_PATIENT_ID: "Qual é o código do paciente? Ele se parece com CARD-001.",
    Topic.ASK_QUERY: "O que devo procurar? Diga uma condição, um medicamento ou um exame.",
    Topic.OFFER_SPECIALTY: (
        "Não posso avaliar sintomas, mas queixas assim costumam ser vistas em {specialty}. Quer ver os horários? "
        "Se piorar de repente, ligue para o SAMU: 192."
    ),
    Topic.UNKNOWN_CLINIC: "Não conheço essa clínica. Atendemos em {clinics}.",
    Topic.UNKNOWN_DOCTOR: "Esse médico não atende nas nossas clínicas. Diga a especialidade e eu mostro quem atende.",
    Topic.MOMENT_IN_PAST: "Esse dia ou essa hora já passou. Qual outro momento serve para você?",
    Topic.NO_SUCH_DAY: "Esse dia não existe no calendário. Qual dia você quis dizer?",
    Topic.MY_APPOINTMENTS: (
        "Nesta conversa você tem as consultas abaixo. Para mudar alguma, diga “remarcar” ou “cancelar”. "
        "Consultas marcadas em outro momento eu não vejo; para mudar uma delas, diga o médico, o dia e a hora."
    ),
    Topic.NO_APPOINTMENTS: (
        "Você não tem consulta marcada nesta conversa, e as marcadas em outro momento eu não vejo. "
        "Para mudar uma delas, diga o médico, o dia e a hora."
    ),
    Topic.CLINIC_MATTERS: (
        "Isso só a própria clínica informa: eu conheço apenas as agendas, não preços, convênios, endereços nem "
        "documentos. Posso mostrar horários, marcar, remarcar ou cancelar uma consulta em {specialties}."
    ),
    Topic.POSSIBLE_EMERGENCY: (
        "Se for forte, tiver começado de repente ou piorar, ligue agora para o SAMU: 192, ou vá ao pronto-socorro mais "
        "próximo."
    ),
    Topic.DIAGNOSIS: (
        "Não posso dar diagnóstico nem opinião médica; isso cabe a um médico em consulta. "
        "Posso mostrar horários em {specialties}. Se for urgente, ligue para o SAMU: 192."
    ),
    Topic.DOSAGE: (
        "Não posso indicar remédio nem dose; fale com o médico que acompanha você. "
        "Se quiser, mostro horários em {specialties}."
    ),
    Topic.OTHER_PERSON: (
        "Não posso mostrar nem alterar dados de outra pessoa. Com as suas próprias consultas eu ajudo."
    ),
    Topic.OPERATORS_ONLY: "Essa informação é só para a equipe das clínicas. Com as suas consultas eu ajudo.",
    Topic.INSTRUCTIONS: (
        "Não posso mudar nem mostrar as minhas regras. Posso ver horários, marcar, remarcar e cancelar consultas."
    ),
    Topic.OTHER_SPECIALTY: "Não temos essa especialidade. Atendemos em {specialties}. Quer ver os horários de alguma?",
    Topic.OFF_TOPIC: "Isso eu não sei responder: cuido só de consultas em {specialties}. Quer ver os horários?",
    Topic.UNSUPPORTED: (
        "Não tenho a quem encaminhar esse pedido do jeito que está, então nenhuma clínica foi consultada. "
        "Posso mostrar horários, marcar, remarcar ou cancelar consultas em {specialties}."
    ),
    Topic.DIRECT_ANSWER: (
        "Não há atendimento especializado para esse pedido e nenhuma clínica foi consultada. "
        "Segue uma resposta direta e limitada:"
    ),
    Topic.NO_DIRECT_ANSWER: (
        "Não há atendimento especializado para esse pedido, e sem ele não tenho uma resposta segura para dar. "
        "Posso mostrar horários, marcar, remarcar ou cancelar consultas em {specialties}."
    ),
    Topic.AGENT_PROPOSED: (
        "Ainda não há atendimento para esse tipo de pedido. Anotei a sugestão para a equipe, sem os seus dados. "
        "Por enquanto, posso mostrar horários, marcar, remarcar ou cancelar consultas em {specialties}."
    ),
    Topic.GREETING: "Olá! Posso mostrar horários, marcar, remarcar ou cancelar consultas em {specialties}.",
    Topic.THANKS: "De nada! Se precisar de mais alguma coisa, é só dizer.",
    Topic.FAREWELL: "Até logo! Cuide-se.",
    Topic.HELP: (
        "Escreva como se falasse com a recepção. Alguns exemplos:\n"
        "  “quero marcar com um cardiologista”\n"
        "  “ortopedista na semana que vem, de manhã”\n"
        "  “o mais cedo”, “o segundo”\n"
        "  “preciso remarcar minha consulta”\n"
        "  “cancelar minha consulta”\n"
        "Antes de marcar, remarcar ou cancelar eu mostro o que vai ser feito e espero o seu “sim”."
    ),
    Topic.HOW_IT_WORKS: (
        "Você diz a especialidade ou o médico e eu consulto todas as clínicas dela de uma vez ({specialties}). "
        "Depois você escolhe pelo número, eu mostro o resumo e só envio o pedido à clínica com o seu “sim”. "
        "Remarcar e cancelar funcionam do mesmo jeito."
    ),
    Topic.NOTHING_DONE: "Certo, nada foi alterado. Em que mais posso ajudar?",
    Topic.WHAT_ELSE: "Se quiser ver horários ou marcar uma consulta, é só dizer.",
    Topic.NO_HEALTH_MEMORY: (
        "Não guardo informações de saúde: elas ficam só no prontuário das clínicas. "
        "Se quiser uma consulta, diga para qual especialidade: {one_specialty}."
    ),
    Topic.MEDICAL_EMERGENCY: (
        "Ligue agora para o SAMU: 192. Isso pode ser uma emergência; vá ao pronto-socorro mais próximo ou peça a "
        "alguém por perto que leve você. Depois eu ajudo com a consulta."
    ),
    Topic.SELF_HARM: (
        "Se houver perigo agora, ligue para o SAMU: 192. Para conversar com alguém, a qualquer hora e sem custo, ligue "
        "para o CVV: 188. Você não precisa passar por isso sem apoio; fique perto de alguém em quem confia."
    ),
}

_LABELS = {
    Label.NUMBER: "Nº",
    Label.OPTION: "Opção",
    Label.DATE: "Data",
    Label.TIME: "Hora",
    Label.DOCTOR: "Médico(a)",
    Label.CLINIC: "Clínica",
    Label.SPECIALTY: "Especialidade",
    Label.REMARK: "Obs.",
    Label.PATIENT: "Paciente",
    Label.PATIENT_ID: "Código",
    Label.CPF: "CPF",
    Label.BIRTH_DATE: "Nascimento",
    Label.CONDITION: "Condição",
    Label.MEDICATIONS: "Medicamentos",
    Label.EXAMS: "Exames",
    Label.ADDRESS: "Endereço",
    Label.PHONE: "Telefone",
    Label.FROM: "De",
    Label.TO: "Para",
}

PORTUGUESE = ReplyTexts(
    topics=_TOPICS,
    blocked={
        Rule.R1: "Resposta bloqueada (R1): trazia uma dose ou um tratamento que os dados das clínicas não confirmam.",
        Rule.R2: "Resposta bloqueada (R2): trazia dados pessoais de outra pessoa.",
        Rule.R3: "Resposta bloqueada (R3): trazia um diagnóstico ou um conselho médico.",
        Rule.R4: "Resposta bloqueada (R4): o texto não conferia com o que as clínicas responderam.",
        Rule.AUDIT: "Resposta bloqueada (AUDIT): a auditoria não liberou a resposta das clínicas. Tente de novo.",
    },
    labels=_LABELS,
    conjunction="e",
    listing=ListingTexts(
        found=Counted(
            "Encontrei 1 horário livre em {specialties} ({clinics}).",
            "Encontrei {count} horários livres em {specialties} ({clinics}).",
        ),
        filtered="Filtro: {filter}.",
        earliest="O mais cedo: {moment}, {doctor}, {clinic}.",
        earliest_mark="mais cedo",
        opening="{date}, às {time}, com {doctor} ({clinic})",
        hidden=Counted(
            "Há mais 1 horário fora do que você pediu; diga “todos os horários” para ver.",
            "Há mais {count} horários fora do que você pediu; diga “todos os horários” para ver.",
        ),
        none_fits="Não há horário livre como você pediu ({filter}). Os mais próximos:",
        none_free="Não há horário livre em {specialties} no momento. Tente outro médico ou outra especialidade.",
        alternatives="Horários livres por perto:",
        no_alternatives="Não há outro horário livre por perto. Peça os horários para ver outros dias.",
        choose="Para escolher, diga o número.",
    ),
    filters=FilterTexts(
        day="{day}",
        day_range="de {first} a {last}",
        from_day="a partir de {first}",
        until_day="até {last}",
        time="às {time}",
        time_range="entre {first} e {last}",
        from_time="a partir das {first}",
        until_time="até {last}",
        weekdays="{weekdays}",
        excluded="menos {days}",
    ),
    patients=PatientTexts(
        found=Counted("Encontrei 1 paciente:", "Encontrei {count} pacientes:"),
        none="Nenhum paciente corresponde ao que você pediu. Tente outra palavra, ou peça a lista de pacientes.",
        record="Paciente {patient_id}",
        not_found="Nenhuma clínica consultada tem um paciente com esse código. Confira o código.",
        not_found_so_far="As clínicas que responderam não têm um paciente com esse código; peça de novo em instantes.",
    ),
    failures=FailureTexts(
        no_answer="{clinic} não respondeu ({seconds}).",
        shown="Mostrando {answered} de {asked} clínicas. Peça de novo em instantes para ver o que falta.",
        all_down="Nenhuma clínica consultada respondeu. Tente de novo em instantes.",
        refusals={
            "SLOT_UNAVAILABLE": "Esse horário não está livre.",
            "APPOINTMENT_NOT_FOUND": (
                "Não encontrei consulta sua com esse médico nesse dia e nessa hora. Confira os dados e diga de novo."
            ),
            "APPOINTMENT_CONFLICT": "Você já tem outra consulta nessa clínica nesse dia e hora. Escolha outro horário.",
            "APPOINTMENT_IN_PAST": "Essa consulta já começou ou já passou; não dá mais para remarcar nem cancelar.",
            "PATIENT_NOT_FOUND": "Essa clínica não tem um paciente com esse código.",
            "REQUEST_ID_REUSED": "A clínica já recebeu outro pedido com este código. Faça o pedido de novo.",
            "STORAGE_UNAVAILABLE": "A clínica não conseguiu gravar a agenda. Tente de novo em instantes.",
            "INVALID_ARGUMENTS": "A clínica não aceitou os dados do pedido. Diga de novo o médico, o dia e a hora.",
            "UNAUTHENTICATED": (
                "A clínica não reconheceu quem está chamando: ela confia em outras chaves, ou os relógios não batem. "
                "Quem cuida do sistema vê mais com “clinic-mesh status”."
            ),
            "PERMISSION_DENIED": "A clínica não permite esse pedido a quem está falando.",
        },
        rate_limited=Counted(
            "A clínica recebeu pedidos demais em pouco tempo. Tente de novo daqui a 1 segundo.",
            "A clínica recebeu pedidos demais em pouco tempo. Tente de novo daqui a {count} segundos.",
        ),
        refused="A clínica não pôde atender o pedido. Tente de novo em instantes.",
        nothing_changed="Nada foi alterado.",
        try_again="Tente de novo em instantes.",
        unknown=(
            "{clinic} não confirmou a tempo ({seconds}): resultado desconhecido. O pedido pode ter chegado ou não. "
            "Para verificar, responda “sim”: repito o mesmo pedido, e a clínica não o faz duas vezes."
        ),
        still_unknown=(
            "O resultado do pedido não é conhecido. Para verificar, responda “sim”: repito o mesmo pedido, e a clínica "
            "não o faz duas vezes."
        ),
        skipped="Este passo não foi tentado, porque o anterior não deu certo.",
        old_still_booked=(
            "A nova consulta está marcada, mas a antiga também continua: para desistir da antiga, diga “cancelar”."
        ),
        old_stays="A consulta antiga fica como está.",
    ),
    consent=ConsentTexts(
        titles={
            "book_appointment": "Marcar consulta",
            "reschedule_appointment": "Remarcar consulta",
            "cancel_appointment": "Cancelar consulta",
        },
        confirm="Confirma? (sim/não)",
        again="Na primeira vez a clínica não confirmou a tempo. Com o seu “sim”, repito o mesmo pedido, sem duplicar.",
        dropped="Certo, nada foi alterado.",
        abandoned=(
            "Certo, não repito o pedido. O resultado dele continua desconhecido; confirme com a clínica se a mudança "
            "chegou a ser feita."
        ),
        superseded=(
            "O pedido anterior não será repetido, e o resultado dele continua desconhecido; confirme com a clínica se "
            "a mudança chegou a ser feita."
        ),
        cancelled="Interrompido a seu pedido.",
        receipts={
            ReceiptKind.CONFIRMED: "Consulta marcada",
            ReceiptKind.RESCHEDULED: "Consulta remarcada",
            ReceiptKind.CANCELLED: "Consulta cancelada",
        },
        after_receipt={
            ReceiptKind.CONFIRMED: "Se precisar remarcar ou cancelar, é só dizer.",
            ReceiptKind.RESCHEDULED: "Se precisar remarcar de novo ou cancelar, é só dizer.",
            ReceiptKind.CANCELLED: "Se quiser outro horário, é só dizer.",
        },
    ),
)
