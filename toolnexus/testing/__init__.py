"""Doubles for tests, users' tests among them: a scripted model, a failing disk, a toy embedding."""
