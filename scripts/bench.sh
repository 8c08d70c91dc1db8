#!/usr/bin/env bash
# Compares the release build with other renderers, in one run.

source "$(dirname "$0")/common.sh"
require_swift
scripts/packages.sh bench
scripts/build.sh
swift build --product media-server >&2 </dev/null
exec python3 Benchmarks/bench.py "$@"
