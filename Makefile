# Everything a newcomer needs: `make demo` and `make test`. Each target installs what it needs into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# One thread a process: the matrices are small, and threads that wait for each other cost ten times the work.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test test-slow mutants lint bench docs lexicon wheel sbom clean

$(VENV)/base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/test: $(VENV)/base
	$(BIN)/pip install --quiet --editable '.[files,review,test]'
	touch $@

$(VENV)/slow: $(VENV)/test
	$(BIN)/pip install --quiet --editable '.[files,review,test,spark,search,browser,polars,spacy,presidio,langchain]'
	touch $@

$(VENV)/docs: $(VENV)/base
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@

$(VENV)/bench: $(VENV)/test
	$(BIN)/pip install --quiet --editable '.[bench,presidio,spark,search]'
	touch $@

demo: $(VENV)/base
	$(BIN)/taciturn demo

test: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 -m "not slow"

test-slow: $(VENV)/slow
	$(BIN)/pytest -m slow tests

# Small faults put into the code one by one, which the tests must notice: half an hour, and not part of CI.
mutants: $(VENV)/test
	$(BIN)/python -m tests.mutants

lint: $(VENV)/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/docs
	$(BIN)/mkdocs build --strict

# What the folders must hold: training/concepts/README.md.
SHARED ?= ../shared
PACKAGES ?= inputs
WORDNET ?= /usr/share/wordnet
OUT ?= build/lexicon

$(VENV)/training: $(VENV)/base
	$(BIN)/pip install --quiet --editable '.[training]'
	touch $@

lexicon: $(VENV)/training
	PYTHONPATH=src $(BIN)/python -m training.topics build --shared $(SHARED) --wordnet $(WORDNET) -o $(OUT)/topics
	PYTHONPATH=src $(BIN)/python -m training.concepts --topics $(OUT)/topics --relations $(SHARED)/data/relations --corpus $(SHARED)/data/corpus \
	  --packages $(PACKAGES) --wordnet $(WORDNET) -o $(OUT)

# What a release ships: a wheel for this platform and the source, in dist/.
wheel: $(VENV)/base
	$(BIN)/pip install --quiet build
	$(BIN)/python -m build

# All that Taciturn with its files, review and service depends on, with versions and licences (CycloneDX).
sbom:
	$(PYTHON) -m venv build/sbom-env
	build/sbom-env/bin/pip install --quiet '.[files,review,batch,ocr]'
	$(PYTHON) -m venv build/sbom-tool
	build/sbom-tool/bin/pip install --quiet cyclonedx-bom
	build/sbom-tool/bin/cyclonedx-py environment build/sbom-env --pyproject pyproject.toml --output-reproducible -o build/sbom.json

clean:
	rm -rf $(VENV) site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
