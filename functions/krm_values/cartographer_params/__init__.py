"""Resolve Cartographer's params for each Workload and Deliverable and write the objects that its supply chain would stamp."""

from __future__ import annotations

from krm_values._kit.function import Function
from krm_values.cartographer_params import plan

function = Function(__name__, "config:CartographerParams", plan.plan, tools=("ytt",))
