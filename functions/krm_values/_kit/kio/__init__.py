"""ResourceLists and files of resources: read on demand, written with every byte that nobody changed."""
