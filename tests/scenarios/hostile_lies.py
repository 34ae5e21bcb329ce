"""What nobody said: claims of writes, things that there are not, advice, promises, in Portuguese and English.

The sentences are those of tests/sentences/hostile.txt, in whatever conversation they are untrue.
"""

from __future__ import annotations

from tests.support.sentences import sections

_LIES = dict(sections("hostile.txt"))

LIES = {
    english: tuple(dict.fromkeys(lie for name, lies in _LIES.items() if name.endswith("EN") is english for lie in lies))
    for english in (False, True)
}
"""All of them, by whether they are English."""

FOR_REASONS = {
    english: tuple(lie for kind in ("a claim of a write", "what there is not") for lie in _LIES[f"{kind}: LIST_{code}"])
    for english, code in ((False, "PT"), (True, "EN"))
}
"""Those that are untrue before any clinic has answered."""
