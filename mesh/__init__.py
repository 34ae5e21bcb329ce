"""The shared runtime of every node of the mesh: catalogue, envelope, errors, policies, server, channel.

It knows no clinic and no orchestrator: any service annotated with `mesh.v1` options becomes an agent by being served.
"""
