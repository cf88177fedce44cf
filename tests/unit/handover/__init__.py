"""Handing an attempt over."""
