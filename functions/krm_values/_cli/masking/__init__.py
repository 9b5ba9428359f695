"""What outputs must not show: values of Secrets, and values that come from one."""
