"""The names of the bots, apart from their code so that a command line can be parsed without it."""

BOT_NAMES = ("greedy", "hasty", "random", "search")
