"""The words that a request hangs on, in the forms people type: what `spelling` corrects towards."""

KEYWORDS = frozenset(
    """
    cardiologista cardiologistas cardiologia cardiologica dermatologista dermatologistas dermatologia dermatologica dermato
    ortopedista ortopedistas ortopedia ortopedica ortopedico
    cardiologist cardiologists cardiology dermatologist dermatologists dermatology orthopedist orthopedists orthopedics
    orthopedic orthopaedic
    marcar marque marcado marcada agendar agende agendado agendada agendamento consulta consultas reservar horario horarios
    disponivel disponiveis disponibilidade remarcar remarque reagendar reagende desmarcar cancelar cancele cancelamento
    cancela desmarca remarca adiar antecipar paciente pacientes clinica clinicas medico medica
    appointment appointments schedule reschedule cancel available availability doctor doctors patient patients clinic
    amanha segunda terca quarta quinta sexta sabado domingo semana proxima proximo
    fevereiro agosto setembro outubro novembro dezembro janeiro
    monday tuesday wednesday thursday friday saturday sunday tomorrow afternoon morning evening
    january february september october november december
    primeiro segundo terceiro earliest obrigado obrigada
    ginecologista pediatra psiquiatra neurologista oftalmologista urologista endocrinologista dentista psicologo
    gynecologist pediatrician psychiatrist neurologist ophthalmologist dentist
    """.split()
)
"""Folded words that may be misspelt."""
