"""The catalogues: every text that a person reads, one TOML file a language; and how code reads them and patterns."""

from orchestrator.texts.text_files import TextKeyError, Texts, one_of, patterns_in, texts_in, texts_of_locale, words_of
