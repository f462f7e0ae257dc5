"""What lines of play are worth, from playouts that share their chance.

What a player is paid at the end is taken apart: what he leads by right after a line, what he gains
from there to each later moment at which the playouts were looked at, and the rest. Each part is
measured anew in every playout, and each is drawn towards the mean of all lines as far as what tells
the lines apart in it is no more than noise (James and Stein's estimator). So a gain that is certain
counts whole from the first playout on, and what chance decides later only as far as it is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

KEEPS = 0.9  # how much of what earlier decisions have shown is kept at each
CAUTION = 1.0  # standard errors by which another line must be better than the usual one
TRUST = 0.02  # the share of noise that always counts as a difference, so that nothing is left out


@dataclass(frozen=True)
class Sample:
    """One playout: what a player leads by at each moment looked at, and what he is paid."""

    leads: tuple[float, ...]
    paid: float


@dataclass
class Spread:
    """How far lines differ in a part, and playouts of one line, as variances summed over decisions.

    What lines differ by is without bias, so that it is below 0 where a decision shows less of it
    than noise brings.
    """

    signal: float = 0.0
    noise: float = 0.0

    def learn(self, part: list[list[float]]) -> None:
        """Add a decision, by an analysis of variance of numbers that are centered."""
        lines, playouts = len(part), len(part[0])
        if lines < 2 or playouts < 2:
            return
        means = [sum(line) / playouts for line in part]
        within = sum((x - mean) ** 2 for line, mean in zip(part, means, strict=True) for x in line)
        noise = within / ((lines - 1) * (playouts - 1))
        between = sum(mean**2 for mean in means) / (lines - 1)
        self.noise = KEEPS * self.noise + noise
        self.signal = KEEPS * self.signal + between - noise / playouts

    def trusted(self, playouts: int) -> float:
        """The share of what was measured in so many playouts that is kept."""
        noise = self.noise / playouts
        if not noise:
            return 1.0
        signal = max(self.signal, TRUST * noise)
        return signal / (signal + noise)


@dataclass
class Estimates:
    """The worth of lines, by what decisions so far have shown of how far lines differ."""

    spreads: list[Spread] = field(default_factory=list)

    def worths(self, samples: Sequence[Sequence[Sample]], learn: bool = True) -> list[float]:
        """The worth of each line, from as many playouts of each with the same chance.

        They say how far lines differ, too, unless they were chosen by these playouts.
        """
        playouts = len(samples[0])
        slope = paid_by_lead([sample for line in samples for sample in line])
        parts = [_parts(line, slope) for line in samples]
        centered = [_centered([line[part] for line in parts]) for part in range(len(parts[0]))]
        self.spreads = self.spreads or [Spread() for _ in centered]
        for spread, part in zip(self.spreads, centered, strict=True):
            if learn:
                spread.learn(part)
        return [
            sum(
                spread.trusted(playouts) * sum(part[line]) / playouts
                for spread, part in zip(self.spreads, centered, strict=True)
            )
            for line in range(len(samples))
        ]

    def surpasses(self, one: Sequence[Sample], other: Sequence[Sample]) -> bool:
        """Is a line better than another by more than its playouts may err?"""
        playouts = len(one)
        slope = paid_by_lead([*one, *other])
        gains = [0.0] * playouts
        for spread, mine, theirs in zip(
            self.spreads, _parts(one, slope), _parts(other, slope), strict=True
        ):
            trusted = spread.trusted(playouts)
            for at, (x, y) in enumerate(zip(mine, theirs, strict=True)):
                gains[at] += trusted * (x - y)
        mean = sum(gains) / playouts
        error = math.sqrt(sum((x - mean) ** 2 for x in gains) / max(1, playouts - 1) / playouts)
        return mean > CAUTION * error


def paid_by_lead(samples: Sequence[Sample]) -> float:
    """How much more is paid at the end for a point more of lead, by least squares."""
    leads, paid = [one.leads[-1] for one in samples], [one.paid for one in samples]
    mean, middle = sum(leads) / len(leads), sum(paid) / len(paid)
    spread = sum((lead - mean) ** 2 for lead in leads)
    along = sum((lead - mean) * (pay - middle) for lead, pay in zip(leads, paid, strict=True))
    return along / spread if spread else 0.0


def _parts(line: Sequence[Sample], slope: float) -> list[list[float]]:
    """What is gained in each part of each playout of a line, in what is paid."""
    looks = len(line[0].leads)
    found = [[slope * one.leads[0] for one in line]]
    for at in range(1, looks):
        found.append([slope * (one.leads[at] - one.leads[at - 1]) for one in line])
    return [*found, [one.paid - slope * one.leads[-1] for one in line]]


def _centered(part: list[list[float]]) -> list[list[float]]:
    """Each line's numbers less what all lines have in the mean with the same chance."""
    means = [sum(column) / len(part) for column in zip(*part, strict=True)]
    return [[x - mean for x, mean in zip(line, means, strict=True)] for line in part]
