"""Queries: pure functions whose answers are kept with a record of what they asked.

In: functions of one key each, and revisions of what they read. Out: answers, worked out again only
where something they asked has another answer now. Uses nothing else of the project.
"""
