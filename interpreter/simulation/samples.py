"""Samples of differences, and when it is looked whether they decide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from rulelang.core.values import Json

ERROR = 0.05  # the share of runs in which any verdict may be wrong
FIRST = 25  # games before the first look; each further look is at twice as many


@dataclass
class Sample:
    """Numbers of which the mean is asked for."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, x: float) -> None:
        """One number more."""
        self.count += 1
        step = x - self.mean
        self.mean += step / self.count
        self.squares += step * (x - self.mean)

    @property
    def deviation(self) -> float:
        """The standard deviation of the numbers."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0

    def interval(self, error: float) -> tuple[float, float]:
        """The interval that misses the mean in this share of cases, if the numbers are many."""
        half = quantile(error) * self.deviation / math.sqrt(self.count) if self.count else math.inf
        return self.mean - half, self.mean + half

    def wanted(self, error: float, least: float) -> float:
        """How many numbers it takes to tell a difference of `least` from none."""
        return (quantile(error) * self.deviation / least) ** 2

    def rounded(self, error: float) -> list[Json]:
        """The mean and the ends of its interval as plain data; none where an end is nowhere."""
        ends = (self.mean, *self.interval(error))
        return [round(x, 3) if math.isfinite(x) else None for x in ends]


def quantile(error: float) -> float:
    """How many standard errors an interval reaches to either side."""
    return NormalDist().inv_cdf(1 - error / 2)


def looks(most: int) -> list[int]:
    """The numbers of games after which it is looked whether all is decided."""
    found = []
    at = min(FIRST, most)
    while at < most:
        found.append(at)
        at *= 2
    return [*found, most]
