"""Solution Descriptors: headers, applications, graphs."""
