#!/usr/bin/env bash
# Plays many tracks in random order, with random commands, and compares every sample. SWIFTLET_STRESS sets the number of
# joins, 1000 by default, and SWIFTLET_MUTATIONS that of devices with mutated answers, 249 by default, besides those with
# extreme numbers. SWIFTLET_SEED repeats a failed run, whose seed is printed.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift

export SWIFTLET_MUTATIONS=${SWIFTLET_MUTATIONS:-249}
export SWIFTLET_STRESS=${SWIFTLET_STRESS:-1000} SWIFTLET_SEED=${SWIFTLET_SEED:-$RANDOM}
say "$SWIFTLET_STRESS joins, seed $SWIFTLET_SEED"
swift build --build-tests </dev/null
swift test --skip-build --no-parallel --filter StressTests </dev/null
say "$SWIFTLET_MUTATIONS mutated devices for the check"
swift test --skip-build --no-parallel --filter MutatedDeviceTests </dev/null
