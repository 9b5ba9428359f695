"""Reference implementations: the rules of a specification in plain code, written without looking at the function they are compared with."""
