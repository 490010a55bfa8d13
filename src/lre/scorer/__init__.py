"""Arrays in, probabilities out: logistic regressions over features, and words where they help."""

from lre.scorer.file import FORMAT, VERSION
from lre.scorer.scorer import Scorer
from lre.scorer.shipped import shipped
from lre.scorer.terms import Terms

__all__ = ["FORMAT", "VERSION", "Scorer", "Terms", "shipped"]
