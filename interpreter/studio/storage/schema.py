"""The tables of the database, as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("rules", sa.Text, nullable=False),  # the id of a ruleset, or the path of one
    sa.Column("rules_hash", sa.String(64), nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("variants", sa.Text, nullable=False),  # JSON
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("added", sa.Text, nullable=False),  # JSON: texts of files by name
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),  # seconds since 1970
    sa.Column("over", sa.Boolean, nullable=False, default=False),
    sa.Column("undecided", sa.Text, nullable=False, default=""),  # why it cannot go on
)

# Seats are numbered from 0; WATCHER and HOST stand for links that choose nothing.
SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(32), nullable=False),  # a person, or the name of a bot
    sa.Column("issue", sa.Integer, nullable=False),  # of its link: earlier ones are revoked
)

CHOICES = sa.Table(
    "choices",
    METADATA,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("how", sa.String(8), nullable=False),  # "chosen", "forced" or "undo"
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("value", sa.Text, nullable=False),  # JSON
)

CHAT = sa.Table(
    "chat",
    METADATA,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("said", sa.Text, nullable=False),
)

# Which issue of a project's links is good; the projects themselves are folders.
PROJECTS = sa.Table(
    "projects",
    METADATA,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("reading", sa.Integer, nullable=False),
    sa.Column("writing", sa.Integer, nullable=False),
)

# What the server keeps of itself: the secret its links are signed with.
SETTINGS = sa.Table(
    "settings",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
