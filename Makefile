# Everything runs in .venv, which is made once per change of pyproject.toml or requirements/. PYTHON=... chooses another interpreter.
BIN := .venv/bin
EXAMPLE := examples/layered-values/first
VALUES := spec.**
DEMO := build/demo
IMAGE := localhost/krm-values
IMAGES := localhost
BASE_IMAGE := python:3.13-slim
FUNCTION :=
SOURCE :=
SECONDS := 60

# Tests start hundreds of processes, each of which would compile what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: dev demo test test-all check report mutants lint bench bench-quick bench-record fuzz oracle schemas site dist image images release lock clean

dev: .venv/ready-for-tests ## .venv with everything that the commands below need

demo: .venv/ready ## a copy of an example: where values come from, the diff, the rendered files
	@rm -rf $(DEMO) && mkdir -p $(dir $(DEMO)) && cp -R $(EXAMPLE) $(DEMO)
	@echo "\$$ krm-values explain $(DEMO) '$(VALUES)'"
	@$(BIN)/krm-values explain $(DEMO) '$(VALUES)'
	@echo; echo '$$ krm-values render --diff $(DEMO)'
	@$(BIN)/krm-values render --diff $(DEMO); test $$? -eq 1
	@echo; echo '$$ krm-values render $(DEMO)'
	@$(BIN)/krm-values render $(DEMO)
	@$(BIN)/krm-values render --diff $(DEMO)
	@echo; echo 'Try next:'
	@echo '  export PATH="$$PWD/$(BIN):$$PATH"'
	@echo '  krm-values explain --from layers.yaml:13 $(DEMO)'
	@echo '  krm-values explain --html $(DEMO).html $(DEMO)'
	@echo '  krm-values list'

test: .venv/ready-for-tests ## every unit test and case, and the day's thirtieth of the long tables: DAY=N chooses another
	$(BIN)/python -m pytest --daily -n auto --dist worksteal $(if $(DAY),--day $(DAY))

test-all: .venv/ready-for-tests ## every test; what this machine lacks is skipped, unless KRM_HOSTS=required. AFTER=test: what make test has not run; EVERY=3: a third of the long tables
	$(BIN)/python -m pytest -n auto --dist worksteal $(if $(filter test,$(AFTER)),--rest $(if $(EVERY),--every $(EVERY))) $(if $(DAY),--day $(DAY))

check: .venv/ready-for-tests ## the cases and tests of one function, of the commands or of shared code: make check FUNCTION=giantswarm, cli, kit
	$(BIN)/python -m tests.check $(FUNCTION)

report: .venv/ready-for-tests ## words, lines in two places, sizes; fails for floors and circles alone
	$(BIN)/python -m tests.report

mutants: .venv/ready-for-tests ## three hundred changed lines, each of which its tests must notice
	$(BIN)/python -m tests.mutants

lint: .venv/ready-for-tests ## ruff, its format, and mypy; all three, whatever fails
	@failed=0; for tool in 'ruff check' 'ruff format --check' mypy; do $(BIN)/$$tool || failed=1; done; exit $$failed

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
	$(BIN)/python scripts/images.py --base $(BASE_IMAGE) $(if $(SOURCE),--source $(SOURCE)) --image $(IMAGE) $(if $(FUNCTION),--function $(FUNCTION))

images: .venv/ready-for-tests ## one image per function and the general one, with SBOMs in dist/: make images BASE_IMAGE=... IMAGES=localhost SOURCE=URL
	$(BIN)/python scripts/images.py --base $(BASE_IMAGE) --registry $(IMAGES) $(if $(SOURCE),--source $(SOURCE)) $(RELEASE)

release: ## images to publish, for amd64 and arm64 where buildx is installed: make release BASE_IMAGE=NAME@sha256:DIGEST IMAGES=... SOURCE=URL
	@sh scripts/digest '$(BASE_IMAGE)'
	@$(MAKE) images RELEASE=--release

given = $(if $(findstring command line,$(origin $(1))),--$(2) '$($(1))')
dist: ## what a release has: make dist IMAGES=REGISTRY/NAME SOURCE=URL EMAIL=ADDRESS BASE_IMAGE=NAME@sha256:DIGEST
	@$(if $(call given,BASE_IMAGE),sh scripts/digest '$(BASE_IMAGE)')
	@$(MAKE) --no-print-directory .venv/ready-for-tests
	@$(BIN)/python scripts/dist.py $(call given,IMAGES,images) $(call given,SOURCE,source) $(call given,EMAIL,email) $(call given,BASE_IMAGE,base)

schemas: .venv/ready-for-tests ## config.json, docs/schemas/ and catalog/ anew, from each function's config.py
	$(BIN)/python scripts/schemas.py

site: .venv/ready-for-tests ## the documents as a site in build/site/html, which may lie on any web server; a warning fails
	$(BIN)/python scripts/site.py

lock: ## requirements/*.txt anew: the newest versions that pyproject.toml allows, with hashes
	@$(or $(PYTHON),python3.11) scripts/lock.py

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml scripts/venv requirements/image.txt requirements/build.txt
	@sh scripts/venv .venv

.venv/ready-for-tests: .venv/ready requirements/ci.txt
	@sh scripts/venv .venv tests
