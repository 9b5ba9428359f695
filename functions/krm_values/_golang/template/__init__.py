"""The part of text/template that value templates use."""
