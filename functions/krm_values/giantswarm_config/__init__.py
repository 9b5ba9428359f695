"""Write the ConfigMap and Secret that Giant Swarm's app-operator would merge for each App from its layers of configuration."""

from __future__ import annotations

from krm_values._kit.function import Function
from krm_values.giantswarm_config import plan

function = Function(__name__, "config:GiantswarmConfig", plan.plan)
