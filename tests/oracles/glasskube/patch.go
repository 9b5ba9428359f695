package main

import (
	"encoding/json"
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// patching is a document and operations on it, one after the other; each value is JSON as a template gives it.
type patching struct {
	Document   string      `json:"document"`
	Operations []operation `json:"operations"`
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value string `json:"value"`
}

type withValue struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patch gives the document's text after each operation, up to the first that cannot be done.
func patch(asked patching) (any, error) {
	document, documents := asked.Document, []string{}
	for _, one := range asked.Operations {
		patched, err := apply(document, one)
		if err != nil {
			break
		}
		document = patched
		documents = append(documents, patched)
	}
	return documents, nil
}

func apply(document string, one operation) (result string, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("crashed: %v", crash)
		}
	}()
	var value any
	if err := json.Unmarshal([]byte(one.Value), &value); err != nil {
		panic(err)
	}
	data, err := json.Marshal([]withValue{{one.Op, one.Path, value}})
	if err != nil {
		return "", err
	}
	decoded, err := jsonpatch.DecodePatch(data)
	if err != nil {
		return "", err
	}
	patched, err := decoded.Apply([]byte(document))
	return string(patched), err
}
