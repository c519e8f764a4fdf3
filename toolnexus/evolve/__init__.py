"""Memory that ripens: stages, strength and feedback, and the jobs that act on them."""
