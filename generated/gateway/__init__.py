"""Generated from protos/gateway."""
