# Everything runs in .venv, which is made once per change of pyproject.toml or requirements/. PYTHON=... chooses another interpreter.
BIN := .venv/bin
EXAMPLE := examples/tekton-params/build-and-deploy
DEMO := build/demo
IMAGE := localhost/krm-values
BASE_IMAGE := python:3.13-slim
FUNCTION :=
SECONDS := 60

.PHONY: demo test lint bench bench-quick bench-record fuzz oracle schemas image release lock clean

demo: .venv/ready ## render a copy of an example; show the diff and where each value comes from
	@rm -rf $(DEMO) && mkdir -p $(dir $(DEMO)) && cp -R $(EXAMPLE) $(DEMO)
	@echo '$$ krm-values render --diff $(DEMO)'
	@$(BIN)/krm-values render --diff $(DEMO); test $$? -eq 1
	@echo; echo '$$ krm-values explain $(DEMO)'
	@$(BIN)/krm-values explain $(DEMO)
	@echo; echo '$$ krm-values render $(DEMO)'
	@$(BIN)/krm-values render $(DEMO)
	@$(BIN)/krm-values render --diff $(DEMO)

test: .venv/ready-for-tests ## every test; those of hosts this machine lacks are skipped unless KRM_HOSTS=required
	$(BIN)/python -m pytest -n auto

lint: .venv/ready-for-tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/ready-for-tests ## whole processes against their yardsticks; fails where a row exceeds its gate
	$(BIN)/python -m tests.bench

bench-quick: .venv/ready-for-tests ## the rows up to 1,000 items; fails where a ratio is a quarter above what was recorded
	$(BIN)/python -m tests.bench --quick

bench-record: .venv/ready-for-tests ## both, on a quiet machine; what is reached goes into tests/bench/gates.toml and docs/performance.md
	-$(BIN)/python -m tests.bench --quick --record
	$(BIN)/python -m tests.bench --record

fuzz: .venv/ready-for-tests ## changed inputs on everything that reads: make fuzz SECONDS=600 TARGET=jsonpath SEED=1
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(TARGET),--target $(TARGET)) $(if $(SEED),--seed $(SEED))

oracle: .venv/ready-for-tests ## upstream's own code, small Go programs, against ours on random input
	$(BIN)/python -m tests.oracles.goyaml --count 20000 --seed 1
	$(BIN)/python -m tests.oracles.scalars --count 20000 --seed 1
	$(BIN)/python -m tests.oracles.giantswarm --count 20000 --seed 1
	$(BIN)/python -m tests.oracles.cartographer --count 20000 --seed 1
	$(BIN)/python -m tests.oracles.flux --count 20000 --seed 1
	$(BIN)/python -m tests.oracles.glasskube --count 20000 --seed 1

image: .venv/ready ## a container image: make image BASE_IMAGE=... FUNCTION=tekton-params IMAGE=...
	$(BIN)/python scripts/wheels.py build/wheels $(BASE_IMAGE)
	docker build --network none --build-arg BASE_IMAGE=$(BASE_IMAGE) --build-arg FUNCTION=$(FUNCTION) --tag $(IMAGE) .

release: ## an image to publish: make release BASE_IMAGE=NAME@sha256:DIGEST FUNCTION=tekton-params IMAGE=...
	@sh scripts/digest '$(BASE_IMAGE)'
	@$(MAKE) image

schemas: .venv/ready-for-tests ## config_schema.py and docs/schemas/ anew, from each function's config.py
	$(BIN)/python scripts/schemas.py

lock: ## requirements/*.txt anew: the newest versions that pyproject.toml allows, with hashes
	@$(or $(PYTHON),python3.11) scripts/lock.py

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml scripts/venv requirements/image.txt requirements/build.txt
	@sh scripts/venv .venv
	@touch $@

.venv/ready-for-tests: .venv/ready requirements/ci.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/ci.txt
	@$(BIN)/python -m pip check --quiet --disable-pip-version-check
	@touch $@
