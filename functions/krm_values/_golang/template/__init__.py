"""text/template: the part that value templates use."""
