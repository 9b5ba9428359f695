"""The layers of an App: read, in merge order, and where they disagree."""
