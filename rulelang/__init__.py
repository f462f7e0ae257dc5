"""Rulelang: rules and card texts in, checked and compiled rules out; this package knows no game, holds no state and does no I/O in its core."""
