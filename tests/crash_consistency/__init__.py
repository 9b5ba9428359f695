"""What a command that writes files leaves behind, whatever ends it."""
