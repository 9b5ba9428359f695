package main

import (
	"encoding/json"

	"sigs.k8s.io/yaml"
)

// manifest holds the fields of a package.yaml that values hang on, with the types that the operator gives them.
type manifest struct {
	Name             string                `json:"name"`
	DefaultNamespace string                `json:"defaultNamespace"`
	ValueDefinitions map[string]definition `json:"valueDefinitions"`
}

type definition struct {
	Type         string   `json:"type"`
	DefaultValue string   `json:"defaultValue"`
	Options      []string `json:"options"`
	Constraints  limits   `json:"constraints"`
	Targets      []target `json:"targets"`
}

type limits struct {
	Required  bool    `json:"required"`
	Min       *int    `json:"min"`
	Max       *int    `json:"max"`
	MinLength *int    `json:"minLength"`
	MaxLength *int    `json:"maxLength"`
	Pattern   *string `json:"pattern"`
}

type target struct {
	ChartName     *string `json:"chartName"`
	Patch         place   `json:"patch"`
	ValueTemplate string  `json:"valueTemplate"`
}

type place struct {
	Op   string `json:"op"`
	Path string `json:"path"`
}

func read(text string) (any, error) {
	var found manifest
	if err := yaml.Unmarshal([]byte(text), &found); err != nil {
		return nil, err
	}
	data, err := json.Marshal(found)
	return json.RawMessage(data), err
}
