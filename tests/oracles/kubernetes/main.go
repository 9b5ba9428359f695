// Kubernetes' and kyaml's own readers, line by line: one question as JSON on stdin, one answer as JSON on stdout.
//
// {"object": JSON}: decoded strictly as the API server decodes it, its metadata validated; of a kind that is not built in the metadata alone.
// {"definition": YAML, "group", "version", "kind", "configs": [JSON]}: each config against the schema that kyaml finds in a KRMFunctionDefinition.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"
)

type question struct {
	Object     json.RawMessage `json:"object"`
	Definition string          `json:"definition"`
	Group      string          `json:"group"`
	Version    string          `json:"version"`
	Kind       string          `json:"kind"`
	Configs    []any           `json:"configs"`
}

type answer struct {
	Known  bool     `json:"known"`
	Errors []string `json:"errors"`
}

// The fields of every object that the server takes; the others are the kind's own.
type header struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta `json:"metadata"`
}

func object(text []byte) answer {
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	found, _, err := strict.Decode(text, nil, nil)
	if err == nil {
		accessor, err := meta.Accessor(found)
		if err != nil {
			return answer{true, []string{err.Error()}}
		}
		return answer{true, metadata(accessor)}
	}
	if !runtime.IsNotRegisteredError(err) {
		return answer{true, []string{err.Error()}}
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return answer{false, []string{err.Error()}}
	}
	part, _ := json.Marshal(map[string]any{"apiVersion": all["apiVersion"], "kind": all["kind"], "metadata": all["metadata"]})
	var custom header
	if err := yaml.UnmarshalStrict(part, &custom); err != nil {
		return answer{false, []string{err.Error()}}
	}
	return answer{false, metadata(&custom.Metadata)}
}

func metadata(accessor metav1.Object) []string {
	namespaced := accessor.GetNamespace() != ""
	found := validation.ValidateObjectMetaAccessor(accessor, namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	errors := []string{}
	for _, one := range found {
		errors = append(errors, one.Error())
	}
	return errors
}

func configs(asked question) answer {
	gvk := resid.NewGvk(asked.Group, asked.Version, asked.Kind)
	schema, err := framework.SchemaFromFunctionDefinition(gvk, asked.Definition)
	if err != nil {
		return answer{false, []string{err.Error()}}
	}
	errors := []string{}
	for _, config := range asked.Configs {
		said := []string{}
		for _, one := range validate.NewSchemaValidator(schema, nil, "", strfmt.Default).Validate(config).Errors {
			said = append(said, one.Error())
		}
		errors = append(errors, strings.Join(said, "; "))
	}
	return answer{true, errors}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		said := answer{}
		if asked.Definition != "" {
			said = configs(asked)
		} else {
			said = object(asked.Object)
		}
		text, _ := json.Marshal(said)
		fmt.Println(string(text))
	}
}
