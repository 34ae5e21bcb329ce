"""What language models are told, as text with named placeholders; `orchestrator.llm.model_text` reads it.

The files hold wording only. No clinic and no tool is named in them: registry, directory and catalogue fill those in.
"""
