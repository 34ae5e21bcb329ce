"""Generated from protos/memory."""
