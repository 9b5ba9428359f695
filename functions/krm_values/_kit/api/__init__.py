"""The declaration of a function, and the one way in which it runs."""
