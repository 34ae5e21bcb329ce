"""Generated from protos/mesh/v1."""
