"""Cartographer's kinds: the chain of each kind of owner, the templates that a chain may use, and the output of each."""

from __future__ import annotations

from krm_values._kit.planner.served import Served

GROUP = "carto.run"
SUPPLY_CHAIN, DELIVERY = "ClusterSupplyChain", "ClusterDelivery"
RUNNABLE, RUN_TEMPLATE = "Runnable", "ClusterRunTemplate"
CHAIN_OF = {"Workload": SUPPLY_CHAIN, "Deliverable": DELIVERY}
WORDS = {SUPPLY_CHAIN: "supply chain", DELIVERY: "delivery"}
OWNERS = (*CHAIN_OF, RUNNABLE)

SOURCE, IMAGE, CONFIG = "ClusterSourceTemplate", "ClusterImageTemplate", "ClusterConfigTemplate"
DEPLOYMENT, PLAIN = "ClusterDeploymentTemplate", "ClusterTemplate"
TEMPLATES = (SOURCE, IMAGE, CONFIG, DEPLOYMENT, PLAIN)
EVERY = (*OWNERS, SUPPLY_CHAIN, DELIVERY, *TEMPLATES, RUN_TEMPLATE)
SERVED = (Served(GROUP, ("v1alpha1",), EVERY),)
"""What is read of a list."""
SERVED_STAMPED = (Served(GROUP, ("v1alpha1",), OWNERS, EVERY),)
"""What is read of stamped objects."""
ALLOWED = {SUPPLY_CHAIN: (SOURCE, IMAGE, CONFIG, PLAIN), DELIVERY: (SOURCE, DEPLOYMENT, CONFIG, PLAIN)}
OUTPUT = {SOURCE: "source", IMAGE: "image", CONFIG: "config", DEPLOYMENT: "source", PLAIN: ""}
PATHS = {SOURCE: ("urlPath", "revisionPath"), IMAGE: ("imagePath",), CONFIG: ("configPath",), DEPLOYMENT: (), PLAIN: ()}
INPUTS = {"sources": "source", "images": "image", "configs": "config"}
CONTEXT = ("workload", "deliverable", "params", "deployment", "labels", *INPUTS, *INPUTS.values())
RUN_CONTEXT = ("runnable", "selected")
