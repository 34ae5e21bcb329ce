"""The catalogues: every text that a person reads, one TOML file a language, and how code reads them."""

from orchestrator.texts.text_catalogue import TextKeyError, Texts, clock_time, texts_in, texts_of_locale
