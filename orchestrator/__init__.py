"""The hub: understands a person, asks the clinics through the mesh, checks what comes back and answers."""
