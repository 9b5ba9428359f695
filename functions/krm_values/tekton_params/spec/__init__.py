"""What Tekton objects say: params, pipelines, references."""
