"""sigs.k8s.io/yaml 1.6.0 as judge of our reader of Go's YAML."""
