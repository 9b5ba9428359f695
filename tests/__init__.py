"""How much random input a test gets: more in CI."""

import os

EXAMPLES = 2000 if os.environ.get("CI") else 200
