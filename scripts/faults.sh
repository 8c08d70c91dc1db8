#!/usr/bin/env bash
# faults.sh [--together] [--in-place] [NAME ...]: applies the faults of Tests/faults/faults.toml, or the named ones, and
# checks that the tests catch each of them.
#
# Applies one at a time, in a copy of the sources in .build-faults. --together applies all of them for one build, which is
# fast, but a fault can then be caught because of another one. --in-place changes this source tree and restores it at the
# end.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift
scripts/venv.sh
exec .venv/bin/python Tests/faults/faults.py "$@" </dev/null
