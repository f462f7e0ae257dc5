"""The worth of lines: what is certain counts whole, what chance decides as far as it tells."""

from __future__ import annotations

from interpreter.bots.estimates import Estimates, Sample, Spread, paid_by_lead


def line(*rows: tuple[float, float, float]) -> list[Sample]:
    """Playouts of a line: the leads right after it and at the end, and what was paid."""
    return [Sample((now, last), paid) for now, last, paid in rows]


def test_a_point_of_lead_is_worth_what_it_is_paid() -> None:
    """0, 2 and 4 points were paid 0, 1/2 and 1: a quarter for each; without leads nothing."""
    assert paid_by_lead(line((0, 0, 0.0), (0, 2, 0.5), (0, 4, 1.0))) == 0.25
    assert paid_by_lead(line((0, 3, 0.0), (0, 3, 1.0))) == 0.0


def test_what_is_certain_counts_whole_and_noise_hardly() -> None:
    """One line leads by 2 more at once, by the same chance it once gains 4 and once loses 4 more.

    A point is paid a quarter (by least squares over all four), so it is 2 / 4 better, less what is
    lost by chance: the means of what comes later are equal, and nothing of it counts.
    """
    worse = line((0, 0, 0.5), (0, 2, 1.0))
    better = line((2, 6, 2.0), (2, 0, 0.5))
    found = Estimates().worths([better, worse])
    assert abs(found[0] - found[1] - 0.5) < 1e-9


def test_what_differs_in_every_playout_is_trusted_more_than_what_does_so_once() -> None:
    """Of the same mean of 3, that of 3 and 3 is kept, that of 7 and -1 for a fraction."""
    steady, erratic = Spread(), Spread()
    steady.learn([[3.0, 3.0], [-3.0, -3.0]])
    erratic.learn([[7.0, -1.0], [-7.0, 1.0]])
    # The means are 3 and -3: between them 2 * 9 / 1 = 18. Within: 0, and 4 * 16 / 1 = 64.
    assert steady == Spread(18.0, 0.0) and steady.trusted(2) == 1.0
    assert erratic == Spread(18.0 - 32.0, 64.0)
    # The signal is below nothing, so it counts as 0.02 of the noise: 0.02 / 1.02.
    assert round(erratic.trusted(2), 4) == round(0.02 / 1.02, 4)


def test_what_decisions_have_shown_is_remembered_and_fades() -> None:
    spread = Spread()
    spread.learn([[3.0, 3.0], [-3.0, -3.0]])
    spread.learn([[1.0, -1.0], [-1.0, 1.0]])
    # 0.9 * 18 + (0 - 4 / 2), and 4 of noise: in four playouts 14.2 / (14.2 + 1).
    assert (round(spread.signal, 6), spread.noise) == (14.2, 4.0)
    assert round(spread.trusted(4), 6) == round(14.2 / 15.2, 6)


def test_lines_chosen_by_their_playouts_teach_nothing() -> None:
    estimates = Estimates()
    lines = [line((0, 0, 0.0), (0, 1, 0.5)), line((1, 3, 1.0), (1, 2, 0.5))]
    estimates.worths(lines)
    before = [(spread.signal, spread.noise) for spread in estimates.spreads]
    estimates.worths(lines, learn=False)
    assert [(spread.signal, spread.noise) for spread in estimates.spreads] == before


def test_a_line_must_be_better_by_more_than_its_playouts_may_err() -> None:
    """With the same chance it is paid 3, 3, 3 and 3 more, or 8, -6, 8 and -6 more: that may be
    chance, for the error of the mean is the root of (3 * 49 + 49) / 3 / 4, which is 4.04.
    """
    estimates = Estimates([Spread(1.0, 0.0) for _ in range(3)])  # all is trusted whole
    usual = line((0, 0, 0.0), (0, 0, 0.0), (0, 0, 0.0), (0, 0, 0.0))
    steady = [Sample((0, 0), 3.0)] * 4
    erratic = [Sample((0, 0), paid) for paid in (8.0, -6.0, 8.0, -6.0)]
    assert estimates.surpasses(steady, usual) and not estimates.surpasses(erratic, usual)
    assert not estimates.surpasses(usual, usual) and not estimates.surpasses(usual, steady)
    often = [Sample((0, 0), paid) for paid in (8.0, 0.0, 8.0, 0.0)]
    # The mean is 4, its error the root of 4 * 16 / 3 / 4, which is 2.31.
    assert estimates.surpasses(often, usual)
