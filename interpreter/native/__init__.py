"""The native engine: core objects lowered once to a typed intermediate representation, and that to
WebAssembly, run by `wasmtime`.

In comes a game's reference engine, out goes a module that plays: decisions, options, choices and
random games. What is not written for it yet is said as one `NotLowered` that names the construct
and its clause; then the reference plays. It may use the model, the evaluator and the engine below
it, and the core.
"""
