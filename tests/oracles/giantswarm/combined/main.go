// What Helm receives, as giantswarm/chart-operator lays the Secret over the ConfigMap: one JSON pair of texts per line of stdin, one JSON
// answer per line of stdout.
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

func combine(texts []string) (found answer) {
	defer func() {
		if fault := recover(); fault != nil {
			found = answer{Error: fmt.Sprint("panic: ", fault)}
		}
	}()
	values := map[string]interface{}{}
	if err := yaml.Unmarshal([]byte(texts[0]), &values); err != nil {
		return answer{Error: err.Error()}
	}
	var secret map[string]interface{}
	if err := yaml.Unmarshal([]byte(texts[1]), &secret); err != nil {
		return answer{Error: err.Error()}
	}
	if err := mergo.Merge(&values, secret, mergo.WithOverride); err != nil {
		return answer{Error: err.Error()}
	}
	text, err := yaml.Marshal(values)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: string(text), Values: values}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder, decoder := json.NewEncoder(out), json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	for decoder.More() {
		var texts []string
		if err := decoder.Decode(&texts); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(combine(texts)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
