"""Policies: what to protect, by which models, how to replace, on which legal basis; ``presets`` has ours."""

from taciturn.policy.policy import Policy, PolicyError, preset_names, preset_text
from taciturn.policy.protected import Protected

__all__ = ["Policy", "PolicyError", "Protected", "preset_names", "preset_text"]
