"""Links to projects, which can be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of the links that are good."""
    op.create_table(
        "projects",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("reading", sa.Integer, nullable=False),
        sa.Column("writing", sa.Integer, nullable=False),
    )
