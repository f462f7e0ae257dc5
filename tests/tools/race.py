"""A small game whose numbers grow by a factor at every step, until they pass 64 bits or a limit."""

_RULES = """
game race "Race"
  players: 2

state far of player: number = 0

event run(p: player, n: number) reads "{p} runs {n}"
  set p's far to p's far * 100000000 + n

flow
  repeat
    each p in turn
      choose n in {1 to 9} by p "steps"
      do run(p, n)
END
rank
  highest player's far
"""


def race(limit: str = "") -> str:
    """Its rules; with a limit, the game ends when somebody is past it."""
    end = f"\nend far_off when some p in players where p's far > {limit}\n" if limit else ""
    return _RULES.replace("END\n", f"{end}\n" if end else "\n")
