"""Which counts may be published: the small-cell rule, held where a count is made and not where it is shown.

The rule is the one that federated research keeps at each site before anything leaves it: a cell below three that is not
zero is withheld (DataSHIELD's `nfilter.tab`, "minimum non-zero cell count", 3 unless a site sets more). A zero is
published, for it points at nobody.

Withholding such a cell is not enough when a sum that holds it is published: with the sum's other parts it can be worked
out, from one table or from two that were asked for one after the other. So a sum is published only if every part of it
could be, where the parts are the finest groups that any question can tell apart. Whatever is published is then made of
publishable parts alone, and says of a small one that it is one or two and never which: every table, for every question
in whatever order and whichever clinics answer, is the same with one as with two. Nothing has to be remembered for that,
so it holds between sessions and among people who compare theirs.

This module knows no patient, no condition and no clinic.
"""

from __future__ import annotations

from collections.abc import Iterable

SMALLEST = 3
"""The smallest number of patients, other than none, that may be published."""


def published(parts: Iterable[int]) -> int | None:
    """Return a sum of counts, or None if one of them is small.

    Args:
        parts: How many patients each group has; groups that no question can split further, and that share no patient.
    """
    counts = tuple(parts)
    return None if any(0 < count < SMALLEST for count in counts) else sum(counts)
