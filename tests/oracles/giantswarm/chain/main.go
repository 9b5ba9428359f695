// The values of one chain of layers, as giantswarm/app pkg/values merges them: one JSON document of layer texts per line of stdin, one
// JSON answer per line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/imdario/mergo"
	"sigs.k8s.io/yaml"
)

type answer struct {
	Text   string                 `json:"text"`
	Values map[string]interface{} `json:"values"`
	Error  string                 `json:"error"`
}

func merge(texts []string) answer {
	merged := map[string]interface{}{}
	for _, text := range texts {
		layer := map[string]interface{}{}
		if err := yaml.Unmarshal([]byte(text), &layer); err != nil {
			return answer{Error: err.Error()}
		}
		if err := mergo.Merge(&merged, layer, mergo.WithOverride); err != nil {
			return answer{Error: err.Error()}
		}
	}
	text, err := yaml.Marshal(merged)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: string(text), Values: merged}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	decoder := json.NewDecoder(in)
	for decoder.More() {
		var texts []string
		if err := decoder.Decode(&texts); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(merge(texts)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
