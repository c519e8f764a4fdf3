"""Evidence chains: what a note or a claim rests on, how far it can be believed, and why."""
