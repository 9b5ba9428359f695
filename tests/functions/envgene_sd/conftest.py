"""What several test modules of the function need."""

from __future__ import annotations

import pytest

from tests.conformance.instances import servers
from tests.functions.envgene_sd.test_credentials import APPDEF, CREDENTIALS


@pytest.fixture
def root(tmp_path):
    """A repository whose registry wants the credential `reader`."""
    files = {
        "appdefs/suite.yml": APPDEF,
        "regdefs/central.yml": "name: central\ncredentialsId: reader\nmavenConfig:\n  repositoryDomainName: 'http://maven.test'\n"
        "  targetRelease: rel\n",
        "environments/east/prod-7/Inventory/solution-descriptor/sd.yaml": "applications: []\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(servers().real(text))
    (tmp_path / CREDENTIALS).parent.mkdir(parents=True)
    return tmp_path
