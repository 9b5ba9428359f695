// Command glasskube does what Glasskube's operator does with one value, by the modules that it uses: on stdin one JSON
// question per line, on stdout one answer per line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

type question struct {
	Ask         string      `json:"ask"`
	Patch       patching    `json:"patch"`
	Template    templating  `json:"template"`
	Pattern     matching    `json:"pattern"`
	Constraints constrained `json:"constraints"`
	Manifest    string      `json:"manifest"`
	Path        following   `json:"path"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	Value any    `json:"value,omitempty"`
}

func answered(asked question) (any, error) {
	switch asked.Ask {
	case "patch":
		return patch(asked.Patch)
	case "template":
		return render(asked.Template)
	case "pattern":
		return match(asked.Pattern)
	case "constraints":
		return check(asked.Constraints), nil
	case "manifest":
		return read(asked.Manifest)
	case "path":
		return follow(asked.Path)
	}
	panic("asked for nothing that is known")
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
			var asked question
			if err := json.Unmarshal(line, &asked); err != nil {
				panic(err)
			}
			value, failed := answered(asked)
			given := answer{Value: value}
			if failed != nil {
				given = answer{Error: "error: " + failed.Error()}
			}
			if err := answers.Encode(given); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
