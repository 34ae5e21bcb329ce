"""The adapter to servers of the OpenAI API; loads the SDK, so only a configured model opens this room."""

from orchestrator.llm.openai.openai_model import OpenAIModel
