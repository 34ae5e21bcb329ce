"""Right words that lie a slip away from a keyword, so that `spelling` leaves them alone."""

EVERYDAY = frozenset(
    """
    quanta quantas quanto quantos quando quarto quartos quinto quintos sexto sextos segundos cedo seria serio norte noites
    marco marcos marca marcas marcam marcou marquei marcando marcacao agenda agendas agendas agendou agendei agendando
    consulto consultei consultar consultou consultorio consultor cancelei cancelou cancelado cancelada cancelando cancelo
    remarquei remarcou remarco desmarquei desmarcou desmarco reservado reserva reservas medicos medicas medicina medicacao
    clinico clinicos clinicas paciencia impaciente pacientemente horas clara terra terco tarefa torcer semanal semanas
    sabados proximos proximas dominio julio maria mario marta marina martins abrir abriu agostinho setembrino
    sentada sentado sextas segura seguro seguir seguinte quentes quente quartos marcao tardes mancha manchas manhas
    amanhas amanhecer primeira primeiros terceira ultima ultimo adia adiou ador amador mesmo mesma
    money moneys sundays mondays fridays cancels cancelled canceled cancelling scheduled schedules scheduling
    patience clinics clinical clinician doctoral doctor's patient's mornings evenings even event events seven thirsty
    thirty march marching april augusto june juno another other others avail dental dentes dentro dental
    cardio cardiaco cardiaca cardiac dermatite ortodontista orthodontist orthodontics ortografia
    medicine medicines medical medicate medium media medias mediana meses mesas mexa
    obrigar obrigacao disponho disposto agradavel antecipado adiado reservei reservou marcarem agendarem
    """.split()
)
"""Folded words that are never corrected."""
