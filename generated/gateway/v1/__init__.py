"""Generated from protos/gateway/v1."""
