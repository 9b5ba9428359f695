"""Resources and what surrounds them: how they are read, placed and written; findings, functionConfigs, undo records, packages."""
