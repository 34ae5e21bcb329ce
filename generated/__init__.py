"""Python code of the contract, written by scripts/generate.py: edit the contract, not this."""
