"""toolnexus: homes for long-lived AI personas, kept as folders of Markdown."""

__version__ = "1.0.0.dev0"
