"""The one redactor of personal data."""

from orchestrator.privacy.redactor import (
    BUT_OTHER_NAMES,
    PersonalKind,
    PersonalText,
    Redactor,
    cpfs_begun,
    describe_fault,
    mask_cpf,
    may_hold_cpf,
    name_words,
    telling_words,
)
