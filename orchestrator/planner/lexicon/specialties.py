"""Specialties: what people call ours, the complaints each is usually asked about, and the ones we do not have."""

NAMES: dict[str, tuple[str, ...]] = {
    "Cardiology": (
        "cardiolog*", "cardio", "cardios", "cardiaco", "cardiac", "cardiovascular", "medic* (do|de|para o) coracao",
        "(doutor|doutora|especialista) (do|de|em|no) coracao", "heart (doctor|specialist|physician)",
        "consulta (do|de|para o) coracao", "check up cardiac*", "check up (do|de) coracao",
    ),
    "Dermatology": (
        "dermatolog*", "dermato", "derma", "dermo", "dermat*", "dermolog*", "medic* (da|de|para a) pele",
        "(doutor|doutora|especialista) (da|de|em) pele", "skin (doctor|specialist)", "consulta (da|de|para a) pele",
    ),
    "Orthopedics": (
        "ortoped*", "orto", "ortopetista", "orthop*", "ortho", "traumatolog*", "medic* (do|de|dos|para os) ossos",
        "medic* (de|do) osso", "medic* (da|de) coluna", "medic* (do|de) joelho",
        "(doutor|doutora|especialista) (em|de|dos|do) oss*", "especialista (em|de|da) coluna",
        "bone (doctor|specialist)", "(knee|back|spine|bone) (doctor|specialist)",
    ),
}  # fmt: skip
"""Specialty code -> what people call it and its doctors."""

COMPLAINTS: dict[str, tuple[str, ...]] = {
    "Cardiology": (
        "palpit*", "pressao alta", "pressao (arterial )?(elevada|descontrolada)", "hipertens*", "arritmi*",
        "taquicardi*", "colesterol", "sopro no coracao", "coracao (acelerad*|disparad*|descompassad*|palpit*)",
        "problema* (no|de|do) coracao", "batimento* (acelerad*|irregular*)", "high blood pressure", "hypertension",
        "heart (racing|murmur|flutter*|problem*|condition)", "racing heart", "irregular heartbeat", "cholesterol",
        "arrhythmia", "tachycardia", "coracao", "my heart", "pressao subiu", "(tornozelos|pernas) inchad*",
    ),
    "Dermatology": (
        "acne", "espinha*", "cravos", "mancha* ... (pele|rosto|braco*|perna*|costas|mao*)", "mancha*", "coceira",
        "cocando", "alergia (na|de) pele", "micose", "verruga*", "(queda de|perda de|caindo o|perdendo) cabelo*",
        "cabelo ... caindo", "caspa", "pinta*", "psoriase", "dermatite", "vitiligo", "eczema", "rosacea", "melasma",
        "unha* ... (encravad*|amarel*|mico*)", "frieira", "assadura", "pele (seca|oleosa|irritada|descamando|vermelha)",
        "problema* (na|de) pele", "rash", "mole", "moles", "itchy", "itching", "hair loss", "losing ... hair",
        "wart", "warts", "pimple*", "psoriasis", "dandruff", "skin (problem*|issue*|condition|irritation|spot*)",
        "my skin", "minha pele", "urticaria", "hives",
    ),
    "Orthopedics": (
        "(dor|dores|doendo|doi|doem|machuquei|incomodo) ... (costas|coluna|joelho*|ombro*|quadril|tornozelo*|lombar|"
        "punho|pulso|cotovelo*|calcanhar|articulac*|joanete|pescoco|pe|pes|dedo*|osso*)",
        "(joelho*|coluna|costas|ombro*|quadril|tornozelo*|cotovelo*|lombar) ... (doi|doem|doendo|dor|inchad*|ruim|"
        "travad*|travou|machucad*)",
        "torci", "torcao", "entorse", "fratur*", "quebrei", "tendinite", "hernia de disco", "artrose", "artrite",
        "bursite", "escoliose", "menisco", "ligamento*", "lesao", "joanete", "lombalgia", "torcicolo", "ciatico",
        "(knee|back|shoulder|hip|ankle|elbow|wrist|neck|joint|foot|heel|leg|arm|spine) ... (pain*|hurt*|ache*|aching|"
        "sore|swollen|kill*|bother*|injur*|stiff)",
        "(pain|hurt|injur*|sore|ache*) ... (knee*|back|shoulder*|hip*|ankle*|elbow*|wrist*|neck|joint*|foot|heel)",
        "backache", "sprain*", "fracture*", "broken bone", "broke my", "tendonitis", "herniated disc", "arthritis",
        "scoliosis", "meniscus", "torn ligament", "sciatica",
    ),
}  # fmt: skip
"""Specialty code -> complaints that are usually seen there. An offer of openings, never a diagnosis."""

OTHERS: tuple[str, ...] = (
    "ginecolog*", "gineco", "obstetr*", "gynecolog*", "gynaecolog*", "ob gyn", "pediatr*", "paediatr*", "psiquiatr*",
    "psicolog*", "psicoterap*", "psychiatr*", "psycholog*", "psychotherap*", "terapeut*", "therapist", "neurolog*",
    "neuro", "neurocirurg*", "neurosurg*", "oftalm*", "ophthalm*", "ophtalm*", "optometr*", "oculista",
    "medic* (de|dos|da|do) (olho|olhos|vista)", "eye (doctor|specialist|exam)", "optician", "urolog*", "endocrin*",
    "endocrino", "gastro*", "pneumolog*", "pneumo", "pulmonolog*", "otorrin*", "otolaryng*", "ent (doctor|specialist)",
    "nefrolog*", "nephrolog*", "oncolog*", "reumat*", "rheumat*", "hematolog*", "dentist*", "dental", "odonto*",
    "ortodont*", "orthodont*", "fisioterap*", "physiotherap*", "physical therap*", "nutricion*", "nutrolog*",
    "nutritionist", "dietitian", "fonoaudi*", "clinico geral", "clinica geral", "clinica medica", "medico geral",
    "general practi*", "gp", "family doctor", "medico (de|da) familia", "primary care", "geriatr*", "infectolog*",
    "alergolog*", "alergista", "allergist", "mastolog*", "proctolog*", "angiolog*", "vascular", "cirurgi* plastic*",
    "plastic surg*", "cirurgiao geral", "veterin*", "vet", "acupuntur*", "podolog*", "podiatr*", "chiropract*",
    "quiroprat*", "quiropraxia", "hepatolog*", "radiolog*", "homeopat*", "esteticista", "botox", "medico do trabalho",
    "limpeza (dental|de dente*|dos dentes)", "clareamento", "canal no dente", "dente", "dentes", "tooth", "teeth",
    "vacina", "vacinas", "vaccine*", "ultrassom", "raio x", "ressonancia", "tomografia", "mri", "blood test",
    "exame de sangue", "hemograma", "mamografia", "papanicolau",
)  # fmt: skip
"""Specialties and services that none of the clinics has."""
