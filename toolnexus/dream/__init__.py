"""The dreamer: one pass that keeps a persona's memory true."""
