"""ResourceLists and files of resources: read on demand, and written with every unedited byte preserved."""
