"""Generated from protos/clinic."""
