"""Drawing: boards and tables as rows of text, with colours where there are any.

In come a state and a viewer. Out go rows that fit a width, in letters the stream can show. It
draws from geometry and declarations alone and knows no game. It uses `interpreter.game` and what
is below, and nothing of a session.
"""
