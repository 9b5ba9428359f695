// Command cartographer evaluates paths and templates as Cartographer's controller does. On stdin one question per line:
// {"template": any, "context": {..}}, {"path": "..", "object": {..}} or {"path": "..", "owner": {..}}; `workload`,
// `deliverable` and `runnable` of a context and every owner become Go structs, `params` raw JSON, all else plain data.
// On stdout one line for each: {"json": ".."}, the result as JSON text, or {"error": "..", "missing": whether it led nowhere}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/valyala/fasttemplate"
	"k8s.io/client-go/util/jsonpath"
	kjson "sigs.k8s.io/json"
)

var errMissing = errors.New("no result")

type question struct {
	Template json.RawMessage            `json:"template"`
	Context  map[string]json.RawMessage `json:"context"`
	Path     string                     `json:"path"`
	Object   json.RawMessage            `json:"object"`
	Owner    json.RawMessage            `json:"owner"`
}

type answer struct {
	JSON    string `json:"json,omitempty"`
	Error   string `json:"error,omitempty"`
	Missing bool   `json:"missing,omitempty"`
}

func braced(path string) string {
	if !strings.HasPrefix(path, "{.") {
		path = "{" + map[bool]string{true: "", false: "."}[strings.HasPrefix(path, ".")] + path
	}
	if !strings.HasSuffix(path, "}") {
		path += "}"
	}
	return path
}

func evaluate(path string, data any) (any, error) {
	if path == "" {
		return nil, errors.New("empty")
	}
	engine := jsonpath.New("").AllowMissingKeys(true)
	if err := engine.Parse(braced(path)); err != nil {
		return nil, err
	}
	found, err := engine.FindResults(data)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d queries", len(found))
	}
	engine.EnableJSONOutput(true)
	var text bytes.Buffer
	if err := engine.PrintResults(&text, found[0]); err != nil {
		return nil, err
	}
	var values []any
	if err := json.Unmarshal(text.Bytes(), &values); err != nil {
		return nil, err
	}
	switch len(values) {
	case 0:
		return nil, errMissing
	case 1:
		return values[0], nil
	}
	return nil, fmt.Errorf("%d results", len(values))
}

func stampText(text string, context any) (any, error) {
	if strings.HasPrefix(text, "$(") && strings.HasSuffix(text, ")$") && strings.Count(text, "$(") == 1 {
		return evaluate(strings.TrimPrefix(strings.TrimSuffix(text, ")$"), "$("), context)
	}
	return fasttemplate.ExecuteFuncStringWithErr(text, "$(", ")$", func(out io.Writer, tag string) (int, error) {
		value, err := evaluate(tag, context)
		if err != nil {
			return 0, err
		}
		switch value := value.(type) {
		case nil:
			return 0, errors.New("null in a text")
		case string:
			return io.WriteString(out, value)
		}
		written, err := json.Marshal(value)
		if err != nil {
			return 0, err
		}
		return out.Write(written)
	})
}

func stamp(template any, context any) (any, error) {
	var err error
	switch value := template.(type) {
	case string:
		return stampText(value, context)
	case []any:
		for index := range value {
			if value[index], err = stamp(value[index], context); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range value {
			if value[key], err = stamp(value[key], context); err != nil {
				return nil, err
			}
		}
	}
	return template, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func owner(data []byte) any {
	var head struct {
		Kind string `json:"kind"`
	}
	must(json.Unmarshal(data, &head))
	made := typed(head.Kind)
	must(kjson.UnmarshalCaseSensitivePreserveInts(data, made))
	return made
}

// fromServer is plain data after its way to the API server and back.
func fromServer(text []byte) (data any) {
	must(json.Unmarshal(text, &data))
	sent, err := json.Marshal(data)
	must(err)
	data = nil
	must(kjson.UnmarshalCaseSensitivePreserveInts(sent, &data))
	return data
}

func context(plain map[string]json.RawMessage) map[string]any {
	made := map[string]any{}
	for key, data := range plain {
		switch key {
		case "workload", "deliverable", "runnable":
			made[key] = owner(data)
		case "params":
			params := map[string]opaque{}
			must(json.Unmarshal(data, &params))
			made[key] = params
		default:
			var value any
			must(json.Unmarshal(data, &value))
			made[key] = value
		}
	}
	return made
}

func ask(asked question) (value any, err error) {
	var data any
	switch {
	case asked.Context != nil:
		must(json.Unmarshal(asked.Template, &data))
		made := context(asked.Context)
		defer caught(&err)
		return stamp(data, made)
	case asked.Object != nil:
		data = fromServer(asked.Object)
	default:
		data = owner(asked.Owner)
	}
	defer caught(&err)
	return evaluate(asked.Path, data)
}

// caught makes an error of what the library panics on.
func caught(err *error) {
	if failure := recover(); failure != nil {
		*err = fmt.Errorf("panic: %v", failure)
	}
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var asked question
			must(json.Unmarshal(line, &asked))
			value, failure := ask(asked)
			if failure != nil {
				must(answers.Encode(answer{Error: failure.Error(), Missing: errors.Is(failure, errMissing)}))
			} else {
				written, failure := json.Marshal(value)
				must(failure)
				must(answers.Encode(answer{JSON: string(written)}))
			}
		}
		if err != nil {
			return
		}
	}
}
