# What a person or a machine does with a clone. Each target sets up by itself what it needs.

# `make run ARGS="--name Kitchen"`: options for swiftlet.
ARGS =

# `make fuzz SECONDS=600 TARGETS="http soap"`: how long each target is fuzzed, and which; all by default.
SECONDS = 60
TARGETS =

# `make threads FILTER=GENA`: which tests run; all by default.
FILTER =

# `make soak MINUTES=600`
MINUTES = 30

# Where `make install` puts it, and in front of that, for packagers.
PREFIX = /usr/local
DESTDIR =

# `make faults FAULTS="--together"`: options and names for scripts/faults.sh; all faults, one at a time, by default.
FAULTS =

.PHONY: help run build test test-long lamp stress outages faults fuzz threads soak bench install uninstall deb test-package lint

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install what is missing, build, and play; options in ARGS="--name Kitchen"
	@exec scripts/run.sh $(ARGS)

build: ## Build the release binary, .build-release/swiftlet
	@scripts/packages.sh build
	@scripts/build.sh

test: ## Run all tests: Swift's, then the built binary against other people's clients
	@scripts/test.sh

test-long: ## Run what takes hours: stress, long outages, a soak, fuzzing and the thread sanitizer
	@exec scripts/run-parts.sh stress outages 'soak MINUTES=$(MINUTES)' 'fuzz SECONDS=$(SECONDS)' threads

outages: ## Cut servers and networks off for minutes while music plays
	@exec scripts/outages.sh

fuzz: ## Feed every decoder made-up input, SECONDS=60 each
	@exec scripts/fuzz.sh $(SECONDS) $(TARGETS)

lamp: ## Build the example of a device by another package, .build/debug/Lamp
	@scripts/lamp.sh

stress: ## Play 1000 random joins, and commands in any order, and compare every sample
	@scripts/stress.sh

faults: ## Apply each of forty known faults, and check that the tests catch it
	@exec scripts/faults.sh $(FAULTS)

threads: ## Run Swift's tests under the thread sanitizer, or those of a FILTER=
	@exec scripts/threads.sh $(FILTER)

soak: ## Have everybody at one renderer for MINUTES=30, and see what stays behind
	@exec scripts/soak.sh $(MINUTES)

bench: ## Measure beside gmediarender and rygel, in one run
	@scripts/bench.sh

install: ## Install what `make build` has built, below PREFIX=/usr/local
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install.sh install

uninstall: ## Remove it again, all of it
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install.sh uninstall

deb: ## Build the Debian package for machines like this one
	@scripts/packages.sh deb
	@scripts/build.sh
	@scripts/deb.sh

test-package: ## Try the Debian package in a root of its own, booted with systemd (as root)
	@scripts/packages.sh test-package
	@scripts/test-package.sh

lint: ## Check format, imports and scripts
	@scripts/lint.sh
