package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/client-go/util/jsonpath"
)

// following is the path of a transformation's source and the JSON of the object that it is for.
type following struct {
	Text string `json:"text"`
	Data string `json:"data"`
}

// follow gives the JSON of the one value that is found.
func follow(asked following) (value any, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("panic: %v", failure)
		}
	}()
	engine := jsonpath.New("")
	if err := engine.Parse(asked.Text); err != nil {
		return nil, err
	}
	stored, err := json.Marshal(dot(asked.Data))
	if err != nil {
		return nil, err
	}
	pieces, err := engine.FindResults(dot(string(stored)))
	if err != nil {
		return nil, err
	}
	if len(pieces) != 1 || len(pieces[0]) != 1 {
		return nil, errors.New("not one result")
	}
	written, err := json.Marshal(pieces[0][0].Interface())
	return string(written), err
}
