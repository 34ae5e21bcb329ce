"""A clinic: its program, and a folder of data for each. It knows nothing of the orchestrator, nor of other clinics."""
