"""What is to change, and the law it must keep: plans, conservation, log entries, claim diffs."""
