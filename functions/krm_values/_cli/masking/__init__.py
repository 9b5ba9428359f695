"""What outputs must not show: values of Secrets, and those that came out of one."""
