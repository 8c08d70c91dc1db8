# Entry points for people and CI. Each target installs what it needs.

# `make run ARGS="--name Kitchen"`: options for swiftlet.
ARGS =

# `make fuzz SECONDS=600 TARGETS="http soap"`: seconds per target, and the targets; all by default.
SECONDS = 60
TARGETS =

# `make threads FILTER=GENA`: the tests to run; all by default.
FILTER =

# `make soak MINUTES=600`
MINUTES = 30

# Where `make install` installs. Packagers set DESTDIR.
PREFIX = /usr/local
DESTDIR =

# `make faults FAULTS="--together"`: options and names for scripts/faults.sh; all faults, one at a time, by default.
FAULTS =

.PHONY: help run build test test-long lamp stress outages faults fuzz threads soak bench matrix install uninstall deb deb-debian13 deb-arm64 test-package test-arm64 test-debian13 oldest-swift lint

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install dependencies, build and run; options in ARGS="--name Kitchen"
	@exec scripts/run.sh $(ARGS)

build: ## Build the release binaries, .build-release/swiftlet and .build-release/swiftlet-control
	@scripts/packages.sh build
	@scripts/build.sh

test: ## Run all tests: Swift tests, and interop tests of the built program
	@scripts/test.sh

test-long: ## Run the tests that take hours: oldest-swift, stress, outages, soak, fuzz and threads
	@exec scripts/run-parts.sh oldest-swift stress outages 'soak MINUTES=$(MINUTES)' 'fuzz SECONDS=$(SECONDS)' threads

oldest-swift: ## Build everything with the oldest supported Swift, in a Debian root (as root)
	@exec scripts/oldest-swift.sh

outages: ## Test playback through outages of minutes
	@exec scripts/outages.sh

fuzz: ## Fuzz every parser and decoder, SECONDS=60 each
	@exec scripts/fuzz.sh $(SECONDS) $(TARGETS)

lamp: ## Build the example device in Examples/Lamp, .build/debug/Lamp
	@scripts/lamp.sh

stress: ## Play 1000 random gapless joins and random commands, and compare every sample
	@scripts/stress.sh

faults: ## Apply each known fault, and check that the tests catch it
	@exec scripts/faults.sh $(FAULTS)

threads: ## Run the Swift tests, or those of FILTER=, under the thread sanitizer
	@exec scripts/threads.sh $(FILTER)

soak: ## Run one renderer under random load for MINUTES=30, and check for leaks
	@exec scripts/soak.sh $(MINUTES)

bench: ## Measure and compare with gmediarender and rygel
	@scripts/bench.sh

matrix: ## Check Swiftlet and other renderers, and write docs/conformance-matrix.md
	@scripts/matrix.sh

install: ## Install the result of `make build` in PREFIX=/usr/local
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install.sh install

uninstall: ## Remove everything that `make install` installed
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install.sh uninstall

deb: ## Build the Debian packages for this distribution and architecture
	@scripts/packages.sh deb
	@scripts/build.sh
	@scripts/deb.sh

deb-debian13: ## Build the Debian packages for Debian 13 in a root folder (as root)
	@scripts/in-debian.sh trixie env REVISION=1+deb13 make deb
	@cp --verbose .build-trixie/root/swiftlet/*+deb13_*.deb .

deb-arm64: ## Cross-build the Debian packages for arm64 on an amd64 machine (as root)
	@scripts/packages.sh deb-arm64
	@exec scripts/deb-arm64.sh

test-package: ## Test the Debian packages on Debian 12 and 13, booted with systemd (as root)
	@scripts/packages.sh test-package
	@scripts/test-package.sh

test-debian13: ## Run all tests in a root folder of Debian 13 (as root)
	@scripts/in-debian.sh trixie make test

test-arm64: ## Run the arm64 packages under emulation (as root)
	@scripts/packages.sh test-arm64
	@exec scripts/test-arm64.sh

lint: ## Check format, imports and scripts
	@scripts/lint.sh
