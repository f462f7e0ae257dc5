"""The studio: games in the browser, with friends by link and bots.

In come games, choices and chat over HTTP, out go pages and fragments of pages, each made from what
its seat may know. `storage` keeps rows, `tables` is the one writer, `scene` says what a seat sees,
`pages` writes it as HTML, `app` joins them over the wire. It needs the extra `studio`, and may use
every package but the command line.
"""
