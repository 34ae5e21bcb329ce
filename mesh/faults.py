"""What nobody foresaw: logged so that it can be found, answered so that it tells nothing.

The message of an unexpected exception may hold a patient's data, so only its type and where it was raised are logged.
"""

from __future__ import annotations

import logging
import traceback

from mesh.errors import DomainError

_log = logging.getLogger(__name__)


def internal_error(fault: Exception, method: str, trace_id: str) -> DomainError:
    """Log an unexpected exception under the call's trace id and return what the caller is told."""
    where = "".join(traceback.format_tb(fault.__traceback__))
    _log.error("%s failed: %s trace_id=%s\n%s", method, type(fault).__name__, trace_id, where)
    return DomainError(
        "INTERNAL", f"the agent failed; its log says more under this id: {trace_id}", metadata={"trace_id": trace_id}
    )
