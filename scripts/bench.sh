#!/usr/bin/env bash
# Compares the release build with other renderers, in one run.

source "$(dirname "$0")/common.sh"
scripts/packages.sh bench
require_swift
scripts/venv.sh
scripts/build.sh
swift build --product media-server >&2 </dev/null
swift build --product sound-card-stand-in >&2 </dev/null
exec .venv/bin/python Benchmarks/bench.py "$@"
