"""The catalogues: every text that a person reads, one TOML file a language; and how code reads them and patterns."""

from orchestrator.texts.pattern_files import one_of, patterns_in, words_of
from orchestrator.texts.text_catalogue import TextKeyError, Texts, texts_in, texts_of_locale
