"""The command line: parse what was asked for, call `app`, show the result."""
