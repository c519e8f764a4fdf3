"""Language models behind one protocol: an adapter for litellm, and recordings that need no key.

`model` is the protocol, `message` and `completion` what goes in and out, `litellm_model` asks a
provider, `record` writes and plays recordings. litellm is imported when the first request is made.
"""
