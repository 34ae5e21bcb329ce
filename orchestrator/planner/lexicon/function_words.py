"""Frequent words that give a sentence's language away."""

PORTUGUESE = frozenset(
    """
    a o e os as um uma de do da dos das em no na nos nas para por com sem que eu voce voces me meu minha meus minhas seu sua
    nao sim quero queria gostaria preciso pode poderia tem ter esta estou foi ser hoje amanha ontem dia hora horas
    semana mes consulta consultas marcar agendar remarcar reagendar cancelar desmarcar medico medica doutor doutora clinica
    paciente pacientes horario horarios vaga vagas obrigado obrigada oi ola bom boa tarde noite manha favor qual quais
    quando onde como mais menos depois antes segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco abril
    maio junho julho agosto setembro outubro novembro dezembro as ou se mas isso esse essa este aqui la ele ela
    dra cardiologista dermatologista ortopedista cardiologia dermatologia ortopedia primeiro segundo terceiro ultimo
    opcao numero cedo tudo bem ajuda valeu tchau listar lista mostrar ver marca agenda cancela proximo proxima beleza
    """.split()
)
"""Portuguese words, folded."""

ENGLISH = frozenset(
    """
    the an of in on at to for with without that this these those i you he she we they me my your is are am was be been do does
    did have has had can could would will should may want need like book schedule reschedule cancel move change
    appointment appointments doctor doctors clinic patient patients slot slots available availability today tomorrow
    yesterday day week month hour time next last first second third please thanks thank hello hi hey yes not and or but
    if when where what which who how any some there it let monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december am pm morning afternoon
    evening night noon earliest soonest cardiologist dermatologist orthopedist cardiology dermatology orthopedics list show
    find see get take option number help bye good great okay from after before between until
    """.split()
)
"""English words, folded."""
