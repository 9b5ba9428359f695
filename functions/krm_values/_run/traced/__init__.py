"""Values that remember the layer that set them and what they override: the one tree in which functions merge and write values.

A map merges with a map key by key. Anything else (a scalar, a list, null) replaces what is below it, except that an empty map over a filled
one changes nothing. These are the rules of mergo and Helm; strategies say otherwise for the value at a path.

The map or list around a value notes what it overrides, as a whole and nearest first. A member of a map that overrides another value overrides
what that has in its place, or else all of it. This is found when it is read (`find`, `read`, `leaves`), and never copied into the members.
"""
