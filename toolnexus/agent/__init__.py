"""The agent: a model in a loop with tools, within bounds.

`loop` drives, `session` decides (pure), `tool` makes tools of typed functions, `budget` says when
to stop, `compaction` keeps a conversation within the model's window, `run_file` saves each step.
"""
