"""Titles of doctors, and words that may follow one without being a name."""

TITLES: tuple[str, ...] = ("doutora", "doutor", "doctor", "dra", "dr", "medica", "medico", "doc")
"""Folded titles."""

COMMON_AFTER_TITLE = frozenset(
    """
    que para com do da de e o a no na em as pode ser um uma esta tem atende mais disponivel ou por favor especialista
    particular bom boa qualquer dele dela responsavel geral s appointment appointments visit is at on for in who that
    available please and or near today tomorrow soon right now here there office said told me
    """.split()
)
"""Words after "doctor" or "médico" that begin something else."""
