"""From a card's idea to its balance report: a marimo notebook.

    pip install 'rulelang[notebook]'
    marimo edit examples/notebook/too_strong.py

`python examples/notebook/too_strong.py` runs all of it as a script; `-- --games 50` plays fewer.
"""

import marimo

app = marimo.App(app_title="Is my card too strong?")


@app.cell
def _():
    import json
    import subprocess
    import sys
    import tempfile
    from pathlib import Path

    import altair as alt
    import marimo as mo

    import rulelang

    return Path, alt, json, mo, rulelang, subprocess, sys, tempfile


@app.cell
def _(mo):
    mo.md("""
    # Is my card too strong?

    **The idea.** A bakery for *The City*: cheap, a little income, a shop, and worth more beside
    other bakeries. How much should it cost? We write it down as it would be printed, see how
    the rules understand it, let bots play with it, and ask whether it is too strong.
    """)
    return


@app.cell
def _(Path, tempfile):
    folder = Path(tempfile.mkdtemp())

    def card_of(cost: int) -> str:
        """A file with the card at this cost."""
        lines = (
            "for the_city",
            "",
            'card "Corner Bakery" of development',
            f"  cost: {cost}",
            "  income: 1",
            "  points: 1",
            "  shops: 1",
            "  copies: 4",
            "  text",
            "    | 1 point for each other Corner Bakery.",
        )
        where = folder / f"bakery_{cost}.rules"
        where.write_text("\n".join(lines) + "\n", "utf-8")
        return str(where)

    return (card_of,)


@app.cell
def _(Path, card_of, mo, rulelang):
    findings = rulelang.check(card_of(2))
    game = rulelang.load("the_city", players=2, with_=[card_of(2)])
    understood = rulelang.explain(game, "Corner Bakery")
    meanings = [reading.text for sentence in understood for reading in sentence.readings]
    mo.md(
        "## As it is written\n\n```text\n"
        + Path(card_of(2)).read_text("utf-8")
        + "```\n\n## As it is understood\n\n"
        + "\n".join(f"* {meaning}" for meaning in meanings)
        + f"\n\n`rulelang check` finds {len(findings) or 'nothing'} to complain about."
    )
    return findings, game, meanings


@app.cell
def _(card_of, json, mo, subprocess, sys):
    games = int(mo.cli_args().get("games") or 800)

    def balance(cost: int) -> dict:
        """What `rulelang balance` says of the card at this cost, beside a Strip Mall."""
        command = [sys.executable, "-m", "rulelang", "balance", "the_city", card_of(cost)]
        command += ["--like", "Strip Mall", "--bot", "random", "--games", str(games), "--json"]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        (report,) = json.loads(made.stdout)
        return report

    costs = (0, 2, 4)
    reports = {cost: balance(cost) for cost in costs}
    return costs, reports


@app.cell
def _(costs, mo, reports):
    def row(cost: int) -> dict:
        """What a report says of the bakery."""
        (card,) = reports[cost]["cards"]
        more, low, high = card["earns_more"] or (0.0, 0.0, 0.0)
        return {
            "cost": cost,
            "verdict": card["verdict"],
            "more": more,
            "low": low,
            "high": high,
            "won": card["won"],
            "played in": card["played_in"],
        }

    rows = [row(cost) for cost in costs]
    mo.vstack(
        [
            mo.md(
                "## Is it too strong?\n\nBots that choose at random play with it. "
                "Each pair of games is played on the same seed, with the "
                "bakery and without it. Who plays a bakery is compared with who plays a Strip Mall "
                "(cost 2) in the same game: what the one is ahead of the other, with an interval "
                "that is widened for looking more than once."
            ),
            mo.ui.table(rows, selection=None),
        ]
    )
    return (rows,)


@app.cell
def _(alt, mo, rows):
    points = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("cost:O", title="cost of the Corner Bakery", axis=alt.Axis(labelAngle=0))
    )
    intervals = points.mark_rule(strokeWidth=3).encode(
        y=alt.Y("low:Q", title="points ahead of who plays a Strip Mall"),
        y2="high:Q",
        color=alt.Color("verdict:N", title="verdict"),
    )
    means = points.mark_point(size=90, filled=True).encode(y="more:Q", color="verdict:N")
    zero = alt.Chart(alt.Data(values=[{"y": 0}])).mark_rule(strokeDash=[4, 4]).encode(y="y:Q")
    chart = (zero + intervals + means).properties(width=420, height=300)
    mo.vstack([chart, mo.md("Where the interval leaves out 0 (dashed), the card is different.")])
    return (chart,)


@app.cell
def _(mo, rows):
    fair = [row["cost"] for row in rows if row["verdict"] not in ("stronger", "weaker")]
    mo.md(
        "## What to print\n\n"
        + (
            f"At a cost of {', '.join(map(str, fair))} these games do not tell it from a Strip "
            "Mall. They say no more than that: play with a stronger bot (`--bot greedy`) and "
            "with more games before you print it."
            if fair
            else "No cost makes it equal to a Strip Mall: change its points or its income."
        )
    )
    return (fair,)


if __name__ == "__main__":
    app.run()
