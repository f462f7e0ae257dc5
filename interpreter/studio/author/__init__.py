"""The author's page: cards written, seen, tried on a board and played.

`projects` keeps folders of texts, `archives` are how they come and go; `beside` answers what stands
beside a text, `drafts` and `trials` try a card on a board, all in the process of `worker`;
`routes` joins them to addresses.
"""
