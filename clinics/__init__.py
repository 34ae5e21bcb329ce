"""A clinic: one server program, its rules, its silo, and a folder of data for each clinic.

This package knows nothing of the orchestrator, nor one clinic of another.
"""
