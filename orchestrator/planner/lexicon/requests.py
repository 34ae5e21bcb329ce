"""How people ask for each thing a clinic desk does, and how they say that they do not want it."""

BOOK: tuple[str, ...] = (
    "marc*", "agend*", "consult*", "reserv*", "encaix*", "atendimento", "ser atendid*", "passar (com|em|no|na)",
    "book*", "schedul*", "appointment*", "see (a|the|my|an) (doctor|specialist)", "see (dr|doctor)", "visit (a|the|dr)",
    "medic*", "doutor*", "especialista*", "doctor*", "specialist*", "physician*", "hora com", "horario com",
    "fit me in", "get me in",
)  # fmt: skip
"""Wanting an appointment."""

OPENINGS: tuple[str, ...] = (
    "horario*", "vaga*", "disponi*", "disponibilidade", "livre*", "tem hora", "availab*", "opening*", "slot*", "free",
    "atende*", "quando", "when", "tem", "ha", "teria", "teriam", "tem algum*", "do you have", "is there", "are there",
    "any", "algum*", "hour*", "time*", "outr* (dia*|data*|horario*|opc*)", "mais (opcoes|horarios)", "quais", "qual",
    "which", "what", "mostr*", "ver", "show*", "list*", "other (day*|time*|option*|date*)", "e (na|no|de|a|para)",
    "how about", "what about", "que tal",
)  # fmt: skip
"""Asking what is free."""

MOVE: tuple[str, ...] = (
    "remarc*", "reagend*", "reprogram*", "resched*", "re schedule", "postpon*", "posterg*", "adi(ar|e|a|o|antar|ante)",
    "antecip*", "(mud*|troc*|alter*|modific*) ... (consulta*|horario*|data|dia|hora|agendamento|marcacao)",
    "(mud*|troc*|alter*|transfer*|jog*|empurr*) ... (para|por)", "pass* ... para (o dia|a|as|o|amanha|dia|segunda|terca|"
    "quarta|quinta|sexta|sabado|_)", "(move|change|switch|shift|push|transfer) ... (appointment*|reservation|booking|time|"
    "date|visit|consultation|slot)", "(move|change|switch|shift|push|bring) (it|this|that|mine|my) ... (to|for|forward|back)",
    "(move|change|switch|push) it", "(outr*|nov*) (horario|data|dia) (para|na) (a )?minha consulta", "put off",
)  # fmt: skip
"""Wanting an appointment at another time."""

CANCEL: tuple[str, ...] = (
    "cancel*", "desmarc*", "desist*", "nao (quero|vou querer|preciso) mais (da |a |essa |esta |dessa |desta |de |minha )*consulta", "call off", "call it off", "drop (my|the) appointment", "get rid of (my|the) appointment",
    "do not need (my|the|that) appointment", "tirar minha consulta", "desfaz*", "anul*",
)  # fmt: skip
"""Giving an appointment back."""

WRITE_STEMS = "(cancel*|desmarc*|remarc*|reagend*|marc*|agend*|mud*|troc*|alter*|resched*|book*|schedul*|move|change|postpone)"
"""The verbs of all writes, as a phrase alternative; see `NEGATED`."""

NEGATED: tuple[str, ...] = (
    "(nao|nunca|nem) (eu |se |e |era |foi |para |quero |vou |preciso |precisa |precisam |gostaria |pretendo |desejo |queria |"
    "pedi |pode |podem |deve |devem |estou |to |tenho |mais |de |a |o |que |voce |voces |me |por favor |ainda )*"
    f"{WRITE_STEMS}",
    "(do not|does not|did not|not|never|no need to|without|rather than|instead of) (i |you |want |wanted |need |have |to |"
    f"going |please |yet |ever |asked |ask |us |we |really |actually )*{WRITE_STEMS}",
    "(sem|em vez de|ao inves de|antes de) (me |a |o )*" + WRITE_STEMS,
)  # fmt: skip
"""A write that the person does not want."""

HYPOTHETICAL: tuple[str, ...] = (
    f"se (eu |a gente |alguem |por acaso |eu precisar |precisar )*{WRITE_STEMS}",
    f"(e )?se (eu )?(precisar|quiser|tiver que|tiver de) ... {WRITE_STEMS}",
    f"como (eu )?(faco|faz|fazer|funciona*|posso|e|que faz|que faco|se faz|devo) (para |o |a |que |eu )*{WRITE_STEMS}",
    f"como (eu )?{WRITE_STEMS}", f"(ate quando|ate que horas|com quanto tempo|quanto tempo|qual o prazo|tem prazo) ... {WRITE_STEMS}",
    f"{WRITE_STEMS} ... (paga|multa|taxa|cobra*|custa|prazo|antecedencia)",
    f"(paga|multa|taxa|cobra*|preciso pagar|tem custo|politica*|regra*|prazo) ... {WRITE_STEMS}",
    f"(o que|que) acontece ... {WRITE_STEMS}", f"(if|when|unless) (i |we |you |someone |need to |have to |want to )*{WRITE_STEMS}",
    f"how (do|can|does|would|should|to) (i |you |one |we |it )*... {WRITE_STEMS}", f"what happens ... {WRITE_STEMS}",
    f"{WRITE_STEMS} ... (fee|fees|penalty|policy|charge|deadline)", f"(fee|penalty|policy|charge|deadline) ... {WRITE_STEMS}",
    f"(is it possible|e possivel|e permitido|am i allowed|are we allowed) ... {WRITE_STEMS} ... (depois|sem|without|after|online)",
)  # fmt: skip
"""Asking what would happen, or how: nothing may be written."""

PATIENTS: tuple[str, ...] = (
    "(list*|mostr*|ver|exib*|quais|quem sao|relac*|tod*) ... pacientes", "pacientes (da|de|do|na|no|em|cadastrad*)",
    "lista de pacientes", "(list|show|see|view|get|display|all|which|who are) ... patients", 
    "patients (in|at|of|from|on)", "patient list", "list_patients",
)  # fmt: skip
"""Listing patients."""

RECORD: tuple[str, ...] = (
    "(ficha|prontuario|dados|registro|cadastro|detalhe*) (do|da|de|completo do) (o )?paciente", "paciente _",
    "(record|file|chart|data|details) (of|for) (the )?patient", "patient (record|file|chart|details)", "look up a patient",
    "buscar (um )?paciente", "consultar (um )?paciente",
)  # fmt: skip
"""Looking up one patient."""

QUERY: tuple[str, ...] = (
    "(quais|quantos|que|quem|busc*|procur*|pesquis*|encontr*|list*|mostr*|ache|achar|tem|ha|algum|existem|os) (sao )?(os |por )?"
    "paciente* ... (com|que tem|que tomam|que toma|que usam|que usa|tomam|usam|tem|em uso de|diagnosticad* com|tratad* com|"
    "sobre|fizeram|que fizeram) (_ de )?",
    "paciente* (com|que tem|que tomam|que usam|tomando|usando|em uso de)", "quem (tem|toma|usa|sofre de)",
    "(busc*|pesquis*|procur*) (por|sobre)", "(which|what|how many|find|search|list|show|any|all|get) (me )?(the |all |for )*"
    "patient* (with|have|has|who have|that have|taking|take|takes|who take|on|using|diagnosed with|suffering from)",
    "patient* (with|who have|who take|taking|on|that have|diagnosed with)", "who (has|takes|suffers from)",
    "(search|look) for", "search",
)  # fmt: skip
"""Asking about patients by what they have; what follows is the query."""

HOW_IT_WORKS: tuple[str, ...] = (
    "como (isso |isto |tudo |o sistema |voce |voces |o agendamento |a consulta |aqui )?funciona*", "como (eu )?(uso|utilizo)",
    "how (does|do) (this|it|you|that|the system|booking) work", "how to use", "como (e|que) que funciona",
    "como faco para (usar|falar)", "(passo a passo|tutorial|manual)",
)  # fmt: skip
"""Asking how the service works."""

HELP: tuple[str, ...] = (
    "ajuda", "me ajud*", "preciso de ajuda", "socorro tecnico", "help", "help me", "o que (voce|voces|vc|isso|ce) (faz*|"
    "consegue*|pode*|sabe*)", "o que (eu )?posso (fazer|pedir|perguntar)", "o que (da|tem) para fazer",
    "what (can|do) you do", "what can i (do|ask|say)", "menu", "comandos", "commands", "(quais|que) (as )?(opcoes|servicos|"
    "especialidades)", "(what|which) (services|specialties|specialities|options)",
)  # fmt: skip
"""Asking what can be asked."""

CLINIC_MATTERS: tuple[str, ...] = (
    "plano* de saude", "plano* (odonto*|medic*)", "convenio*", "unimed", "amil", "bradesco saude", "sulamerica", "hapvida",
    "notredame", "pelo sus", "sus", "particular", "reembols*", "insurance", "medicare", "medicaid", "copay*", "reimburs*",
    "quanto (custa*|e|fica|sai|cobra*|vou pagar|esta)", "qual (e )?(o )?(preco|valor)", "preco*", "valor (da|do|de)", "cobra*",
    "pagamento*", "pag(ar|o)", "pix", "cartao", "parcel*", "desconto*", "how much (is|does|do|are|will|would)", "cost*",
    "price*", "payment*", "discount*", "pay", "credit card", "endereco", "onde (fica*|e|voces|voce|esta|sao)", "localiz*",
    "como (chego|chegar)", "address", "where (are|is|do)", "located", "location", "directions", "estacionamento", "parking",
    "telefone (da|de|do)", "whatsapp", "numero de (telefone|contato)", "phone number", "contact number",
    "horario (de )?(funcionamento|atendimento)", "(que|qual) hora* ... (abre*|fecha*|funciona*)", "(abre*|fecha*|funciona*) "
    "(no|na|aos|as|de|ate)", "opening hours", "business hours", "what time (do|are) you (open|close)", "are you open",
    "multa", "taxa", "fee", "penalty", "atestado*", "declaracao", "sick note", "medical certificate", "recibo", "nota fiscal",
    "invoice", "receipt", "que documento*", "documento*", "preciso levar", "levo o que", "o que levar", "jejum", "preparo",
    "need to bring", "should i bring", "telemedicina", "teleconsulta", "online", "por video", "video call", "telehealth",
    "acompanhante", "retorno", "quanto tempo (dura|demora)", "how long (is|does|will)", "wheelchair", "acessib*", "cadeirante",
    "crianca*", "menor de idade", "falar com (um |uma |o |a )?(atendente|humano|pessoa|recepc*|alguem)",
    "(talk|speak) (to|with) (a |an |the )?(human|person|agent|receptionist|someone|representative)", "atendente",
    "resultado* (de|do|dos) exame*", "test results", "reclam*", "complain*",
)  # fmt: skip
"""What only the clinic's own desk can answer: prices, insurance, address, papers."""
