package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"text/template"
)

// templating is a template and the JSON of the value that it is executed on.
type templating struct {
	Text string `json:"text"`
	Dot  string `json:"dot"`
}

var functions = template.FuncMap{
	"base64": func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
}

// render gives the output as text, and as the JSON that it is, or why it is none.
func render(asked templating) (any, error) {
	parsed, err := template.New("").Funcs(functions).Parse(asked.Text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, dot(asked.Dot)); err != nil {
		return nil, err
	}
	var result any
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		return map[string]any{"text": out.String(), "error": err.Error()}, nil
	}
	written, err := json.Marshal(result)
	return map[string]any{"text": out.String(), "json": string(written)}, err
}

// dot reads a value as unstructured objects hold it: whole numbers are int64.
func dot(text string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return held(value)
}

func held(value any) any {
	switch found := value.(type) {
	case json.Number:
		if whole, err := found.Int64(); err == nil {
			return whole
		}
		float, err := found.Float64()
		if err != nil {
			panic(err)
		}
		return float
	case map[string]any:
		for key, entry := range found {
			found[key] = held(entry)
		}
	case []any:
		for index, entry := range found {
			found[index] = held(entry)
		}
	}
	return value
}
