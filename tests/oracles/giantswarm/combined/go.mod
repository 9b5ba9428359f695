module krm-values.dev/oracles/giantswarm/combined

go 1.22

require (
	github.com/imdario/mergo v0.3.13
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect
