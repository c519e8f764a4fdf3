"""toolnexus beside its peers: the same vault, the same machine, one table."""
