"""The session at a table: people at one keyboard, and bots, play a game to its end.

In come lines typed. Out go choices, and text for each person as he may know it: menus, the feed
of what happened, boards, answers to questions; and kept games in files. It uses drawing, bots and
`interpreter.game`.
"""
