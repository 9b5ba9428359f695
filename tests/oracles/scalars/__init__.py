"""Both of Kubernetes' Go readers as judges of what a scalar of a resource means: sigs.k8s.io/yaml 1.6.0 and go.yaml.in/yaml 3.0.4."""
