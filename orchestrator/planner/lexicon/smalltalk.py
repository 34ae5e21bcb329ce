"""Courtesies, and what has nothing to do with clinics."""

GREETINGS: tuple[str, ...] = (
    "oi", "oie", "oii", "ola", "opa", "e ai", "eai", "alo", "bom dia", "boa tarde", "boa noite", "bom", "tudo (bem|bom|certo|"
    "joia|tranquilo)", "como (vai|esta|estao|voce esta|vao|anda)( voce| voces)?", "beleza", "hi", "hello", "hey", "hiya",
    "good (morning|afternoon|evening|day)", "how are you( doing)?", "how is it going", "what is up", "sup", "yo", "greetings",
    "prazer", "nice to meet you", "voce (e|esta) (um |uma )?(robo|bot|humano|humana|pessoa|ia|maquina|real|de verdade|"
    "inteligencia artificial)", "(e|falo com|estou falando com) (um |uma )(robo|bot|humano|pessoa|maquina)",
    "qual (e )?(o )?seu nome", "quem e voce", "are you (a |an )?(robot|bot|human|person|real|ai|machine)", "who are you",
    "what is your name",
)  # fmt: skip
"""Opening a conversation."""

THANKS: tuple[str, ...] = (
    "obrigad*", "muito obrigad*", "valeu", "grat*", "agrade*", "thank*", "thank you", "cheers", "appreciate*", "otimo*",
    "perfeito", "maravilha", "show de bola", "excelente", "legal", "great", "perfect", "awesome", "excellent", "wonderful",
    "parabens", "good job", "well done", "adorei", "amei",
)  # fmt: skip
"""Thanking and praising."""

FAREWELLS: tuple[str, ...] = (
    "tchau", "ate (mais|logo|breve|a proxima|amanha|depois)", "adeus", "falou", "abraco*", "bye*", "goodbye", "good night",
    "see you", "take care", "(e |era )?so isso", "(e |era )?so (isso )?(mesmo)?", "por enquanto e so", "that is all", "that is it",
    "that will be all", "nothing else", "mais nada", "nada mais", "nao obrigad*", "no thank*", "no thanks", "tenha um bom dia",
    "bom fim de semana", "have a (good|nice|great) (day|one|weekend|night)", "encerrar", "terminar", "sair", "nao precisa mais",
    "deixa para la", "deixa", "esquece", "never mind", "nevermind", "forget it",
)  # fmt: skip
"""Closing a conversation."""

OFF_TOPIC: tuple[str, ...] = (
    # money, news, knowledge
    "bolsa de valores", "acoes", "bitcoin", "cripto*", "dolar", "cotac*", "investi*", "stock*", "crypto*", "exchange rate",
    "news", "noticia*", "politic*", "president*", "eleic*", "election*", "prefeito", "governador", "governo", "capital (da|de|do|of)",
    "historia (do|da|de)", "guerra", "planeta", "matematica", "math", "equac*", "calcul*", "quanto e _ (mais|menos|vezes)",
    "traduz*", "translat*", "wikipedia", "quem (descobriu|inventou|foi|ganhou|venceu)", "who (invented|discovered|won|wrote)",
    # weather, travel, home
    "previsao do tempo", "tempo hoje", "vai chover", "chuva", "clima", "weather", "rain", "forecast", "temperatura (em|de|hoje)",
    "voo*", "passagem", "hotel*", "viagem", "flight*", "travel", "restaurant*", "pizza*", "hamburg*", "lanche", "comida", "jantar",
    "almocar", "receita (de|do|da) (bolo|pao|frango|lasanha|feijoada|torta|doce|comida|_)", "recipe*", "cook*", "food",
    "dinner", "coffee shop", "uber", "taxi", "onibus", "metro", "cinema", "filme*", "movie*", "serie*", "netflix", "spotify",
    "musica*", "music", "song*", "show (do|da|de)", "jogo*", "futebol", "time do", "melhor time", "flamengo", "corinthians",
    "palmeiras", "football", "soccer", "basketball", "game*", "copa do mundo", "world cup",
    # trades
    "eletricista", "encanador", "mecanico", "pedreiro", "faxineira", "diarista", "manicure", "cabeleireir*", "barbeiro",
    "barbearia", "salao", "cortar (o )?cabelo", "corte de cabelo", "haircut", "hair salon", "salon", "barber*", "nails",
    "massagem", "massage", "spa", "electrician", "plumber", "mechanic", "oil change", "troca de oleo", "oficina", "carro",
    "car", "cars", "tire*", "house", "apartament*", "aluguel", "rent", "advogad*", "lawyer", "contador", "accountant", "pet shop",
    "banho e tosa", "cachorro", "gato", "my dog", "my cat", "academia", "gym", "yoga", "escola", "school", "curso",
    # play
    "piada*", "joke*", "poema*", "poem*", "poesia", "write (a|an)", "escrev*", "cante", "sing", "horoscopo", "signo",
    "horoscope", "namorad*", "dating", "sentido da vida", "meaning of life", "codigo (em|python|fonte)",
    "python", "javascript", "program*", "chatgpt", "openai", "loteria", "mega sena", "lottery", "celular novo", "iphone",
    "computador", "notebook", "laptop", "wifi", "internet", "comprar", "vender", "buy", "sell", "emprego", "vaga de emprego",
    "curriculo", "job", "salary", "salario", "alarm", "lembrete", "timer", "remind me",
)  # fmt: skip
"""Things that no clinic does."""

YES: tuple[str, ...] = (
    "s", "sim", "si", "isso", "isso mesmo", "isso ai", "ok", "okay", "okey", "k", "certo", "certinho", "correto", "exato",
    "exatamente", "perfeito", "claro", "com certeza", "positivo", "pode", "pode ser", "pode sim", "podemos", "fechado", "fechou",
    "combinado", "beleza", "bora", "vamos", "ta", "esta", "ta bom", "esta bom", "tudo bem", "tudo certo", "esta certo",
    "esta otimo", "otimo", "confirmo", "confirma", "confirmado", "confirmar", "confirme", "pode confirmar", "quero", "quero sim",
    "eu quero", "aceito", "concordo", "manda ver", "manda",
    "pode fazer", "faz", "faca", "faca isso", "prossiga", "prosseguir", "continue", "continuar", "segue", "vai", "uhum", "aham", "yes", "y", "yep",
    "yeah", "yup", "ya", "sure", "of course", "correct", "right", "that is right", "exactly", "perfect", "great", "go ahead",
    "please do", "do it", "confirm", "confirmed", "i confirm", "sounds good", "fine", "that is fine", "works for me",
    "absolutely", "definitely", "let us do it", "let us do that", "agreed", "alright",
    "all right", "i do", "i would", "that works",
)  # fmt: skip
"""Whole answers that consent to what was proposed."""

YES_TO: dict[str, tuple[str, ...]] = {
    "book_appointment": (
        "(pode |vamos |quero |sim )?(marc*|agend*|reserv*)( sim)?", "(please )?(book|schedule|reserve)( it| that)?",
    ),
    "cancel_appointment": ("(pode |quero |sim )?(cancel*|desmarc*)( sim)?", "(please )?cancel( it| that)?"),
    "reschedule_appointment": (
        "(pode |vamos |quero |sim )?(remarc*|reagend*|mudar|muda|trocar|troca)( sim)?",
        "(please )?(move|reschedule|change)( it| that)?",
    ),
}  # fmt: skip
"""Tool -> answers that consent to it by naming it, and to nothing else."""

NO: tuple[str, ...] = (
    "nao", "nop", "nope", "no", "nah", "nem", "negativo", "nao quero", "nao quero mais", "nao confirmo", "nao pode", "nao precisa",
    "nao e isso", "nao era isso", "nao faca", "nao faz", "agora nao",
    "ainda nao", "melhor nao", "acho que nao", "prefiro nao", "de jeito nenhum", "nao sei", "deixa", "deixa para la", "deixa quieto",
    "esquece", "desisto", "para", "pare", "parar", "espera", "not", "not now", "not yet", "do not",
    "do not do it", "never mind", "nevermind", "forget it", "stop", "wait", "i do not", "i would not", "absolutely not",
    "of course not", "errado", "wrong", "incorrect", "incorreto",
)  # fmt: skip
"""Whole answers that drop what was proposed."""

PADDING: tuple[str, ...] = (
    "por favor", "por gentileza", "please", "obrigad*", "muito obrigad*", "valeu", "thank*", "thanks", "thank you", "entao", "ai", "la",
    "para mim", "for me", "mesmo", "sim", "yes", "ja", "agora", "now", "moca", "moco", "senhor", "senhora", "doutor", "doutora",
    "amigo", "querida", "querido", "ne", "ta", "viu", "hein", "so", "pois", "uai", "ah", "oh", "hm", "hmm", "eh", "e", "eu", "i",
    "tambem", "too", "me", "just", "well", "bem", "bom", "then", "that", "esse", "essa", "isso", "esta", "este",
)  # fmt: skip
"""Words that may stand around a yes or a no and change nothing."""
