"""A second reading of the rules, made without looking at the first: plain data in, plain data and errors out."""
