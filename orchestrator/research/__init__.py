"""The research desk: an observation becomes a research question that can be tested.

The desk writes nothing to a clinic and knows no patient: the clinics give it counts. Everything that loads LangGraph is
in here, and only those who open the desk load it.
"""
