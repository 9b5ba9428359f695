package main

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
)

type matching struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

// match says for each text whether the pattern is found in it.
func match(asked matching) (any, error) {
	compiled, err := regexp.Compile(asked.Pattern)
	if err != nil {
		return nil, err
	}
	found := []bool{}
	for _, text := range asked.Texts {
		found = append(found, compiled.MatchString(text))
	}
	return found, nil
}

type constrained struct {
	Type      string   `json:"type"`
	Options   []string `json:"options"`
	Min       *int     `json:"min"`
	Max       *int     `json:"max"`
	MinLength *int     `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	Pattern   *string  `json:"pattern"`
	Text      string   `json:"text"`
}

// check names the constraints that a value violates, by the table of which applies to what.
func check(asked constrained) []string {
	found := []string{}
	switch asked.Type {
	case "text":
		if asked.MaxLength != nil && len(asked.Text) > *asked.MaxLength {
			found = append(found, "maxLength")
		}
		if asked.MinLength != nil && len(asked.Text) < *asked.MinLength {
			found = append(found, "minLength")
		}
		found = append(found, patterned(asked)...)
	case "number":
		number, err := strconv.Atoi(asked.Text)
		if errors.Is(err, strconv.ErrRange) {
			found = append(found, "range")
		} else if err != nil {
			found = append(found, "number")
		} else if asked.Min != nil && number < *asked.Min {
			found = append(found, "min")
		}
		if err == nil && asked.Max != nil && number > *asked.Max {
			found = append(found, "max")
		}
		found = append(found, patterned(asked)...)
	case "options":
		if !slices.Contains(asked.Options, asked.Text) {
			found = append(found, "options")
		}
	case "boolean":
		if _, err := strconv.ParseBool(asked.Text); err != nil {
			found = append(found, "boolean")
		}
	default:
		found = append(found, "type")
	}
	return found
}

func patterned(asked constrained) []string {
	if asked.Pattern == nil {
		return nil
	}
	compiled, err := regexp.Compile(*asked.Pattern)
	if err != nil {
		return []string{"bad-pattern"}
	}
	if !compiled.MatchString(asked.Text) {
		return []string{"pattern"}
	}
	return nil
}
