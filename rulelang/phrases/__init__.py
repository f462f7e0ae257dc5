"""Card sentences: an Earley parser finds every reading, and each reading becomes core objects.

In come the wordings a compiled frame declares (patterns, definitions that read, the words for
kinds, components and titles) and a sentence with its place. Out come its readings as extensions of
the rules, or a diagnosis: unknown words with near misses, where no phrase goes on, or ambiguity
with a rewording. `describe` prints core expressions in the same wordings.

May use elaborate, ruleset, core and diagnostics; the Earley parser is Lark's.
"""
