// What Flux composes: one JSON question per line of stdin, one JSON answer per line of stdout.
//
// {"values", "refs", "objects"} asks for the values of a release in the namespace "t"; {"text"} for what Go reads of a values text.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"
)

const namespace = "t"

type object struct {
	Kind       string            `json:"kind"`
	Name       string            `json:"name"`
	Data       map[string]string `json:"data"`
	Bytes      map[string][]byte `json:"bytes"`
	StringData map[string]string `json:"stringData"`
}

type question struct {
	Values  json.RawMessage        `json:"values"`
	Refs    []meta.ValuesReference `json:"refs"`
	Objects []object               `json:"objects"`
	Text    *string                `json:"text"`
}

type answer struct {
	Values   map[string]interface{} `json:"values"`
	Integers map[string]string      `json:"integers"` // by JSON pointer, the numbers that are no floats
	Digits   json.RawMessage        `json:"digits,omitempty"`
	Reason   string                 `json:"reason"`
	Error    string                 `json:"error"`
}

var scheme = runtime.NewScheme()

func compose(asked question) (found answer) {
	values := map[string]interface{}{}
	if err := json.Unmarshal(asked.Values, &values); err != nil {
		return answer{Error: err.Error()}
	}
	client := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects(asked)...).Build()
	result, err := chartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), client, namespace, values, asked.Refs...)
	if err != nil {
		var reference *chartutil.ErrValuesReference
		if errors.As(err, &reference) {
			return answer{Error: err.Error(), Reason: reference.Reason.Error()}
		}
		return answer{Error: err.Error()}
	}
	found = answer{Values: result, Integers: map[string]string{}}
	integers(map[string]interface{}(result), "", found.Integers)
	return found
}

// objects are stored as an API server does it: the stringData of a Secret goes into its data.
func objects(asked question) []client.Object {
	var stored []client.Object
	for _, one := range asked.Objects {
		named := metav1.ObjectMeta{Name: one.Name, Namespace: namespace}
		if one.Kind == "ConfigMap" {
			stored = append(stored, &corev1.ConfigMap{ObjectMeta: named, Data: one.Data})
			continue
		}
		data := map[string][]byte{}
		for key, value := range one.Bytes {
			data[key] = value
		}
		for key, value := range one.StringData {
			data[key] = []byte(value)
		}
		stored = append(stored, &corev1.Secret{ObjectMeta: named, Data: data})
	}
	return stored
}

func integers(value interface{}, pointer string, found map[string]string) {
	switch typed := value.(type) {
	case map[string]interface{}:
		for key, entry := range typed {
			integers(entry, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), found)
		}
	case []interface{}:
		for index, entry := range typed {
			integers(entry, pointer+"/"+strconv.Itoa(index), found)
		}
	case int64:
		found[pointer] = strconv.FormatInt(typed, 10)
	}
}

func read(text string) answer {
	found := answer{Values: map[string]interface{}{}}
	if err := yaml.Unmarshal([]byte(text), &found.Values); err != nil {
		return answer{Error: err.Error()}
	}
	digits, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	found.Digits = digits
	return found
}

func main() {
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder, decoder := json.NewEncoder(out), json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	for decoder.More() {
		var asked question
		if err := decoder.Decode(&asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		found := answer{}
		if asked.Text != nil {
			found = read(*asked.Text)
		} else {
			found = compose(asked)
		}
		if err := encoder.Encode(found); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
