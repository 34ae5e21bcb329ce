"""The one redactor of personal data, whose module is handed on as a whole."""

from orchestrator.privacy.redactor import *
