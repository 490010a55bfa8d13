"""Policies decide what stays; one file each, found by name through the registry."""

from lre.policies.base import Covering, Explaining, Policy, View
from lre.policies.registry import POLICIES, names, policy

__all__ = ["POLICIES", "Covering", "Explaining", "Policy", "View", "names", "policy"]
