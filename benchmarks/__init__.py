"""What toolnexus promises about speed and memory, measured: `python -m benchmarks`."""
