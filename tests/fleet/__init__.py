"""Many packages at once: every engine gives the bytes that one package after the other gives."""
