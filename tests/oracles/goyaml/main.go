// Command goyaml reads texts as sigs.k8s.io/yaml does: on stdin one JSON string per line, on stdout one line
// {"json": ...}, numbers as YAMLToJSON gives them, or {"error": "..."}.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

func read(text string) answer {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{JSON: data}
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var text string
			if err := json.Unmarshal(line, &text); err != nil {
				panic(err)
			}
			if err := answers.Encode(read(text)); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
