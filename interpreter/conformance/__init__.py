"""The conformity battery: laws that every ruleset keeps while it is played, whoever plays, under any options and variants."""
