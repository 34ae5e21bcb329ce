"""Clean answers in many hands: formal, casual, long, short, eager; each is to stand before the parts of its turn.

They were written before the rules that judge them, so that they tell how the rules do on what nobody tuned them for.
"""

from __future__ import annotations

from dataclasses import replace

from tests.support.clinic_turns import (
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    cancelled,
    failed,
    moved,
    openings,
)
from tests.support.model_drafts import Turn
from tests.unit.verifier.clean_drafts import (
    BOOKED,
    CANCELLED_EN,
    DOWN,
    EN,
    FILTERED_EN,
    FILTERED_PT,
    MOVED_PT,
    NONE_FITS_PT,
    NOT_FOUND_PT,
    NOTHING_FREE,
    PATIENTS,
    RECORD,
    SEVERAL_EN,
    SEVERAL_PT,
    TAKEN_EN,
    TAKEN_PT,
    UNKNOWN_PT,
    lines,
)

C_SILENT_PT = Turn.of(openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30), failed("clinic_c", "list_available_slots"))
C_SILENT_EN = replace(C_SILENT_PT, plan=replace(C_SILENT_PT.plan, language=EN))
CANCELLED_PT = Turn.of(cancelled("clinic_c", ON_18_AT_10))
MOVED_EN = Turn.of(moved("clinic_c", ON_18_AT_10, ON_19_AT_14), language=EN)
BOOKED_PT, BOOKED_EN = BOOKED[0].turn, BOOKED[1].turn
PATIENTS_EN, MATCHES_PT = PATIENTS[1].turn, PATIENTS[2].turn

STYLES: tuple[tuple[Turn, tuple[str, ...]], ...] = (
    (
        SEVERAL_PT.turn,
        lines(
            """
            Prezado(a) {patient}, em atenção ao seu pedido, apresentamos a seguir a disponibilidade dos cardiologistas.
            Oi, {patient}! Dei uma olhada nas agendas e achei coisa boa pra você.
            Que alegria falar com você! Já dei uma espiada na agenda dos nossos cardiologistas.
            Opa, tudo joia? Olha só o que apareceu por aqui:
            É um prazer atendê-lo. Relaciono abaixo as datas ofertadas por cada clínica.
            Segue um resumo do que levantei junto às clínicas de cardiologia.
            Cruzei as agendas das duas clínicas e montei um quadro único, para facilitar a sua vida.
            Fiz uma varredura completa e compilei as possibilidades em ordem cronológica.
            Vasculhei as agendas e garimpei estes horários para você.
            Como prometido, aqui vai a relação completa.
            Entendo a sua pressa; por isso coloquei as datas mais próximas no topo.
            A lista contempla todos os encaixes que constam hoje nos sistemas das clínicas, sem exceção.
            Dê uma olhadinha com calma e me conte qual combina melhor com a sua rotina.
            Pense à vontade: a lista fica aqui enquanto você decide.
            Se algum compromisso atrapalhar, a gente procura juntos uma saída.
            Caso deseje, posso restringir a busca a um único médico.
            Não se preocupe: nada será reservado sem o seu aval.
            O agendamento só acontece depois que você der o sinal verde.
            Nenhum horário foi bloqueado ainda; escolha sem pressa.
            Ainda não fiz nenhuma marcação, estou apenas mostrando o que existe.
            Assim que você bater o martelo, eu preparo tudo para a sua confirmação.
            Bastará o número da linha para eu dar andamento.
            Digite o número que corresponde ao horário de sua preferência e seguimos daí.
            Temos agenda tanto com o Dr. Fernando Mendes quanto com o Dr. Ricardo Lopes, então fique à vontade.
            O Dr. Ricardo Lopes recebe pacientes na Clínica A; já o Dr. Fernando Mendes, na Clínica C.
            Começando pela data mais próxima, temos {slot:1}.
            Quem chega primeiro na fila é {slot:1}, seguido de {slot:2}.
            Se manhã for melhor para você, {slot:1} e {slot:3} podem ser boas pedidas.
            Prefere a parte da tarde? Então vale olhar {slot:2}.
            Para quem quer resolver logo, sugiro {slot:1}.
            Caso a segunda-feira lhe convenha mais, o Dr. Ricardo Lopes dispõe de dois horários nesse dia.
            São quatro horários no total, divididos meio a meio entre as duas clínicas.
            Há um pouco de tudo: sexta, sábado e segunda.
            Espero que alguma dessas opções caiba na sua agenda!
            Torço para que encontre aqui o horário ideal.
            Obrigado pela confiança, {patient}. Vamos lá?
            Agradeço o contato e a paciência enquanto eu reunia as informações.
            Maravilha! Já tenho notícias das duas clínicas.
            Boas notícias, {patient}: as duas clínicas retornaram e há vagas em ambas.
            As vagas costumam sair rápido, portanto sugiro decidir em breve.
            Esses horários podem mudar a qualquer momento, já que outras pessoas também consultam a agenda.
            Vi que você procura um cardiologista. Felizmente, não faltam opções!
            Anotei o seu pedido e fui atrás dos horários.
            Gostaria de verificar outro dia ou outro turno? É só pedir.
            Se nada aí servir, me avise e eu amplio a procura.
            Posso detalhar algum desses horários, se ajudar.
            Alguma dúvida sobre a lista? Pergunte sem cerimônia.
            Sinta-se em casa para perguntar o que quiser antes de decidir.
            Escolhido o horário, mostrarei um resumo e pedirei o seu ok antes de qualquer coisa.
            Com base no que me contou, juntei tudo o que está aberto em cardiologia no momento.
            Trago aqui as janelas abertas nas agendas dos especialistas.
            Cada linha abaixo traz data, hora, médico e clínica.
            A tabela está em ordem crescente de data, do mais cedo ao mais tarde.
            Fico no aguardo do seu retorno para darmos sequência.
            Um abraço, e conte comigo!
            """
        ),
    ),
    (
        SEVERAL_EN.turn,
        lines(
            """
            Hey {patient}, good to hear from you! I dug through both calendars and came up with these.
            Thank you for reaching out. Please find below the availability of our cardiologists.
            Dear {patient}, in response to your enquiry, I am pleased to present the following options.
            Awesome, let's get you sorted! Here's what's out there:
            I went through the schedules of both clinics and pulled everything into one neat table.
            You're in luck: the two clinics both came back with open times.
            Happy to help! I've rounded up all the cardiology times currently on offer.
            Okay, so I scanned both agendas and this is what turned up.
            I took the liberty of putting the nearest dates at the top.
            I've lined them up in chronological order to make life easier.
            No rush at all; take all the time you need to decide.
            Nothing has been reserved yet, so feel free to browse.
            I haven't booked anything so far; I'm only showing you what exists.
            Once you give me the green light, I'll prepare the details for your approval.
            Nothing will be scheduled until you say so.
            Your pick will only be locked in after you confirm.
            Simply type the number next to the time you like and we'll take it from there.
            Point me to the row you prefer and I'll get the ball rolling.
            Should none of these suit, I'd gladly widen the search.
            If your week is hectic, perhaps a Saturday visit is easier: {slot:2}.
            If mornings are your thing, have a look at {slot:1} or {slot:3}.
            First in line is {slot:1}, followed by {slot:2}.
            Dr. Fernando Mendes sees patients at Clinic C, while Dr. Ricardo Lopes is based at Clinic A.
            Between the two doctors there is a nice mix of mornings and an afternoon.
            Four times in total, two at each clinic.
            Monday lovers can see Dr. Ricardo Lopes at 09:00 or 10:30.
            Both physicians are cardiologists, so it's really down to your schedule.
            These times tend to fill up quickly, so I'd suggest choosing soon.
            Availability may change at any moment as other people are browsing, too.
            I understand you'd like to be seen soon, hence the sorting by date.
            Would a different doctor or a different day work better? Just shout.
            Do any of these fit into your routine?
            Any questions before you decide? I'm all ears.
            Feel free to compare them at your leisure.
            Each row shows the date, hour, doctor and clinic.
            I hope one of these hits the spot!
            Fingers crossed that something here fits your calendar.
            Looking forward to hearing which one you'd like.
            Take your pick, {patient}, and I'll walk you through the rest.
            I've double-checked with both clinics, and everything below is open as of now.
            You asked for a cardiologist, and I found two with open calendars.
            Great news all round: no clinic kept us waiting this time.
            Cheers, and let me know how you'd like to proceed!
            """
        ),
    ),
    (
        FILTERED_PT.turn,
        lines(
            """
            Para a sexta-feira que você mencionou, surgiu uma oportunidade, {patient}.
            Consegui encontrar um horário na data que pediu. Dá uma conferida:
            Restringi a busca ao dia 18, conforme a sua solicitação.
            A sexta está bem concorrida, mas há uma brecha: {slot:1}.
            Se quiser abrir o leque para outros dias, é só falar.
            """
        ),
    ),
    (
        FILTERED_EN.turn,
        lines(
            """
            I narrowed things down to afternoons, just as you asked.
            One afternoon spot popped up, {patient}.
            If you're flexible, I can loosen the filter and look at mornings, too.
            """
        ),
    ),
    (
        NONE_FITS_PT.turn,
        lines(
            """
            Poxa, {patient}, para essa data a agenda não colaborou, mas veja o que há em outros dias.
            Procurei com carinho, porém não apareceu nada para o dia 28. Em compensação, há outras datas.
            Separei abaixo as alternativas que mais se aproximam do que você queria.
            """
        ),
    ),
    (
        C_SILENT_PT,
        lines(
            """
            A Clínica C está sem comunicação neste instante; por ora, trago só o que a Clínica A informou.
            Tentei falar com as duas clínicas, mas apenas a Clínica A retornou.
            Houve um contratempo ao consultar a Clínica C, por isso a lista pode estar incompleta.
            Quando a Clínica C voltar a responder, posso refazer a consulta para você.
            Peço desculpas pelo transtorno: uma das clínicas não deu retorno.
            Enquanto isso, veja o que o Dr. Ricardo Lopes tem na segunda-feira.
            """
        ),
    ),
    (
        C_SILENT_EN,
        lines(
            """
            Clinic C seems to be having connection trouble, so this list may be incomplete.
            I tried both clinics, but only Clinic A got back to me.
            My apologies for the hiccup: one of the clinics didn't respond.
            Once Clinic C is reachable again, I'd be glad to repeat the search.
            """
        ),
    ),
    (
        DOWN[0].turn,
        lines(
            """
            Puxa, {patient}, não consegui contato com nenhuma das clínicas agora há pouco.
            Estamos com instabilidade na comunicação com as clínicas. Que tal tentarmos mais tarde?
            """
        ),
    ),
    (
        DOWN[1].turn,
        lines(
            """
            It looks like both clinics are temporarily out of reach, {patient}.
            We seem to be experiencing connection issues with the clinics. Mind trying again later?
            """
        ),
    ),
    (
        NOTHING_FREE[0].turn,
        lines(
            """
            A agenda de dermatologia está cheia por enquanto, {patient}.
            Desta vez não sobrou nenhuma vaga com os dermatologistas. Quer que eu olhe de novo mais tarde?
            """
        ),
    ),
    (
        NOTHING_FREE[1].turn,
        lines(
            """
            I'm afraid dermatology is completely full right now.
            Sadly the dermatologist's calendar has no gaps at present, {patient}.
            """
        ),
    ),
    (
        BOOKED_PT,
        lines(
            """
            Eba, {patient}! Está tudo acertado com a Clínica C.
            Missão cumprida! Sua consulta já está na agenda do Dr. Fernando Mendes.
            Informamos que o agendamento foi efetivado conforme solicitado.
            Deu tudo certo por aqui! Guarde o comprovante abaixo.
            Reservei para você o horário de sexta-feira, 18/07, às 10:00, como combinamos.
            Combinado! O Dr. Fernando Mendes espera você na sexta-feira.
            Registro concluído. Seguem os dados para a sua conferência.
            Fechado! Sexta às dez da manhã, na Clínica C.
            Caso surja algum imprevisto, avise-me para remarcarmos.
            Desejamos uma excelente consulta e agradecemos a confiança!
            Sua vaga está garantida, e o comprovante vem logo a seguir.
            """
        ),
    ),
    (
        BOOKED_EN,
        lines(
            """
            Woohoo, you're good to go, {patient}!
            We're pleased to inform you that your reservation has been processed.
            That's taken care of! You'll be seeing Dr. Fernando Mendes on Friday, July 18 at 10:00.
            Your spot is secured; the receipt below has all the details.
            Consider it done, {patient}.
            I've put you down with Dr. Fernando Mendes at Clinic C.
            Should anything come up, drop me a line and we'll find another time.
            Thanks for trusting us with your visit!
            Everything went smoothly, and the confirmation is right below.
            """
        ),
    ),
    (
        MOVED_PT.turn,
        lines(
            """
            Feito, {patient}! Troquei a sexta pelo sábado, como pediu.
            A alteração foi processada: agora a consulta é no sábado às 14:00.
            Ajustei a sua agenda sem problemas; confira o comprovante.
            """
        ),
    ),
    (
        MOVED_EN,
        lines(
            """
            Done and dusted: your visit now takes place on Saturday at 14:00.
            I've swapped Friday for Saturday, just as you wanted.
            Your change has been recorded; see the receipt for the particulars.
            """
        ),
    ),
    (
        CANCELLED_PT,
        lines(
            """
            Pronto, {patient}, o cancelamento foi efetuado e o horário voltou a ficar livre.
            Sem problemas! Desmarquei a consulta com o Dr. Fernando Mendes.
            Lamentamos que não possa comparecer; quando quiser, buscamos uma nova data.
            """
        ),
    ),
    (
        CANCELLED_EN.turn,
        lines(
            """
            No worries, {patient}, I've taken that appointment off the books.
            The visit with Dr. Fernando Mendes has been called off as you wished.
            Whenever you're ready to rebook, give me a nudge.
            """
        ),
    ),
    (
        TAKEN_PT.turn,
        lines(
            """
            Ah, que pena! Alguém foi mais rápido e ficou com esse horário.
            Esse horário escapou por pouco, {patient}. Felizmente, há outra saída:
            Por questão de segundos a vaga foi preenchida, e por isso a sua marcação não foi adiante.
            Nada mudou na sua agenda. Que tal considerar a alternativa abaixo?
            """
        ),
    ),
    (
        TAKEN_EN.turn,
        lines(
            """
            Ah, bad timing: somebody snapped that one up moments ago.
            That opening slipped away before we could grab it, so nothing was booked.
            No change was made on your side, {patient}.
            """
        ),
    ),
    (
        NOT_FOUND_PT.turn,
        lines(
            """
            Procurei, procurei e não localizei essa consulta em seu nome.
            Pode ser que a data ou o médico estejam trocados; vamos conferir juntos?
            """
        ),
    ),
    (
        UNKNOWN_PT.turn,
        lines(
            """
            A conexão caiu no meio do caminho, então não tenho como garantir se a mudança entrou.
            Para sua segurança, sugiro que eu confirme a situação com a Clínica C.
            """
        ),
    ),
    (
        PATIENTS_EN,
        lines(
            """
            Here's the roster you requested, grouped by clinic.
            I retrieved the patients of both clinics; only anonymous codes are displayed.
            """
        ),
    ),
    (
        MATCHES_PT,
        lines(
            """
            Localizei os pacientes cujo quadro bate com a sua pesquisa.
            A pesquisa devolveu dois resultados, um em cada clínica.
            """
        ),
    ),
    (
        RECORD[0].turn,
        lines(
            """
            Conforme pedido, abri a sua ficha. Dê uma lida com calma.
            Seus dados cadastrais e clínicos estão reunidos logo abaixo, {patient}.
            """
        ),
    ),
    (
        RECORD[1].turn,
        lines(
            """
            I've pulled up your chart, {patient}; please look it over.
            Everything the clinic keeps on file about you is displayed underneath.
            """
        ),
    ),
)
