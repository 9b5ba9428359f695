"""No byte of a Secret's value leaves in any output, but in Secrets and in the fields that the rules fill from them."""
