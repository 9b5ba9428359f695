"""JSONPath as k8s.io/client-go evaluates it."""
