"""One way to compare texts regardless of case and accents."""

import unicodedata


def fold(text: str) -> str:
    """Return `text` without case and accents, in plain characters: "Hipertensão Ω" gives "hipertensao ω".

    The result may be longer than the text, and folding it again changes nothing.
    """
    if text.isascii():
        return text.lower()
    # Folding case may undo the decomposition and the other way round, so both are done twice.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).casefold()
    for character in set(folded):
        if unicodedata.combining(character):
            folded = folded.replace(character, "")
    return folded
