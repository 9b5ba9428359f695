"""Selection of chains and options, and the precedence of params."""
