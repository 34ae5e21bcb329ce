"""Generated from protos/memory/v1."""
