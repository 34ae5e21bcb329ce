"""The shared runtime of every node: any service annotated with `mesh.v1` options becomes an agent by being served."""
