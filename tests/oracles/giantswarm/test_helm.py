"""What Helm makes of the combined text is what it makes of the layers, one `-f` each."""

from __future__ import annotations

import pytest

from krm_values._run import objects
from tests.functions.giantswarm_config.support import app, catalog, config_map, ref, run, secret
from tests.oracles import helm

NULLS = ["replicas: 2\nnested: {gone: x}\n", "beam: null\nlist: [1, 2]\n", "nested: {gone: null, new: 1e3}\nlist: [3]\n"]
LOGIN = ["beam: secret\nreplicas: 5\n", "nested: {kept: false}\n"]


@pytest.mark.parametrize("secrets", [[], LOGIN], ids=["a null over the chart's default", "Secrets over ConfigMap scalars"])
def test_helm_gives_the_same_for_the_combined_text_and_for_the_layers(tmp_path, secrets):
    helm.needed()
    maps = [ref(f"m{number}", priority=number + 1) for number in range(len(NULLS))]
    logins = [ref(f"s{number}", kind="secret", priority=number + 1) for number in range(len(secrets))]
    held = [config_map(f"m{number}", text) for number, text in enumerate(NULLS)]
    held += [secret(f"s{number}", text) for number, text in enumerate(secrets)]
    state = run(app(extraConfigs=[*maps, *logins]), catalog(), *held, outputs=["combined"])
    text = objects.decode(state.items[-1]["data"]["values.yaml"])
    found = helm.rendered(tmp_path, text)
    assert found == helm.rendered(tmp_path, *NULLS, *secrets)
    assert "gone" not in found["nested"]
    assert ("beam" in found) == bool(secrets)
