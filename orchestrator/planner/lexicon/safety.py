"""What must never be treated as a booking: emergencies, and what no clinic desk may answer."""

SELF_HARM: tuple[str, ...] = (
    "suicid*", "me matar", "quero morrer", "vontade de morrer", "queria morrer", "prefiro morrer", "melhor morrer",
    "(tirar|acabar com|dar fim a|dar fim na|por fim a) (a )?(minha )?(propria )?vida", "acabar com tudo",
    "nao (quero|aguento|consigo|vejo sentido em) (mais )?viver", "nao (quero|aguento) viver mais", "sumir do mundo",
    "me cortar", "me machucar de proposito", "desistir de viver", "desistir da vida", "sem vontade de viver",
    "kill* myself", "end* (my|it) (life|all)", "want to die", "wish i (was|were) dead", "better off dead",
    "do not want to (live|be alive)", "no reason to live", "take my (own )?life", "self harm", "hurt myself",
    "harm myself", "cut myself on purpose",
)  # fmt: skip
"""Talk of dying or of hurting oneself: the answer names CVV 188 and SAMU 192."""

RED_FLAGS: tuple[str, ...] = (
    # breathing and chest
    "falta de ar", "sem ar", "nao (consigo|estou conseguindo|consegue|ta conseguindo|esta conseguindo) respirar",
    "dificuldade (de|para|em) respirar", "respirando mal", "sufoc*", "engasg*", "garganta (fechando|inchando)",
    "(dor|dores|aperto|pontada*|pressao|queimacao) ... (no|do) peito", "peito (doendo|apertad*|doi)", "dor toracica",
    "shortness of breath", "short of breath", "(can not|hard to|trouble|struggling to|difficulty) breath*",
    "can barely breathe", "(chest|heart) pain*", "pain in my chest", "chest (is )?(tight*|hurt*|pressure)",
    "tightness in my chest", "pressure in my chest", "choking", "throat is (closing|swelling)",
    # heart and brain
    "infart*", "ataque cardiaco", "parada cardiaca", "avc", "derrame", "heart attack", "stroke", "cardiac arrest",
    "(boca|rosto|cara|face) ... (torta|torto|caid*|paralisad*|dormente)", "fala* (enrolad*|embolad*|arrastad*)",
    "nao (consigo|consegue) (falar|mexer|mover)", "(lado|metade) do (corpo|rosto) ... (dormente|paralisad*|fraco)",
    "(braco|perna) ... (dormente|formigando) ... (fala|rosto|boca|peito)", "face (is )?droop*", "slurred speech",
    "slurring", "can not (speak|move my)", "one side of my (body|face)", "convuls*", "convulsion*", "seizure",
    "desmai*", "inconsciente", "nao acorda", "perdeu a consciencia", "perdi a consciencia", "passed out", "fainted",
    "unconscious", "pior dor de cabeca da minha vida", "worst headache of my life",
    # blood, poison, trauma
    "hemorragi*", "sangr* muito", "sangramento (intenso|forte|que nao para)", "nao para de sangrar",
    "(vomit*|cuspi*|tossi*|evacu*) ... sangue", "bleeding (heavily|a lot|badly)", "will not stop bleeding",
    "(vomit*|cough*|throw*) ... blood", "overdose*", "envenen*", "poison*", "tomei ... (todos|cartela|muitos) ... "
    "(comprimidos|remedios)", "reacao alergica (grave|forte|severa)", "anafil*", "anaphyla*", "severe allergic",
    "osso (exposto|para fora|aparecendo)", "fratura exposta", "bone sticking out", "picada de (cobra|escorpiao)",
    "electrocuted", "eletrocutad*", "fui (baleado|esfaqueado)", "queimadura grave",
    # the word itself
    "e (uma )?emergencia", "emergencia medica", "socorro", "preciso de (uma )?ambulancia", "cham* (uma |a )?ambulancia",
    "medical emergency", "it is an emergency", "this is an emergency", "call an ambulance", "need an ambulance",
    "estou morrendo", "i am dying", "estou passando muito mal", "passando mal",
)  # fmt: skip
"""Signs that cannot wait for an appointment: the answer names SAMU 192 before anything else."""

NOT_NOW: tuple[str, ...] = (
    "tive", "teve", "ja tive", "tinha", "sofri", "ano passado", "mes passado", "semana passada", "anos atras",
    "meses atras", "ha (_ )?(anos|meses)", "historico", "na familia", "meu pai teve", "minha mae teve", "depois do meu",
    "pos infarto", "pos avc", "apos o infarto", "prevenir", "prevencao", "preventiv*", "i had", "had a", "last year",
    "last month", "years ago", "months ago", "history of", "family history", "prevent*", "after my", "used to",
)  # fmt: skip
"""Words that place a sign in the past or in the family."""

NOW: tuple[str, ...] = (
    "agora", "estou", "to", "hoje", "esta", "sinto", "sentindo", "de novo", "ainda", "comecou", "now", "am", "today",
    "right now", "again", "still", "having", "feel*", "desde", "since",
)  # fmt: skip
"""Words that bring it back to the present."""

ABSENT_BEFORE: tuple[str, ...] = (
    "sem", "nao (tenho|estou com|sinto|tem|ha|estou sentindo|tive|e)", "nenhum*", "without", "no", "not",
    "do not have (any )?", "not (having|feeling)", "never had",
)  # fmt: skip
"""Words right before a sign that deny it."""

INSTRUCTIONS: tuple[str, ...] = (
    "(ignor*|esquec*|desconsider*|desobedec*|burl*) ... (instruc*|regra*|prompt|diretriz*|anterior*|restric*|tudo)",
    "(ignore|forget|disregard|override|bypass|break) ... (instruction*|rule*|prompt|guideline*|previous|everything|"
    "restriction*|above)",
    "(system|seu|teu|your|do sistema|hidden|initial) prompt", "prompt (do|de) sistema", "(mostr*|revel*|repit*|exib*|"
    "show|reveal|repeat|print|tell) ... (prompt|instructions|instrucoes internas|suas instrucoes)",
    "suas (instrucoes|regras)", "your (instructions|rules|guidelines)", "modo (admin*|desenvolvedor|dev|debug|deus|root)",
    "(admin|developer|debug|god|root|dan) mode", "jailbreak*", "you are now", "agora voce e", "voce agora e",
    "finja (que|ser)", "pretend (to be|you|that)", "act as", "aja como", "comporte se como", "atue como", "faca de conta",
    "sem (regras|restricoes|limites|filtros)", "(without|no) (rules|restrictions|filters|limits)", "sudo",
    "(api|access) key", "chave (da|de) api", "senha do (sistema|banco|servidor|admin)", "raw json", "json (cru|bruto|raw)",
    "variave* de ambiente", "environment variable*", "list_patients", "(call|run|execute|invoke) (the )?(tool|function)",
    "dump (the )?(database|db|table)", "drop table", "repeat (everything|the text) above",
    "(tool|function) call", "sou o (desenvolvedor|administrador|admin|programador)",
    "i am (the|your) (developer|administrator|admin|programmer)", "new instructions", "novas instrucoes",
)  # fmt: skip
"""Attempts to give the program other orders, or to read its own."""

DOSAGE: tuple[str, ...] = (
    "quant* (mg|miligrama*|ml|gota*|comprimido*|capsula*|dose*|vezes) ... (tom*|us*|posso|devo|dia|por dia|preciso)",
    "(dose|dosagem|posologia) (de|do|da|certa|correta|maxima|ideal|recomendada)", "qual (e )?(a )?(dose|dosagem|posologia)",
    "(posso|devo|preciso|tenho que|da para|pode) (eu )?(tomar|parar de tomar|usar|misturar|dobrar|aumentar|diminuir)",
    "(que|qual|quais) (o |os |sao os )?(remedio*|medicamento*|medicac*|antibiotico*|pomada*|creme*|comprimido*)",
    "(remedio|medicamento|pomada|creme|antibiotico) (bom )?(para|contra) ...", "algum remedio", "parar de tomar",
    "(me )?(receit*|prescrev*|passa) (um |uma |algum |o |a )?(remedio*|medicamento*|antibiotico*|pomada*|receita)",
    "quero (uma )?receita", "renovar ... receita", "(aumentar|diminuir|dobrar|reduzir) a dose", "efeito* colatera*",
    "how (much|many) ... (mg|milligram*|pill*|tablet*|drop*|dose*|capsule*) ...", "(what|which|right|correct|maximum) dos*",
    "(what|which) (medicine*|medication*|drug*|pill*|antibiotic*|ointment|cream)", "dosage", "side effect*",
    "(can|should|may) i (take|stop taking|mix|use|double|increase|skip)", "prescribe* (me )?", "refill ... prescription",
    "how (much|many) ... (should|can|do) i take", "medicine for", "medication for", "_ mg (de|of|por|a day|per day)",
)  # fmt: skip
"""Questions that only a doctor may answer: what to take, and how much."""

DIAGNOSIS: tuple[str, ...] = (
    "o que (eu )?(tenho|estou tendo)", "o que (pode|sera|poderia|deve|sera que) (e|ser|pode ser)", "qual doenca",
    "qual (e )?(o )?(meu )?diagnostico", "(me )?(de|da|dar|fazer|faz|faca) (um|o|meu) diagnostico", "me diagnostic*",
    "(pode|consegue|poderia) (me )?diagnosticar", "diagnose (me|my|this)", "what is my diagnosis", "give me a diagnosis",
    "(isso|isto|e|sera que e|seria) (e )?(grave|cancer|maligno|benigno|perigoso|contagioso)", "e normal (ter|sentir|isso)",
    "isso e normal", "(sera|acha|acho) que (eu )?(tenho|estou com|e) ... ", "(eu )?(tenho|estou com) (cancer|infarto|avc)",
    "(meu|o|esse|este|meus|os) (exame*|resultado*|ecg|eletro*|laudo*|hemograma) (deu|deram|mostr*|indic*|aponto*|significa*|"
    "esta*|veio|vieram|e normal)", "(interpret*|analis*|avali*|olh*) (meu|meus|o|os|esse|este) (exame*|resultado*|laudo*)",
    "o que significa ... (exame|resultado|laudo|sintoma*)", "(preciso|consigo|posso|devo) (ser )?operar", "tem cura",
    "(qual|que|como) (e |o )*(tratamento|tratar|curar)", "como (eu )?(trato|curo|tratar|curar)", "tratamento para",
    "(pressao|glicose|colesterol) ... (esta |e )?(alta|alto|normal|boa|baixa|perigosa)( e)? normal", "minha pressao (esta|deu)",
    "what do i have", "do i have", "is (it|this) (serious|cancer|normal|dangerous|contagious|malignant|benign)",
    "what is wrong with me", "what (could|might|can) (it|this) be", "what (does|do) my ... (mean|say)",
    "(my|the) (test*|exam*|lab*|result*|ecg|ekg|blood test) ... (show*|say*|mean*|came|came back|normal)", "interpret my",
    "how (do|can|should) i (treat|cure|get rid of)", "how to (treat|cure)", "what causes", "should i (have|get) surgery",
    "(what|which) (treatment|disease|illness)", "do you think i have", "should i be worried", "what is causing",
)  # fmt: skip
"""Questions for a diagnosis, a prognosis or a treatment."""

PERSONAL_DATA = (
    "(cpf|rg|telefone|celular|endereco|prontuario|ficha|dados|email|nome|nomes|historico|laudo|diagnostico|doenca|"
    "medicamento*|exame*|resultado*|remedio*|data de nascimento|cadastro|contato)"
)
"""What a record holds, as a phrase alternative; see `OTHER_PERSON`."""

OTHER_PEOPLE = (
    "(paciente*|outro* paciente*|outra* pessoa*|outra* paciente*|vizinh*|meu vizinho|minha vizinha|meu chefe|minha chefe|"
    "meu ex|minha ex|meu colega|minha colega|fulan*|todo* mundo|todos|alguem|(minha|meu) (esposa|marido|namorad*|amig*|"
    "sogr*|funcionari*|cunhad*|prim*)|cliente*|usuario*)"
)
"""Who is somebody else, as a phrase alternative."""

OTHER_PERSON: tuple[str, ...] = (
    f"{PERSONAL_DATA} (do|da|de|dos|das|desse|dessa|deste|desta) (o |a |os |as |um |uma )?(senhor |senhora |dona |seu )?"
    f"{OTHER_PEOPLE}",
    f"{PERSONAL_DATA} ... {OTHER_PEOPLE}",
    "quem (e )?(marcou|reservou|agendou|pegou|esta no|tem) ... (horario|consulta|vaga|lugar)", "nome* (do|dos|de) paciente*",
    "quem (e|sao|foi) (o|a|os|as) (outro* |outra* )?paciente*", "consulta* (do|da|dos|de) (outro*|outra*|vizinh*|paciente*)",
    "(cancel*|desmarc*|remarc*) ... (do|da) (outro|outra|meu vizinho|minha vizinha|outro paciente|outra pessoa|meu chefe)",
    "(cpf*|phone*|address*|record*|chart*|history|result*|diagnosis|email*|name*|file*|medication*) (of|for|from|about) "
    "(all |the |every |another |other |any |a )*(patient*|people|person|neighbo*|boss|ex|wife|husband|friend|coworker|"
    "colleague|everyone|users)",
    "(another|other|all) (patient|patients|person|people)('s)? (cpf*|phone*|address*|record*|data|name*|history|result*|"
    "appointment*|information|info|details)",
    "(patient|patients|neighbor|neighbour|boss|wife|husband|friend|coworker)('s|s) (cpf*|phone*|address*|record*|data|"
    "name*|history|result*|appointment*|information|info|details|number)",
    "who (booked|has|took|reserved) ... (slot|appointment|time)", "someone else's", "somebody else's",
    "(every|all) (the )?(patient|patients) (names|cpfs|phones|data|records)", "cpf* (dos|de todos|das) ...",
)  # fmt: skip
"""Requests for what belongs to somebody else."""
