"""Generated from protos/mesh."""
