"""Language models: the port, its adapter, and what stands between a model and the people it must know nothing of."""
