"""The grammar of Brazilian Portuguese for `relations`; entries are folded, phrases that are shown are not."""

from __future__ import annotations

import re

from orchestrator.research.rules.relations import Relations, any_of, meanings

_NOTICE = any_of("""
    percebi; notei; observei; reparei; vi; percebo; noto; observo; vejo; acho; acredito; suspeito; desconfio; penso;
    sinto;
    imagino; parece; tenho percebido; tenho notado; tenho observado; tenho reparado; tenho visto;
    tenho a impressao de; minha hipotese e( de)?; a hipotese e( de)?; a ideia e; minha observacao e( de)?
""")
_WISH = any_of("quero; queria; gostaria de; preciso; pretendo; vou")
_FIND_OUT = any_of("saber; entender; investigar; descobrir; verificar; avaliar; estudar; pesquisar")
_STUDY = any_of("""
    fazer (uma pesquisa|um estudo|um tcc); meu (tcc|tema|estudo|mestrado) e; pesquisar; estudar; investigar; entender;
    escrever; falar; avaliar
""")
_CHANGES = any_of("""
    (impact|afet|influenci|alter|modific|mud|aument|elev|melhor|pior|evit|caus|provoc|prejudic|ger)(a|am|ou|aram);
    (favorec|promov)(e|em|eu|eram); previne; previnem; preveniu; preveniram; reduz(em|iu|iram)?; diminu(i|em|iu|iram)
""")
_MOVES = any_of("(diminu|ca)(i|em|iu|iram); (aument|melhor|pior)(a|am|ou|aram); reduz(em|iu|iram)?; subiu; subiram")
_ACT_ON = any_of("reduzir; diminuir; aumentar; melhorar; evitar; prevenir; tratar; controlar")
_BEARS_ON = any_of("""
    interferem?; influi; influem; ajudam?; contribui; contribuem; levam?; protegem?;
    esta (associad|ligad|relacionad)[oa]; estao (associad|ligad|relacionad)[oa]s;
    (tem|exerce|exercem) (algum )?(efeito|impacto|influencia)
""")
_ON = any_of("em; n[oa]s?; a; aos?; as; para; com; contra; de; d[oa]s?; sobre")
_MORE_OR_LESS = any_of("mais; menos; maior; menor; melhor; pior")
_DEGREE = any_of("""
    (muito |bem )?(mais|menos)( rapido| rapidamente| cedo| tarde| devagar| vezes| frequentemente| facilmente)?;
    (muito |bem )?(melhor|pior); muito; pouco; demais
""")
_PREPOSITION = r"(?:d[eoa]s?|que|em|n[oa]s?)\b"
_EFFECT = any_of("efeito; impacto; influencia; papel")
_BOND = any_of("relacao; associacao; correlacao")
_ASKED = any_of("como; de que (forma|modo|maneira); em que medida; quanto; o quanto; se")

PORTUGUESE = Relations(
    opening=re.compile(
        r"(?:(?:oi|ola|bom dia|boa tarde|boa noite)[,!. ]+)?(?:eu )?(?:ultimamente,? )?"
        rf"(?:{_NOTICE}(?: aqui| la)?(?: na clinica)? que|{_WISH} {_FIND_OUT} (?:se|como)"
        r"|sera que|(?:minha |a )?pergunta(?: e|:)|(?:minha |a )?hipotese:),? "
    ),
    topic=re.compile(rf"(?:eu )?(?:{_WISH} )?{_STUDY}(?: sobre| acerca de)? (?P<outcome>.+)"),
    shapes=(
        re.compile(r"o que influencia (?P<outcome>.+)"),
        re.compile(r"o que muda com (?P<exposure>.+)"),
        re.compile(
            rf"(?:qual (?:e |seria |foi )?)?(?:o |a )?{_EFFECT} (?:de |(?=d[oa]s? ))(?P<exposure>.+?)"
            r" (?:sobre |em |(?=n[oa]s? ))(?P<outcome>.+)"
        ),
        re.compile(rf"(?:qual (?:e )?|ha |existe )?(?:a |uma )?{_BOND} entre (?P<exposure>.+?) e (?P<outcome>.+)"),
        re.compile(rf"quanto {_MORE_OR_LESS} (?P<amount>.+?),? {_MORE_OR_LESS} (?P<outcome>.+)"),
        re.compile(rf"como (?:se pode |podemos |posso )?{_ACT_ON} (?P<outcome>.+)"),
        re.compile(
            r"(?:desde que|depois que|quando) (?:(?:comec|pass)[a-z]+ a )?(?P<exposure>.+?),?"
            rf" (?P<outcome>[oa]s? .+?) {_MOVES}"
        ),
        re.compile(rf"(?P<outcome>.+?) {_MOVES} (?:com|depois d[eoa]s?|apos) (?P<exposure>.+)"),
        re.compile(rf"(?:{_ASKED} )?(?P<exposure>.+?) (?:{_CHANGES}|{_BEARS_ON} {_ON}) (?P<outcome>.+)"),
    ),
    seen=(
        re.compile(
            r"(?P<subject>.+) (?P<verb>tem|apresentam?|sentem?|relatam?)(?P<rest> .+?)"
            rf" (?:mais|menos) (?!{_PREPOSITION})[a-z]+"
        ),
        re.compile(rf"(?P<subject>.+)(?<! se)(?: se)? (?P<verb>[a-z]+) {_DEGREE}(?P<rest> .+)?"),
    ),
    doing=re.compile(r",? que "),
    doers=re.compile(r"quem "),
    contrast=any_of(r"""
        em comparacao (com|a|aos?|as); comparad[oa]s? (com|a|aos?|as); comparando (com|a|aos?|as); versus; vs\.?;
        contra; do que; (?<=mais )que; (?<=menos )que
    """),
    measured=any_of("""
        tendo como medida; usando como medida; (medid[oa]s?|medindo|avaliad[oa]s?|mensurad[oa]s?)( pel[oa]s?| por|
        como| com| em)?
    """),
    lasting=any_of("""
        no periodo de; n[oa]s?; durante; ao longo de; por; em; dentro de; apos; depois de; de; ha; a cada; entre; com
    """),
    of_people=any_of("em; entre; para; n[oa]s?; d[eoa]s?; com; por"),
    nouns=meanings("""
        faltam, falta, faltaram = as faltas; aderem, adere = a adesão; abandonam, abandona = o abandono;
        dormem, dorme = o sono; internam, interna = as internações; comparecem, comparece = o comparecimento;
        melhoram, melhora = a melhora; pioram, piora = a piora; adoecem, adoece = o adoecimento;
        caem, cai = as quedas; recaem, recai = as recaídas; emagrecem, emagrece = a perda de peso;
        engordam, engorda = o ganho de peso; desistem, desiste = as desistências;
        retornam, retorna, voltam, volta = os retornos; sofrem, sofre = o sofrimento;
        recuperam, recupera = a recuperação; rendem, rende = o rendimento;
        tem, apresentam, apresenta, sentem, sente, relatam, relata =
    """),
    acts=meanings("""
        fazem, faz = fazer; praticam, pratica = praticar; usam, usa = usar; tomam, toma = tomar;
        recebem, recebe = receber; participam, participa = participar; caminham, caminha = caminhar;
        correm, corre = correr; dormem, dorme = dormir; fumam, fuma = fumar; bebem, bebe = beber; comem, come = comer;
        consomem, consome = consumir; moram, mora = morar; vivem, vive = viver; trabalham, trabalha = trabalhar;
        estudam, estuda = estudar; tem = ter; seguem, segue = seguir; assistem, assiste = assistir;
        marcam, marca = marcar; agendam, agenda = agendar; leem, le = ler; vao, vai = ir; meditam, medita = meditar;
        nadam, nada = nadar; treinam, treina = treinar; sofrem, sofre = sofrer; passam, passa = passar;
        ficam, fica = ficar
    """),
    how_much="o quanto",
    amount="a quantidade de",
    contracted=re.compile(r"(?:d|n|a(?=o))(?=[oa]s?\s)"),
)
