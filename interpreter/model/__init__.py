"""The model of a game: its fixed setup, and positions that change.

In: a compiled ruleset, a number of players and chosen options. Out: `Setup` (pieces and sites,
numbered), `Position` (edited in place, copied, hashed), its elementary changes, who may know which
piece, and the keys of memoised results. May use: `rulelang`.
"""
