#!/usr/bin/env bash
# faults.sh [--together] [--in-place] [NAME ...]: applies the faults of Tests/faults/faults.toml, or those of the names, and
# checks that the tests catch each of them.
#
# One at a time, in a copy of the sources in .build-faults, which is built anew the first time. --together applies all of
# them for one build, which is quick, but then a fault may be caught by what another one does. --in-place changes this
# source tree instead of a copy and restores it at the end.

source "$(dirname "$0")/common.sh"
require_swift
scripts/packages.sh test
scripts/venv.sh
exec .venv/bin/python Tests/faults/faults.py "$@" </dev/null
