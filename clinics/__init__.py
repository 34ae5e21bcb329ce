"""A clinic: one server program, its rules, its silo, and a folder of data for each of the clinics.

Clinics differ in data only. This package knows nothing of the orchestrator, nor one clinic of another.
"""
