"""What is written for an App: values objects, a fold into the user level, a HelmRelease."""
