package main

import (
	"bytes"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// opaque holds raw JSON in a struct, as the values of params and inputs are held.
type opaque struct {
	Raw []byte `json:"-"`
}

func (o opaque) MarshalJSON() ([]byte, error) {
	if len(o.Raw) == 0 {
		return []byte("null"), nil
	}
	return o.Raw, nil
}

func (o *opaque) UnmarshalJSON(data []byte) error {
	if !bytes.Equal(data, []byte("null")) {
		o.Raw = append(o.Raw[:0], data...)
	}
	return nil
}

type param struct {
	Name  string `json:"name"`
	Value opaque `json:"value"`
}

type gitRef struct {
	Branch *string `json:"branch,omitempty"`
	Tag    *string `json:"tag,omitempty"`
	Commit *string `json:"commit,omitempty"`
}

type gitSource struct {
	URL *string `json:"url,omitempty"`
	Ref *gitRef `json:"ref,omitempty"`
}

type source struct {
	Git     *gitSource `json:"git,omitempty"`
	Image   *string    `json:"image,omitempty"`
	Subpath *string    `json:"subPath,omitempty"`
}

type build struct {
	Env []corev1.EnvVar `json:"env,omitempty"`
}

type claimRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

type claim struct {
	Name string    `json:"name"`
	Ref  *claimRef `json:"ref,omitempty"`
}

type reference struct {
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

type OwnerStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Params             []param                      `json:"params,omitempty"`
		Source             *source                      `json:"source,omitempty"`
		Build              build                        `json:"build,omitempty"`
		Env                []corev1.EnvVar              `json:"env,omitempty"`
		Image              *string                      `json:"image,omitempty"`
		Resources          *corev1.ResourceRequirements `json:"resources,omitempty"`
		ServiceAccountName string                       `json:"serviceAccountName,omitempty"`
		ServiceClaims      []claim                      `json:"serviceClaims,omitempty"`
	} `json:"spec"`
	Status struct {
		OwnerStatus    `json:",inline"`
		SupplyChainRef reference `json:"supplyChainRef,omitempty"`
	} `json:"status,omitempty"`
}

type deliverable struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Params             []param `json:"params,omitempty"`
		Source             *source `json:"source,omitempty"`
		ServiceAccountName string  `json:"serviceAccountName,omitempty"`
	} `json:"spec"`
	Status struct {
		OwnerStatus `json:",inline"`
		DeliveryRef reference `json:"deliveryRef,omitempty"`
	} `json:"status,omitempty"`
}

type resourceSelector struct {
	Resource struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	} `json:"resource"`
	MatchingLabels map[string]string `json:"matchingLabels"`
}

type runnable struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		RunTemplateRef struct {
			Kind string `json:"kind,omitempty"`
			Name string `json:"name"`
		} `json:"runTemplateRef"`
		Selector           *resourceSelector `json:"selector,omitempty"`
		Inputs             map[string]opaque `json:"inputs,omitempty"`
		ServiceAccountName string            `json:"serviceAccountName,omitempty"`
		RetentionPolicy    struct {
			MaxFailedRuns     int64 `json:"maxFailedRuns"`
			MaxSuccessfulRuns int64 `json:"maxSuccessfulRuns"`
		} `json:"retentionPolicy,omitempty"`
	} `json:"spec"`
	Status struct {
		ObservedGeneration int64              `json:"observedGeneration,omitempty"`
		Conditions         []metav1.Condition `json:"conditions,omitempty"`
		Outputs            map[string]opaque  `json:"outputs,omitempty"`
	} `json:"status,omitempty"`
}

// typed is the Go value that stands for an owner of this kind.
func typed(kind string) any {
	switch kind {
	case "Workload":
		return &workload{}
	case "Deliverable":
		return &deliverable{}
	}
	return &runnable{}
}
