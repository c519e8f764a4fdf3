"""The one door to a home's disk: read, lock, apply a plan all or nothing, history, revert."""
