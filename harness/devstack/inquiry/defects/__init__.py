"""Switchable faults of the inquiry app: one for each metric, each one thing that a real product could do wrong."""

from harness.devstack.inquiry.defects.decisions import background_calls, bend_decision
from harness.devstack.inquiry.defects.registry import DEFECTS, Defect, wrong
from harness.devstack.inquiry.defects.replies import bend_reply

__all__ = ["DEFECTS", "Defect", "background_calls", "bend_decision", "bend_reply", "wrong"]
