"""Checks: errors for what Tekton rejects or handles wrongly, warnings for pitfalls and misspelt names."""
