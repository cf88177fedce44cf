"""Switchable faults of the inquiry app: one for each metric, each one thing that a real product could do wrong."""

from harness.devstack.inquiry.defects.decisions import background_calls, bend_decision
from harness.devstack.inquiry.defects.registry import DECLARED, DEFECTS, Defect, report, wrong
from harness.devstack.inquiry.defects.replies import bend_reply

__all__ = ["DECLARED", "DEFECTS", "Defect", "background_calls", "bend_decision", "bend_reply", "report", "wrong"]
