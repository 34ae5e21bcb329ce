"""Generated from protos/clinic/v1."""
