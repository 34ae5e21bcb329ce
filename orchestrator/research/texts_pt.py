"""The desk's texts in Brazilian Portuguese."""

from __future__ import annotations

from orchestrator.research.rules import Aspect, Element, ScreeningRefusal
from orchestrator.research.texts import DeskTexts, GapTexts

PORTUGUESE = DeskTexts(
    gaps={
        Element.EXPOSURE: GapTexts(
            "Falta o que faz a diferença (a exposição ou intervenção).",
            "Nomear o que se compara, por exemplo: receber lembretes por mensagem.",
            "O que você acha que faz a diferença para isso acontecer?",
        ),
        Element.OUTCOME: GapTexts(
            "Falta o que muda (o desfecho).",
            "Nomear o resultado que se observa, por exemplo: as faltas às consultas.",
            "O que muda na vida dessas pessoas quando isso acontece?",
        ),
        Element.POPULATION: GapTexts(
            "Não especificada",
            "Definir de quem se trata, por exemplo: adultos 18-40 anos.",
            "Em quem você observou isso? O resultado seria o mesmo em outras pessoas?",
        ),
        Element.COMPARISON: GapTexts(
            "Falta com o que comparar.",
            "Dizer com quem ou com o que se compara, por exemplo: quem não recebe lembretes.",
            "Comparado com quem ou com o quê? Sem um grupo de comparação, o que provaria que a ideia está errada?",
        ),
        Element.MEASURE: GapTexts(
            "O desfecho ainda não vira um número.",
            "Escolher uma medida, por exemplo: escala, questionário, taxa ou valor de exame.",
            "Como você reconheceria a mudança em números?",
        ),
        Element.TIME: GapTexts(
            "Falta o período em que os eventos são contados.",
            "Dar um período, por exemplo: 12 meses.",
            "Durante quanto tempo seria preciso observar para ver a diferença?",
        ),
    },
    refusals={
        ScreeningRefusal.CRISIS: "Um pedido de socorro não é uma pergunta de pesquisa.",
        ScreeningRefusal.IDENTIFIES: (
            "O pedido quer identificar pacientes. Aqui só saem contagens: nomes, CPFs e prontuários não são "
            "mostrados a "
            "ninguém que pesquisa."
        ),
        ScreeningRefusal.HARMFUL: (
            "O estudo exporia pessoas a dano ou as observaria sem consentimento; um comitê de ética (CEP) não o "
            "aprovaria."
        ),
        ScreeningRefusal.ADVICE: (
            "Isso pede diagnóstico ou tratamento, que cabem a um profissional de saúde, e não é uma pesquisa."
        ),
        ScreeningRefusal.ERRAND: (
            "Isso é um pedido às clínicas, e não uma pesquisa: para consultas, use o terminal clinic-mesh."
        ),
        ScreeningRefusal.VALUES: (
            "A pergunta é sobre o que é certo ou sobre o que nenhum dado decide; não há observação que a respondesse."
        ),
    },
    aspects={aspect: aspect.value for aspect in Aspect},
    crisis=(
        "Isto vem antes de qualquer pesquisa: se você ou alguém está em perigo agora, ligue para o SAMU, 192. Para "
        "conversar "
        "com alguém a qualquer hora, o CVV atende pelo 188, de graça e em sigilo."
    ),
    explore=(
        "Ainda não vejo uma relação que se possa estudar. Conte em uma frase o que você observou: o que muda, em "
        "quem, e o que "
        "parece fazer a diferença."
    ),
    explore_population=(
        "Já sei de quem se trata: {population}. O que muda nessas pessoas, e o que parece fazer a diferença?"
    ),
    to_structurer="A observação já relaciona coisas que se podem estudar; o Estruturador faz dela uma pergunta.",
    to_structurer_again="A resposta preenche o que faltava ({gaps}); o Estruturador refaz a pergunta.",
    to_methodologist="Antes de estruturar, o Metodologista precisa dizer se isso é uma pesquisa.",
    nothing_added="Isso não preenche o que falta. {reflection} {suggestion}",
    finished="Esta sessão está concluída. Use /export para guardar o resultado ou /new para uma nova observação.",
    analysis_new="Nova observação. Reconhecido: {known}.",
    analysis_answer="Resposta ao Metodologista. Acrescenta: {known}.",
    analysis_vague="Não há no texto nada que se possa acrescentar à pergunta.",
    analysis_refused="O texto não é uma observação para estruturar.",
    emerged="O texto relaciona variáveis: a conversa passou da exploração a uma hipótese.",
    matured="Nada mais falta à pergunta: a hipótese pode virar um método. /export guarda o resultado.",
    structured="V{version}: {question}",
    problem_both="Não se sabe se e quanto {exposure} muda {outcome} em {population}.",
    problem_outcome="Não se sabe o que explica {outcome} em {population}.",
    problem_exposure="Não se sabe o que muda com {exposure} em {population}.",
    contribution="Uma resposta ajudaria os serviços a decidir, com dados, o que oferecer a {population}.",
    somebody="um grupo ainda não definido",
    approved=(
        "V{version} é testável: diz em quem, o que se compara e o que se mede, e um resultado pode contrariá-la. "
        "Aprovada."
    ),
    needs_refinement=(
        "V{version} ainda não é testável. Lacunas: {gaps}. São no máximo três versões: responda de uma vez o que "
        "puder, separando "
        "com ponto e vírgula."
    ),
    ended_open=(
        "V{version} é a última versão e ainda tem lacunas: {gaps}. A sessão termina aqui, sem aprovação; /export "
        "guarda o que "
        "falta."
    ),
    speakers={
        "researcher": "Você",
        "orchestrator": "Orquestrador",
        "structurer": "Estruturador",
        "methodologist": "Metodologista",
    },
    version_columns=("Versão", "Pergunta", "Lacunas"),
    improvement_columns=("Aspecto", "O que falta", "Sugestão"),
    counts_title="Pacientes nas clínicas com: {conditions}",
    counts_columns=("Especialidade", "Clínicas que responderam", "Pacientes"),
    counts_total="Total",
    counts_none="A população não nomeia uma condição que as clínicas registrem; não há o que contar.",
    counts_unanswered="Nenhuma clínica respondeu à contagem.",
    counts_unavailable="As clínicas não puderam ser consultadas; a contagem de pacientes não foi feita.",
    suppressed="omitido (menos de 3, ou revelaria)",
    unknown="não se sabe",
    unchecked="Não se pode verificar aqui: {criteria}.",
    specialties={"Cardiology": "Cardiologia", "Dermatology": "Dermatologia", "Orthopedics": "Ortopedia"},
    criteria={
        "age": "idade",
        "sex": "sexo",
        "time": "tempo",
        "place": "lugar",
        "medication": "medicação",
        "exam": "exames",
        "adherence": "adesão",
        "severity": "gravidade",
        "habit": "hábitos",
        "other_condition": "outra condição",
        "combination": "combinação de condições",
        "exclusion": "exclusão de uma condição",
    },
)
