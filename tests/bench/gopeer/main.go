// The function of the bench as Go authors write one, with kyaml's framework: it passes the params of each PipelineRun down
// to the embedded tasks that use them, and declares them on the way. The bench compares its resources with ours.
package main

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type param struct {
	name string
	list bool
}

func main() {
	process := framework.ResourceListProcessorFunc(func(list *framework.ResourceList) error {
		for _, item := range list.Items {
			if item.GetKind() == "PipelineRun" {
				if err := resolve(item); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := framework.Execute(process, &kio.ByteReadWriter{KeepReaderAnnotations: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func resolve(run *yaml.RNode) error {
	given, err := params(run)
	if err != nil {
		return err
	}
	pipeline, err := run.Pipe(yaml.Lookup("spec", "pipelineSpec"))
	if pipeline == nil || err != nil {
		return err
	}
	tasks, err := pipeline.Pipe(yaml.Lookup("tasks"))
	if tasks == nil || err != nil {
		return err
	}
	elements, err := tasks.Elements()
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, task := range elements {
		if err := pass(task, given, used); err != nil {
			return err
		}
	}
	return declare(pipeline, given, func(one param) bool { return used[one.name] })
}

func params(run *yaml.RNode) ([]param, error) {
	found, err := run.Pipe(yaml.Lookup("spec", "params"))
	if found == nil || err != nil {
		return nil, err
	}
	var given []param
	err = found.VisitElements(func(element *yaml.RNode) error {
		name, err := element.GetString("name")
		value := element.Field("value")
		given = append(given, param{name, value != nil && value.Value.YNode().Kind == yaml.SequenceNode})
		return err
	})
	return given, err
}

func pass(task *yaml.RNode, given []param, used map[string]bool) error {
	spec, err := task.Pipe(yaml.Lookup("taskSpec"))
	if spec == nil || err != nil {
		return err
	}
	text, err := spec.String()
	if err != nil {
		return err
	}
	uses := func(one param) bool {
		return strings.Contains(text, "$(params."+one.name+")") || strings.Contains(text, "$(params."+one.name+"[")
	}
	var values []*yaml.Node
	for _, one := range given {
		if !uses(one) {
			continue
		}
		used[one.name] = true
		value := yaml.NewStringRNode("$(params." + one.name + ")")
		if one.list {
			value = yaml.NewListRNode("$(params." + one.name + "[*])")
		}
		entry := yaml.NewMapRNode(&map[string]string{"name": one.name})
		if err := entry.PipeE(yaml.SetField("value", value)); err != nil {
			return err
		}
		values = append(values, entry.YNode())
	}
	if len(values) == 0 {
		return nil
	}
	if err := task.PipeE(yaml.LookupCreate(yaml.SequenceNode, "params"), yaml.Append(values...)); err != nil {
		return err
	}
	return declare(spec, given, uses)
}

func declare(holder *yaml.RNode, given []param, uses func(param) bool) error {
	var entries []*yaml.Node
	for _, one := range given {
		if uses(one) {
			kind := map[bool]string{false: "string", true: "array"}[one.list]
			entry := yaml.NewMapRNode(nil)
			for _, pair := range [][2]string{{"name", one.name}, {"type", kind}} {
				if err := entry.PipeE(yaml.SetField(pair[0], yaml.NewStringRNode(pair[1]))); err != nil {
					return err
				}
			}
			entries = append(entries, entry.YNode())
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return holder.PipeE(yaml.LookupCreate(yaml.SequenceNode, "params"), yaml.Append(entries...))
}
