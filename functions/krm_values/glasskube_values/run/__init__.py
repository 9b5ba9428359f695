"""Packages, stage by stage."""
