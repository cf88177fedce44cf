"""The rig up to the record: package, seed, journey, evidence, report."""

__version__ = "0.1.0"
