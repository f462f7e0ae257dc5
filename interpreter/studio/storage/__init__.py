"""What the studio keeps: games, seats, choices and chat as rows of SQLite or PostgreSQL.

In come and out go frozen records; the rows are the truth, and whatever else the server knows is
played again from them.
"""
