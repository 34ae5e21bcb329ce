"""The terminal of the research desk: the prompt, drawing and progress of the clinics', with commands of its own."""
