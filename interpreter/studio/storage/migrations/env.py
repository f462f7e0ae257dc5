"""Runs migrations on the connection that `migrate` hands over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from interpreter.studio.storage.schema import METADATA

connection = context.config.attributes["connection"]
assert isinstance(connection, sa.Connection)
context.configure(
    connection=connection,
    target_metadata=METADATA,
    render_as_batch=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
