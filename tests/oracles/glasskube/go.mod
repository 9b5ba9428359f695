module krm-values.dev/oracles/glasskube

go 1.24

require (
	github.com/evanphx/json-patch/v5 v5.9.11
	k8s.io/client-go v0.31.1
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect
