"""Resources and what surrounds them: reading, cutting, places, findings, functionConfigs, undo records, packages, files."""
