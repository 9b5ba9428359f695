"""Fields of resources and generated objects: where values go, and in which form."""
