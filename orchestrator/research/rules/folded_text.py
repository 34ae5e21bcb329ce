"""A text beside its folded form, character by character: what a pattern finds can be cut out of the original."""

import re
import unicodedata
from dataclasses import dataclass

from mesh.text_folding import fold

LONGEST = 600  # characters that are read; an observation takes a sentence or two
_EDGES = " ,;:.!?-–—\"“”'"


@dataclass(frozen=True, slots=True)
class FoldedText:
    """One line of text."""

    original: str  # the text as written, with single spaces
    folded: str  # the same length, in lower case without accents

    @classmethod
    def of(cls, text: str) -> "FoldedText":
        """Return a text on one line, cut at `LONGEST`."""
        original = " ".join(unicodedata.normalize("NFC", text).split())[:LONGEST].strip()
        return cls(original, "".join(fold(character)[:1] or character for character in original))

    def cut(self, start: int = 0, end: int | None = None) -> "FoldedText":
        """Return a part without the spaces and punctuation at its ends."""
        folded = self.folded[start:end]
        left = len(folded) - len(folded.lstrip(_EDGES))
        stop = max(left, len(folded.rstrip(_EDGES)))
        return FoldedText(self.original[start:end][left:stop], folded[left:stop])

    def after(self, lead: str | re.Pattern[str]) -> "FoldedText":
        """Return the text without what a pattern matches at its start."""
        match = re.match(lead, self.folded)
        return self if match is None else self.cut(match.end())

    def without(self, start: int, end: int) -> "FoldedText":
        """Return the text without a part."""
        before, after = self.cut(0, start), self.cut(end)
        if not before.folded or not after.folded:
            return before if before.folded else after
        return FoldedText(f"{before.original} {after.original}", f"{before.folded} {after.folded}")

    @property
    def words(self) -> list[str]:
        """The folded words and numbers."""
        return re.findall(r"[a-z0-9]+", self.folded)
