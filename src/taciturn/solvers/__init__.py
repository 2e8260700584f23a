"""Pure algorithms: numbers in, numbers out. Imports nothing of ours."""
