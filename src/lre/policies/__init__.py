"""Policies decide what stays; one file each, found by name through the registry."""

from lre.policies.base import Explaining, Policy, View
from lre.policies.registry import POLICIES, names, policy

__all__ = ["POLICIES", "Explaining", "Policy", "View", "names", "policy"]
