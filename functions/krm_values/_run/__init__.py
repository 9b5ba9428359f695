"""Running a function: its layers, the plan applied to resources, generated objects, undo, and the pipeline of a package."""
