"""Tekton objects as their specs describe them: params, pipelines, references."""
