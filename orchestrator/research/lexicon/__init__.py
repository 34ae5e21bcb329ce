"""The words of the research desk, as tables in the form of the planner's lexicon."""
