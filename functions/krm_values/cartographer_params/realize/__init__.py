"""Realisation of chains: steps in order, their inputs and outputs."""
