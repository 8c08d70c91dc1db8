#!/usr/bin/env bash
# Runs all tests: those of the page's modules, Swift's, then those of the built program with third-party clients.
#
# Tests/runner/retries.toml lists the tests that are run once more when they fail. Any other failure, and every crash,
# fails the run.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift
scripts/venv.sh

swift build --build-tests </dev/null
scripts/lamp.sh
node --test Tests/web/*.test.js </dev/null
.venv/bin/python -m pytest --quiet Tests/runner </dev/null
.venv/bin/python -m pytest --quiet Tests/faults </dev/null
exec .venv/bin/python Tests/runner/all_tests.py
