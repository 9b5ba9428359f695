// Command scalars reads maps of one YAML scalar as both of Kubernetes' readers do: on stdin one JSON string per line, on stdout one line
// {"first": {"json": ...}, "second": {"json": ...}}, or {"error": "..."} for a reader that refuses. first is sigs.k8s.io/yaml, the
// reader of the API server and Flux; second go.yaml.in/yaml/v3, whose resolver kpt and kustomize have.
package main

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

type answer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

type answers struct {
	First  answer `json:"first"`
	Second answer `json:"second"`
}

func first(text string) answer {
	data, err := sigs.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{JSON: data}
}

// second gives a date as the text that it is written as, which is what a node of kyaml holds, and an infinite number as a list of it.
func second(text string) answer {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return answer{Error: err.Error()}
	}
	var found map[string]any
	if err := document.Decode(&found); err != nil {
		return answer{Error: err.Error()}
	}
	for key, value := range found {
		switch value := value.(type) {
		case time.Time:
			found[key] = document.Content[0].Content[1].Value
		case float64:
			if math.IsInf(value, 0) || math.IsNaN(value) {
				found[key] = []string{strconv.FormatFloat(value, 'g', -1, 64)}
			}
		}
	}
	data, err := json.Marshal(found)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{JSON: data}
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var text string
			if err := json.Unmarshal(line, &text); err != nil {
				panic(err)
			}
			if err := encoder.Encode(answers{first(text), second(text)}); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
